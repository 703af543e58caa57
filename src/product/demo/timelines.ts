import type { DemoLoader } from './loader';
import { stamps } from './people';
import { insertRows, nextIds } from '../../server/accounts/insert-rows';
import { onEngineTables } from '../../server/database/engine-tables';

/** A change of a record's status, or a comment. */
export interface RecordStep {
  readonly by: number;
  /** Days from today, and the time of that day in UTC. */
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly status?: number;
  readonly assignee?: number | null;
  readonly comment?: string;
}

/** A record and its steps since its creation. */
export interface RecordTimeline {
  readonly id: number;
  readonly site_id: number;
  readonly status: number;
  readonly assignee: number | null;
  readonly steps: readonly RecordStep[];
}

/** The final status and assignee of the record, and its last stamp. */
export function finalState(
  { calendar }: DemoLoader,
  way: Omit<RecordTimeline, 'id' | 'site_id'>,
  created: { at: string; by: number },
) {
  const end = { status: way.status, assignee: way.assignee, at: created.at, by: created.by };
  for (const { status, assignee, day, hour, minute, by } of way.steps) {
    if (status === undefined) continue;
    Object.assign(end, { status, assignee: assignee ?? end.assignee, at: calendar.at(day, hour, minute), by });
  }
  return end;
}

/** Stores the history and the comments of records. */
export async function storeTimelines(
  { trx, registry, calendar }: DemoLoader,
  ways: readonly RecordTimeline[],
  names: { resource: string; comments: string; relation: string },
): Promise<void> {
  const entries = ways.flatMap(({ id, status: first, assignee: whose, steps }) => {
    let was = { status_id: first, assigned_to: whose };
    return steps.flatMap(({ status, assignee, by, day, hour, minute }) => {
      if (status === undefined) return [];
      const is = { status_id: status, assigned_to: assignee ?? was.assigned_to };
      const changed = Object.keys(is).filter((name) => is[name as 'status_id'] !== was[name as 'status_id']);
      const only = (values: object) => JSON.stringify(values, changed);
      const entry = {
        old_values: only(was),
        new_values: only(is),
        user_id: by,
        created_at: calendar.at(day, hour, minute),
      };
      was = is;
      return [{ resource: names.resource, record_id: id, event: 'updated', ...entry }];
    });
  });
  await onEngineTables(trx).insertInto('history').values(entries).execute();

  const definition = registry.getOrThrow(names.comments);
  const told = ways.flatMap(({ id, site_id, steps }) =>
    steps.flatMap((step) => (step.comment ? [{ id, site_id, step }] : [])),
  );
  told.sort(({ step: one }, { step: other }) => minuteOf(one) - minuteOf(other));
  const ids = await nextIds(trx, definition, told.length);
  const rows = told.map(({ id, site_id, step }, index) => ({
    id: ids[index],
    comments: step.comment,
    [names.relation]: id,
    site_id,
    ...stamps(calendar.at(step.day, step.hour, step.minute), step.by),
  }));
  await insertRows(trx, definition, rows);
}

function minuteOf({ day, hour, minute }: RecordStep): number {
  return (day * 24 + hour) * 60 + minute;
}
