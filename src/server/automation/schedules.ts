import { sql } from 'kysely';
import { lastDayOfMonth, weekdays } from '../../engine/definitions/automation';
import { describePeriod } from '../../engine/studio/automation-edits';
import { HttpError } from '../errors/errors';
import { runsResource } from './run-automation';
import { Temporal } from 'temporal-polyfill';
import type { Predicate } from '../../engine/conditions/grammar';
import { always } from '../../engine/conditions/variables';
import { idleMilliseconds, type Automation, type Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { accessFilter, allOf, archiveFilter, notDeletedFilter } from '../access/access-filter';
import { resolveCondition } from '../sql/statement-parameter';
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { onEngineTables } from '../database/engine-tables';
import type { Program } from '../program';
import { recordCompany } from '../records/references';
import { runOf, storeRuns } from '../records/triggers';
import { predicateToSql } from '../sql/predicate-to-sql';
import { contextOfUser, userOfAddress } from '../accounts/users/acting-user';

/** When an automation is due. */
type Schedule = Pick<Automation, 'every' | 'at' | 'zone'> & Partial<Pick<Automation, 'weekdays' | 'day'>>;

/** The beginning of the period of a schedule that an instant is in: its last time so far. */
export function lastDue({ every, at, zone, weekdays: chosen = [], day = null }: Schedule, now: Date): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone);
  const [hour, minute] = at.split(':').map(Number) as [number, number];
  if (every === 'hour') {
    // Hours pass without gaps: only the minutes are of the clock.
    const since = (local.minute - minute + 60) % 60;
    const due = local.subtract({ minutes: since }).round({ smallestUnit: 'minute', roundingMode: 'floor' });
    return new Date(due.epochMilliseconds);
  }
  // A time that a day leaves out is an hour later there; one that it has twice is meant the first time.
  const dueOn = (day: Temporal.PlainDate) =>
    day.toZonedDateTime({ timeZone: zone, plainTime: new Temporal.PlainTime(hour, minute) });
  const isDue = (one: Temporal.PlainDate) => {
    if (every === 'week' && !chosen.includes(weekdays[one.dayOfWeek - 1]!)) return false;
    if (every === 'month' && one.day !== Math.min(day ?? 1, one.daysInMonth)) return false;
    return Temporal.Instant.compare(dueOn(one).toInstant(), local.toInstant()) <= 0;
  };
  let last = local.toPlainDate();
  while (!isDue(last)) last = last.subtract({ days: 1 });
  return new Date(dueOn(last).epochMilliseconds);
}

/**
 * Starts what is due: each period of a schedule once, however many servers look at it, and each record once after its
 * time without change. A schedule that is new, or that was changed, begins with its next period.
 */
export async function startDueAutomations(program: Program, now = new Date()): Promise<void> {
  for (const definition of program.definitions.registry().definitions.values()) {
    for (const automation of definition.when) {
      if (automation.every === null && automation.idle === null) continue;
      try {
        await startIfDue(program, definition, automation, now);
      } catch (error) {
        program.log.warn(
          { err: error },
          `The automation "${automation.name}" of ${definition.name} could not be started`,
        );
      }
    }
  }
}

async function startIfDue(program: Program, definition: Definition, automation: Automation, now: Date): Promise<void> {
  const { every, at, zone, idle, weekdays: days, day } = automation;
  const rule = JSON.stringify([every, at, zone, idle, ...(days.length > 0 || day !== null ? [days, day] : [])]);
  const due = every === null ? now : lastDue(automation, now);
  const period = every === null ? '' : due.toISOString();
  const before = await onEngineTables(program.database.kysely)
    .selectFrom('automation_schedules')
    .select(['rule', 'period'])
    .where('resource', '=', definition.name)
    .where('automation', '=', automation.name)
    .executeTakeFirst();
  if (before?.rule === rule && automation.every !== null && before.period >= period) return;
  await program.database.transaction(async (trx) => {
    if (before?.rule !== rule) {
      await sql`insert into assay.automation_schedules (resource, automation, rule, period, seen_at)
        values (${definition.name}, ${automation.name}, ${rule}, ${period}, ${now})
        on conflict (resource, automation) do update
          set rule = excluded.rule, period = excluded.period, seen_at = excluded.seen_at
          where automation_schedules.rule <> excluded.rule`.execute(trx);
      return;
    }
    // The row is locked until the runs are committed: a second server waits here, and finds the period done.
    const claimed = await sql<{ seen_at: string }>`with was as (
        select seen_at from assay.automation_schedules
        where resource = ${definition.name} and automation = ${automation.name} and rule = ${rule} for update)
      update assay.automation_schedules s set period = ${period}, seen_at = ${now} from was
      where s.resource = ${definition.name} and s.automation = ${automation.name} and s.rule = ${rule}
        and (${automation.every === null} and s.seen_at < ${now} or s.period < ${period})
      returning was.seen_at`.execute(trx);
    const seen = claimed.rows[0]?.seen_at;
    if (seen === undefined) return;
    await startFor(program, definition, automation, { now: due, since: new Date(seen) }, trx);
  });
}

/** What conditions of a schedule know: when it is due is a fact of its zone, whoever looks. */
export function knownAt(now: Date, zone: string, context: RequestContext | undefined) {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone);
  const seen = context?.evaluationContext;
  return {
    ...seen,
    today: local.toPlainDate().toString(),
    now: now.toISOString(),
    timeZone: zone,
    readableFields: seen?.readableFields ?? ((of: Definition) => new Set(Object.keys(of.fields))),
    visibleRows: seen?.visibleRows ?? (() => always),
  };
}

/** The records that a schedule looks at: active ones, of which a certain user sees those that they may list. */
export function looksAt(registry: Registry, definition: Definition, context: RequestContext | undefined): Predicate {
  return context
    ? accessFilter(context, definition, 'list')
    : allOf([notDeletedFilter(definition), archiveFilter(registry, definition)]);
}

/** Why a schedule starts an automation, in words. */
export function scheduleReason({ idle, every, at, zone, where, weekdays: days, day }: Automation): string {
  const met = where ? ', and its condition was met' : '';
  return idle === null
    ? `Because it was time (${every === 'hour' ? 'every hour' : describePeriod({ every: every!, weekdays: [...days], day: day === lastDayOfMonth ? 'last' : (day ?? 1) })} at ${at}, ${zone})${met}.`
    : `Because it had not changed for ${idle}${met}.`;
}

/**
 * Stores a run for each record that matches, those of the user's if it is a certain one. Where that user may not look at
 * any, one refused run says so.
 */
async function startFor(
  program: Program,
  definition: Definition,
  automation: Automation,
  times: { readonly now: Date; readonly since: Date },
  trx: Transaction,
): Promise<void> {
  try {
    await storeDueRuns(program, definition, automation, times, trx);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    await storeRefusedRun(program, definition, automation, { due: times.now, message: error.message }, trx);
  }
}

/** What is looked at all the time is refused once a day. */
async function storeRefusedRun(
  { live }: Program,
  definition: Definition,
  automation: Automation,
  { due, message }: { readonly due: Date; readonly message: string },
  trx: Transaction,
): Promise<void> {
  const trigger = automation.idle === null ? 'schedule' : 'idle';
  const day = 24 * 60 * 60_000;
  const { rows } = await sql`select from assay.automation_runs where resource = ${definition.name}
    and automation = ${automation.name} and state = 'refused' and record_id is null
    and due_at > ${new Date(due.getTime() - (automation.idle === null ? 0 : day))} limit 1`.execute(trx);
  if (rows.length > 0) return;
  const stored = await onEngineTables(trx)
    .insertInto('automation_runs')
    .values({
      ...runOf(definition, automation, trigger),
      site_id: await companyOfAddress(trx, automation.as),
      record_id: null,
      reason: scheduleReason(automation),
      depth: 1,
      user_id: null,
      snapshot: null,
      state: 'refused',
      message,
      due_at: due,
      finished_at: new Date(),
    })
    .returning(['id', 'site_id'])
    .executeTakeFirstOrThrow();
  live.publish({ resource: runsResource, id: stored.id, event: 'updated', site_id: stored.site_id }, trx);
}

/** The company of a user, whose people see what was refused; of one who was deleted too. */
async function companyOfAddress(trx: Transaction, address: string): Promise<number | null> {
  const { rows } = await sql<{ site_id: number | null }>`select site_id from public.users
    where lower(email) = ${address.toLowerCase()} order by deleted_at is not null, id desc limit 1`.execute(trx);
  return rows[0]?.site_id ?? null;
}

async function storeDueRuns(
  program: Program,
  definition: Definition,
  automation: Automation,
  { now, since }: { readonly now: Date; readonly since: Date },
  trx: Transaction,
): Promise<void> {
  const registry = program.definitions.registry();
  const { as, zone, where, idle } = automation;
  const user = as.includes('@') ? await userOfAddress(trx, as) : null;
  const context = user === null ? undefined : await contextOfUser(program, trx, user, { zone, depth: 0 });
  const known = knownAt(now, zone, context);
  const predicate = allOf([looksAt(registry, definition, context), ...(where ? [resolveCondition(where, known)] : [])]);
  const matches = predicateToSql(predicate, definition, 't', registry, known);
  const span = idle === null ? 0 : idleMilliseconds(idle)!;
  const unchanged =
    idle === null
      ? sql`true`
      : sql`t.updated_at > ${new Date(since.getTime() - span)} and t.updated_at <= ${new Date(now.getTime() - span)}`;
  const { rows } = await sql<{ id: number; site_id?: number | null }>`select t.*
    from ${sql.id('public', definition.table)} t where ${unchanged} and ${matches} order by t.id`.execute(trx);
  const reason = scheduleReason(automation);
  const runs = rows.map((row) => ({
    ...runOf(definition, automation, idle === null ? 'schedule' : 'idle'),
    site_id: recordCompany(definition, row),
    record_id: row.id,
    reason,
    depth: 1,
    user_id: user,
    snapshot: null,
    ...(idle === null && { due_at: now }),
  }));
  await storeRuns(program, runs, trx);
}
