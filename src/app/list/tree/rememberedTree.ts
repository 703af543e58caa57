const keyOf = (user: number, list: string) => `listTree.${user}.${list}`;

/** Whether a user has closed the tree beside a list. */
export function isTreeClosed(user: number, list: string): boolean {
  try {
    return localStorage.getItem(keyOf(user, list)) === 'closed';
  } catch {
    return false;
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
