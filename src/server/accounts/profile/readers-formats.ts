import { sql } from 'kysely';
import {
  createPersonalFormats,
  formatChoices,
  type FormatChoice,
} from '../../../engine/formats/create-personal-formats';
import type { PersonalFormats, Reader } from '../../../engine/formats/personal';
import { isKnownZone } from '../../access/request-context';
import type { Queries } from '../../database/database';

/** The zone of who chose none, and whose company has none. */
const usualZone = 'UTC';

/** The name of the time zone of a user `u` with preferences `p` and a company `s`; null if neither has one. */
export const zoneOfReader = sql<string | null>`coalesce(p.time_zone, s.time_zone)`;

/** A time zone that the runtime knows. */
export function usableZone(timeZone: string | null): string {
  return timeZone !== null && isKnownZone(timeZone) ? timeZone : usualZone;
}

const formatsByChoice = new Map<string, PersonalFormats>();

/** The formats of a choice. The preferences of a browser are not known here: as specified. */
function formatsOf(choice: string | null): PersonalFormats | undefined {
  if (choice === null || choice === 'browser' || !formatChoices.includes(choice as FormatChoice)) return undefined;
  const personalFormats = formatsByChoice.get(choice) ?? createPersonalFormats(choice as FormatChoice);
  formatsByChoice.set(choice, personalFormats);
  return personalFormats;
}

const defaultReader: Reader = { formats: undefined, timeZone: usualZone };

/**
 * How these users read dates, times and numbers, and in which time zone: their own, or their company's. For `writeFor`.
 *
 * @example const readers = await loadReaders(trx, [7]); // writeFor(readers(7), () => formatDate('2026-12-31'))
 */
export async function loadReaders(queries: Queries, users: readonly number[]): Promise<(user: number) => Reader> {
  if (users.length === 0) return () => defaultReader;
  const { rows } = await sql<{ id: number; formats: string | null; zone: string | null }>`
    select u.id, p.formats, ${zoneOfReader} as zone from public.users u
      left join public.sites s on s.id = u.site_id left join assay.user_preferences p on p.user_id = u.id
    where u.id = any(${[...new Set(users)]}::bigint[])`.execute(queries);
  const readers = new Map(
    rows.map(({ id, formats, zone }) => [id, { formats: formatsOf(formats), timeZone: usableZone(zone) }]),
  );
  return (user) => readers.get(user) ?? defaultReader;
}

/**
 * How a user writes what many will read, such as a text of a record of a company (null: of the installation): days and
 * numbers as specified, as nobody knows who reads them, times in the user's zone, otherwise their company's, otherwise
 * that of the record's.
 *
 * @example const writer = await loadWriter(trx, 7, 1); // { formats: undefined, timeZone: 'Europe/Berlin' }
 */
export async function loadWriter(queries: Queries, user: number, company: number | null): Promise<Reader> {
  const { rows } = await sql<{ zone: string | null }>`select coalesce(${zoneOfReader},
      (select r.time_zone from public.sites r where r.id = ${company}::bigint)) as zone
    from public.users u left join public.sites s on s.id = u.site_id
      left join assay.user_preferences p on p.user_id = u.id
    where u.id = ${user}`.execute(queries);
  return { formats: undefined, timeZone: usableZone(rows[0]?.zone ?? null) };
}

/** The time zone of a company; UTC of none. */
export async function zoneOfCompany(queries: Queries, company: number | null): Promise<string> {
  if (company === null) return usualZone;
  const { rows } = await sql<{ zone: string | null }>`select time_zone as zone from public.sites
    where id = ${company}`.execute(queries);
  return usableZone(rows[0]?.zone ?? null);
}
