import { plainHeading, type MatchedColumn } from './headings';

/**
 * What the values of a column mean: heading → what a cell says → what is written in its place; the id of a record, where
 * the column fills a relation; null to leave the cell out. `{"Severity": {"3": "Medium"}}`.
 */
export type Meanings = Readonly<Record<string, Readonly<Record<string, Meant>>>>;

/** A text in place of another one, the id of a record, or nothing. */
export type Meant = string | number | null;

/** What a value of one column means, as this request says or an earlier one. */
export interface Meaning {
  readonly to: Meant;
  readonly by: 'hand' | 'memory';
}

/** By what a cell says, in lower case. */
export type ColumnMeanings = ReadonlyMap<string, Meaning>;

/** Letters of a value that can be given another meaning. */
export const longestMeant = 200;

/** A value without what does not count when it is looked up. */
export const plainValue = (text: string): string => text.trim().toLowerCase();

/** The meanings of each column's values; what the request says comes before what is remembered. */
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
