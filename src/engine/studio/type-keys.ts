import { fieldTypes } from '../field-types';
import { lookup } from '../field-types/lookup';
import type { FieldTypeName } from '../definitions/definition';
import { keysOf } from '../definitions/field-keys';
import type { FieldSource } from '../definitions/source';

/** The kind of input for a key of a field. */
export type KeyInput =
  | 'text'
  | 'longText'
  | 'name'
  | 'number'
  | 'switch'
  | 'choice'
  | 'required'
  | 'readOnly'
  | 'condition'
  | 'targetCondition'
  | 'value'
  | 'accept'
  | 'type'
  | 'field'
  | 'targetField'
  | 'targetFields'
  | 'inverseFields'
  | 'sharedFields'
  | 'resource'
  | 'inverse'
  | 'inverseField'
  | 'summedField'
  | 'inverseCondition'
  | 'path'
  | 'options'
  | 'option'
  | 'transitions'
  | 'columns'
  | 'computed';

/** A key that a field of some type knows, as a panel shows it. */
export interface FieldKeyOption {
  readonly key: keyof FieldSource;
  readonly label: string;
  readonly input: KeyInput;
  /** Its group in the panel. */
  readonly group: 'field' | 'value' | 'relation' | 'form' | 'list' | 'more';
  /** The field does not work without it. */
  readonly needed: boolean;
  /** choice: the options. */
  readonly choices?: readonly { readonly value: string | boolean; readonly label: string }[];
  /** field: the allowed types of the named field; empty: the type of this field. */
  readonly types?: readonly FieldTypeName[];
  /** switch: the default. */
  readonly usual?: boolean;
}

type KeyOption = Omit<FieldKeyOption, 'key' | 'needed'>;

const toChoices = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

/** Every key, in the order of the panels. */
const keyOptions: Readonly<Record<Exclude<keyof FieldSource, 'was'>, KeyOption>> = {
  type: { label: 'Type', input: 'type', group: 'field' },
  label: { label: 'Label', input: 'text', group: 'field' },
  required: { label: 'Required', input: 'required', group: 'field' },
  unique: {
    label: 'Unique',
    input: 'choice',
    group: 'field',
    choices: [
      { value: true, label: 'Yes' },
      ...toChoices({ company: 'Within the company', installation: 'In the installation' }),
    ],
  },
  to: { label: 'Points to', input: 'resource', group: 'relation' },
  of: { label: 'Shows', input: 'inverse', group: 'relation' },
  embed: { label: 'Embedded as', input: 'name', group: 'relation' },
  embedFields: { label: 'Embedded fields', input: 'targetFields', group: 'relation' },
  show: { label: 'Fields shown', input: 'inverseFields', group: 'relation' },
  choices: { label: 'Choices where', input: 'targetCondition', group: 'relation' },
  onDelete: {
    label: 'When its target is deleted',
    input: 'choice',
    group: 'relation',
    choices: toChoices({
      restrict: 'Refuse the deletion',
      cascade: 'Delete this record too',
      clear: 'Clear the value',
    }),
  },
  within: { label: 'Part of its target', input: 'switch', group: 'relation', usual: false },
  pin: { label: 'Remembers the version', input: 'switch', group: 'relation', usual: false },
  maxDepth: { label: 'Maximum depth', input: 'number', group: 'relation' },
  depth: { label: 'Depth said by', input: 'text', group: 'relation' },
  inLists: {
    label: 'In lists',
    input: 'choice',
    group: 'relation',
    choices: toChoices({ count: 'Count', records: 'Records', nothing: 'Nothing' }),
  },
  countAs: { label: 'Name of the count', input: 'name', group: 'relation' },
  sum: { label: 'Summed field', input: 'summedField', group: 'relation' },
  strip: { label: 'Shown side by side', input: 'inverseField', group: 'relation' },
  also: { label: 'Also through', input: 'text', group: 'relation' },
  asksBefore: { label: 'Asks before changes of', input: 'sharedFields', group: 'relation' },
  inserts: { label: 'Inserts rows of', input: 'text', group: 'relation' },
  distinct: { label: 'Instead, what they refer to', input: 'inverseField', group: 'relation' },
  take: {
    label: 'Takes',
    input: 'choice',
    group: 'relation',
    choices: toChoices({
      count: 'Number of records',
      sum: 'Sum',
      avg: 'Average',
      min: 'Least',
      max: 'Greatest',
      share: 'Percentage that matches',
      latest: 'Latest',
    }),
  },
  field: { label: 'Of the field', input: 'inverseField', group: 'relation' },
  by: { label: 'Latest by', input: 'inverseField', group: 'relation' },
  where: { label: 'Only of records where', input: 'inverseCondition', group: 'relation' },
  options: { label: 'Options', input: 'options', group: 'value' },
  many: { label: 'Several values', input: 'switch', group: 'value', usual: false },
  initial: { label: 'Value of new records', input: 'option', group: 'value' },
  transitionsBy: { label: 'Transitions name records by', input: 'targetField', group: 'value' },
  transitions: { label: 'Transitions', input: 'transitions', group: 'value' },
  computed: { label: 'Computed from', input: 'computed', group: 'value' },
  from: { label: 'From', input: 'field', group: 'value' },
  default: { label: 'Default', input: 'value', group: 'value' },
  minLength: { label: 'Min length', input: 'number', group: 'value' },
  maxLength: { label: 'Max length', input: 'number', group: 'value' },
  fields: { label: 'Columns', input: 'columns', group: 'value' },
  min: { label: 'Min', input: 'number', group: 'value' },
  accept: { label: 'Accepts', input: 'accept', group: 'value' },
  most: { label: 'Most', input: 'number', group: 'value' },
  maxSize: { label: 'Size of each at most', input: 'text', group: 'value' },
  max: { label: 'Max', input: 'number', group: 'value' },
  integer: { label: 'Whole numbers only', input: 'switch', group: 'value', usual: false },
  currency: { label: 'Currency', input: 'text', group: 'value' },
  decimal: { label: 'Stored exactly', input: 'switch', group: 'value', usual: false },
  digits: { label: 'Decimals', input: 'number', group: 'value' },
  separators: { label: 'Commas between thousands', input: 'switch', group: 'value', usual: true },
  pattern: { label: 'Pattern', input: 'text', group: 'value' },
  patternMessage: { label: 'Error message', input: 'text', group: 'value' },
  notBefore: { label: 'Not before', input: 'field', group: 'value', types: [] },
  after: { label: 'After', input: 'field', group: 'value', types: [] },
  notAfter: { label: 'Latest day', input: 'choice', group: 'value', choices: toChoices({ $today: 'Today' }) },
  on: { label: 'On the day of', input: 'field', group: 'value' },
  continues: { label: 'Offers the last', input: 'field', group: 'value' },
  limitedBy: { label: 'Limited to the permissions of', input: 'field', group: 'value' },
  queryOf: { label: 'Has a list query of', input: 'resource', group: 'value' },
  path: { label: 'Path of the link', input: 'name', group: 'value' },
  shares: { label: 'Shown to visitors', input: 'sharedFields', group: 'value' },
  format: { label: 'Format', input: 'text', group: 'value' },
  per: { label: 'Numbered per', input: 'name', group: 'value' },
  gapless: { label: 'Without gaps', input: 'switch', group: 'value', usual: false },
  visible: { label: 'Visible when', input: 'condition', group: 'form' },
  readOnly: { label: 'Read only', input: 'readOnly', group: 'form' },
  similar: { label: 'Points out similar records', input: 'switch', group: 'form', usual: false },
  help: { label: 'Help', input: 'longText', group: 'form' },
  placeholder: { label: 'Placeholder', input: 'text', group: 'form' },
  width: {
    label: 'Width',
    input: 'choice',
    group: 'form',
    choices: toChoices({ full: 'Full', half: 'Half', quarter: 'Quarter' }),
  },
  lines: { label: 'Lines', input: 'number', group: 'form' },
  markdown: { label: 'Marks in the text', input: 'switch', group: 'form', usual: false },
  empty: { label: 'Text when empty', input: 'text', group: 'list' },
  searchable: { label: 'Searchable', input: 'switch', group: 'list' },
  sortable: { label: 'Sortable', input: 'switch', group: 'list' },
  filterable: { label: 'Filterable', input: 'switch', group: 'list' },
  secret: { label: 'Secret', input: 'switch', group: 'more' },
  virtual: { label: 'Stored by hooks', input: 'switch', group: 'more', usual: false },
};

/**
 * The keys that a field type supports, in the order of the panels. `was` is set only by renaming.
 *
 * @example fieldKeyOptions('number').map(({ key }) => key); // ['min', 'max', …]
 */
export function fieldKeyOptions(type: FieldTypeName): FieldKeyOption[] {
  const known = keysOf(type);
  const keys = (Object.keys(keyOptions) as (keyof typeof keyOptions)[]).filter((key) => known.includes(key));
  return keys.map((key) => ({
    key,
    ...keyOptions[key],
    ...defaultOf(type, key),
    ...referenceOption(type, key),
    ...pathOption(type, key),
    needed: requiredKeys(type).includes(key),
  })) as FieldKeyOption[];
}

/** A lookup's `of` is a path, where that of other types is a relation of another module. */
function pathOption(type: FieldTypeName, key: keyof FieldSource): Partial<FieldKeyOption> {
  return key === 'of' && fieldTypes[type] === lookup ? { label: 'Path to the field', input: 'path' } : {};
}

/** A key that names another field; `to` names a resource where it names no field. */
function referenceOption(type: FieldTypeName, key: keyof FieldSource): Partial<FieldKeyOption> {
  const named = fieldTypes[type].references?.[key];
  if (named === undefined) return {};
  return { ...(key === 'to' && { label: 'To' }), input: 'field', group: 'value', types: [named] };
}

/** Defaults that depend on the type. */
function defaultOf(type: FieldTypeName, key: keyof FieldSource): Pick<FieldKeyOption, 'usual'> | undefined {
  if (key === 'searchable' || key === 'sortable' || key === 'filterable') return { usual: fieldTypes[type][key] };
  return key === 'secret' ? { usual: fieldTypes[type].isHashed === true } : undefined;
}

/**
 * The keys that a field needs before it works: `options` of a select.
 *
 * @example requiredKeys('relation'); // ['to']
 */
export function requiredKeys(type: FieldTypeName): readonly (keyof FieldSource)[] {
  return fieldTypes[type].neededKeys ?? [];
}
