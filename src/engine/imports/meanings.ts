import { plainHeading, type MatchedColumn } from './headings';

/**
 * The meanings of a column's values: heading → value in the cell → replacement text, the id of a record if the column
 * fills a relation, or null to leave the cell out. `{"Severity": {"3": "Medium"}}`.
 */
export type Meanings = Readonly<Record<string, Readonly<Record<string, Meant>>>>;

/** A text in place of another one, the id of a record, or nothing. */
export type Meant = string | number | null;

/** The meaning of one value of a column, from this request or an earlier one. */
export interface Meaning {
  readonly to: Meant;
  readonly by: 'hand' | 'memory';
}

/** By the cell's text, in lower case. */
export type ColumnMeanings = ReadonlyMap<string, Meaning>;

/** The maximum length of a value that can have a meaning. */
export const longestMeant = 200;

/** A value normalised for lookups. */
export const plainValue = (text: string): string => text.trim().toLowerCase();

/** The meanings of each column's values; those of the request take precedence over remembered ones. */
export function meaningsOf(
  columns: readonly MatchedColumn[],
  byHand: Meanings,
  remembered: Meanings,
): readonly ColumnMeanings[] {
  const [hand, memory] = [plainHeadings(byHand), plainHeadings(remembered)];
  return columns.map(({ heading }) => {
    const plain = plainHeading(heading);
    const found = new Map<string, Meaning>();
    for (const [text, to] of Object.entries(memory.get(plain) ?? {})) found.set(plainValue(text), { to, by: 'memory' });
    for (const [text, to] of Object.entries(hand.get(plain) ?? {})) found.set(plainValue(text), { to, by: 'hand' });
    return found;
  });
}

const plainHeadings = (meanings: Meanings) =>
  new Map(Object.entries(meanings).map(([heading, values]) => [plainHeading(heading), values]));
