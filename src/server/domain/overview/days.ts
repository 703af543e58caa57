import { daysLater, isDate } from '../../../engine/formats/dates';
import { startOfDay } from '../../access/days';
import type { RequestContext } from '../../access/request-context';
import { BadRequest } from '../../errors/errors';
import { shown } from '../../records/query/values';

/** What is recent lies at most so many days back, and what comes up at most so many ahead. */
const week = 7;

/** The instant since which something is recent: the beginning of the caller's day a week ago. */
export function recently({ today, timeZone }: RequestContext): string {
  return startOfDay(daysLater(today, -week), timeZone);
}

/** The last day that comes up. */
export function weekAhead({ today }: RequestContext): string {
  return daysLater(today, week);
}

/** Reads a day of the query. Throws BadRequest, naming it. */
export function readDay(name: string, value: unknown): string {
  if (typeof value !== 'string' || !isDate(value)) throw new BadRequest(`${name} must be a day such as 2026-11-21, not ${shown(value)}.`); // prettier-ignore
  return value;
}
