import type { FieldOf } from '../../../engine/definitions/definition';

/** The number of visible lines of an empty text. */
export const linesOf = ({ lines }: FieldOf<'textarea'>): number => lines ?? 3;
