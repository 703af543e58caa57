import { sql } from 'kysely';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { isDuration } from '../../../engine/field-types/duration';
import { minutesInZone } from '../../access/days';
import type { QueryScope } from '../../access/record-scope';
import { isKnownZone, type RequestContext } from '../../access/request-context';
import type { Queries } from '../../database/database';

/** A duration between two times of one day. */
interface DaySpan {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** The field of the day. */
  readonly on: string;
}

/**
 * Gives durations between times of a day their real length in the caller's time zone, also where the clocks change. One
 * whose times did not change keeps its stored length, wherever the record is edited from.
 */
export async function withRealDurations(
  { context, definition, queries }: QueryScope,
  values: ResourceRecord,
  storedRecord?: ResourceRecord,
): Promise<ResourceRecord> {
  const lengths: ResourceRecord = {};
  let timeZone: string | undefined;
  for (const { name, from: startField, to: endField, on: dateField } of daySpans(definition)) {
    const [day, start, end] = [values[dateField], values[startField], values[endField]];
    if (typeof day !== 'string' || typeof start !== 'string' || typeof end !== 'string') continue;
    const isUnchanged =
      storedRecord &&
      [dateField, startField, endField].every((fieldName) => storedRecord[fieldName] === values[fieldName]);
    if (isUnchanged && typeof storedRecord[name] === 'number') lengths[name] = storedRecord[name];
    else lengths[name] = minutesInZone(day, start, end, (timeZone ??= await zoneOf(context, queries))) ?? null;
  }
  return { ...values, ...lengths };
}

function daySpans({ fields }: Definition): DaySpan[] {
  return Object.values(fields).flatMap((field) => {
    if (!isDuration(field)) return [];
    const { name, span } = field;
    const dateField = fields[span.from]?.dateField;
    return dateField !== undefined && fields[span.to]?.dateField === dateField
      ? [{ name, ...span, on: dateField }]
      : [];
  });
}

const zones = new WeakMap<RequestContext, string>();

/** The time zone of the request, otherwise the one that the caller chose; UTC, without changes of clocks, if none is known. */
async function zoneOf(context: RequestContext, queries: Queries): Promise<string> {
  const callerZone = context.knownZone ?? zones.get(context);
  if (callerZone !== undefined) return callerZone;
  const { rows } = await sql<{ time_zone: string | null }>`select time_zone from assay.user_preferences
    where user_id = ${context.actor.id}`.execute(queries);
  const preferredZone = rows[0]?.time_zone ?? null;
  const zone = preferredZone !== null && isKnownZone(preferredZone) ? preferredZone : 'UTC';
  zones.set(context, zone);
  return zone;
}
