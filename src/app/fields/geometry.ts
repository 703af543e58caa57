import type { Field, FieldTypeName } from '../../engine/definitions/definition';
import { height as image } from './image/height';
import { height as richText } from './richText/height';
import { height as textarea } from './textarea/lines';

const heights: Partial<Record<FieldTypeName, (field: Field) => number>> = { image, richText, textarea };

/**
 * How high an input is before anything is in it, in pixels; undefined for a single line. It is known without the inputs
 * themselves, which are loaded with the form.
 */
export function heightOf(field: Field): number | undefined {
  return heights[field.type]?.(field);
}

/** Whether the input is a card of its own: the section's name labels it. */
export function isBare({ type }: Field): boolean {
  return type === 'permissions';
}
