const keyOf = (user: number, screen: string) => `assay.list.${user}.${screen}`;

/**
 * Stores a list's whole state, page and search included, for this tab. `query` is without `?`.
 *
 * @example rememberAddress(actor.id, 'timesheet', 'month=2026-11&q=login');
 */
export function rememberAddress(user: number, screen: string, query: string): void {
  try {
    sessionStorage.setItem(keyOf(user, screen), query);
  } catch {
    // Without storage the list starts from its defaults.
  }
}

/** The state in which a list was last left in this tab; null: not opened yet. */
export function lastAddress(user: number, screen: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(user, screen));
  } catch {
    return null;
  }
}
