import { isObject } from './json';
import { conditionInWords } from './condition-words';

/** Keys whose own name is no good word for what they mean. */
const spoken: Readonly<Record<string, string>> = {
  digits: 'decimals',
  integer: 'whole numbers only',
  readOnly: 'read only',
  visible: 'shown where',
  choices: 'choices where',
  computed: 'computed from',
  to: 'points to',
  of: 'shows',
  embed: 'embedded as',
  within: 'within its target',
  secret: 'secret',
  virtual: 'not stored in the table',
  on: 'on the day of',
  was: 'former name',
  empty: 'words where empty',
  inLists: 'in lists',
  countAs: 'counted as',
  sum: 'summed field',
  lines: 'lines',
  show: 'shown with it',
  shares: 'shown to visitors',
  confirm: 'question',
  confirmRestore: 'question before taking back',
  cascade: 'archived along',
  when: 'where',
  keep: 'kept after deleting',
  resets: 'a copy begins without',
  detail: 'told apart by',
  always: 'always',
};

/** A key in words: `maxLength` → `max length`, `digits` → `decimals`. */
export function keyInWords(key: string): string {
  return (
    spoken[key] ?? key.replace(/([a-z])([A-Z])/g, (_, small: string, big: string) => `${small} ${big.toLowerCase()}`)
  );
}

/** Texts that stand for names: they need no quotation marks. */
const names = new Set([
  'type',
  'to',
  'of',
  'embed',
  'width',
  'onDelete',
  'inLists',
  'countAs',
  'sum',
  'notBefore',
  'after',
  'notAfter',
  'on',
  'from',
  'unique',
  'was',
  'path',
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
  'late',
  'resource',
  'relation',
  'keeps',
  'ask',
  'action',
  'file',
]);

/** A value in few words; empty where it would take more than a few. */
export function valueInWords(value: unknown, key = ''): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return names.has(key) ? value : `"${short(value)}"`;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number')) {
    return value.length === 0 ? 'none' : short(value.join(', '));
  }
  return isObject(value) ? (conditionInWords(value) ?? '') : '';
}

/** A value that is another now, that came, or that went: `decimals 1 → 2`. */
export function changeInWords(key: string, before: unknown, after: unknown): string {
  const word = keyInWords(key);
  if (key === 'required') return requiredInWords(after);
  if (isSwitch(before) && isSwitch(after)) {
    if (after === true || after === undefined) return before === false || after === true ? word : `no longer ${word}`;
    return before === true ? `no longer ${word}` : `not ${word}`;
  }
  const [old, fresh] = [valueInWords(before, key), valueInWords(after, key)];
  if (before === undefined) return `${word} ${fresh}`.trim();
  if (after === undefined) return `no longer ${`${word} ${old}`.trim()}`;
  return old === '' || fresh === '' ? `${word} changed` : `${word} ${old} → ${fresh}`;
}

function requiredInWords(after: unknown): string {
  if (after === true) return 'required';
  if (after === 'form') return 'required in the form';
  if (!isObject(after)) return 'no longer required';
  return `required where ${conditionInWords(after) ?? 'a condition holds'}`;
}

function isSwitch(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57).trimEnd()}…` : text;
}
