import type { ListSource, Source } from '../definitions/source';
import { isJsonObject, isSameJson } from './json';
import { updateObject, setAtPath } from './set-at-path';

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

const defaults = { mark: 'initials', marks: [], lines: [], counts: [], menu: ['edit', 'delete'] };

/** The card of a definition; null if it has none. */
export function readCard(source: Source): CardView | null {
  const card = source.list?.card;
  if (!card) return null;
  return { ...defaults, ...card, lines: (card.lines ?? []).map(readLine) };
}

/** The definition with this card; defaults are left out, and unchanged parts stay as written. */
export function writeCard(source: Source, card: CardView | null): Source {
  const old = source.list?.card;
  if (!card) return setAtPath(source, ['list', 'card'], undefined);
  const { title, subtitle, mark, marks, person, counts, menu } = card;
  const lines = card.lines.map((line) => {
    const before = old?.lines?.find((one) => isSameJson(readLine(one), line));
    return before ?? (line.icon === undefined ? line.field : line);
  });
  const written = updateObject(old, { title, subtitle, mark, marks, lines, person, counts, menu }, defaults);
  return setAtPath(source, ['list', 'card'], written);
}

function readLine(line: NonNullable<Written['lines']>[number]): LineView {
  return isJsonObject(line) ? (line as unknown as LineView) : { field: line as string };
}
