import { describeAudience } from '../access/audience';
import type { Audience, Level } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';
import type { Source } from '../definitions/source';
import { renameFields } from '../language/replace-names';
import type { DefinitionChange } from './definition-change';
import { describeChange, describeKey, describeSubject, entryWordsAt, summarizeValue } from './describe-change';
import { diffEntries, entriesOf, findRenames, type Entry } from './diff-entries';
import { isIdenticalJson, isJsonObject, isSameJson, type JsonObject } from './json';
import { structureAt } from './merge-structure';

export type { DefinitionChange } from './definition-change';

/**
 * The differences between two versions of a definition, as text: first its fields, then everything else. Without an
 * older version everything is new, and the fields are listed.
 *
 * @example diffDefinitions(published, draft).length; // 0: nothing to publish
 */
export function diffDefinitions(before: Source | undefined, after: Source): DefinitionChange[] {
  if (before) {
    // Consequences of a renamed field are not listed as changes.
    const renamed = findRenamedFields(before, after);
    const references = renameFields(before, renamed);
    const formerNames = new Map([...renamed].map(([name, next]) => [next, name]));
    const fields = Object.entries(references.fields).map(([name, field]) => [formerNames.get(name) ?? name, field]);
    return diffParts({ ...references, fields: Object.fromEntries(fields) as Source['fields'] }, after);
  }
  return [
    { kind: 'added', path: '', subject: after.labels.many, text: 'new module' },
    ...Object.keys(after.fields).map((name): DefinitionChange => ({
      kind: 'added',
      path: joinPointer('/fields', name),
      subject: name,
      text: '',
    })),
  ];
}

/**
 * The new names of renamed fields, by their old names.
 *
 * @example findRenamedFields(published, draft).get('due'); // 'due_date'
 */
export function findRenamedFields(before: Pick<Source, 'fields'>, after: Pick<Source, 'fields'>): Map<string, string> {
  return findRenames(entriesOf(['fields'], before.fields), entriesOf(['fields'], after.fields));
}

/**
 * The part of a definition that a value belongs to, as text.
 *
 * @example describePart(['list', 'columns', '2']); // 'columns'
 */
export function describePart(steps: readonly string[]): string {
  const [head = '', name = ''] = steps;
  return head === 'fields' ? `the field "${name}"` : describeSubject(steps.slice(0, isSplit(head) ? 2 : 1));
}

/** Of these the keys are parts of their own. */
const isSplit = (key: string) => key === 'list' || key === 'form';

function diffParts(before: Source, after: Source): DefinitionChange[] {
  const keys = unionOfKeys(before, after).filter((key) => key !== 'fields' && key !== '$schema') as (keyof Source)[];
  return [
    ...diffPart(['fields'], before.fields, after.fields),
    ...keys.flatMap((key) => {
      if (!isSplit(key)) return diffPart([key], before[key], after[key]);
      const [old, fresh] = [before[key] ?? {}, after[key] ?? {}] as [JsonObject, JsonObject];
      return unionOfKeys(old, fresh).flatMap((one) => diffPart([key, one], old[one], fresh[one]));
    }),
  ];
}

const unionOfKeys = (before: object, after: object) => [...new Set([...Object.keys(after), ...Object.keys(before)])];

/** Where a difference is, and the words before it. */
interface Spot {
  readonly steps: readonly string[];
  readonly subject: string;
  readonly prefix: string;
}

/** A difference at a place. The words about a field are those of one of its keys. */
function change(kind: DefinitionChange['kind'], { steps, subject, prefix }: Spot, text = ''): DefinitionChange {
  const shown = steps[0] === 'fields' ? steps.slice(0, 3) : steps;
  return { kind, path: joinPointer('', ...shown), subject, text: `${prefix}${text}` };
}

function diffPart(steps: readonly string[], was: unknown, is: unknown): DefinitionChange[] {
  const spot: Spot = { steps, subject: describeSubject(steps), prefix: '' };
  const entries = steps[0] === 'fields' || entryWordsAt(steps) ? diffEntriesAt(spot, false, was, is) : [];
  // The order of entries is one of them, and of nothing else.
  if (entries.length > 0 || isSameJson(was, is)) return entries;
  if (isJsonObject(was) && isJsonObject(is)) return diffKeys(spot, was, is);
  if (Array.isArray(was) && Array.isArray(is)) return diffList(spot, was, is);
  const isPart = isJsonObject(was) || isJsonObject(is);
  if (was === undefined) return [change('added', spot, isPart ? '' : summarizeValue(is, steps))];
  if (is === undefined) return [change('removed', spot)];
  return [change('changed', spot, isPart ? describeSwitch(is) : describeTransition(steps, was, is))];
}

/** Columns, filters, rules …: every added, removed or changed entry. Within another part, the part has changed. */
function diffEntriesAt(spot: Spot, isNested: boolean, was: unknown, is: unknown): DefinitionChange[] {
  const { steps, subject, prefix } = spot;
  const { word, title } = entryWordsAt(steps) ?? { word: '', title: '' };
  const isField = steps.length === 1 && steps[0] === 'fields';
  const nameOf = (entry: Entry) => (isField ? entry.id : `${word} ${nameOfEntry(entry, title, was, is)}`.trim());
  const { added, removed, common, reordered } = diffEntries(entriesOf(steps, was), entriesOf(steps, is));
  const say = (kind: 'added' | 'removed', entry: Entry) =>
    isNested
      ? change('changed', spot, `${nameOf(entry)} ${kind}`)
      : change(kind, { steps: [...steps, entry.step], subject: nameOf(entry), prefix: '' });
  return [
    ...added.map((entry) => say('added', entry)),
    ...removed.map((entry) => say('removed', entry)),
    ...common.flatMap(({ before, after }) => {
      const inner: Spot = isNested
        ? { steps: [...steps, after.step], subject, prefix: `${prefix}${nameOf(before)}: ` }
        : { steps: [...steps, after.step], subject: nameOf(after), prefix: '' };
      const isRenamed = before.formerId !== undefined;
      const [old, fresh] = [before.value, after.value];
      const changes =
        isJsonObject(old) && isJsonObject(fresh)
          ? diffKeys(inner, old, isRenamed ? withoutFormer(fresh, old) : fresh)
          : isSameJson(old, fresh)
            ? []
            : [change('changed', inner)];
      return isRenamed && isField ? [change('changed', inner, `renamed from ${before.formerId}`), ...changes] : changes;
    }),
    ...(reordered ? [change('changed', spot, `${isNested ? `${describeKey(steps)} ` : ''}reordered`)] : []),
  ];
}

/** An entry without saying what it was called, which its new name has said. */
const withoutFormer = (after: JsonObject, { formerName, formerValue }: JsonObject): JsonObject => ({
  ...after,
  formerName,
  formerValue,
});

function nameOfEntry({ id, value }: Entry, title: string, was: unknown, is: unknown): string {
  if (Array.isArray(value)) return summarizeValue(value);
  if (!isJsonObject(value) || ![was ?? is, is ?? was].some(Array.isArray)) return id;
  if (value[title] !== undefined) return summarizeValue(value[title]);
  if ('levels' in value || 'roles' in value)
    return `for ${describeAudience(value as Audience)}: ${summarizeValue([value.action].flat())}`;
  return id.startsWith('{') ? '' : id;
}

/** The differences between the keys of a part, and within them. */
function diffKeys({ steps, subject, prefix }: Spot, before: JsonObject, after: JsonObject): DefinitionChange[] {
  return unionOfKeys(before, after).flatMap((key): DefinitionChange[] => {
    const [was, is] = [before[key], after[key]];
    if (isIdenticalJson(was, is)) return [];
    const here = [...steps, key];
    const spot: Spot = { steps: is === undefined ? steps : here, subject, prefix };
    const isGrant = steps[0] === 'grants';
    const word = isGrant ? `${describeAudience({ levels: [Number(key) as Level] })}:` : describeKey(here);
    const innerSpot: Spot = { steps: here, subject, prefix: `${prefix}${word} ` };
    const areParts = [was, is].every(
      (one) => one === undefined || (isJsonObject(one) && structureAt(here, one) === 'keys'),
    );
    const areLists = [was, is].every((one) => one === undefined || Array.isArray(one));
    const isOfEntries = (areParts || areLists) && entryWordsAt(here);
    const entries = isOfEntries ? diffEntriesAt({ ...spot, steps: here }, true, was, is) : [];
    // A list without entries differs from none.
    if (entries.length > 0 || isSameJson(was, is)) return entries;
    if (areParts && was && is) return diffKeys(innerSpot, was as JsonObject, is as JsonObject);
    if (Array.isArray(was) && Array.isArray(is)) return diffList(innerSpot, was, is);
    return [
      isGrant
        ? change('changed', innerSpot, describeTransition(here, was, is))
        : change('changed', spot, describeChange(here, was, is)),
    ];
  });
}

function diffList(spot: Spot, before: readonly unknown[], after: readonly unknown[]): DefinitionChange[] {
  const { added, removed, common, reordered } = diffEntries(
    entriesOf(spot.steps, before),
    entriesOf(spot.steps, after),
  );
  const say = ({ id, value }: Entry) =>
    isJsonObject(value) && id.startsWith('{')
      ? 'one'
      : typeof value === 'string'
        ? value
        : Array.isArray(value)
          ? summarizeValue(value)
          : id;
  const isReplaced = added.length === removed.length && [...added, ...removed].every((entry) => say(entry) === 'one');
  const texts = [
    ...(isReplaced && added.length > 0 ? ['changed'] : added.map((entry) => `${say(entry)} added`)),
    ...(isReplaced ? [] : removed.map((entry) => `${say(entry)} removed`)),
    ...common
      .filter((pair) => !isSameJson(pair.before.value, pair.after.value))
      .map(({ after: { id } }) => `${id} changed`),
    ...(reordered ? ['reordered'] : []),
  ];
  return [change('changed', spot, `${texts.slice(0, 4).join(', ')}${texts.length > 4 ? ' …' : ''}`)];
}

function describeTransition(steps: readonly string[], before: unknown, after: unknown): string {
  const [old, fresh] = [before, after].map((value) => (value === undefined ? 'default' : summarizeValue(value, steps)));
  return `${old} → ${fresh}`;
}

function describeSwitch(after: unknown): string {
  return after === true ? 'on' : after === false ? 'off' : '';
}
