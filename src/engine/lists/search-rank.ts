const letters = /[\p{L}\p{N}]/u;

/** How well a title matches the searched text: 0 if it begins with it, 1 if one of its words does, 2 otherwise. */
function searchRank(title: string, text: string): 0 | 1 | 2 {
  const [titleText, part] = [title.toLowerCase(), text.toLowerCase()];
  if (titleText.startsWith(part)) return 0;
  for (let index = titleText.indexOf(part); index > 0; index = titleText.indexOf(part, index + 1)) {
    if (!letters.test(titleText.charAt(index - 1))) return 1;
  }
  return 2;
}

/**
 * Sorts titles that begin with the text first, then those with a word that does; otherwise keeps the order.
 *
 * @example
 * sortByMatch([{ title: 'New login' }, { title: 'Login' }], 'log'); // [{ title: 'Login' }, { title: 'New login' }]
 */
export function sortByMatch<T extends { readonly title: string }>(entries: readonly T[], text: string): T[] {
  return [...entries].sort((left, right) => searchRank(left.title, text) - searchRank(right.title, text));
}
