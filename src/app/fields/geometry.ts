import type { Field, FieldTypeName } from '../../engine/definitions/definition';
import { height as image } from './image/height';
import { height as richText } from './richText/height';
import { height as textarea } from './textarea/lines';

const heights: Partial<Record<FieldTypeName, (field: Field) => number>> = { image, richText, textarea };

/**
 * The initial height of an input in pixels; undefined for a single line. Known without the inputs, whose code is loaded
 * with the form.
 */
export function heightOf(field: Field): number | undefined {
  return heights[field.type]?.(field);
}

/** Whether the input is labelled by its section instead of a label of its own. */
export function isBare({ type }: Field): boolean {
  return type === 'permissions';
}
