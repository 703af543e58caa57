import type { RefObject } from 'react';
import type { MenuGroup } from '../layout/menu';
import type { Command } from './commands';
import { getOrThrow } from '../../engine/values/lookups';

/** The props that the frame of the screens passes to its command palette. */
export interface PaletteProps {
  /** The places to go to. */
  groups: readonly MenuGroup[];
  /** The commands of the screen below. */
  commands: readonly Command[];
  /** The keys that were pressed before it could be shown. */
  typedAhead?: RefObject<string[]>;
  onClose: () => void;
}

/** A line of the palette: a link to open, or something to do. */
export interface PaletteEntry {
  /** Unique in the palette. */
  readonly id: string;
  readonly icon: string;
  readonly label: string;
  /** The key of a record, before its title. */
  readonly recordKey?: string;
  /** Muted, at the end of the line. */
  readonly note?: string;
  /** The shortcut that does the same. */
  readonly keys?: string;
  /** Found by these words besides its label. */
  readonly words?: string;
  readonly to?: string;
  readonly run?: () => void;
  /** The palette stays open. */
  readonly keepsOpen?: boolean;
  /** The server found it: while it searches for what was typed since, this may not be what is meant. */
  readonly isFound?: boolean;
  /** Shows what can be done with the record that it leads to; what was typed meanwhile is for that. */
  readonly onActions?: (typedAhead: readonly string[]) => void;
}

export interface PaletteSection {
  readonly label: string;
  /** Muted, beside the label. */
  readonly note?: string;
  readonly entries: readonly PaletteEntry[];
}

/** The mode that a first character narrows the palette to: `>` actions, `#` records by key, `@` people. */
export type PaletteMode = 'all' | 'actions' | 'keys' | 'people';

const modes: Readonly<Record<string, PaletteMode>> = { '>': 'actions', '#': 'keys', '@': 'people' };

/**
 * The mode and the text that was typed in it.
 *
 * @example readPaletteText('#tc-142'); // { mode: 'keys', text: 'tc-142' }
 */
export function readPaletteText(paletteText: string): { mode: PaletteMode; text: string } {
  const trimmedText = paletteText.trimStart();
  const mode = modes[trimmedText[0] ?? ''];
  return mode ? { mode, text: trimmedText.slice(1).trim() } : { mode: 'all', text: trimmedText.trim() };
}

/** The keys that act on an entry: they open it, or show what can be done with it. */
export const actingKeys: readonly string[] = ['Enter', 'ArrowRight'];

/**
 * Keys that were pressed before a palette was shown, as what they mean to it: its text, the key that acts on what is found by
 * it, and the keys after that, which are for what it opens.
 *
 * @example splitTypedAhead(['t', 'c', 'ArrowRight', 'x']); // { text: 'tc', act: 'ArrowRight', rest: ['x'] }
 */
export function splitTypedAhead(keys: readonly string[]): { text: string; act?: string; rest: readonly string[] } {
  const end = keys.findIndex((key) => key.length > 1);
  const letters = end < 0 ? keys : keys.slice(0, end);
  return { text: letters.join(''), act: keys[end], rest: end < 0 ? [] : keys.slice(end + 1) };
}

/**
 * The entries whose label, note or words have all words of a text: first those whose label begins with it, then those with
 * words that begin as the typed ones do.
 *
 * @example matchEntries(places, 'test run');
 */
export function matchEntries(entries: readonly PaletteEntry[], text: string): PaletteEntry[] {
  const searchText = text.toLowerCase();
  const words = searchText.split(/\s+/).filter(Boolean);
  const rankOf = ({ label, note = '', words: extraWords = '' }: PaletteEntry): number | undefined => {
    const name = `${label} ${note} ${extraWords}`.toLowerCase();
    if (!words.every((word) => name.includes(word))) return undefined;
    if (label.toLowerCase().startsWith(searchText)) return 0;
    const labelWords = label.toLowerCase().split(/\s+/);
    return words.every((word) => labelWords.some((labelWord) => labelWord.startsWith(word))) ? 1 : 2;
  };
  const ranks = new Map(entries.map((entry) => [entry, rankOf(entry)]));
  const matches = entries.filter((entry) => ranks.get(entry) !== undefined);
  return matches.sort((first, second) => getOrThrow(ranks, first) - getOrThrow(ranks, second));
}

/**
 * A text cut at the words that were typed, each part with whether it is one of them.
 *
 * @example markWords('Refund fails', 'ref'); // [{ text: 'Ref', isMarked: true }, { text: 'und fails', isMarked: false }]
 */
export function markWords(text: string, searchText: string): { text: string; isMarked: boolean }[] {
  const words = searchText.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [{ text, isMarked: false }];
  const patterns = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text
    .split(new RegExp(`(${patterns.join('|')})`, 'gi'))
    .map((part, index) => ({ text: part, isMarked: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}
