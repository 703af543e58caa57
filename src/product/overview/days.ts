import { addDays } from '../../engine/formats/dates';
import { startOfDay } from '../../server/access/days';
import type { RequestContext } from '../../server/access/request-context';

/** The last seven days start this many days before today, which is included. */
const daysBack = 6;
/** Upcoming means at most this many days ahead. */
const daysAhead = 7;

/** The start of "recently": the beginning of the caller's day six days ago. */
export function recentSince({ today, timeZone }: RequestContext): string {
  return startOfDay(addDays(today, -daysBack), timeZone);
}

/** The last day that comes up. */
export function weekAhead({ today }: RequestContext): string {
  return addDays(today, daysAhead);
}

/** The message for what is no day. */
export function dayMessage(name: string): string {
  return `${name} must be a day such as 2026-11-21.`;
}
