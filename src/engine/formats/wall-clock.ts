import { minuteInTimeZone } from './dates';

const millisecondsPerDay = 86_400_000;
const millisecondsPerMinute = 60_000;

/** Clocks in a zone are ahead of UTC by so many milliseconds at an instant. */
function offsetAt(instant: number, timeZone: string): number {
  const minute = Math.floor(instant / millisecondsPerMinute) * millisecondsPerMinute;
  return Date.parse(`${minuteInTimeZone(timeZone, new Date(minute)).replace(' ', 'T')}:00Z`) - minute;
}

/**
 * The instant at which clocks in a zone show a time (`YYYY-MM-DD HH:mm`, also with seconds), as ISO 8601 in UTC. Of a time
 * that comes twice the first is meant; a time that they skip is as long after the one before. Undefined if it is no time.
 *
 * @example instantAt('2026-11-16 14:30', 'Asia/Kolkata'); // '2026-11-16T09:00:00.000Z'
 */
export function instantAt(time: string, timeZone: string): string | undefined {
  const clockTime = Date.parse(`${time.replace(' ', 'T')}Z`);
  if (Number.isNaN(clockTime)) return undefined;
  const offsetBefore = offsetAt(clockTime - millisecondsPerDay, timeZone);
  const offsetAfter = offsetAt(clockTime + millisecondsPerDay, timeZone);
  const instants = [offsetBefore, offsetAfter]
    .map((offset) => clockTime - offset)
    .filter((instant) => instant + offsetAt(instant, timeZone) === clockTime);
  return new Date(instants.length > 0 ? Math.min(...instants) : clockTime - offsetBefore).toISOString();
}

/** By day and zone, whether clocks change about then: rows share their days. */
const changes = new Map<string, boolean>();
const maxChanges = 5_000;

function changesAbout(instant: number, timeZone: string): boolean {
  const day = Math.floor(instant / millisecondsPerDay);
  const key = `${day} ${timeZone}`;
  let isChange = changes.get(key);
  if (isChange === undefined) {
    const [start, end] = [day - 1, day + 2].map((dayNumber) => offsetAt(dayNumber * millisecondsPerDay, timeZone));
    isChange = start !== end;
    if (changes.size >= maxChanges) changes.clear();
    changes.set(key, isChange);
  }
  return isChange;
}

/**
 * The minute that clocks in a zone show at an instant, from which `instantAt` gets back to it. Where the same time has
 * come before on that day, it has its offset, which every reader of instants understands.
 *
 * @example writtenMinute('2026-11-01T06:30:00Z', 'America/New_York'); // '2026-11-01 01:30-05:00'
 */
export function writtenMinute(iso: string, timeZone: string): string {
  const instant = new Date(iso);
  const minute = minuteInTimeZone(timeZone, instant);
  if (!changesAbout(instant.getTime(), timeZone)) return minute;
  const isFirst = instantAt(minute, timeZone)?.slice(0, 16) === instant.toISOString().slice(0, 16);
  return isFirst ? minute : `${minute}${formatOffset(offsetAt(instant.getTime(), timeZone))}`;
}

function formatOffset(milliseconds: number): string {
  const minutes = Math.round(Math.abs(milliseconds) / millisecondsPerMinute);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${milliseconds < 0 ? '-' : '+'}${hours}:${rest}`;
}
