import type { Choice } from './choice';

/** The number of ids stored per user and resource. */
const maxRecent = 20;

const keyOf = (person: number, resource: string) => `assay.chosen.${person}.${resource}`;

/** Records of a resource that the user recently chose in this browser, newest first. */
export function recentlyChosen(person: number, resource: string): readonly number[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(keyOf(person, resource)) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id): id is number => Number.isInteger(id)).slice(0, maxRecent) : [];
  } catch {
    return [];
  }
}

/** Stores what a user chose as recent. */
export function rememberChosen(person: number, resource: string, choices: readonly Pick<Choice, 'id'>[]): void {
  const ids = choices.map(({ id }) => Number(id)).filter((id) => Number.isInteger(id) && id > 0);
  if (ids.length === 0) return;
  const recentIds = [...new Set([...ids.reverse(), ...recentlyChosen(person, resource)])].slice(0, maxRecent);
  try {
    localStorage.setItem(keyOf(person, resource), JSON.stringify(recentIds));
  } catch {
    // Without storage there are no recent choices.
  }
}
