import type { Field } from '../../../engine/definitions/definition';

/** The lines that are shown of an empty text. */
export const linesOf = (field: Field): number => Math.max(2, field.lines ?? 3);

/** Of the lines and what is around them, in pixels. */
export const height = (field: Field): number => linesOf(field) * 20 + 16;
