import type { Field } from '../definitions/definition';
import { isFiles, namesIn } from '../field-types/files';
import { isEqualJson } from '../validation/equal-values';

/** What a change did to the files of a field, as one side of the history shows it; empty for no files. */
export function describeFileChange(
  field: Field,
  { old, new: fresh }: { readonly old: unknown; readonly new: unknown },
  side: 'old' | 'new',
): string {
  const [before, after] = isFiles(field) ? [namesIn(old), namesIn(fresh)] : [nameList(old), nameList(fresh)];
  if (side === 'old') return before.join(', ');
  // Another file can have the same name, so the new side says what happened.
  if (!isFiles(field)) {
    if (after.length === 0) return before.length === 0 ? '' : 'Removed';
    return `${before.length === 0 ? 'Added' : 'Replaced by'} ${after[0]}`;
  }
  const [added, removed] = [without(after, before), without(before, after)];
  const parts = [
    ...(added.length > 0 ? [`Added ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`Removed ${removed.join(', ')}`] : []),
  ];
  if (parts.length > 0 || after.length === 0) return parts.join('; ');
  return isEqualJson(before, after) ? `Replaced one of ${after.join(', ')}` : `New order: ${after.join(', ')}`;
}

/** The name of an image as the history has it, and as it had it once; none for no image. */
function nameList(value: unknown): readonly string[] {
  const name = typeof value === 'object' && value !== null && 'name' in value ? value.name : value;
  return typeof name === 'string' && name !== '' ? [name] : [];
}

/** The names that the others do not have; a name that appears twice counts twice. */
function without(names: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return names.filter((name) => {
    const place = left.indexOf(name);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}
