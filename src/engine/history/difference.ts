import type { ResourceRecord } from '../definitions/definition';
import type { HistoryEntry, RelatedTitles } from './field-changes';

/**
 * The difference of a record since a version of it: its changes since then as one, with what was before the first and
 * what is after the last of them. A value that is as it was is left out.
 *
 * @param lines The record's history, newest first.
 * @param version The record's `updated_at` then.
 *
 * @example differenceSince(lines, '2026-11-16T14:30:00.000Z').new_values; // { name: 'Net 60' }
 */
export function differenceSince(lines: readonly HistoryEntry[], version: string): HistoryEntry {
  const laterEntries = lines.filter(({ event, created_at: createdAt }) => event !== 'created' && createdAt > version);
  return differenceOf(laterEntries, version);
}

/**
 * The difference between two versions of a record, which are named by the ids of the changes that made them: from the
 * earlier to the later one, in whichever order they are given.
 *
 * @param lines The record's history, newest first.
 *
 * @example differenceBetween(lines, 120, 118).old_values; // what was in the version of the change 118
 */
export function differenceBetween(lines: readonly HistoryEntry[], firstId: number, secondId: number): HistoryEntry {
  const [startId, endId] = [Math.min(firstId, secondId), Math.max(firstId, secondId)];
  const entriesBetween = lines.filter(({ id = 0 }) => id > startId && id <= endId);
  return differenceOf(entriesBetween, lines.find(({ id }) => id === startId)?.created_at ?? '');
}

/**
 * Changes as one, with what was before the first and what is after the last of them; a value that is as it was is left out.
 *
 * @param entries The changes, newest first.
 * @param version When it is said to have been made if there are none.
 *
 * @example differenceOf(entries, '').new_values; // { stage_id: 3 }
 */
export function differenceOf(entries: readonly HistoryEntry[], version: string): HistoryEntry {
  const oldValues: Record<string, unknown> = {};
  const newValues: Record<string, unknown> = {};
  const names: Record<string, Record<string, string>> = {};
  for (const { old_values: valuesBefore, new_values: valuesAfter, names: titles = {} } of entries) {
    for (const name of Object.keys({ ...valuesBefore, ...valuesAfter })) {
      // From the newest on: the first one found is how it is now, the last one how it was.
      if (!Object.hasOwn(newValues, name)) newValues[name] = valuesAfter?.[name] ?? null;
      oldValues[name] = valuesBefore?.[name] ?? null;
    }
    addTitles(names, titles);
  }
  const differentNames = Object.keys(newValues).filter(
    (name) => JSON.stringify(oldValues[name]) !== JSON.stringify(newValues[name]),
  );
  const pick = (values: ResourceRecord) => Object.fromEntries(differentNames.map((name) => [name, values[name]]));
  return {
    old_values: pick(oldValues),
    new_values: pick(newValues),
    event: 'updated',
    user: null,
    created_at: entries[0]?.created_at ?? version,
    names,
  };
}

function addTitles(titlesByField: Record<string, Record<string, string>>, addedTitles: RelatedTitles): void {
  for (const [name, titles] of Object.entries(addedTitles)) titlesByField[name] = { ...titles, ...titlesByField[name] };
}
