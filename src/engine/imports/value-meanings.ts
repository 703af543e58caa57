import { normaliseHeading, type MatchedColumn } from './headings';

/**
 * The meanings of a column's values: heading → value in the cell → replacement text, the id of a record if the column
 * fills a relation, or null to leave the cell out. `{"Severity": {"3": "Medium"}}`.
 */
export type ValueMeanings = Readonly<Record<string, Readonly<Record<string, MeaningTarget>>>>;

/** A text in place of another one, the id of a record, or nothing. */
export type MeaningTarget = string | number | null;

/** The meaning of one value of a column, from this request or an earlier one. */
export interface ValueMeaning {
  readonly to: MeaningTarget;
  readonly by: 'hand' | 'memory';
}

/** By the cell's text, in lower case. */
export type ColumnMeanings = ReadonlyMap<string, ValueMeaning>;

/** The maximum length of a value that can have a meaning. */
export const maxMeaningLength = 200;

/** A value normalised for lookups. */
export const normaliseValue = (text: string): string => text.trim().toLowerCase();

/**
 * The meanings of each column's values; those of the request take precedence over remembered ones.
 *
 * @example resolveMeanings(columns, {}, remembered);
 */
export function resolveMeanings(
  columns: readonly MatchedColumn[],
  byHand: ValueMeanings,
  rememberedMeanings: ValueMeanings,
): readonly ColumnMeanings[] {
  const [hand, memory] = [byNormalisedHeading(byHand), byNormalisedHeading(rememberedMeanings)];
  return columns.map(({ heading }) => {
    const normalisedHeading = normaliseHeading(heading);
    const meanings = new Map<string, ValueMeaning>();
    for (const [text, meaning] of Object.entries(memory.get(normalisedHeading) ?? {}))
      meanings.set(normaliseValue(text), { to: meaning, by: 'memory' });
    for (const [text, meaning] of Object.entries(hand.get(normalisedHeading) ?? {}))
      meanings.set(normaliseValue(text), { to: meaning, by: 'hand' });
    return meanings;
  });
}

const byNormalisedHeading = (meanings: ValueMeanings) =>
  new Map(Object.entries(meanings).map(([heading, values]) => [normaliseHeading(heading), values]));
