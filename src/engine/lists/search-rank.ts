const letters = /[\p{L}\p{N}]/u;

/** How well a title fits a searched text: 0 where it begins with it, 1 where one of its words does, 2 otherwise. */
export function searchRank(title: string, text: string): 0 | 1 | 2 {
  const [whole, part] = [title.toLowerCase(), text.toLowerCase()];
  if (whole.startsWith(part)) return 0;
  for (let at = whole.indexOf(part); at > 0; at = whole.indexOf(part, at + 1)) {
    if (!letters.test(whole[at - 1]!)) return 1;
  }
  return 2;
}

/** Those whose titles begin with a text first, then those of which a word does; otherwise in the order they have. */
export function bestFirst<T extends { readonly title: string }>(all: readonly T[], text: string): T[] {
  return [...all].sort((one, other) => searchRank(one.title, text) - searchRank(other.title, text));
}
