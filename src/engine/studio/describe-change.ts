import { isJsonObject } from './json';
import { summarizeCondition } from './summarize-condition';

/** Keys whose own name is not clear enough for users. */
const keyLabels: Readonly<Record<string, string>> = {
  digits: 'decimals',
  integer: 'whole numbers only',
  readOnly: 'read only',
  visible: 'visible when',
  choices: 'choices where',
  computed: 'computed from',
  to: 'points to',
  source: 'shows',
  embed: 'embedded as',
  container: 'part of its target',
  secret: 'secret',
  virtual: 'not stored in the table',
  dateField: 'on the day of',
  formerName: 'former name',
  emptyText: 'text when empty',
  inLists: 'in lists',
  countName: 'counted as',
  sum: 'summed field',
  lines: 'lines',
  showFields: 'fields shown',
  sharedFields: 'shown to visitors',
  confirm: 'confirmation',
  confirmRestore: 'confirmation before unarchiving',
  cascade: 'also archived',
  where: 'only where',
  keep: 'stored after deleting',
  resetFields: 'reset in copies',
  detail: 'distinguished by',
  alwaysShowDetail: 'always',
  gapless: 'numbered without gaps',
  kanban: 'board',
};

/** The text for a key: `maxLength` → `max length`, `digits` → `decimals`. */
export function describeKey(key: string): string {
  return (
    keyLabels[key] ?? key.replace(/([a-z])([A-Z])/g, (_, small: string, big: string) => `${small} ${big.toLowerCase()}`)
  );
}

/** Texts that are names: shown without quotation marks. */
const nameKeys = new Set([
  'type',
  'to',
  'source',
  'embed',
  'width',
  'onDelete',
  'inLists',
  'countName',
  'sum',
  'notBefore',
  'laterThan',
  'maxDate',
  'dateField',
  'suggestedFrom',
  'limitedBy',
  'queryResource',
  'startField',
  'unique',
  'formerName',
  'path',
  'partitionBy',
  'icon',
  'field',
  'sort',
  'scope',
  'envelope',
  'rowClick',
  'person',
  'mark',
  'name',
  'kind',
  'shape',
  'column',
  'request',
  'priority',
  'due',
  'overdue',
  'resource',
  'relation',
  'originalField',
  'ask',
  'action',
  'file',
]);

/** A short text for a value; empty if it would be long. */
export function summarizeValue(value: unknown, key = ''): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return nameKeys.has(key) ? value : `"${truncate(value)}"`;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number')) {
    return value.length === 0 ? 'none' : truncate(value.join(', '));
  }
  return isJsonObject(value) ? (summarizeCondition(value) ?? '') : '';
}

/** A changed, added or removed value: `decimals 1 → 2`. */
export function describeChange(key: string, before: unknown, after: unknown): string {
  const word = describeKey(key);
  if (key === 'required') return describeRequired(after);
  if (isSwitch(before) && isSwitch(after)) {
    if (after === true || after === undefined) return before === false || after === true ? word : `no longer ${word}`;
    return before === true ? `no longer ${word}` : `not ${word}`;
  }
  const [old, fresh] = [summarizeValue(before, key), summarizeValue(after, key)];
  if (before === undefined) return `${word} ${fresh}`.trim();
  if (after === undefined) return `no longer ${`${word} ${old}`.trim()}`;
  return old === '' || fresh === '' ? `${word} changed` : `${word} ${old} → ${fresh}`;
}

function describeRequired(after: unknown): string {
  if (after === true) return 'required';
  if (after === 'form') return 'required in the form';
  if (!isJsonObject(after)) return 'no longer required';
  return `required when ${summarizeCondition(after) ?? 'a condition is met'}`;
}

function isSwitch(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

function truncate(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57).trimEnd()}…` : text;
}
