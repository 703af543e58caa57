import { compare } from './subsequence';

/** A run of text, and on which side of a change it stands. */
export interface Run {
  readonly text: string;
  readonly side: 'both' | 'old' | 'new';
}

/** Texts of more words than this are not compared: the old one stands as a whole beside the new one. */
const most = 1500;

/**
 * The difference between two texts, word by word: what both have, what only the old one had, what only the new one has.
 * The runs of `both` and `old` make the old text, those of `both` and `new` the new one.
 */
export function difference(old: string, fresh: string): Run[] {
  const [before, after] = [words(old), words(fresh)];
  const runs: Run[] = [];
  let [at, to] = [0, 0];
  for (const stretch of compare(before, after, most * most)) {
    const middle = at + stretch.both;
    const [end, stop] = [middle + stretch.old, to + stretch.both + stretch.fresh];
    runs.push({ text: before.slice(at, middle).join(''), side: 'both' });
    runs.push({ text: before.slice(middle, end).join(''), side: 'old' });
    runs.push({ text: after.slice(to + stretch.both, stop).join(''), side: 'new' });
    [at, to] = [end, stop];
  }
  return runs.filter(({ text }) => text !== '');
}

/** Words and the spaces between them. */
function words(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? [];
}
