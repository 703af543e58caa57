import type { ResourceRecord } from '../../engine/definitions/definition';

const keyOf = (person: number, resource: string) => `assay.kept.${person}.${resource}`;

/**
 * Stores in this browser the values that the next new record of a person begins with.
 *
 * @example rememberKeptValues(person, 'meals', { day: 3 });
 */
export function rememberKeptValues(person: number, resource: string, values: ResourceRecord): void {
  try {
    localStorage.setItem(keyOf(person, resource), JSON.stringify(values));
  } catch {
    // Without storage the next record begins without them.
  }
}

/**
 * The values that the next new record of a person begins with; none where nothing was stored.
 *
 * @example keptValues(person, 'meals'); // { day: 3 }
 */
export function keptValues(person: number, resource: string): ResourceRecord {
  try {
    return JSON.parse(localStorage.getItem(keyOf(person, resource)) ?? '{}') as ResourceRecord;
  } catch {
    return {};
  }
}
