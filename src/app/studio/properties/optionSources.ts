import { lastDayOfMonth } from '../../../engine/definitions/automation';
import { isSharable } from '../../../engine/check/check-shares';
import { builtInViews, type Field, type FieldTypeName } from '../../../engine/definitions/definition';
import { labelOf } from '../../../engine/definitions/labels';
import type { Registry } from '../../../engine/registry/registry';
import type { AnyFieldSource, RequestSource, Source } from '../../../engine/language/source';
import { writtenTypeOf, type ValueKind } from '../../../engine/field-types';
import { email } from '../../../engine/field-types/email';
import { image } from '../../../engine/field-types/image';
import { allTypeKeys } from '../../../engine/language/field-types';
import type { OptionSource, Reference } from '../../../engine/language/key';
import { viewLabels } from '../../../engine/language/list';
import { valueAtPath } from '../../../engine/formats/json';
import { hasPeriods } from '../../../engine/lists/groupable';
import { groupUnits } from '../../../engine/lists/grouping';
import { isBuiltInView } from '../../../engine/lists/list-state';
import { firstOf } from '../../../engine/values/lookups';
import { iconNames } from '../../icons/icons';
import { levelOptions } from '../parts/audience';
import { fieldsOf, isSettable, mailPaths, userPaths } from '../parts/automations/paths';
import type { Option } from './ChoiceProperty';
import { actionOptions, allFields, fieldOptions, isInForms } from './fieldOptions';
import {
  inverseOptions,
  listPathOptions,
  lookupOptions,
  rollupOptions,
  summedFieldOptions,
  inverseFieldOptions,
  targetOptions,
} from './relationOptions';

/** Where the choices of a key are read: the draft, the published modules, and the part around the key. */
export interface OptionContext {
  readonly source: Source;
  readonly registry: Registry;
  readonly part: Readonly<Record<string, unknown>>;
  /** Of a key of a field: its steps from the definition. */
  readonly steps?: readonly string[];
}

type Fits = (field: AnyFieldSource, name: string, source: Source) => boolean;

const hasKind =
  (...kinds: ValueKind[]): Fits =>
  (field) =>
    kinds.includes(writtenTypeOf(field).holds);
const matchesAll =
  (...conditions: Fits[]): Fits =>
  (field, name, source) =>
    conditions.every((condition) => condition(field, name, source));
const isWritten: Fits = (_, name, source) => name in source.fields;
const isStored: Fits = ({ computed: expression }) => expression === undefined;
const hasOneState: Fits = ({ options, multiple }) => options !== undefined && multiple !== true;
const isDated: Fits = ({ type = 'text' }) => hasPeriods({ type });
const isUnidentified: Fits = (_, name) => name !== 'id';
const isSummable: Fits = (field, name) => name !== 'id' && writtenTypeOf(field).isSummable === true;
const isState: Fits = (field, name, source) =>
  hasKind('record')(field, name, source) || hasOneState(field, name, source);
const isListGroup: Fits = (field, name, source) =>
  isState(field, name, source) || hasKind('boolean', 'day', 'instant')(field, name, source);
const isGroup: Fits = (field) => {
  const { holds: kind, filterable } = writtenTypeOf(field);
  return filterable && !field.multiple && ['text', 'boolean', 'record', 'day', 'instant'].includes(kind);
};

/** The fields that are offered, by what they hold or can do. */
const fieldGroups: Partial<Readonly<Record<OptionSource, Fits>>> = {
  added: (field, name, source) => isSettable(field, name) && field.to !== source.name,
  booleans: hasKind('boolean'),
  copyTexts: matchesAll(isWritten, hasKind('text')),
  counted: hasKind('referrers', 'records'),
  dates: isDated,
  days: matchesAll(isStored, hasKind('day')),
  editable: (field, name) => isInForms(field) && field.readOnly !== true && name !== 'id',
  emails: (field) => writtenTypeOf(field) === email,
  // A rollup has a number, unless it takes a value of another type.
  figures: (field, name) =>
    name !== 'id' &&
    (writtenTypeOf(field).holds === 'number' || (field.aggregate !== undefined && field.aggregate !== 'latest')),
  groups: isGroup,
  images: (field) => writtenTypeOf(field) === image,
  instants: hasKind('instant'),
  listGroups: isListGroup,
  moments: matchesAll(isStored, hasKind('day', 'instant')),
  own: isWritten,
  ownDays: matchesAll(isWritten, isStored, hasKind('day', 'instant')),
  ownRelations: matchesAll(isWritten, hasKind('record')),
  ownStates: matchesAll(isWritten, isState),
  pageFields: (field) => writtenTypeOf(field).holds !== 'referrers' || field.valueStrip !== undefined,
  people: ({ to: target }) => target === 'users',
  referrers: hasKind('referrers'),
  relations: hasKind('record'),
  selfRelations: (field, _, source) => writtenTypeOf(field).holds === 'record' && field.to === source.name,
  series: (field, name, source) => isGroup(field, name, source) && !isDated(field, name, source),
  sharable: ({ type = 'text', virtual }) => !virtual && isSharable(type),
  shared: matchesAll(isWritten, isStored, (field) => {
    const { holds: kind } = writtenTypeOf(field);
    return kind === 'record' || (kind === 'number' && field.integer === true);
  }),
  short: matchesAll(isStored, (field) => writtenTypeOf(field).isDetail === true),
  states: isState,
  summable: isSummable,
  timesOfDay: (field) => writtenTypeOf(field).holds === 'time' && field.dateField !== undefined,
  treeRelations: matchesAll(isStored, hasKind('record')),
  unidentified: isUnidentified,
  writable: matchesAll(isWritten, (field) => isInForms(field) && !field.readOnly),
};

const moduleOptions = ({ source, registry }: OptionContext): Option[] => {
  const ownOption = { value: source.name, label: source.labels.many };
  const otherOptions = [...registry.definitions.values()].map(({ name, labels }) => ({
    value: name,
    label: labels.many,
  }));
  return [...otherOptions.filter(({ value }) => value !== ownOption.value), ownOption].sort((first, second) =>
    first.label.localeCompare(second.label),
  );
};

/** The names that are offered besides fields. */
const nameSources: Partial<Readonly<Record<OptionSource, (context: OptionContext) => readonly Option[]>>> = {
  askedFields,
  becoming: ({ source }) => {
    // Fields that can become one of several values come first.
    const rank = ({ value }: Option) => (allFields(source)[String(value)]?.options ? 0 : 1);
    return fieldOptions(source, (_, name) => name !== 'id').toSorted((first, second) => rank(first) - rank(second));
  },
  childFields: ({ source, registry, part }) => inverseFieldOptions(registry, source, part as AnyFieldSource),
  daysOfMonth: () => [
    ...Array.from({ length: lastDayOfMonth }, (_, index) => ({ value: index + 1, label: String(index + 1) })),
    { value: 'last', label: 'The last one' },
  ],
  fileKinds: () => [
    { value: 'image/*', label: 'Pictures' },
    { value: 'application/pdf', label: 'PDF' },
    { value: 'text/*', label: 'Texts' },
    { value: 'video/*', label: 'Videos' },
    { value: 'audio/*', label: 'Sounds' },
    { value: 'application/zip', label: 'ZIP archives' },
    { value: '*/*', label: 'Every kind' },
  ],
  filters: ({ source, registry }) => [
    ...fieldOptions(source, ({ filterable }) => filterable !== false),
    ...listPathOptions(registry, source),
    ...Object.entries(source.parameters ?? {}).map(([value, { label = value }]) => ({ value, label })),
  ],
  groupings: ({ source }) =>
    Object.entries(allFields(source)).flatMap(([name, field]) => {
      const label = field.label ?? labelOf(name);
      if (field.secret || !isListGroup(field, name, source)) return [];
      if (!hasKind('day', 'instant')(field, name, source)) return [{ value: name, label }];
      return groupUnits.map((unit) => ({ value: `${name}:${unit}`, label: `${label} by ${unit}` }));
    }),
  layouts: ({ source }) =>
    [...new Set([...builtInViews, ...(source.list?.views ?? [])])].map((value) => ({
      value,
      label: isBuiltInView(value) ? viewLabels[value] : value,
    })),
  levels: () => levelOptions,
  listPaths: ({ source, registry }) => [...fieldOptions(source), ...listPathOptions(registry, source)],
  lookupPaths: ({ source, registry }) => lookupOptions(registry, source),
  mailPaths: ({ source, registry }) => mailPaths(source, registry),
  otherInputs: ({ source, steps = [] }) =>
    fieldOptions(source, (field, name) => name in source.fields && isInForms(field) && name !== steps[1]),
  pages: (context) => moduleOptions(context).map(({ value, label }) => ({ value: `/${value}`, label })),
  // They are secret, and so among no other choices.
  places: ({ source }) =>
    Object.entries(source.fields).flatMap(([name, field]) =>
      field.secret && hasKind('number')(field, name, source)
        ? [{ value: name, label: field.label ?? labelOf(name) }]
        : [],
    ),
  referenced: ({ source, part, steps = [] }) => {
    const key = steps.at(-1);
    const requiredType = key && allTypeKeys()[typeOf(part)]?.keys[key]?.reference?.type;
    return otherFields(source, steps, ({ type = 'text' }) => type === requiredType);
  },
  referring: ({ source, registry }) =>
    [...registry.definitions.values()]
      .filter(({ system, fields }) => !system && Object.values(fields).some((field) => refersTo(source, field)))
      .map(({ name, labels }) => ({ value: name, label: labels.many })),
  related: ({ source }) => [...tabOptions(source.form?.tabs), ...fieldOptions(source, holdsReferrers)],
  rollups: ({ source, registry }) => rollupOptions(registry, source),
  rowActions: ({ source }) => actionOptions(source),
  rowColumns: ({ source }) =>
    Object.entries(source.fields).flatMap(([name, { fields = {}, label = labelOf(name) }]) =>
      Object.entries(fields).map(([column, columnField]) => ({
        value: `${name}.${column}`,
        label: `${label}: ${columnField.label ?? labelOf(column)}`,
      })),
    ),
  runAs: ({ source, registry }) => [
    { value: 'author', label: 'Whoever makes the change' },
    ...userPaths(source, registry, true),
  ],
  sameType: ({ source, part, steps = [] }) => otherFields(source, steps, ({ type = 'text' }) => type === typeOf(part)),
  statesOfField: ({ source, part }) =>
    (allFields(source)[String(part.field)]?.options ?? []).map(({ value, label = String(value) }) => ({
      value,
      label,
    })),
  summedFields: ({ source, registry, part }) => summedFieldOptions(registry, source, part as AnyFieldSource),
  tabs: ({ source }) => tabOptions(source.list?.tabs),
  targetFields: ({ source, registry, part }) => targetOptions(registry, source, part as AnyFieldSource),
};

/** Whether a field is a relation to the definition; every record of a company has `site_id`. */
const refersTo = (source: Source, { to: target, name, type }: Field) =>
  target === source.name && writtenTypeOf({ type }).holds === 'record' && name !== 'site_id';

const typeOf = ({ type = 'text' }: OptionContext['part']) => type as FieldTypeName;

/** The other fields of the definition, or the other columns of rows, that fit. */
function otherFields(
  source: Source,
  steps: readonly string[],
  condition: (field: AnyFieldSource) => boolean,
): Option[] {
  const name = steps.at(-2);
  if (steps.length <= 3) return fieldOptions(source, (field, otherName) => otherName !== name && condition(field));
  const columns = (valueAtPath(source, steps.slice(0, -2)) ?? {}) as Readonly<Record<string, AnyFieldSource>>;
  return Object.entries(columns)
    .filter(([otherName, column]) => otherName !== name && condition(column))
    .map(([value, { label = labelOf(value) }]) => ({ value, label }));
}

/** The fields that the form of a request asks for: of the record, and of the one that it adds. */
function askedFields({ source, registry, part }: OptionContext): Option[] {
  const { sets = [], asks: askedNames = [], adds: addedRecord } = part as Partial<RequestSource>;
  const names = [...(Array.isArray(sets) ? sets : []), ...askedNames];
  const ownFields = fieldOptions(source, (_, name) => names.includes(name));
  const addedFields = fieldsOf(addedRecord?.resource, source, registry).filter(({ name }) =>
    addedRecord?.fields.includes(name),
  );
  return [...ownFields, ...addedFields.map(({ name, label }) => ({ value: name, label }))];
}

const holdsReferrers = (field: AnyFieldSource) => writtenTypeOf(field).holds === 'referrers';
const tabOptions = (tabs: readonly { readonly name: string; readonly label: string }[] = []) =>
  tabs.map(({ name, label }) => ({ value: name, label }));

/**
 * The choices for a key, or as the name of an entry.
 *
 * @param reference what its names refer to.
 * @param source the source of its choices, if it has one of its own.
 */
export function optionsOf(
  reference: Reference | undefined,
  source: OptionSource | undefined,
  context: OptionContext,
): readonly Option[] {
  const nameSource = source && nameSources[source];
  if (nameSource) return nameSource(context);
  const fieldGroup = source && fieldGroups[source];
  switch (fieldGroup ? 'field' : reference?.kind) {
    case 'field':
    case 'path': {
      const isFitting = (field: AnyFieldSource, name: string) => fieldGroup?.(field, name, context.source) ?? true;
      if (reference?.in === undefined) return fieldOptions(context.source, isFitting);
      return fieldsOf(resourceOf(reference, context), context.source, context.registry)
        .filter(({ field, name }) => isFitting(field, name))
        .map(({ name, label }) => ({ value: name, label }));
    }
    case 'resource':
      return moduleOptions(context);
    case 'relation':
      return inverseOptions(context.registry, context.source.name);
    case 'icon':
      return iconNames.map((name) => ({ value: name, label: name }));
    case 'request':
      return Object.entries(context.source.requests ?? {}).map(([name, { label }]) => ({
        value: name,
        label: label ?? labelOf(name),
      }));
    default:
      return [];
  }
}

/** The resource whose fields are meant: the one that a key beside it names. */
export function resourceOf(
  reference: Reference | undefined,
  { source, part, steps = [] }: Omit<OptionContext, 'registry'>,
): string | undefined {
  if (reference?.in === undefined) return undefined;
  const name = part[reference.in];
  // A filter is of the field that it names, or whose name it has.
  if (reference.in === 'field') {
    const field = String(name ?? steps.at(-2));
    return allFields(source)[field]?.to ?? source.parameters?.[field]?.resource;
  }
  return typeof name === 'string' ? name.split('.')[0] : undefined;
}

/** Whether a choice is of the definition itself: its own name, or that of a field which not every record has. */
export function isOwnOption(
  { source }: Pick<OptionContext, 'source'>,
  { value }: Option,
  reference: Reference | undefined,
): boolean {
  // Names of other modules are offered only where they fit, and so are their fields.
  if (value === source.name || reference?.in !== undefined) return true;
  return reference?.kind !== 'resource' && firstOf(String(value).split(/[.:]/)) in source.fields;
}
