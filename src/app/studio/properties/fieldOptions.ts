import type { AnyFieldSource, FieldSource, Source } from '../../../engine/language/source';
import { labelOf } from '../../../engine/definitions/labels';
import { systemFields } from '../../../engine/normalise/system-fields';
import { writtenTypeOf } from '../../../engine/field-types';
import type { Option } from './ChoiceProperty';

/** All fields of a draft including system fields. */
export function allFields(source: Source): Record<string, FieldSource> {
  const system = systemFields(source);
  const names = new Set(['id', ...Object.keys(source.fields), ...Object.keys(system)]);
  return Object.fromEntries([...names].map((name) => [name, { ...system[name], ...source.fields[name] }]));
}

/** The fields of a draft as options. */
export function fieldOptions(
  source: Source,
  condition: (field: AnyFieldSource, name: string) => boolean = () => true,
): Option[] {
  return Object.entries(allFields(source))
    .filter(([name, field]) => !field.secret && condition(field, name))
    .map(([name, field]) => ({ value: name, label: field.label ?? labelOf(name) }));
}

/** Whether forms can show a field: it has a value of its own. */
export function isInForms(field: AnyFieldSource): boolean {
  return field.computed === undefined && writtenTypeOf(field).holds !== 'referrers';
}

/** The row actions as options. */
export function actionOptions(source: Source): Option[] {
  const listedNames = (source.list?.actions ?? []).map((action) => (typeof action === 'string' ? action : action.name));
  const names = new Set([
    'edit',
    'view',
    'copy',
    'delete',
    'unarchive',
    ...Object.keys(source.requests ?? {}),
    ...listedNames,
  ]);
  return [...names].map((name) => ({ value: name, label: labelOf(name) }));
}
