import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { headingsKey, type HeadingMapping } from '../../engine/imports/headings';
import type { ValueMeanings } from '../../engine/imports/value-meanings';
import type { Database } from '../database/database';

/** A user's choices for the last imported file with these headings. */
export interface SavedChoices {
  readonly mapping: HeadingMapping;
  readonly meanings: ValueMeanings;
  /** When that was, as an ISO 8601 instant. */
  readonly at: string;
}

/** The owner of saved choices: one user, for the records of one company (null: the installation). */
export interface SavedChoicesOwner {
  readonly person: number;
  readonly company: number | null;
  readonly resource: string;
}

const headingsHash = (headings: readonly string[]) => createHash('sha256').update(headingsKey(headings)).digest();

/** Loads the choices for a file with the same headings; undefined if there are none. */
export async function loadSavedChoices(
  { kysely }: Database,
  { person, company, resource }: SavedChoicesOwner,
  headings: readonly string[],
): Promise<SavedChoices | undefined> {
  const { rows } = await sql<Omit<SavedChoices, 'at'> & { at: Date | string }>`
    select mapping, meanings, at from assay.import_memories where user_id = ${person} and site_id = ${company ?? 0}
      and resource = ${resource} and headings = ${headingsHash(headings)}`.execute(kysely);
  return rows[0] && { ...rows[0], at: new Date(rows[0].at).toISOString() };
}

/** Saves choices in place of earlier ones; empty choices delete them. */
export async function storeSavedChoices(
  { kysely }: Database,
  { person, company, resource }: SavedChoicesOwner,
  headings: readonly string[],
  { mapping, meanings }: Omit<SavedChoices, 'at'>,
): Promise<void> {
  const key = headingsHash(headings);
  if (Object.keys(mapping).length === 0 && Object.keys(meanings).length === 0) {
    await sql`delete from assay.import_memories where user_id = ${person} and site_id = ${company ?? 0}
      and resource = ${resource} and headings = ${key}`.execute(kysely);
    return;
  }
  await sql`insert into assay.import_memories (user_id, site_id, resource, headings, mapping, meanings)
    values (${person}, ${company ?? 0}, ${resource}, ${key}, ${JSON.stringify(mapping)}::jsonb, ${JSON.stringify(meanings)}::jsonb)
    on conflict (user_id, site_id, resource, headings)
    do update set mapping = excluded.mapping, meanings = excluded.meanings, at = now()`.execute(kysely);
}
