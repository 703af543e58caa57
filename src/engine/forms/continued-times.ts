import type { Actor } from '../access/actor';
import type { Definition, FieldOf, ResourceRecord } from '../definitions/definition';
import { timeOfDay, toEnd } from '../field-types/time';
import { instantAt } from '../formats/wall-clock';
import { requireValue } from '../values/lookups';

/** A page of a list: which records, and in which order. */
export interface ContinuedList {
  readonly filter: ResourceRecord;
  readonly sort: { readonly field: string; readonly order: 'DESC' };
}

/**
 * The list whose first record has the time that a `suggestedFrom` field goes on from: the caller's records of the day, the
 * latest first.
 *
 * @example continuedList(definition, field, '2026-11-16', actor); // { filter: { user_id: 7, date: '2026-11-16' }, … }
 */
export function continuedList(
  { fields }: Definition,
  field: FieldOf<'time'>,
  day: string,
  actor: Pick<Actor, 'id'>,
): ContinuedList {
  const authorField = Object.values(fields).find((candidate) => !candidate.system && candidate.default === '$actor.id');
  return {
    filter: { [authorField?.name ?? 'created_by']: actor.id, [requireValue(field.dateField, 'dateField')]: day },
    sort: { field: requireValue(field.suggestedFrom, 'suggestedFrom'), order: 'DESC' },
  };
}

/**
 * The time that a record offers (`HH:mm`); undefined without one, and at the end of its day.
 *
 * @example continuedTime(definition, field, { end: '2026-11-16 11:00' }); // '11:00'
 */
export function continuedTime(
  { fields }: Definition,
  { suggestedFrom }: FieldOf<'time'>,
  record: ResourceRecord | undefined,
): string | undefined {
  if (suggestedFrom === undefined) return undefined;
  const value = record?.[suggestedFrom];
  const time = typeof value === 'string' ? timeOfDay(value, fields[suggestedFrom] as FieldOf<'time'>) : undefined;
  return time !== undefined && toEnd(time) === time ? time : undefined;
}

/** The time that a working day begins at, where nothing is recorded of it. */
const firstStart = '09:00';

/** A day in a time zone, whose clocks may change on it. */
interface ZonedDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly timeZone: string;
}

/**
 * The times of a record of so many minutes after the last one of its day (`undefined`: it is the first one): minutes that
 * pass, also where clocks change in between, if the day is known; then they may begin after an hour that is repeated. Times that would end after midnight end at it. Undefined
 * for more minutes than a day has, and for none.
 *
 * @example followingTimes('11:00', 90); // { start: '11:00', end: '12:30' }
 */
export function followingTimes(
  lastEnd: string | undefined,
  minutes: number,
  zonedDay?: ZonedDay,
): { start: string; end: string } | undefined {
  const day = 24 * 60;
  if (minutes < 1 || minutes > day) return undefined;
  const [hour, minute] = (lastEnd ?? firstStart).split(':').map(Number) as [number, number];
  const start = Math.min(hour * 60 + minute, day - minutes);
  const time = (count: number) =>
    [Math.floor(count / 60) % 24, count % 60].map((part) => String(part).padStart(2, '0')).join(':');
  const end = start + minutes;
  const endAt = (count: number) => ({ start: time(start), end: time(count) });
  if (!zonedDay) return endAt(end);
  const corrected = end + minutes - minutesPassing(zonedDay, start, end);
  if (corrected <= day && minutesPassing(zonedDay, start, corrected) === minutes) return endAt(corrected);
  // No time by the clock is that of its end: it would be within the hour that is repeated, so it begins after that.
  for (let laterStart = start + 1; laterStart + minutes <= day; laterStart++)
    if (minutesPassing(zonedDay, laterStart, laterStart + minutes) === minutes)
      return { start: time(laterStart), end: time(laterStart + minutes) };
  return endAt(end);
}

/** The minutes that pass between two minutes of a day by the clock. */
function minutesPassing({ date, timeZone }: ZonedDay, start: number, end: number): number {
  const instantOf = (count: number) => {
    const clockTime = new Date(Date.parse(`${date}T00:00:00Z`) + count * 60_000).toISOString();
    return Date.parse(instantAt(clockTime.slice(0, 16).replace('T', ' '), timeZone) ?? clockTime);
  };
  return (instantOf(end) - instantOf(start)) / 60_000;
}
