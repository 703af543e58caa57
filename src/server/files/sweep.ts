import { sql } from 'kysely';
import type { Program } from '../program';
import { fileFields } from './record-files';

/**
 * Removes files that no record names: of a process that ended between storing a file and its record, or before an old
 * one was gone. Young ones may still be on their way to their record; those of fields that are no more are left alone.
 */
export async function sweepFiles({ database, definitions, files }: Program): Promise<void> {
  for (const definition of definitions.registry().definitions.values()) {
    for (const field of fileFields(definition)) {
      const { rows } = await sql<{ key: string }>`select f.key from assay.files f
        where f.resource = ${definition.name} and f.field = ${field.name} and f.created_at < now() - interval '1 hour'
        and not exists (select from ${sql.id('public', definition.table)} t
          where ${sql.id('t', field.name)}->>'key' = f.key)`.execute(database.kysely);
      await files.remove(rows.map(({ key }) => key));
    }
  }
}
