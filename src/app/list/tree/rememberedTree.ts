const keyOf = (user: number, list: string) => `listTree.${user}.${list}`;

/** Whether a user has closed the tree beside a list; undefined if they never opened or closed it. */
export function isTreeClosed(user: number, list: string): boolean | undefined {
  try {
    const storedState = localStorage.getItem(keyOf(user, list));
    return storedState === null ? undefined : storedState === 'closed';
  } catch {
    return undefined;
  }
}

/** Stores whether a user has closed the tree beside a list. */
export function rememberTree(user: number, list: string, isClosed: boolean): void {
  try {
    localStorage.setItem(keyOf(user, list), isClosed ? 'closed' : 'open');
  } catch {
    // Without storage the choice is lost with the page.
  }
}

const openKey = (list: string) => `listTreeOpen.${list}`;

/** The records of the tree that are open, as long as the tab is; undefined: nothing was opened or closed yet. */
export function openNodes(list: string): ReadonlySet<number> | undefined {
  try {
    const storedIds = sessionStorage.getItem(openKey(list));
    return storedIds === null ? undefined : new Set(storedIds.split(',').map(Number));
  } catch {
    return undefined;
  }
}

/** Stores which records of the tree are open. */
export function rememberOpenNodes(list: string, open: ReadonlySet<number>): void {
  try {
    sessionStorage.setItem(openKey(list), [...open].join());
  } catch {
    // Without storage the tree begins as it does at first.
  }
}
