import type { FieldOf } from '../../../engine/definitions/definition';

/** The height of toolbar, text and borders, in pixels. */
export function height(field: FieldOf<'richText'>, readOnly?: boolean): number {
  return Math.max(112, (field.lines ?? 0) * 20 + 20) + 2 + (readOnly ? 0 : 36);
}
