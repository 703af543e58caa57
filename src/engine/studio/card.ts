import type { ListSource, Source } from '../definitions/source';
import { isObject, same } from './json';
import { rewritten, setAt } from './set-at';

type Written = NonNullable<ListSource['card']>;

/** A line of a card. */
export interface LineView {
  readonly field: string;
  readonly icon?: string;
}

/** The card of a record as the visual editor shows it. */
export interface CardView {
  readonly title?: string;
  readonly subtitle?: string;
  /** `initials`, `none`, or an icon field. */
  readonly mark: string;
  readonly marks: readonly string[];
  readonly lines: readonly LineView[];
  readonly person?: string;
  readonly counts: NonNullable<Written['counts']>;
  readonly menu: readonly string[];
}

const usual = { mark: 'initials', marks: [], lines: [], counts: [], menu: ['edit', 'delete'] };

/** The card of a definition; null if it has none. */
export function readCard(source: Source): CardView | null {
  const card = source.list?.card;
  if (!card) return null;
  return { ...usual, ...card, lines: (card.lines ?? []).map(readLine) };
}

/** The definition with this card; defaults are left out, and unchanged parts stay as written. */
export function writeCard(source: Source, card: CardView | null): Source {
  const old = source.list?.card;
  if (!card) return setAt(source, ['list', 'card'], undefined);
  const { title, subtitle, mark, marks, person, counts, menu } = card;
  const lines = card.lines.map((line) => {
    const before = old?.lines?.find((one) => same(readLine(one), line));
    return before ?? (line.icon === undefined ? line.field : line);
  });
  const written = rewritten(old, { title, subtitle, mark, marks, lines, person, counts, menu }, usual);
  return setAt(source, ['list', 'card'], written);
}

function readLine(line: NonNullable<Written['lines']>[number]): LineView {
  return isObject(line) ? (line as unknown as LineView) : { field: line as string };
}
