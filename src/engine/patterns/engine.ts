/** Whether a text matches a pattern somewhere. */
export type Matcher = (text: string) => boolean;

/** The engine for patterns, once its module was loaded; it is large, and browsers seldom need it. */
export const patternEngine: { compile?: (pattern: string) => Matcher } = {};
