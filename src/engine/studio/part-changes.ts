import { at } from '../definitions/paths';
import type { Source } from '../definitions/source';
import type { Change } from './change';
import { columnTexts } from './column-changes';
import { entriesOf, hold, type Entry } from './entries';
import { isObject, same } from './json';
import { partAt } from './parts';
import { changeInWords, keyInWords, valueInWords } from './words';

/** Parts with several entries: singular, plural, and the key that names an entry. */
const kinds: Readonly<Record<string, readonly [one: string, many: string, name?: string]>> = {
  'list/columns': ['column', 'columns'],
  'list/filters': ['filter', 'filters'],
  'list/tabs': ['tab of the list', 'tabs of the list', 'label'],
  'list/actions': ['row action', 'row actions'],
  'form/sections': ['section', 'sections', 'label'],
  'form/tabs': ['tab of the form', 'tabs of the form', 'label'],
  'form/redirects': ['redirect', 'redirects', 'to'],
  'delete/when': ['confirmation before deleting', 'confirmations before deleting', 'confirm'],
  parameters: ['parameter', 'parameters'],
  requests: ['request', 'requests'],
  rules: ['rule', 'rules', 'reason'],
  indexes: ['index', 'indexes'],
};

const subjects: Readonly<Record<string, string>> = {
  'list/sort': 'sort order of the list',
  'list/search': 'search of the list',
  'list/empty': 'text of the empty list',
  'list/views': 'views',
  recordTitle: 'title of a record',
  choices: 'how records are chosen',
  was: 'former name',
};

/** The differences between two versions, except for the fields. */
export function partChanges(before: Source, after: Source): Change[] {
  const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])] as (keyof Source)[];
  return keys
    .filter((key) => key !== 'fields' && key !== '$schema')
    .flatMap((key) => {
      if (key !== 'list' && key !== 'form') return part([key], before[key], after[key]);
      const [old, fresh] = [{ ...before[key] }, { ...after[key] }] as Record<string, unknown>[];
      const inner = [...new Set([...Object.keys(fresh!), ...Object.keys(old!)])];
      return inner.flatMap((one) => part([key, one], old![one], fresh![one]));
    });
}

/** The changes of one part. */
function part(steps: readonly string[], before: unknown, after: unknown): Change[] {
  const kind = kinds[steps.join('/')];
  if (kind) return several(steps, kind, before, after);
  const last = steps.at(-1)!;
  const subject = subjects[steps.join('/')] ?? keyInWords(last);
  if (!isObject(before) && !isObject(after)) {
    if (same(before, after)) return [];
    const text = before === undefined || after === undefined || Array.isArray(after) ? '' : arrow(last, before, after);
    if (Array.isArray(before) && Array.isArray(after)) return inList(steps, subject, '', before, after);
    const kindOf = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    return [
      {
        kind: kindOf,
        path: at('', ...steps),
        subject,
        text: text || (after === undefined ? '' : valueInWords(after, last)),
      },
    ];
  }
  if (before === undefined) return [{ kind: 'added', path: at('', ...steps), subject, text: '' }];
  if (after === undefined) return [{ kind: 'removed', path: at('', ...steps), subject, text: '' }];
  if (!isObject(before) || !isObject(after))
    return [{ kind: 'changed', path: at('', ...steps), subject, text: boolean(after) }];
  return within(steps, subject, '', before, after);
}

/** Columns, filters, rules …: every added, removed or changed entry. */
function several(
  steps: readonly string[],
  [one, many, key]: (typeof kinds)[string],
  old: unknown,
  fresh: unknown,
): Change[] {
  const held = hold(entriesOf(steps, old), entriesOf(steps, fresh));
  const path = (entry: Entry) => at('', ...steps, entry.step);
  const subject = (entry: Entry) => `${one} ${nameOf(entry, key)}`.trim();
  return [
    ...held.added.map((entry): Change => ({ kind: 'added', path: path(entry), subject: subject(entry), text: '' })),
    ...held.removed.map((entry): Change => ({ kind: 'removed', path: path(entry), subject: subject(entry), text: '' })),
    ...held.kept.flatMap(({ before, after }): Change[] => {
      if (same(before.value, after.value)) return [];
      if (steps[1] === 'columns') {
        return columnTexts(before.value, after.value).map((text) => ({
          kind: 'changed',
          path: path(after),
          subject: subject(after),
          text,
        }));
      }
      const here = [...steps, after.step];
      if (!isObject(before.value) || !isObject(after.value))
        return [{ kind: 'changed', path: path(after), subject: subject(after), text: '' }];
      return within(here, subject(after), '', before.value, after.value);
    }),
    ...(held.reordered ? [{ kind: 'changed' as const, path: at('', ...steps), subject: many, text: 'reordered' }] : []),
  ];
}

function nameOf({ id, value }: Entry, key: string | undefined): string {
  if (Array.isArray(value)) return valueInWords(value);
  if (!isObject(value) || key === undefined) return id;
  if (value[key] !== undefined) return valueInWords(value[key]);
  return 'levels' in value ? `for levels ${valueInWords(value.levels)}: ${valueInWords([value.action].flat())}` : '';
}

/** The differences within an object, recursively. */
function within(steps: readonly string[], subject: string, prefix: string, before: object, after: object): Change[] {
  const [old, fresh] = [before, after] as Readonly<Record<string, unknown>>[] as [
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  return [...new Set([...Object.keys(fresh), ...Object.keys(old)])].flatMap((key): Change[] => {
    const [was, is] = [old[key], fresh[key]];
    if (same(was, is)) return [];
    const here = [...steps, key];
    const word = steps[0] === 'grants' ? `level ${key}:` : keyInWords(key);
    if (isObject(was) && isObject(is) && partAt(here, is) === 'keys')
      return within(here, subject, `${prefix}${word} `, was, is);
    if (Array.isArray(was) && Array.isArray(is)) return inList(here, subject, `${prefix}${word} `, was, is);
    const path = at('', ...(is === undefined ? steps : here));
    const text = steps[0] === 'grants' ? `${word} ${arrow('type', was, is)}` : changeInWords(key, was, is);
    return [{ kind: 'changed', path, subject, text: `${prefix}${text}` }];
  });
}

function inList(
  steps: readonly string[],
  subject: string,
  prefix: string,
  before: unknown[],
  after: unknown[],
): Change[] {
  const held = hold(entriesOf(steps, before), entriesOf(steps, after));
  const say = ({ id, value }: Entry) =>
    isObject(value) && id.startsWith('{')
      ? 'one'
      : typeof value === 'string'
        ? value
        : Array.isArray(value)
          ? valueInWords(value)
          : id;
  const texts = [
    ...held.added.map((entry) => `${say(entry)} added`),
    ...held.removed.map((entry) => `${say(entry)} removed`),
    ...held.kept.filter((pair) => !same(pair.before.value, pair.after.value)).map((pair) => `${pair.after.id} changed`),
    ...(held.reordered ? ['reordered'] : []),
  ];
  return [
    {
      kind: 'changed',
      path: at('', ...steps),
      subject,
      text: `${prefix}${texts.slice(0, 4).join(', ')}${texts.length > 4 ? ' …' : ''}`,
    },
  ];
}

function arrow(key: string, before: unknown, after: unknown): string {
  const [old, fresh] = [before, after].map((value) =>
    value === undefined ? 'default' : typeof value === 'string' && key === 'type' ? value : valueInWords(value, key),
  );
  return `${old} → ${fresh}`;
}

function boolean(after: unknown): string {
  return after === true ? 'on' : after === false ? 'off' : '';
}
