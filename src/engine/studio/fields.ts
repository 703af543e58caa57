import { fieldTypeOf } from '../field-types';
import { normalise } from '../normalise/normalise';
import { keysOf } from '../field-types/field-keys';
import { labelOf } from '../definitions/labels';
import { joinPointer } from '../definitions/problems';
import type { FieldTypeName, ListView } from '../definitions/definition';
import { isBuiltInView } from '../lists/list-state';
import type { AnyFieldSource, FieldSource, Source } from '../language/source';
import { systemFields } from '../normalise/system-fields';
import { pinNames } from '../field-types/relation';
import { allTypeKeys } from '../language/field-types';
import { renameFields, replaceNames } from '../references/replace-names';
import { describePart } from './diff-definitions';
import { draftField } from './draft-field';
import { uniqueFieldName, fieldNameProblem } from './field-names';
import { setAtPath } from './set-at-path';
import { propertyOf, itemAt } from '../values/lookups';

/**
 * The definition with a new field, at the end or after another one, and the field's name, created from its label.
 *
 * @example addField(source, { label: 'Due date', type: 'date' }).name; // 'due_date'
 */
export function addField(
  source: Source,
  field: AnyFieldSource & { label: string },
  predecessor?: string,
): { source: Source; name: string } {
  const name = uniqueFieldName(source, field.label, field.type);
  const { label, ...rest } = field;
  const fieldSource = {
    ...('type' in field && { type: field.type }),
    ...(label !== labelOf(name) && { label }),
    ...rest,
  };
  const entries = Object.entries(source.fields);
  const index = entries.findIndex(([entryName]) => entryName === predecessor);
  entries.splice(index < 0 ? entries.length : index + 1, 0, [name, draftField(fieldSource)]);
  return { name, source: { ...source, fields: Object.fromEntries(entries) } };
}

/**
 * The field at another place of their order, counted without it.
 *
 * @example moveField(source, 'due_date', 0);
 */
export function moveField(source: Source, name: string, index: number): Source {
  const entries = Object.entries(source.fields).filter(([entryName]) => entryName !== name);
  if (entries.length === Object.keys(source.fields).length) return source;
  entries.splice(index, 0, [name, propertyOf(source.fields, name)]);
  return { ...source, fields: Object.fromEntries(entries) };
}

/** The result of removing a field. */
export interface FieldRemoval {
  readonly source: Source;
  /** Where else it was removed from, as text: `columns`, `filters`, `the form`. */
  readonly removedFrom: readonly string[];
  /** JSON pointers of places that still name it, because only the author can decide what they should mean now. */
  readonly unresolved: readonly string[];
}

/**
 * The definition without a field, also removed from columns, filters, sections, the card …
 *
 * @example removeField(source, 'due_date').source;
 */
export function removeField(source: Source, name: string): FieldRemoval {
  const { [name]: field, ...fields } = source.fields;
  if (!field) return { source, removedFrom: [], unresolved: [] };
  const removedFrom = new Set<string>();
  const unresolved = new Set<string>();
  const isSystemField = Object.hasOwn(systemFields(source), name);
  const isRemoved = (candidate: string, isEmbed: boolean) =>
    // A field of the system is still there, but no longer under the name that this one embedded it under.
    isSystemField ? isEmbed && candidate === field.embed : candidate === name;
  const replacedSource = replaceNames(isSystemField ? { ...source, fields } : source, {
    names: [...(isSystemField ? [] : [name]), ...(field.embed === undefined ? [] : [field.embed])],
    nameOf: (scope, candidate, isEmbed) => (scope === source.name && isRemoved(candidate, isEmbed) ? null : candidate),
    onRemoved: (steps) => steps.length > 1 && removedFrom.add(describePart(steps)),
    onUnresolved: (steps) => unresolved.add(joinPointer('', ...steps)),
  });
  removedFrom.delete(describePart(['fields', name]));
  const left = withoutEmptyViews(replacedSource);
  for (const [requestName, { sets, adds: addition }] of Object.entries(left.requests ?? {}))
    if (!sets && !addition) unresolved.add(joinPointer('/requests', requestName));
  if (left.copy && left.copy.field === undefined && !hasTextTitle(left)) unresolved.add('/copy');
  // A time without its day neither continues another one nor can be measured.
  for (const [time, { dateField, suggestedFrom }] of Object.entries(fields)) {
    if (dateField !== name) continue;
    if (suggestedFrom !== undefined) unresolved.add(joinPointer('', 'fields', time, 'suggestedFrom'));
    if (left.timer && (left.timer.start === time || left.timer.end === time)) unresolved.add('/timer');
  }
  return { source: left, removedFrom: [...removedFrom], unresolved: [...unresolved] };
}

/** A view goes with what describes it, and the first tab is shown without a link that names it. */
function withoutEmptyViews(source: Source): Source {
  const { views, tabs } = source.list ?? {};
  const hasPart = (view: ListView) =>
    view === 'list' || view === 'cards' || !isBuiltInView(view) || source.list?.[view] !== undefined;
  const left = views?.filter(hasPart);
  const shownSource =
    left?.length === views?.length ? source : setAtPath(source, ['list', 'views'], left?.length ? left : undefined);
  if (!tabs?.[0]?.linkOnly) return shownSource;
  const { linkOnly: _, ...first } = tabs[0];
  return setAtPath(shownSource, ['list', 'tabs'], [first, ...tabs.slice(1)]);
}

/**
 * Renames a field everywhere in the definition. If the published definition has the old name, the field records it
 * (`formerName`), so that its column keeps its values. Throws if the name cannot be used.
 *
 * @example renameField(source, 'due', 'due_date', published);
 */
export function renameField(source: Source, name: string, newName: string, publishedSource?: Source): Source {
  const field = source.fields[name];
  if (!field || name === newName) return source;
  const { [name]: _old, ...otherFields } = source.fields;
  const { formerName, ...rest } = field;
  const nameProblem =
    formerName === newName ? undefined : fieldNameProblem({ ...source, fields: otherFields }, newName);
  if (nameProblem !== undefined) throw new Error(nameProblem);
  const isTitle = normalise(source).titleField === name && source.recordTitle === undefined;
  // The column has the published name, whatever it was called before that.
  const first = publishedSource && Object.hasOwn(publishedSource.fields, name) ? name : formerName;
  const renamedField = first === undefined || first === newName ? rest : { ...rest, formerName: first };
  const result = renameFieldEverywhere(
    { ...source, fields: { ...source.fields, [name]: renamedField } },
    name,
    newName,
  );
  if (!isTitle || normalise(result).titleField === newName) return result;
  return insertBefore(result, 'fields', 'recordTitle', `{${newName}}`);
}

/** The definition with another name for a field, wherever it stands. */
export function renameFieldEverywhere(source: Source, name: string, newName: string): Source {
  const versions = Object.values(pinNames(name)).map(
    (pinName, index) => [pinName, itemAt(Object.values(pinNames(newName)), index)] as const,
  );
  return renameFields(source, new Map([[name, newName], ...(source.fields[name]?.pin ? versions : [])]));
}

/**
 * Changes the type of a field; keys that the new type does not support are dropped.
 *
 * @example changeType(source, 'due_date', 'datetime').dropped; // []
 */
export function changeType(
  source: Source,
  name: string,
  type: FieldTypeName,
): { source: Source; dropped: (keyof FieldSource)[] } {
  const field = source.fields[name];
  if (!field || Object.hasOwn(systemFields(source), name)) return { source, dropped: [] };
  const knownKeys: readonly string[] = keysOf(type);
  const oldType = field.type ?? 'text';
  const { [oldType]: oldKeys, [type]: newKeys } = allTypeKeys();
  // A key that both types describe, each in its own way, means something else.
  const meansSame = (key: string) => [undefined, newKeys?.keys[key]].includes(oldKeys?.keys[key]);
  const isSupported = (key: string) =>
    knownKeys.includes(key) &&
    meansSame(key) &&
    !(key === 'default' && type !== oldType) &&
    !(key === 'computed' && type !== oldType);
  const droppedKeys = (Object.keys(field) as (keyof FieldSource)[]).filter((key) => !isSupported(key));
  const keptKeys: AnyFieldSource = Object.fromEntries(Object.entries(field).filter(([key]) => isSupported(key)));
  const changedField = draftField('type' in keptKeys ? { ...keptKeys, type } : { type, ...keptKeys });
  return { source: { ...source, fields: { ...source.fields, [name]: changedField } }, dropped: droppedKeys };
}

/**
 * The options of a select with another value of one. If the published options have the old value, the option records it
 * (`formerValue`), so that stored rows get the new one.
 *
 * @example renameOption([{ value: 'a', label: 'A' }], 0, 'b', [{ value: 'a', label: 'A' }]); // [{ value: 'b', label: 'A', formerValue: 'a' }]
 */
export function renameOption(
  options: readonly OptionSource[],
  index: number,
  value: OptionSource['value'] | undefined,
  publishedOptions: readonly OptionSource[] = [],
): OptionSource[] {
  return options.map((option, position) => {
    if (position !== index) return option;
    const { formerValue, ...rest } = option;
    const isPublished = publishedOptions.some((publishedOption) => publishedOption.value === option.value);
    const first = isPublished ? option.value : formerValue;
    const renamedOption = { ...rest, value: value as OptionSource['value'] };
    return first === undefined || first === value ? renamedOption : { ...renamedOption, formerValue: first };
  });
}

type OptionSource = NonNullable<FieldSource['options']>[number];

/** Copies append their suffix to the text of the title. */
function hasTextTitle(source: Source): boolean {
  const { fields, titleField } = normalise(source);
  const field = fields[titleField];
  return field !== undefined && fieldTypeOf(field).column === 'text' && !field.readOnly;
}

function insertBefore(source: Source, successor: keyof Source, key: keyof Source, value: unknown): Source {
  const entries: [string, unknown][] = Object.entries(source);
  entries.splice(
    entries.findIndex(([entryKey]) => entryKey === successor),
    0,
    [key, value],
  );
  return Object.fromEntries(entries) as unknown as Source;
}
