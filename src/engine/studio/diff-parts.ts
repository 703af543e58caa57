import { describeAudience } from '../access/audience';
import type { Audience, Level } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';
import type { Source } from '../definitions/source';
import type { DefinitionChange } from './definition-change';
import { describeColumnChanges } from './diff-columns';
import { entriesOf, diffEntries, type Entry } from './diff-entries';
import { isJsonObject, isSameJson } from './json';
import { structureAt } from './merge-structure';
import { describeChange, describeKey, summarizeValue } from './describe-change';

/** Parts with several entries: singular, plural, and the key that names an entry. */
const listKinds: Readonly<Record<string, readonly [one: string, many: string, name?: string]>> = {
  'list/columns': ['column', 'columns'],
  'list/filters': ['filter', 'filters'],
  'list/tabs': ['tab of the list', 'tabs of the list', 'label'],
  'list/saved': ['view of the list', 'views of the list', 'label'],
  'list/charts': ['chart', 'charts', 'label'],
  'list/actions': ['row action', 'row actions'],
  'form/sections': ['section', 'sections', 'label'],
  'form/tabs': ['tab of the form', 'tabs of the form', 'label'],
  'form/redirects': ['redirect', 'redirects', 'to'],
  'delete/confirmations': ['confirmation before deleting', 'confirmations before deleting', 'confirm'],
  parameters: ['parameter', 'parameters'],
  requests: ['request', 'requests'],
  exports: ['download', 'downloads'],
  rules: ['rule', 'rules', 'reason'],
  indexes: ['index', 'indexes'],
  when: ['automation', 'automations', 'label'],
  validate: ['validation rule', 'validation rules', 'message'],
  unique: ['unique combination', 'unique combinations', 'fields'],
};

const subjects: Readonly<Record<string, string>> = {
  'list/sort': 'sort order of the list',
  'list/search': 'search of the list',
  'list/emptyText': 'text of the empty list',
  'list/views': 'views',
  noOverlap: 'spans that must not overlap',
  recordTitle: 'title of a record',
  page: 'page of a record',
  print: 'printed page',
  public: 'public form',
  choices: 'how records are chosen',
  formerName: 'former name',
};

/**
 * The part of a definition that a value belongs to, as text.
 *
 * @example describePart(['list', 'columns', '2']); // 'columns'
 */
export function describePart(steps: readonly string[]): string {
  const [head = '', name = ''] = steps;
  if (head === 'fields') return `the field "${name}"`;
  const path = steps.slice(0, 2).join('/');
  const kind = listKinds[path] ?? listKinds[head];
  return kind?.[1] ?? subjects[path] ?? subjects[head] ?? describeKey(head === 'list' || head === 'form' ? name : head);
}

/** The differences between two versions, except for the fields. */
export function diffParts(before: Source, after: Source): DefinitionChange[] {
  const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])] as (keyof Source)[];
  return keys
    .filter((key) => key !== 'fields' && key !== '$schema')
    .flatMap((key) => {
      if (key !== 'list' && key !== 'form') return diffPart([key], before[key], after[key]);
      const [old, fresh] = [{ ...before[key] }, { ...after[key] }] as Record<string, unknown>[];
      const inner = [...new Set([...Object.keys(fresh!), ...Object.keys(old!)])];
      return inner.flatMap((one) => diffPart([key, one], old![one], fresh![one]));
    });
}

/** The changes of one part. */
function diffPart(steps: readonly string[], before: unknown, after: unknown): DefinitionChange[] {
  const kind = listKinds[steps.join('/')];
  if (kind) return diffEntriesOf(steps, kind, before, after);
  const last = steps.at(-1)!;
  const subject = subjects[steps.join('/')] ?? describeKey(last);
  if (!isJsonObject(before) && !isJsonObject(after)) {
    if (isSameJson(before, after)) return [];
    const text =
      before === undefined || after === undefined || Array.isArray(after)
        ? ''
        : describeTransition(last, before, after);
    if (Array.isArray(before) && Array.isArray(after)) return describeListChange(steps, subject, '', before, after);
    const kindOf = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    return [
      {
        kind: kindOf,
        path: joinPointer('', ...steps),
        subject,
        text: text || (after === undefined ? '' : summarizeValue(after, last)),
      },
    ];
  }
  if (before === undefined) return [{ kind: 'added', path: joinPointer('', ...steps), subject, text: '' }];
  if (after === undefined) return [{ kind: 'removed', path: joinPointer('', ...steps), subject, text: '' }];
  if (!isJsonObject(before) || !isJsonObject(after))
    return [{ kind: 'changed', path: joinPointer('', ...steps), subject, text: describeSwitch(after) }];
  return diffObject(steps, subject, '', before, after);
}

/** Columns, filters, rules …: every added, removed or changed entry. */
function diffEntriesOf(
  steps: readonly string[],
  [one, many, key]: (typeof listKinds)[string],
  old: unknown,
  fresh: unknown,
): DefinitionChange[] {
  const held = diffEntries(entriesOf(steps, old), entriesOf(steps, fresh));
  const path = (entry: Entry) => joinPointer('', ...steps, entry.step);
  const subject = (entry: Entry) => `${one} ${nameOf(entry, key)}`.trim();
  return [
    ...held.added.map((entry): DefinitionChange => ({
      kind: 'added',
      path: path(entry),
      subject: subject(entry),
      text: '',
    })),
    ...held.removed.map((entry): DefinitionChange => ({
      kind: 'removed',
      path: path(entry),
      subject: subject(entry),
      text: '',
    })),
    ...held.common.flatMap(({ before, after }): DefinitionChange[] => {
      if (isSameJson(before.value, after.value)) return [];
      if (steps[1] === 'columns') {
        return describeColumnChanges(before.value, after.value).map((text) => ({
          kind: 'changed',
          path: path(after),
          subject: subject(after),
          text,
        }));
      }
      const here = [...steps, after.step];
      if (!isJsonObject(before.value) || !isJsonObject(after.value))
        return [{ kind: 'changed', path: path(after), subject: subject(after), text: '' }];
      return diffObject(here, subject(after), '', before.value, after.value);
    }),
    ...(held.reordered
      ? [{ kind: 'changed' as const, path: joinPointer('', ...steps), subject: many, text: 'reordered' }]
      : []),
  ];
}

function nameOf({ id, value }: Entry, key: string | undefined): string {
  if (Array.isArray(value)) return summarizeValue(value);
  if (!isJsonObject(value) || key === undefined) return id;
  if (value[key] !== undefined) return summarizeValue(value[key]);
  return 'levels' in value || 'roles' in value
    ? `for ${describeAudience(value as Audience)}: ${summarizeValue([value.action].flat())}`
    : '';
}

/** The differences within an object, recursively. */
function diffObject(
  steps: readonly string[],
  subject: string,
  prefix: string,
  before: object,
  after: object,
): DefinitionChange[] {
  const [old, fresh] = [before, after] as Readonly<Record<string, unknown>>[] as [
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  return [...new Set([...Object.keys(fresh), ...Object.keys(old)])].flatMap((key): DefinitionChange[] => {
    const [was, is] = [old[key], fresh[key]];
    if (isSameJson(was, is)) return [];
    const here = [...steps, key];
    const word = steps[0] === 'grants' ? `${describeAudience({ levels: [Number(key) as Level] })}:` : describeKey(key);
    if (isJsonObject(was) && isJsonObject(is) && structureAt(here, is) === 'keys')
      return diffObject(here, subject, `${prefix}${word} `, was, is);
    if (Array.isArray(was) && Array.isArray(is)) return describeListChange(here, subject, `${prefix}${word} `, was, is);
    const path = joinPointer('', ...(is === undefined ? steps : here));
    const text =
      steps[0] === 'grants' ? `${word} ${describeTransition('type', was, is)}` : describeChange(key, was, is);
    return [{ kind: 'changed', path, subject, text: `${prefix}${text}` }];
  });
}

function describeListChange(
  steps: readonly string[],
  subject: string,
  prefix: string,
  before: unknown[],
  after: unknown[],
): DefinitionChange[] {
  const held = diffEntries(entriesOf(steps, before), entriesOf(steps, after));
  const say = ({ id, value }: Entry) =>
    isJsonObject(value) && id.startsWith('{')
      ? 'one'
      : typeof value === 'string'
        ? value
        : Array.isArray(value)
          ? summarizeValue(value)
          : id;
  const texts = [
    ...held.added.map((entry) => `${say(entry)} added`),
    ...held.removed.map((entry) => `${say(entry)} removed`),
    ...held.common
      .filter((pair) => !isSameJson(pair.before.value, pair.after.value))
      .map((pair) => `${pair.after.id} changed`),
    ...(held.reordered ? ['reordered'] : []),
  ];
  return [
    {
      kind: 'changed',
      path: joinPointer('', ...steps),
      subject,
      text: `${prefix}${texts.slice(0, 4).join(', ')}${texts.length > 4 ? ' …' : ''}`,
    },
  ];
}

function describeTransition(key: string, before: unknown, after: unknown): string {
  const [old, fresh] = [before, after].map((value) =>
    value === undefined ? 'default' : typeof value === 'string' && key === 'type' ? value : summarizeValue(value, key),
  );
  return `${old} → ${fresh}`;
}

function describeSwitch(after: unknown): string {
  return after === true ? 'on' : after === false ? 'off' : '';
}
