import type { AnyFieldSource, FieldSource } from '../language/source';

/**
 * Keys as a field of a draft. It can lack what its type needs until its author has said it; the checks report it.
 *
 * @example draftField({ type: 'select', label: 'State' });
 */
export function draftField(source: AnyFieldSource): FieldSource {
  return source as FieldSource;
}
