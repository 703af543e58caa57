import { sql, type RawBuilder, type Selectable } from 'kysely';
import { lastDayOfMonth, weekdays } from '../../engine/definitions/automation';
import { describeDueTime, describePeriod } from '../../engine/studio/automation-edits';
import { HttpError } from '../errors/errors';
import { runsResource } from './run-automation';
import { Temporal } from 'temporal-polyfill';
import type { Predicate } from '../../engine/conditions/grammar';
import { truePredicate } from '../../engine/conditions/variables';
import { idleMilliseconds, type Automation, type Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { accessFilter, allOf, archiveFilter, notDeletedFilter } from '../access/access-filter';
import { resolveCondition } from '../sql/statement-parameter';
import { dayOf, type RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { onEngineTables, type EngineTables } from '../database/engine-tables';
import type { Program } from '../program';
import { recordCompany } from '../records/write/references';
import { runOf, storeRuns } from '../records/write/triggers';
import { predicateToSql } from '../sql/predicate-to-sql';
import { usableZone } from '../accounts/profile/readers-formats';
import { contextOfUser, userOfAddress } from '../accounts/users/acting-user';
import { companyZones, isAnyDue, takeDueRecords, type DueAutomation, type DueRecord } from './due-times';
import { itemAt, lastOf, propertyOf, requireValue } from '../../engine/values/lookups';

/** When an automation is due. */
type Schedule = Pick<Automation, 'schedule' | 'time' | 'timeZone'> & Partial<Pick<Automation, 'weekdays' | 'day'>>;

/** The beginning of the period of a schedule that an instant is in: its last time so far. */
export function lastDue(
  { schedule, time, timeZone, weekdays: chosenWeekdays = [], day = null }: Schedule,
  now: Date,
): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  const [hour, minute] = time.split(':').map(Number) as [number, number];
  if (schedule === 'hour') {
    // Hours pass without gaps: only the minutes are of the clock.
    const minutesSince = (local.minute - minute + 60) % 60;
    const dueTime = local.subtract({ minutes: minutesSince }).round({ smallestUnit: 'minute', roundingMode: 'floor' });
    return new Date(dueTime.epochMilliseconds);
  }
  // A time that a day leaves out is an hour later there; one that it has twice is meant the first time.
  const dueOn = (day: Temporal.PlainDate) =>
    day.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour, minute) });
  const isDue = (date: Temporal.PlainDate) => {
    if (schedule === 'week' && !chosenWeekdays.includes(itemAt(weekdays, date.dayOfWeek - 1))) return false;
    if (schedule === 'month' && date.day !== Math.min(day ?? 1, date.daysInMonth)) return false;
    return Temporal.Instant.compare(dueOn(date).toInstant(), local.toInstant()) <= 0;
  };
  let last = local.toPlainDate();
  while (!isDue(last)) last = last.subtract({ days: 1 });
  return new Date(dueOn(last).epochMilliseconds);
}

/**
 * Starts what is due: each period of a schedule once, however many servers look at it, each record once at the time of a
 * field, and once after its time without change. A schedule that is new, or that was changed, begins with its next period.
 */
export async function startDueAutomations(program: Program, now = new Date()): Promise<void> {
  const scheduledAutomations = [...program.definitions.registry().definitions.values()].flatMap((definition) =>
    definition.automations
      .filter(({ events }) => events.length === 0)
      .map((automation) => ({ definition, automation })),
  );
  if (scheduledAutomations.length === 0) return;
  const { kysely } = program.database;
  const storedSchedules = await onEngineTables(kysely).selectFrom('automation_schedules').selectAll().execute();
  const schedules = new Map(storedSchedules.map((row) => [`${row.resource} ${row.automation}`, row]));
  const zones = scheduledAutomations.some(({ automation }) => automation.dueTime) ? await companyZones(kysely) : [];
  for (const { definition, automation } of scheduledAutomations) {
    try {
      const previousSchedule = schedules.get(`${definition.name} ${automation.name}`);
      await startIfDue(program, definition, automation, { now, zones, previousSchedules: previousSchedule });
    } catch (error) {
      program.log.warn(
        { err: error },
        `The automation "${automation.name}" of ${definition.name} could not be started`,
      );
    }
  }
}

/** The facts that a look at a schedule starts from: the time, the zones of companies, and how far the schedule is. */
interface ScheduleLook {
  readonly now: Date;
  readonly zones: readonly string[];
  readonly previousSchedules:
    | Pick<Selectable<EngineTables['automation_schedules']>, 'rule' | 'period' | 'seen_at'>
    | undefined;
}

/** A text that differs where a schedule was changed. */
function ruleOf({ schedule, time, timeZone, idleTime, weekdays: days, day, dueTime }: Automation): string {
  if (dueTime) return JSON.stringify(dueTime);
  return JSON.stringify([schedule, time, timeZone, idleTime, ...(days.length > 0 || day !== null ? [days, day] : [])]);
}

async function startIfDue(
  program: Program,
  definition: Definition,
  automation: Automation,
  { now, zones, previousSchedules }: ScheduleLook,
): Promise<void> {
  const rule = ruleOf(automation);
  const dueAt = automation.schedule === null ? now : lastDue(automation, now);
  const period = automation.schedule === null ? '' : dueAt.toISOString();
  const isSame = previousSchedules?.rule === rule;
  if (isSame && automation.schedule !== null && previousSchedules.period >= period) return;
  if (isSame && hasDueTime(automation))
    return startDueTimes(
      program,
      definition,
      automation,
      { previousCheck: new Date(previousSchedules.seen_at), now },
      zones,
    );
  await program.database.transaction(async (trx) => {
    if (!isSame) {
      await sql`insert into assay.automation_schedules (resource, automation, rule, period, seen_at)
        values (${definition.name}, ${automation.name}, ${rule}, ${period}, ${now})
        on conflict (resource, automation) do update
          set rule = excluded.rule, period = excluded.period, seen_at = excluded.seen_at
          where automation_schedules.rule <> excluded.rule`.execute(trx);
      return;
    }
    // The row is locked until the runs are committed: a second server waits here, and finds the period done.
    const claim = await sql<{ seen_at: string }>`with was as (
        select seen_at from assay.automation_schedules
        where resource = ${definition.name} and automation = ${automation.name} and rule = ${rule} for update)
      update assay.automation_schedules s set period = ${period}, seen_at = ${now} from was
      where s.resource = ${definition.name} and s.automation = ${automation.name} and s.rule = ${rule}
        and (${automation.schedule === null} and s.seen_at < ${now} or s.period < ${period})
      returning was.seen_at`.execute(trx);
    const seenAt = claim.rows[0]?.seen_at;
    if (seenAt === undefined) return;
    await startFor(program, definition, automation, { now: dueAt, previousCheck: new Date(seenAt) }, trx);
  });
}

function hasDueTime(automation: Automation): automation is DueAutomation {
  return automation.dueTime !== undefined;
}

/** Starts an automation for each record whose time has come. One statement finds out that there is none. */
async function startDueTimes(
  program: Program,
  definition: Definition,
  automation: DueAutomation,
  span: { readonly previousCheck: Date; readonly now: Date },
  zones: readonly string[],
): Promise<void> {
  if (!(await isAnyDue(program.database.kysely, definition, automation, span, zones))) return;
  await program.database.transaction(async (trx) => {
    const records = await takeDueRecords(trx, definition, automation, span, zones);
    for (const group of dayGroups(records)) await startForDueRecords(program, definition, automation, group, trx);
  });
}

/** Records that are due on one day of one zone, where conditions mean the same by `$today`. */
function dayGroups(records: readonly DueRecord[]): DueRecord[][] {
  const groups = new Map<string, DueRecord[]>();
  for (const record of records) {
    const key = `${record.zone} ${dayOf(new Date(record.due_at).toISOString(), usableZone(record.zone))}`;
    const group = groups.get(key);
    if (group) group.push(record);
    else groups.set(key, [record]);
  }
  return [...groups.values()];
}

/** The values that conditions of a schedule can use: the due time depends on its zone, not on the reader. */
export function knownAt(now: Date, zone: string, context: RequestContext | undefined) {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone);
  const evaluationContext = context?.evaluationContext;
  return {
    ...evaluationContext,
    today: local.toPlainDate().toString(),
    now: now.toISOString(),
    timeZone: zone,
    readableFields:
      evaluationContext?.readableFields ?? ((resource: Definition) => new Set(Object.keys(resource.fields))),
    visibleRows: evaluationContext?.visibleRows ?? (() => truePredicate),
  };
}

/** The records that a schedule looks at: active ones, of which a certain user sees those that they may list. */
export function looksAt(registry: Registry, definition: Definition, context: RequestContext | undefined): Predicate {
  return context
    ? accessFilter(context, definition, 'list')
    : allOf([notDeletedFilter(definition), archiveFilter(registry, definition)]);
}

/** The cause of a run that no change started. */
export function timeTriggerOf({ schedule, dueTime }: Automation): 'schedule' | 'dueTime' | 'idle' {
  return dueTime ? 'dueTime' : schedule === null ? 'idle' : 'schedule';
}

/** Why a schedule starts an automation, in words. */
export function scheduleReason(
  { fields }: Definition,
  { idleTime, schedule, time, timeZone, where: condition, weekdays: days, day, dueTime }: Automation,
): string {
  const conditionText = condition ? ', and its condition was met' : '';
  if (dueTime)
    return `Because it was time: ${describeDueTime(dueTime, (name) => propertyOf(fields, name).label)}${conditionText}.`;
  return idleTime === null
    ? `Because it was time (${schedule === 'hour' ? 'every hour' : describePeriod({ schedule: requireValue(schedule, 'the schedule'), weekdays: [...days], day: day === lastDayOfMonth ? 'last' : (day ?? 1) })} at ${time}, ${timeZone})${conditionText}.`
    : `Because it had not changed for ${idleTime}${conditionText}.`;
}

/**
 * Stores a run for each record that matches, those of the user's if it is a certain one. Where that user may not look at
 * any, one refused run says so.
 */
async function startFor(
  program: Program,
  definition: Definition,
  automation: Automation,
  times: { readonly now: Date; readonly previousCheck: Date },
  trx: Transaction,
): Promise<void> {
  await refusedOnce(program, definition, automation, times.now, trx, () =>
    storeDueRuns(program, definition, automation, times, trx),
  );
}

/** As `startFor`, of the records whose time has come. */
async function startForDueRecords(
  program: Program,
  definition: Definition,
  automation: Automation,
  records: readonly DueRecord[],
  trx: Transaction,
): Promise<void> {
  const { zone, due_at } = lastOf(records);
  const now = new Date(due_at);
  await refusedOnce(program, definition, automation, now, trx, async () => {
    const ids = sql`t.id = any(${records.map(({ id }) => id)}::bigint[])`;
    const times = new Map(records.map((record) => [record.id, new Date(record.due_at)]));
    await storeRunsWhere(program, definition, automation, { now, zone: usableZone(zone), rows: ids, times }, trx);
  });
}

async function refusedOnce(
  program: Program,
  definition: Definition,
  automation: Automation,
  dueAt: Date,
  trx: Transaction,
  start: () => Promise<void>,
): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    await storeRefusedRun(program, definition, automation, { dueAt, message: error.message }, trx);
  }
}

/** Stores a refusal once a day, although schedules are checked all the time. */
async function storeRefusedRun(
  { live }: Program,
  definition: Definition,
  automation: Automation,
  { dueAt, message }: { readonly dueAt: Date; readonly message: string },
  trx: Transaction,
): Promise<void> {
  const day = 24 * 60 * 60_000;
  const { rows } = await sql`select from assay.automation_runs where resource = ${definition.name}
    and automation = ${automation.name} and state = 'refused' and record_id is null
    and due_at > ${new Date(dueAt.getTime() - (automation.schedule === null ? day : 0))} limit 1`.execute(trx);
  if (rows.length > 0) return;
  const storedRun = await onEngineTables(trx)
    .insertInto('automation_runs')
    .values({
      ...runOf(definition, automation, timeTriggerOf(automation)),
      site_id: await companyOfAddress(trx, automation.runAs),
      record_id: null,
      reason: scheduleReason(definition, automation),
      depth: 1,
      user_id: null,
      snapshot: null,
      state: 'refused',
      message,
      due_at: dueAt,
      finished_at: new Date(),
    })
    .returning(['id', 'site_id'])
    .executeTakeFirstOrThrow();
  live.publish({ resource: runsResource, id: storedRun.id, event: 'updated', site_id: storedRun.site_id }, trx);
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
  { now, previousCheck }: { readonly now: Date; readonly previousCheck: Date },
  trx: Transaction,
): Promise<void> {
  const { idleTime, timeZone } = automation;
  const span = idleTime === null ? 0 : requireValue(idleMilliseconds(idleTime), `the idle time ${idleTime}`);
  const rows =
    idleTime === null
      ? sql`true`
      : sql`t.updated_at > ${new Date(previousCheck.getTime() - span)} and t.updated_at <= ${new Date(now.getTime() - span)}`;
  await storeRunsWhere(program, definition, automation, { now, zone: timeZone, rows, isDue: idleTime === null }, trx);
}

/** Which records a look is about, and which time it means. */
interface RunRows {
  readonly now: Date;
  readonly zone: string;
  /** SQL of the rows `t`. */
  readonly rows: RawBuilder<unknown>;
  /** When each record was due. */
  readonly times?: ReadonlyMap<number, Date>;
  /** All of them were due now. */
  readonly isDue?: boolean;
}

/** Stores runs for the records among the rows that match the condition of an automation. */
async function storeRunsWhere(
  program: Program,
  definition: Definition,
  automation: Automation,
  { now, zone, rows: candidateRows, times, isDue = false }: RunRows,
  trx: Transaction,
): Promise<void> {
  const registry = program.definitions.registry();
  const { runAs, where: condition } = automation;
  const user = runAs.includes('@') ? await userOfAddress(trx, runAs) : null;
  const context = user === null ? undefined : await contextOfUser(program, trx, user, { zone, depth: 0 });
  const statementContext = knownAt(now, zone, context);
  const predicate = allOf([
    looksAt(registry, definition, context),
    ...(condition ? [resolveCondition(condition, statementContext)] : []),
  ]);
  const matches = predicateToSql(predicate, definition, 't', registry, statementContext);
  const { rows } = await sql<{ id: number; site_id?: number | null }>`select t.*
    from ${sql.id('public', definition.table)} t where ${candidateRows} and ${matches} order by t.id`.execute(trx);
  const reason = scheduleReason(definition, automation);
  const runs = rows.map((row) => {
    const dueAt = isDue ? now : times?.get(row.id);
    return {
      ...runOf(definition, automation, timeTriggerOf(automation)),
      site_id: recordCompany(definition, row),
      record_id: row.id,
      reason,
      depth: 1,
      user_id: user,
      snapshot: null,
      ...(dueAt && { due_at: dueAt }),
    };
  });
  await storeRuns(program, runs, trx);
}
