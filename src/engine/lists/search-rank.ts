const letters = /[\p{L}\p{N}]/u;

/** How well a title matches the searched text: 0 if it begins with it, 1 if one of its words does, 2 otherwise. */
function searchRank(title: string, text: string): 0 | 1 | 2 {
  const [whole, part] = [title.toLowerCase(), text.toLowerCase()];
  if (whole.startsWith(part)) return 0;
  for (let at = whole.indexOf(part); at > 0; at = whole.indexOf(part, at + 1)) {
    if (!letters.test(whole[at - 1]!)) return 1;
  }
  return 2;
}

/**
 * Sorts titles that begin with the text first, then those with a word that does; otherwise keeps the order.
 *
 * @example
 * sortByMatch([{ title: 'New login' }, { title: 'Login' }], 'log'); // [{ title: 'Login' }, { title: 'New login' }]
 */
export function sortByMatch<T extends { readonly title: string }>(all: readonly T[], text: string): T[] {
  return [...all].sort((one, other) => searchRank(one.title, text) - searchRank(other.title, text));
}
