import { sql, type RawBuilder } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import { offsetParts, type DueTime } from '../../engine/definitions/automation';
import type { Automation, Definition } from '../../engine/definitions/definition';
import { fieldTypeOf } from '../../engine/field-types';
import type { Queries, Transaction } from '../database/database';
import { usableZone } from '../accounts/profile/readers-formats';
import { fieldOf } from '../../engine/definitions/accessors';
import { companyKeySql } from '../sql/company-key';

/** How long after its time a record is still looked at, in milliseconds: a longer stop of all servers loses times. */
const catchUp = 24 * 60 * 60_000;

/** The times that are looked at: since the automation exists, up to now. */
interface DueSpan {
  readonly previousCheck: Date;
  readonly now: Date;
}

/** A record whose time has come. */
export interface DueRecord {
  readonly id: number;
  readonly due_at: string;
  /** The time zone of its company. */
  readonly zone: string;
}

/** An automation at the time of a field. */
export type DueAutomation = Automation & { readonly dueTime: DueTime };

/** The zone of a record of no company, as it stands in statements. */
const noZone = 'UTC';

/** The rows of the span: their ids, the value of the field as an instant, when they are due, and the zone of their company. */
function dueRows(
  definition: Definition,
  dueTime: DueTime,
  { previousCheck, now }: DueSpan,
  zones: readonly string[],
): RawBuilder<unknown> {
  const begin = new Date(Math.max(previousCheck.getTime(), now.getTime() - catchUp));
  const company =
    definition.scope === 'installation' ? sql`null` : sql.id('t', definition.scope === 'self' ? 'id' : 'site_id');
  const site = companyKeySql(definition, 't');
  const column = sql.id('t', dueTime.field);
  const table = sql.id('public', definition.table);
  const zoneOf = sql`coalesce((select s.time_zone from public.sites s where s.id = ${company}), ${noZone})`;
  if (fieldTypeOf(fieldOf(definition, dueTime.field)).holds === 'instant') {
    const { days, milliseconds } = offsetParts(dueTime.offset);
    const length = days * 86_400_000 + milliseconds;
    const offsetBack = (instant: Date) => new Date(instant.getTime() - length);
    return sql`select t.id, ${site} as site_id, ${column} as value, ${column} + make_interval(secs => ${length / 1000}) as due_at, ${zoneOf} as zone
      from ${table} t where ${column} > ${offsetBack(begin)} and ${column} <= ${offsetBack(now)}`;
  }
  const days = zones.flatMap((zone) => dueDays(dueTime, zone, begin, now));
  return sql`select t.id, ${site} as site_id, ${column}::timestamp at time zone 'UTC' as value, days.due_at, days.zone
    from unnest(${days.map(({ zone }) => zone)}::text[], ${days.map(({ day }) => day)}::date[],
      ${days.map(({ due: dueAt }) => dueAt)}::timestamptz[]) as days (zone, day, due_at)
    join ${table} t on ${column} = days.day where ${zoneOf} = days.zone`;
}

/**
 * The days of a field that are due in a span in a time zone. A time that a day leaves out is an hour later there; one
 * that it has twice is meant the first time.
 */
function dueDays({ offset, timeOfDay }: DueTime, zone: string, begin: Date, now: Date) {
  const { days, milliseconds } = offsetParts(offset);
  const timeZone = usableZone(zone);
  const dueOn = (day: Temporal.PlainDate) =>
    day.add({ days }).toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(timeOfDay) }).epochMilliseconds +
    milliseconds;
  const dayBefore = (instant: Date) =>
    Temporal.Instant.fromEpochMilliseconds(instant.getTime() - milliseconds)
      .toZonedDateTimeISO(timeZone)
      .toPlainDate()
      .subtract({ days });
  const list = [];
  for (let day = dayBefore(begin); Temporal.PlainDate.compare(day, dayBefore(now)) <= 0; day = day.add({ days: 1 })) {
    const dueTime = dueOn(day);
    if (dueTime > begin.getTime() && dueTime <= now.getTime())
      list.push({ zone, day: day.toString(), due: new Date(dueTime).toISOString() });
  }
  return list;
}

/** The time zones of companies, and that of records of none. */
export async function companyZones(queries: Queries): Promise<string[]> {
  const { rows } = await sql<{ zone: string }>`select distinct time_zone as zone from public.sites
    where time_zone is not null`.execute(queries);
  return [...new Set([noZone, ...rows.map(({ zone }) => zone)])];
}

/** Whether a time of a record has come that started nothing yet. The index of the field finds the records. */
export async function isAnyDue(
  queries: Queries,
  definition: Definition,
  { name, dueTime }: DueAutomation,
  span: DueSpan,
  zones: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`select from (${dueRows(definition, dueTime, span, zones)}) due
    where not exists (select from assay.automation_due_times d where d.resource = ${definition.name}
      and d.automation = ${name} and d.record_id = due.id and d.value = due.value and d.site_id = due.site_id) limit 1`.execute(
    queries,
  );
  return rows.length > 0;
}

/** Takes the records whose time has come: each value of a record once, whether or not a condition is met then. */
export async function takeDueRecords(
  trx: Transaction,
  definition: Definition,
  { name, dueTime }: DueAutomation,
  span: DueSpan,
  zones: readonly string[],
): Promise<readonly DueRecord[]> {
  const { rows } = await sql<DueRecord>`with due as (${dueRows(definition, dueTime, span, zones)}), new as (
      insert into assay.automation_due_times (site_id, resource, automation, record_id, value, due_at)
      select site_id, ${definition.name}, ${name}, id, value, due_at from due order by id on conflict do nothing returning record_id, value)
    select due.id, due.due_at, due.zone from due join new on new.record_id = due.id and new.value = due.value
    order by due.due_at, due.id`.execute(trx);
  return rows;
}

/** Forgets times that are looked at no more. */
export async function deleteOldDueTimes(queries: Queries): Promise<void> {
  await sql`delete from assay.automation_due_times where due_at < now() - make_interval(secs => ${(2 * catchUp) / 1000})`.execute(
    queries,
  );
}
