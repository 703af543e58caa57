import type { Choice } from './choice';

/** Ids that are kept for each person and resource. */
const mostKept = 20;

const keyOf = (person: number, resource: string) => `assay.chosen.${person}.${resource}`;

/** The records of a resource that a person chose lately in this browser, newest first. */
export function recentlyChosen(person: number, resource: string): readonly number[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(keyOf(person, resource)) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id): id is number => Number.isInteger(id)).slice(0, mostKept) : [];
  } catch {
    return [];
  }
}

/** Keeps what a person chose for the next time. */
export function rememberChosen(person: number, resource: string, chosen: readonly Pick<Choice, 'id'>[]): void {
  const ids = chosen.map(({ id }) => Number(id)).filter((id) => Number.isInteger(id) && id > 0);
  if (ids.length === 0) return;
  const kept = [...new Set([...ids.reverse(), ...recentlyChosen(person, resource)])].slice(0, mostKept);
  try {
    localStorage.setItem(keyOf(person, resource), JSON.stringify(kept));
  } catch {
    // A browser that stores nothing offers nothing as recent.
  }
}
