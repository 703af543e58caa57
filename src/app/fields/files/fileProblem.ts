import type { FieldOf } from '../../../engine/definitions/definition';
import { describeAccepted, fileKinds, isAcceptedKind } from '../../../engine/field-types/file-kinds';
import { formatBytes } from '../../../engine/field-types/files';
import { lastOf } from '../../../engine/values/lookups';

/** The limits of the files of a field, or of a comment. */
export type AcceptedFiles = Pick<FieldOf<'files'>, 'name' | 'accept' | 'maxItems' | 'maxBytes'>;

/**
 * Why a field does not take a file, as far as its name and size say; undefined if it may. The server decides by its
 * content.
 *
 * @example fileProblem(file, field); // 'It is larger than 25 MB.'
 */
export function fileProblem(
  { name, size, type }: File,
  field: Pick<AcceptedFiles, 'accept' | 'maxBytes'>,
): string | undefined {
  if (size === 0) return 'It is empty.';
  if (size > field.maxBytes) return `It is larger than ${formatBytes(field.maxBytes)}.`;
  const end = lastOf(name.split('.')).toLowerCase();
  const [kind = type] =
    Object.entries(fileKinds).find(([, extensions]) => (extensions as readonly string[]).includes(end)) ?? [];
  if (kind === '' || isAcceptedKind(kind, field.accept)) return undefined;
  return `Only ${describeAccepted(field.accept)} can be added.`;
}

/**
 * Why a field does not take another file when it has its most.
 *
 * @example tooManyFiles(field); // 'There can be at most 20 files.'
 */
export function tooManyFiles({ maxItems }: Pick<AcceptedFiles, 'maxItems'>): string {
  return `There can be at most ${maxItems} files.`;
}
