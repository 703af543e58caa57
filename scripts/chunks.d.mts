import type { Rolldown } from 'vite';

/** The modules that are loaded after the entry until the first list is shown: paths of modules, from the root. */
export const listParts: readonly string[];
/** The option `output.codeSplitting` of rolldown. */
export function codeSplitting(): Rolldown.CodeSplittingOptions;
