import type { FieldOf } from '../../../engine/definitions/definition';
import { acceptedKinds, anyKind, fileKinds } from '../../../engine/field-types/file-kinds';

/**
 * The files that a field accepts, for the browser's dialog: types, and the ends of names for those that it knows no type of.
 *
 * @example <input type="file" accept={acceptAttribute(field)} />
 */
export function acceptAttribute({ accept }: FieldOf<'files'>): string | undefined {
  if (accept.includes(anyKind)) return undefined;
  const extensions = acceptedKinds(accept).flatMap((kind) => fileKinds[kind].map((end) => `.${end}`));
  return [...accept, ...extensions].join();
}
