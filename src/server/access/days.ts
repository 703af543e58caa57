import { isTimeZone } from '../../engine/formats/dates';

const formatters = new Map<string, Intl.DateTimeFormat>();
const KNOWN_ZONES = 700;

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    if (formatters.size >= KNOWN_ZONES) formatters.clear();
    formatter = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** Whether the name is one of the IANA database that a request may name. */
export function isKnownZone(timeZone: string): boolean {
  return formatters.has(timeZone) || (timeZone.length <= 60 && isTimeZone(timeZone));
}

/** The day (YYYY-MM-DD) of an instant in a zone. */
export function dayOf(instant: string, timeZone: string): string {
  return timeZone === 'UTC' ? instant.slice(0, 10) : wallClock(new Date(instant), timeZone).slice(0, 10);
}

/** The instant at which a day (YYYY-MM-DD) begins in a zone, ISO 8601 in UTC. */
export function startOfDay(day: string, timeZone: string): string {
  return midnight(Date.parse(`${day}T00:00:00Z`), timeZone);
}

/** The instant at which the day after begins. */
export function endOfDay(day: string, timeZone: string): string {
  return midnight(Date.parse(`${day}T00:00:00Z`) + 86_400_000, timeZone);
}

const [first, last] = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'].map((instant) => Date.parse(instant));

/** The instant at which a zone's clock shows what UTC's clock shows at `shown`, within the years that have four digits. */
function midnight(shown: number, timeZone: string): string {
  let guess = shown;
  // The offset at the guess leads to the instant; a second round settles days on which the clock changes.
  for (let round = 0; round < 2 && timeZone !== 'UTC' && shown <= last!; round++) {
    guess += shown - Date.parse(`${wallClock(new Date(guess), timeZone)}Z`);
  }
  return new Date(Math.min(Math.max(guess, first!), last!)).toISOString();
}

/** What clocks in a zone show at an instant: `YYYY-MM-DDTHH:mm:ss`. */
export function wallClock(instant: Date, timeZone: string): string {
  const parts: Record<string, string> = {};
  for (const { type, value } of formatterOf(timeZone).formatToParts(instant)) parts[type] = value;
  const year = parts.year!.padStart(4, '0');
  return `${year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`;
}
