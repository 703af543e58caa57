import type { FieldTypeName } from '../../../engine/definitions/definition';
import type { Source } from '../../../engine/language/source';
import { createModuleSource, type NewField } from '../../../engine/studio/new-module';
import { typeNamesWhere } from '../../../engine/field-types';
import { nameFromLabel } from '../../../engine/studio/field-names';
import { requiredKeys } from '../../../engine/studio/type-keys';
import { itemAt } from '../../../engine/values/lookups';
import { studioOf } from '../../fields/studio';

/** The values of the form of a new module. */
export interface NewModuleForm {
  readonly singular: string;
  readonly plural: string;
  readonly icon: string;
  readonly group: string;
  readonly fields: readonly NewFieldForm[];
}

export interface NewFieldForm {
  /** Identifies the row of the form. */
  readonly id: number;
  readonly label: string;
  readonly type: FieldTypeName;
  readonly isRequired: boolean;
  /** Of a select: its options, separated by commas. */
  readonly options: string;
  /** Of a relation: the module that it points to. */
  readonly target: string;
}

/** The types that this form offers; the editor offers all. */
export const newFieldTypes: readonly FieldTypeName[] = typeNamesWhere(
  (_type, type) => studioOf({ type }).inNewModules === true,
);

/** The key of a module: `Spare Parts` → `spare-parts`. Empty if the name has no usable letter. */
export function moduleKey(plural: string): string {
  return nameFromLabel(plural, '').replaceAll('_', '-');
}

/** `Asset` → `Assets`, `Country` → `Countries`, `Box` → `Boxes`. */
export function pluralize(singular: string): string {
  if (singular.trim() === '') return '';
  if (/[^aeiou]y$/i.test(singular)) return singular.replace(/y$/, 'ies').replace(/Y$/, 'IES');
  return /(?:s|x|z|ch|sh)$/i.test(singular) ? `${singular}es` : `${singular}s`;
}

/** The fields that have a label. */
export function labelledFields(fields: readonly NewFieldForm[]): NewFieldForm[] {
  return fields.filter(({ label }) => label.trim() !== '');
}

/** The definition of a new module, with cards and import. */
export function buildDefinition(form: NewModuleForm): Source {
  const { list, menu, ...source } = createModuleSource({
    name: moduleKey(form.plural),
    one: form.singular,
    many: form.plural,
    icon: form.icon,
    fields: labelledFields(form.fields).map(toNewField),
  });
  const group = form.group.trim() || 'Workspace';
  return {
    ...source,
    menu: { ...menu, group },
    list: { ...list, views: ['list', 'cards'], card: { lines: cardLines(source.fields) } },
    import: {},
  };
}

/** The form row of each field of the definition; a title field that was added in front has none. */
export function fieldsByKey(form: NewModuleForm, source: Source): Map<string, NewFieldForm> {
  const keys = Object.keys(source.fields);
  const rows = labelledFields(form.fields);
  const put = keys.length - rows.length;
  return new Map(rows.map((field, index) => [itemAt(keys, index + put), field]));
}

function cardLines(fields: Source['fields']): string[] {
  const entries = Object.entries(fields).filter(([, { type = 'text' }]) => studioOf({ type }).onNewCards);
  return entries.slice(0, 3).map(([name]) => name);
}

function toNewField({ label, type, isRequired, options, target }: NewFieldForm): NewField {
  const neededKeys = requiredKeys(type);
  return {
    label,
    type,
    ...(isRequired && { required: true }),
    ...(neededKeys.includes('options') && { options: parseOptions(options) }),
    ...(neededKeys.includes('to') && target !== '' && { to: target }),
  };
}

function parseOptions(text: string) {
  const labels = text
    .split(',')
    .map((label) => label.trim())
    .filter(Boolean);
  return labels.map((label) => ({ value: nameFromLabel(label, '') || label, label }));
}
