import type { Field } from '../definitions/definition';
import { isFiles, namesIn } from '../field-types/files';
import { isEqualJson } from '../values/equal-values';

/** The effect of a change on the files of a field, as one side of the history shows it; empty for no files. */
export function describeFileChange(
  field: Field,
  { old: oldValue, new: newValue }: { readonly old: unknown; readonly new: unknown },
  side: 'old' | 'new',
): string {
  const [oldNames, newNames] = isFiles(field)
    ? [namesIn(oldValue), namesIn(newValue)]
    : [nameList(oldValue), nameList(newValue)];
  if (side === 'old') return oldNames.join(', ');
  // Another file can have the same name, so the new side says what happened.
  if (!isFiles(field)) {
    if (newNames.length === 0) return oldNames.length === 0 ? '' : 'Removed';
    return `${oldNames.length === 0 ? 'Added' : 'Replaced by'} ${newNames[0]}`;
  }
  const [addedNames, removedNames] = [withoutNames(newNames, oldNames), withoutNames(oldNames, newNames)];
  const parts = [
    ...(addedNames.length > 0 ? [`Added ${addedNames.join(', ')}`] : []),
    ...(removedNames.length > 0 ? [`Removed ${removedNames.join(', ')}`] : []),
  ];
  if (parts.length > 0 || newNames.length === 0) return parts.join('; ');
  return isEqualJson(oldNames, newNames)
    ? `Replaced one of ${newNames.join(', ')}`
    : `New order: ${newNames.join(', ')}`;
}

/** The name of an image as the history has it, and as it had it once; none for no image. */
function nameList(value: unknown): readonly string[] {
  const name = typeof value === 'object' && value !== null && 'name' in value ? value.name : value;
  return typeof name === 'string' && name !== '' ? [name] : [];
}

/** The names that the others do not have; a name that appears twice counts twice. */
function withoutNames(names: readonly string[], otherNames: readonly string[]): readonly string[] {
  const left = [...otherNames];
  return names.filter((name) => {
    const index = left.indexOf(name);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
