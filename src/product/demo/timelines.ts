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
  timeline: Omit<RecordTimeline, 'id' | 'site_id'>,
  created: { at: string; by: number },
) {
  const end = { status: timeline.status, assignee: timeline.assignee, at: created.at, by: created.by };
  for (const { status, assignee, day, hour, minute, by: changedBy } of timeline.steps) {
    if (status === undefined) continue;
    Object.assign(end, {
      status,
      assignee: assignee ?? end.assignee,
      at: calendar.at(day, hour, minute),
      by: changedBy,
    });
  }
  return end;
}

/** Stores the history and the comments of records. */
export async function storeTimelines(
  { trx, registry, calendar }: DemoLoader,
  timelines: readonly RecordTimeline[],
  names: { resource: string; comments: string; relation: string },
): Promise<void> {
  const entries = timelines.flatMap(({ id, site_id, status: first, assignee: firstAssignee, steps }) => {
    let previousState = { status_id: first, assigned_to: firstAssignee };
    return steps.flatMap(({ status, assignee, by: changedBy, day, hour, minute }) => {
      if (status === undefined) return [];
      const currentState = { status_id: status, assigned_to: assignee ?? previousState.assigned_to };
      const changedNames = Object.keys(currentState).filter(
        (name) => currentState[name as 'status_id'] !== previousState[name as 'status_id'],
      );
      const changedJson = (values: object) => JSON.stringify(values, changedNames);
      const entry = {
        old_values: changedJson(previousState),
        new_values: changedJson(currentState),
        user_id: changedBy,
        created_at: calendar.at(day, hour, minute),
      };
      previousState = currentState;
      return [{ site_id, resource: names.resource, record_id: id, event: 'updated', ...entry }];
    });
  });
  await onEngineTables(trx).insertInto('history').values(entries).execute();

  const definition = registry.getOrThrow(names.comments);
  const datedSteps = timelines.flatMap(({ id, site_id, steps }) =>
    steps.flatMap((step) => (step.comment ? [{ id, site_id, step }] : [])),
  );
  datedSteps.sort(({ step: left }, { step: right }) => minuteOf(left) - minuteOf(right));
  const ids = await nextIds(trx, definition, datedSteps.length);
  const rows = datedSteps.map(({ id, site_id, step }, index) => ({
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
