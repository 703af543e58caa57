import type { FieldSource, Source } from '../../../engine/language/source';
import { removeField } from '../../../engine/studio/fields';
import { mergeSources } from '../../../engine/studio/merge';
import type { HiddenColumn, ModuleVersion } from '../../../engine/studio/module';
import { addToForm } from './listFields';

/** The draft with a removed field restored, everywhere that its base refers to it. */
export function restoreField(source: Source, name: string, baseSource: Source): Source {
  return mergeSources(removeField(baseSource, name).source, baseSource, source).merged;
}

/** The draft with a hidden column as a field again: as in the newest version that had it, else by the column's type. */
export function fieldFromColumn(
  source: Source,
  { column, type }: HiddenColumn,
  versions: readonly ModuleVersion[],
): Source {
  const formerVersion = versions.find(({ definition }) => Object.hasOwn(definition.fields, column));
  const field = formerVersion?.definition.fields[column] ?? fieldForColumnType(type);
  return addToForm({ ...source, fields: { ...source.fields, [column]: field } }, column);
}

const typesByColumnType: readonly [RegExp, FieldSource][] = [
  [/^(int|bigint|smallint)/, { type: 'number', integer: true }],
  [/^(double|real)/, { type: 'number' }],
  [/^numeric/, { type: 'number', decimal: true }],
  [/^bool/, { type: 'boolean' }],
  [/^timestamp/, { type: 'datetime' }],
  [/^date/, { type: 'date' }],
  [/^json/, { type: 'json' }],
];

function fieldForColumnType(type: string): FieldSource {
  return typesByColumnType.find(([pattern]) => pattern.test(type))?.[1] ?? { type: 'text' };
}
