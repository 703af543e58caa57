import { diffArrays } from 'diff';

/** A run of text, and on which side of a change it is. */
export interface TextRun {
  readonly text: string;
  readonly side: 'both' | 'old' | 'new';
}

const words = /\s+|\S+/g;
const lines = /[^\n]*\n|[^\n]+/g;
/** Texts with more parts removed and added than this are not compared: the time grows with its square. */
const maxEditLength = 1000;

/**
 * The difference between two texts, word by word: what both have, what only the old one had, what only the new one has.
 * The runs of `both` and `old` make the old text, those of `both` and `new` the new one. Where too much differs, lines
 * are compared instead of words; where even that is too much, the whole old text is followed by the whole new one.
 *
 * @example difference('One is made', 'Exactly one is made'); // old: One, new: Exactly one, both: is made
 */
export function diffTexts(oldText: string, newText: string): TextRun[] {
  return (
    compare(oldText, newText, words) ??
    compare(oldText, newText, lines) ?? [run([oldText], 'old'), run([newText], 'new')]
  );
}

function compare(oldText: string, newText: string, parts: RegExp): TextRun[] | undefined {
  const [oldParts, newParts] = [oldText.match(parts) ?? [], newText.match(parts) ?? []];
  // The common end is set aside: a space in front of it then belongs to it and not to the words that differ.
  let end = 0;
  while (end < Math.min(oldParts.length, newParts.length) && oldParts.at(-1 - end) === newParts.at(-1 - end)) end += 1;
  const commonEnd = oldParts.splice(oldParts.length - end);
  newParts.splice(newParts.length - end);
  const changes = diffArrays(oldParts, newParts, { maxEditLength });
  const runs = changes?.map(({ value, added: isAdded, removed: isRemoved }) =>
    run(value, isAdded ? 'new' : isRemoved ? 'old' : 'both'),
  );
  return runs && [...runs, ...(end > 0 ? [run(commonEnd, 'both')] : [])];
}

function run(parts: readonly string[], side: TextRun['side']): TextRun {
  return { text: parts.join(''), side };
}
