import type { RefObject } from 'react';
import type { MenuGroup } from '../layout/menu';
import type { Command } from './commands';

/** What the frame of the screens passes to its command palette. */
export interface PaletteProps {
  /** The places to go to. */
  groups: readonly MenuGroup[];
  /** What can be done on the screen below. */
  commands: readonly Command[];
  /** What was typed before it could be shown. */
  typedAhead?: RefObject<string>;
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
  readonly stays?: boolean;
  /** Shows what can be done with the record that it leads to. */
  readonly onActions?: () => void;
}

export interface PaletteSection {
  readonly label: string;
  /** Muted, beside the label. */
  readonly note?: string;
  readonly entries: readonly PaletteEntry[];
}

/** What a first character narrows the palette to: `>` actions, `#` records by key, `@` people. */
export type PaletteMode = 'all' | 'actions' | 'keys' | 'people';

const modes: Readonly<Record<string, PaletteMode>> = { '>': 'actions', '#': 'keys', '@': 'people' };

/**
 * The mode and the text that was typed in it.
 *
 * @example readPaletteText('#tc-142'); // { mode: 'keys', text: 'tc-142' }
 */
export function readPaletteText(typed: string): { mode: PaletteMode; text: string } {
  const trimmed = typed.trimStart();
  const mode = modes[trimmed[0] ?? ''];
  return mode ? { mode, text: trimmed.slice(1).trim() } : { mode: 'all', text: trimmed.trim() };
}

/**
 * The entries whose label, note or words have all words of a text; those whose label begins with it come first.
 *
 * @example matchEntries(places, 'test run');
 */
export function matchEntries(entries: readonly PaletteEntry[], text: string): PaletteEntry[] {
  const asked = text.toLowerCase();
  const words = asked.split(/\s+/).filter(Boolean);
  const begins = ({ label }: PaletteEntry) => label.toLowerCase().startsWith(asked);
  const found = entries.filter(({ label, note = '', words: more = '' }) => {
    const name = `${label} ${note} ${more}`.toLowerCase();
    return words.every((word) => name.includes(word));
  });
  return [...found.filter(begins), ...found.filter((entry) => !begins(entry))];
}

/**
 * A text cut at the words that were typed, each part with whether it is one of them.
 *
 * @example markWords('Refund fails', 'ref'); // [{ text: 'Ref', marked: true }, { text: 'und fails', marked: false }]
 */
export function markWords(text: string, typed: string): { text: string; marked: boolean }[] {
  const words = typed.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [{ text, marked: false }];
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text
    .split(new RegExp(`(${escaped.join('|')})`, 'gi'))
    .map((part, index) => ({ text: part, marked: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}
