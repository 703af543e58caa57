/** A record that was opened in this browser. Its title is loaded each time, within what the user may see. */
export interface RecentRecord {
  readonly resource: string;
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const maxRecent = 30;
const keyOf = (user: number) => `assay.recent.${user}`;

/** The records that a user opened in this browser, the last one first. */
export function recentRecords(user: number): RecentRecord[] {
  try {
    const storedRecords: unknown = JSON.parse(localStorage.getItem(keyOf(user)) ?? '[]');
    return Array.isArray(storedRecords)
      ? (storedRecords as RecentRecord[]).filter(({ resource, id }) => resource && id)
      : [];
  } catch {
    return [];
  }
}

/** Remembers that a user opened a record now. */
export function rememberRecent(user: number, resource: string, id: number): void {
  const otherRecords = recentRecords(user).filter((recent) => recent.resource !== resource || recent.id !== id);
  try {
    localStorage.setItem(
      keyOf(user),
      JSON.stringify([{ resource, id, at: Date.now() }, ...otherRecords].slice(0, maxRecent)),
    );
  } catch {
    // Without storage nothing is recent.
  }
}
