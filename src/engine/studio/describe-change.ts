import type { KeySchema, PanelWords } from '../language/key';
import { placesAt, schemasAt } from '../references/walk';
import { isJsonObject } from '../formats/json';
import { summarizeCondition } from './summarize-condition';
import { lastOf } from '../values/lookups';

const schemasOf = (steps: readonly string[]): KeySchema[] => schemasAt(placesAt(undefined, steps));

const wordsAt = (schemas: readonly KeySchema[]): PanelWords =>
  Object.assign({}, ...schemas.map(({ panel }) => panel).toReversed()) as PanelWords;

const inSentence = (label: string) => label.charAt(0).toLowerCase() + label.slice(1);

const inWords = (key: string) =>
  key.replace(
    /([a-z])([A-Z])/g,
    (_, lowerCase: string, upperCase: string) => `${lowerCase} ${upperCase.toLowerCase()}`,
  );

/**
 * The word for the value at a place within a sentence: as in the studio, or else its key in words.
 *
 * @example describeKey(['fields', 'price', 'digits']); // 'decimals'
 */
export function describeKey(steps: readonly string[]): string {
  const { word, label } = wordsAt(schemasOf(steps));
  // The label of an entry says its name, which is the key: `Label of {key}`.
  return word ?? (label === undefined || label.includes('{key}') ? inWords(lastOf(steps)) : inSentence(label));
}

/**
 * The name of a part of a definition in the description of a change. The labels of most are sentences: `Records can be copied`.
 *
 * @example describeSubject(['list', 'kanban']); // 'board'
 */
export function describeSubject(steps: readonly string[]): string {
  const { word, entry } = wordsAt(schemasOf(steps));
  return word ?? entry?.[1] ?? inWords(lastOf(steps));
}

/** The word for an entry of a list or record, and the key whose value tells it from the others. */
export interface EntryWords {
  readonly word: string;
  readonly title: string;
}

/** The words for the entries at a place, if they are parts that can be told apart; by the help of one: `A chart.` */
export function entryWordsAt(steps: readonly string[]): EntryWords | undefined {
  const entries = schemasOf([...steps, '-']);
  const noun = entries.flatMap(({ description = '' }) => /^An? ([^.:,]+)[.:,]/.exec(description)?.[1] ?? [])[0];
  const isPart = entries.some(({ properties }) => properties);
  const word = wordsAt(schemasOf(steps)).entry?.[0] ?? (isPart ? noun : undefined);
  return word === undefined ? undefined : { word, title: wordsAt(entries).title ?? 'label' };
}

/** Whether the text at a place is a name, which is shown without quotation marks. */
function isNameAt(steps: readonly string[]): boolean {
  return schemasOf(steps).some(
    ({ enum: values, pattern, reference }) =>
      values ?? pattern ?? (reference && reference.kind !== 'template' && reference.kind !== 'value'),
  );
}

/** A short text for a value; empty if it would be long. Without a place, a text is no name. */
export function summarizeValue(value: unknown, steps?: readonly string[]): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return steps && isNameAt(steps) ? value : `"${truncate(value)}"`;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.every((member) => typeof member === 'string' || typeof member === 'number')) {
    return value.length === 0 ? 'none' : truncate(value.join(', '));
  }
  return isJsonObject(value) ? (summarizeCondition(value) ?? '') : '';
}

/** A changed, added or removed value: `decimals 1 → 2`. */
export function describeChange(steps: readonly string[], oldValue: unknown, newValue: unknown): string {
  const word = describeKey(steps);
  if (steps[0] === 'fields' && steps.at(-1) === 'required') return describeRequired(newValue);
  if ([oldValue, newValue].every((value) => value === undefined || typeof value === 'boolean') && isFlagAt(steps)) {
    if (newValue === true || newValue === undefined)
      return oldValue === false || newValue === true ? word : `no longer ${word}`;
    return oldValue === true ? `no longer ${word}` : `not ${word}`;
  }
  const [oldText, newText] = [summarizeValue(oldValue, steps), summarizeValue(newValue, steps)];
  if (oldValue === undefined) return `${word} ${newText}`.trim();
  if (newValue === undefined) return `no longer ${`${word} ${oldText}`.trim()}`;
  return oldText === '' || newText === '' ? `${word} changed` : `${word} ${oldText} → ${newText}`;
}

const isFlagAt = (steps: readonly string[]) =>
  schemasOf(steps).some((schema) => [schema.type].flat().includes('boolean') || typeof schema.const === 'boolean');

function describeRequired(newValue: unknown): string {
  if (newValue === true) return 'required';
  if (newValue === 'form') return 'required in the form';
  if (!isJsonObject(newValue)) return 'no longer required';
  return `required when ${summarizeCondition(newValue) ?? 'a condition is met'}`;
}

function truncate(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57).trimEnd()}…` : text;
}
