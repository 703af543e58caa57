const keyOf = (user: number, list: string) => `listTree.${user}.${list}`;

/** Whether a user has closed the tree beside a list; undefined if they never opened or closed it. */
export function isTreeClosed(user: number, list: string): boolean | undefined {
  try {
    const kept = localStorage.getItem(keyOf(user, list));
    return kept === null ? undefined : kept === 'closed';
  } catch {
    return undefined;
  }
}

/** Stores whether a user has closed the tree beside a list. */
export function rememberTree(user: number, list: string, closed: boolean): void {
  try {
    localStorage.setItem(keyOf(user, list), closed ? 'closed' : 'open');
  } catch {
    // Without storage the choice is lost with the page.
  }
}
