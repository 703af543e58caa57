import { sql } from 'kysely';
import { plainHeading, type Mapping } from '../../engine/imports/headings';
import type { Database } from '../database/database';

/** What a company said about headings before, for one resource. */
export async function rememberedMapping(
  { kysely }: Database,
  resource: string,
  company: number | null,
): Promise<Mapping> {
  const { rows } = await sql<{ heading: string; field: string | null }>`select heading, field from assay.import_mappings
    where site_id = ${company ?? 0} and resource = ${resource}`.execute(kysely);
  return Object.fromEntries(rows.map(({ heading, field }) => [heading, field]));
}

/** Keeps what was said about headings, for the next file of the company. */
export async function rememberMapping(
  { kysely }: Database,
  resource: string,
  company: number | null,
  mapping: Mapping,
): Promise<void> {
  const entries = Object.entries(mapping).map(([heading, field]) => ({ heading: plainHeading(heading), field }));
  if (entries.length === 0) return;
  const unique = [...new Map(entries.map((entry) => [entry.heading, entry])).values()];
  await sql`insert into assay.import_mappings (site_id, resource, heading, field)
    select ${company ?? 0}::integer, ${resource}, one.heading, one.field
    from json_to_recordset(${JSON.stringify(unique)}::json) as one (heading text, field text)
    on conflict (site_id, resource, heading) do update set field = excluded.field`.execute(kysely);
}
