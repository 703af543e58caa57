import type { FieldOf } from '../../../engine/definitions/definition';

/** The number of visible lines of an empty text. */
export const linesOf = ({ lines }: FieldOf<'textarea'>): number => Math.max(2, lines ?? 3);
