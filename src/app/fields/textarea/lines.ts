import type { Field } from '../../../engine/definitions/definition';

/** The number of visible lines of an empty text. */
export const linesOf = (field: Field): number => Math.max(2, field.lines ?? 3);

/** The height of the box, in pixels. */
export const height = (field: Field): number => linesOf(field) * 20 + 16;
