import { describeAudience } from '../access/audience';
import type { Audience, Level } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';
import type { Source } from '../language/source';
import { renameFields } from '../references/replace-names';
import type { DefinitionChange } from './definition-change';
import { describeChange, describeKey, describeSubject, entryWordsAt, summarizeValue } from './describe-change';
import { diffEntries, entriesOf, findRenames, type Entry } from './diff-entries';
import { isIdenticalJson, isJsonObject, isSameJson, type JsonObject } from '../formats/json';
import { structureAt } from './merge-structure';

export type { DefinitionChange } from './definition-change';

/**
 * The differences between two versions of a definition, as text: first its fields, then everything else. Without an
 * older version everything is new, and the fields are listed.
 *
 * @example diffDefinitions(published, draft).length; // 0: nothing to publish
 */
export function diffDefinitions(oldSource: Source | undefined, newSource: Source): DefinitionChange[] {
  if (oldSource) {
    // Consequences of a renamed field are not listed as changes.
    const newNames = findRenamedFields(oldSource, newSource);
    const references = renameFields(oldSource, newNames);
    const formerNames = new Map([...newNames].map(([name, next]) => [next, name]));
    const fields = Object.entries(references.fields).map(([name, field]) => [formerNames.get(name) ?? name, field]);
    return diffParts({ ...references, fields: Object.fromEntries(fields) as Source['fields'] }, newSource);
  }
  return [
    { kind: 'added', path: '', subject: newSource.labels.many, text: 'new module' },
    ...Object.keys(newSource.fields).map((name): DefinitionChange => ({
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
export function findRenamedFields(
  oldSource: Pick<Source, 'fields'>,
  newSource: Pick<Source, 'fields'>,
): Map<string, string> {
  return findRenames(entriesOf(['fields'], oldSource.fields), entriesOf(['fields'], newSource.fields));
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

function diffParts(oldSource: Source, newSource: Source): DefinitionChange[] {
  const keys = unionOfKeys(oldSource, newSource).filter(
    (key) => key !== 'fields' && key !== '$schema',
  ) as (keyof Source)[];
  return [
    ...diffPart(['fields'], oldSource.fields, newSource.fields),
    ...keys.flatMap((key) => {
      if (!isSplit(key)) return diffPart([key], oldSource[key], newSource[key]);
      const [oldPart, newPart] = [oldSource[key] ?? {}, newSource[key] ?? {}] as [JsonObject, JsonObject];
      return unionOfKeys(oldPart, newPart).flatMap((entryKey) =>
        diffPart([key, entryKey], oldPart[entryKey], newPart[entryKey]),
      );
    }),
  ];
}

const unionOfKeys = (oldObject: object, newObject: object) => [
  ...new Set([...Object.keys(newObject), ...Object.keys(oldObject)]),
];

/** Where a difference is, and the words before it. */
interface Spot {
  readonly steps: readonly string[];
  readonly subject: string;
  readonly prefix: string;
}

/** A difference at a place. The words about a field are those of one of its keys. */
function change(kind: DefinitionChange['kind'], { steps, subject, prefix }: Spot, text = ''): DefinitionChange {
  const shownSteps = steps[0] === 'fields' ? steps.slice(0, 3) : steps;
  return { kind, path: joinPointer('', ...shownSteps), subject, text: `${prefix}${text}` };
}

function diffPart(steps: readonly string[], oldValue: unknown, newValue: unknown): DefinitionChange[] {
  const part: Spot = { steps, subject: describeSubject(steps), prefix: '' };
  const entries = steps[0] === 'fields' || entryWordsAt(steps) ? diffEntriesAt(part, false, oldValue, newValue) : [];
  // The order of entries is one of them, and of nothing else.
  if (entries.length > 0 || isSameJson(oldValue, newValue)) return entries;
  if (isJsonObject(oldValue) && isJsonObject(newValue)) return diffKeys(part, oldValue, newValue);
  if (Array.isArray(oldValue) && Array.isArray(newValue)) return diffList(part, oldValue, newValue);
  const isPart = isJsonObject(oldValue) || isJsonObject(newValue);
  if (oldValue === undefined) return [change('added', part, isPart ? '' : summarizeValue(newValue, steps))];
  if (newValue === undefined) return [change('removed', part)];
  return [change('changed', part, isPart ? describeSwitch(newValue) : describeTransition(steps, oldValue, newValue))];
}

/** Columns, filters, rules …: every added, removed or changed entry. Within another part, the part has changed. */
function diffEntriesAt(part: Spot, isNested: boolean, oldValue: unknown, newValue: unknown): DefinitionChange[] {
  const { steps, subject, prefix } = part;
  const { word, title } = entryWordsAt(steps) ?? { word: '', title: '' };
  const isField = steps.length === 1 && steps[0] === 'fields';
  const nameOf = (entry: Entry) =>
    isField ? entry.id : `${word} ${nameOfEntry(entry, title, oldValue, newValue)}`.trim();
  const { addedEntries, removedEntries, commonEntries, isReordered } = diffEntries(
    entriesOf(steps, oldValue),
    entriesOf(steps, newValue),
  );
  const say = (kind: 'added' | 'removed', entry: Entry) =>
    isNested
      ? change('changed', part, `${nameOf(entry)} ${kind}`)
      : change(kind, { steps: [...steps, entry.step], subject: nameOf(entry), prefix: '' });
  return [
    ...addedEntries.map((entry) => say('added', entry)),
    ...removedEntries.map((entry) => say('removed', entry)),
    ...commonEntries.flatMap(({ oldEntry, newEntry }) => {
      const inner: Spot = isNested
        ? { steps: [...steps, newEntry.step], subject, prefix: `${prefix}${nameOf(oldEntry)}: ` }
        : { steps: [...steps, newEntry.step], subject: nameOf(newEntry), prefix: '' };
      const isRenamed = oldEntry.formerId !== undefined;
      const [oldPart, newPart] = [oldEntry.value, newEntry.value];
      const changes =
        isJsonObject(oldPart) && isJsonObject(newPart)
          ? diffKeys(inner, oldPart, isRenamed ? withoutFormer(newPart, oldPart) : newPart)
          : isSameJson(oldPart, newPart)
            ? []
            : [change('changed', inner)];
      return isRenamed && isField
        ? [change('changed', inner, `renamed from ${oldEntry.formerId}`), ...changes]
        : changes;
    }),
    ...(isReordered ? [change('changed', part, `${isNested ? `${describeKey(steps)} ` : ''}reordered`)] : []),
  ];
}

/** An entry without saying what it was called, which its new name has said. */
const withoutFormer = (entry: JsonObject, { formerName, formerValue }: JsonObject): JsonObject => ({
  ...entry,
  formerName,
  formerValue,
});

function nameOfEntry({ id, value }: Entry, title: string, oldValue: unknown, newValue: unknown): string {
  if (Array.isArray(value)) return summarizeValue(value);
  if (!isJsonObject(value) || ![oldValue ?? newValue, newValue ?? oldValue].some(Array.isArray)) return id;
  if (value[title] !== undefined) return summarizeValue(value[title]);
  if ('levels' in value || 'roles' in value)
    return `for ${describeAudience(value as Audience)}: ${summarizeValue([value.action].flat())}`;
  return id.startsWith('{') ? '' : id;
}

/** The differences between the keys of a part, and within them. */
function diffKeys({ steps, subject, prefix }: Spot, oldPart: JsonObject, newPart: JsonObject): DefinitionChange[] {
  return unionOfKeys(oldPart, newPart).flatMap((key): DefinitionChange[] => {
    const [oldValue, newValue] = [oldPart[key], newPart[key]];
    if (isIdenticalJson(oldValue, newValue)) return [];
    const keySteps = [...steps, key];
    const keySpot: Spot = { steps: newValue === undefined ? steps : keySteps, subject, prefix };
    const isGrant = steps[0] === 'grants';
    const word = isGrant ? `${describeAudience({ levels: [Number(key) as Level] })}:` : describeKey(keySteps);
    const innerSpot: Spot = { steps: keySteps, subject, prefix: `${prefix}${word} ` };
    const areParts = [oldValue, newValue].every(
      (side) => side === undefined || (isJsonObject(side) && structureAt(keySteps, side) === 'keys'),
    );
    const areLists = [oldValue, newValue].every((side) => side === undefined || Array.isArray(side));
    const isOfEntries = (areParts || areLists) && entryWordsAt(keySteps);
    const entries = isOfEntries ? diffEntriesAt({ ...keySpot, steps: keySteps }, true, oldValue, newValue) : [];
    // A list without entries differs from none.
    if (entries.length > 0 || isSameJson(oldValue, newValue)) return entries;
    if (areParts && oldValue && newValue) return diffKeys(innerSpot, oldValue as JsonObject, newValue as JsonObject);
    if (Array.isArray(oldValue) && Array.isArray(newValue)) return diffList(innerSpot, oldValue, newValue);
    return [
      isGrant
        ? change('changed', innerSpot, describeTransition(keySteps, oldValue, newValue))
        : change('changed', keySpot, describeChange(keySteps, oldValue, newValue)),
    ];
  });
}

function diffList(part: Spot, oldList: readonly unknown[], newList: readonly unknown[]): DefinitionChange[] {
  const { addedEntries, removedEntries, commonEntries, isReordered } = diffEntries(
    entriesOf(part.steps, oldList),
    entriesOf(part.steps, newList),
  );
  const say = ({ id, value }: Entry) =>
    isJsonObject(value) && id.startsWith('{')
      ? 'one'
      : typeof value === 'string'
        ? value
        : Array.isArray(value)
          ? summarizeValue(value)
          : id;
  const isReplaced =
    addedEntries.length === removedEntries.length &&
    [...addedEntries, ...removedEntries].every((entry) => say(entry) === 'one');
  const texts = [
    ...(isReplaced && addedEntries.length > 0 ? ['changed'] : addedEntries.map((entry) => `${say(entry)} added`)),
    ...(isReplaced ? [] : removedEntries.map((entry) => `${say(entry)} removed`)),
    ...commonEntries
      .filter((pair) => !isSameJson(pair.oldEntry.value, pair.newEntry.value))
      .map(({ newEntry: { id } }) => `${id} changed`),
    ...(isReordered ? ['reordered'] : []),
  ];
  return [change('changed', part, `${texts.slice(0, 4).join(', ')}${texts.length > 4 ? ' …' : ''}`)];
}

function describeTransition(steps: readonly string[], oldValue: unknown, newValue: unknown): string {
  const [oldText, newText] = [oldValue, newValue].map((value) =>
    value === undefined ? 'default' : summarizeValue(value, steps),
  );
  return `${oldText} → ${newText}`;
}

function describeSwitch(newValue: unknown): string {
  return newValue === true ? 'on' : newValue === false ? 'off' : '';
}
