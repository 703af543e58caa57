import { sql } from 'kysely';
import { addDays } from '../../engine/formats/dates';
import { archiveFilter } from '../../server/access/access-filter';
import { dayOf, isKnownZone } from '../../server/access/request-context';
import { predicateToSql } from '../../server/sql/predicate-to-sql';
import type { Transaction } from '../../server/database/database';
import type { Program } from '../../server/program';
import { isActiveRecipient } from '../../server/notifications/recipients';
import { sendNotifications } from '../../server/notifications/send-notifications';
import { isMemberOrInternal } from './project-members';
import { onEngineTables } from '../../server/database/engine-tables';
import { oneRow } from '../../server/database/one-row';

const resource = 'tasks';
/** The default time zone of companies. */
const defaultTimeZone = 'UTC';

interface DueTask {
  readonly id: number;
  readonly name: string;
  readonly project_id: number;
  readonly site_id: number | null;
  readonly user_id: number;
}

/**
 * Notifies the assignee, otherwise the creator, of an open task that it is due tomorrow in the company's time zone;
 * once per user and day. Only one server does it at a time; a concurrent call does nothing. Returns the number of
 * notifications.
 */
export async function sendDeadlineReminders(program: Program, now = new Date()): Promise<number> {
  return program.database.transaction(async (trx) => {
    const lock = sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(hashtextextended('deadlines', 0)) as mine`;
    if (!oneRow(await lock.execute(trx)).mine) return 0;
    let notifiedCount = 0;
    for (const [day, companies] of await companiesByTomorrow(trx, now)) {
      const newReminders = await storeReminders(trx, await findDueTasks(program, trx, day, companies), day);
      await sendNotifications(
        program,
        trx,
        ...newReminders.map((dueTask) => ({
          occasion: 'task_deadline',
          company: dueTask.site_id,
          recipients: [dueTask.user_id],
          audience: dueTask.project_id,
          link: `/${resource}/${dueTask.id}`,
          values: { title: dueTask.name, date: { day } },
        })),
      );
      notifiedCount += newReminders.length;
    }
    return notifiedCount;
  });
}

/** The companies by the date of their tomorrow: there are at most three dates on earth at a time. */
async function companiesByTomorrow(trx: Transaction, now: Date): Promise<Map<string, number[]>> {
  const companies = (await trx.selectFrom('sites').select(['id', 'time_zone']).execute()) as {
    id: number;
    time_zone: string | null;
  }[];
  const days = new Map<string, number[]>();
  for (const { id, time_zone } of companies) {
    const zone = time_zone !== null && isKnownZone(time_zone) ? time_zone : defaultTimeZone;
    const tomorrow = addDays(dayOf(now.toISOString(), zone), 1);
    days.set(tomorrow, [...(days.get(tomorrow) ?? []), id]);
  }
  return days;
}

async function findDueTasks(program: Program, trx: Transaction, day: string, companies: number[]): Promise<DueTask[]> {
  const registry = program.definitions.registry();
  const definition = registry.getOrThrow(resource);
  const visibleRows = predicateToSql(archiveFilter(registry, definition), definition, 't', registry, null);
  const { rows } =
    await sql<DueTask>`select t.id, t.name, t.project_id, t.site_id, coalesce(t.assigned_to, t.created_by) as user_id
    from ${sql.id('public', definition.table)} t
      join public.users u on u.id = coalesce(t.assigned_to, t.created_by)
      join public.roles r on r.id = u.role_id
    where t.end_date = ${day} and t.status_id in (1, 2) and t.site_id = any(${companies}::bigint[]) and ${visibleRows}
      and ${isActiveRecipient()} and ${isMemberOrInternal(sql`t.project_id`)}
      and not exists (select 1 from assay.told_deadlines o where o.site_id = t.site_id and o.resource = ${resource} and o.record_id = t.id
        and o.day = t.end_date and o.user_id = u.id)
    order by t.id`.execute(trx);
  return rows;
}

/** Stores that users were notified about a day; returns those who were not notified before. */
async function storeReminders(trx: Transaction, dueTasks: readonly DueTask[], day: string): Promise<DueTask[]> {
  if (dueTasks.length === 0) return [];
  const insertedReminders = await onEngineTables(trx)
    .insertInto('told_deadlines')
    .columns(['site_id', 'resource', 'record_id', 'user_id', 'day'])
    .expression(
      sql`select one.site_id, ${resource}::text, one.id, one.user_id, ${day}::date
        from json_to_recordset(${JSON.stringify(dueTasks.map(({ id, site_id, user_id }) => ({ id, site_id, user_id })))}::json)
          as one (site_id bigint, id bigint, user_id bigint)`,
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('record_id')
    .execute();
  const remindedIds = new Set(insertedReminders.map(({ record_id }) => record_id as number));
  return dueTasks.filter(({ id }) => remindedIds.has(id));
}
