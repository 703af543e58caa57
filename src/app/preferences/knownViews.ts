const keyOf = (user: number, screen: string) => `assay.views.${user}.${screen}`;

/** The facts about a list's saved views before they are loaded: the one that it opens with, or empty; null: there are none. */
export function knownViews(user: number, screen: string): string | null {
  try {
    return localStorage.getItem(keyOf(user, screen));
  } catch {
    return null;
  }
}

/** Remembers which saved view a list opens with: empty for none of several, null if there are no views. */
export function rememberViews(user: number, screen: string, first: string | null): void {
  try {
    if (first === null) localStorage.removeItem(keyOf(user, screen));
    else localStorage.setItem(keyOf(user, screen), first);
  } catch {
    // Without storage the tabs of views appear when they are loaded.
  }
}
