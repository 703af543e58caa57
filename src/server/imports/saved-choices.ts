import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { headingsKey, type HeadingMapping } from '../../engine/imports/headings';
import type { ValueMeanings } from '../../engine/imports/value-meanings';
import type { Database } from '../database/database';
import { onEngineTables } from '../database/engine-tables';

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
  const savedChoices = await onEngineTables(kysely)
    .selectFrom('import_memories')
    .select(['mapping', 'meanings', 'at'])
    .where('user_id', '=', person)
    .where('site_id', '=', company ?? 0)
    .where('resource', '=', resource)
    .where('headings', '=', headingsHash(headings))
    .executeTakeFirst();
  return savedChoices as SavedChoices | undefined;
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
    await onEngineTables(kysely)
      .deleteFrom('import_memories')
      .where('user_id', '=', person)
      .where('site_id', '=', company ?? 0)
      .where('resource', '=', resource)
      .where('headings', '=', key)
      .execute();
    return;
  }
  await onEngineTables(kysely)
    .insertInto('import_memories')
    .values({
      user_id: person,
      site_id: company ?? 0,
      resource,
      headings: key,
      mapping: JSON.stringify(mapping),
      meanings: JSON.stringify(meanings),
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'site_id', 'resource', 'headings']).doUpdateSet(({ ref }) => ({
        mapping: ref('excluded.mapping'),
        meanings: ref('excluded.meanings'),
        at: sql`now()`,
      })),
    )
    .execute();
}
