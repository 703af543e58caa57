import type { ResourceRecord } from '../definitions/definition';
import type { HistoryEntry, RelatedTitles } from './field-changes';

/**
 * What is different in a record since a version of it: its changes since then as one, with what was before the first and
 * what is after the last of them. A value that is as it was is left out.
 *
 * @param lines The record's history, newest first.
 * @param version The record's `updated_at` then.
 *
 * @example differenceSince(lines, '2026-11-16T14:30:00.000Z').new_values; // { name: 'Net 60' }
 */
export function differenceSince(lines: readonly HistoryEntry[], version: string): HistoryEntry {
  const since = lines.filter(({ event, created_at: at }) => event !== 'created' && at > version);
  return differenceOf(since, version);
}

/**
 * What is different between two versions of a record, which are named by the ids of the changes that made them: from the
 * earlier to the later one, in whichever order they are given.
 *
 * @param lines The record's history, newest first.
 *
 * @example differenceBetween(lines, 120, 118).old_values; // what was in the version of the change 118
 */
export function differenceBetween(lines: readonly HistoryEntry[], one: number, other: number): HistoryEntry {
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  const between = lines.filter(({ id = 0 }) => id > from && id <= to);
  return differenceOf(between, lines.find(({ id }) => id === from)?.created_at ?? '');
}

/**
 * Changes as one, with what was before the first and what is after the last of them; a value that is as it was is left out.
 *
 * @param since The changes, newest first.
 * @param version When it is said to have been made if there are none.
 *
 * @example differenceOf(entries, '').new_values; // { stage_id: 3 }
 */
export function differenceOf(since: readonly HistoryEntry[], version: string): HistoryEntry {
  const old: Record<string, unknown> = {};
  const fresh: Record<string, unknown> = {};
  const names: Record<string, Record<string, string>> = {};
  for (const { old_values: before, new_values: after, names: titles = {} } of since) {
    for (const name of Object.keys({ ...before, ...after })) {
      // From the newest on: the first one found is how it is now, the last one how it was.
      if (!Object.hasOwn(fresh, name)) fresh[name] = after?.[name] ?? null;
      old[name] = before?.[name] ?? null;
    }
    addTitles(names, titles);
  }
  const differing = Object.keys(fresh).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(fresh[name]));
  const pick = (values: ResourceRecord) => Object.fromEntries(differing.map((name) => [name, values[name]]));
  return {
    old_values: pick(old),
    new_values: pick(fresh),
    event: 'updated',
    user: null,
    created_at: since[0]?.created_at ?? version,
    names,
  };
}

function addTitles(all: Record<string, Record<string, string>>, more: RelatedTitles): void {
  for (const [name, titles] of Object.entries(more)) all[name] = { ...titles, ...all[name] };
}
