const keyOf = (user: number, screen: string) => `assay.list.${user}.${screen}`;

/** Keeps a list's whole state, page and search included, for as long as this tab is open. `query` is without `?`. */
export function keepAddress(user: number, screen: string, query: string): void {
  try {
    sessionStorage.setItem(keyOf(user, screen), query);
  } catch {
    // A browser that stores nothing shows the list from its beginning.
  }
}

/** The state in which a list was last left in this tab; null: not seen yet. */
export function lastAddress(user: number, screen: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(user, screen));
  } catch {
    return null;
  }
}
