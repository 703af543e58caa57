import { sql } from 'kysely';
import { columnTypeOf } from '../../engine/field-types';
import type { Definition, Field } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { isFileField } from '../../engine/field-types/stored-files';
import type { Database } from '../database/database';
import { onEngineTables } from '../database/engine-tables';
import type { Files } from './files';

/** Files deleted per batch. */
const batch = 500;

/** The parts of the program that a sweep needs. */
interface SweepDependencies {
  readonly database: Database;
  readonly definitions: { registry(): Registry };
  readonly files: Files;
}

/**
 * Deletes all files that are no longer needed: temporary files whose process ended, and stored files that no record
 * refers to (their process ended before the record was saved, the disk was full, or they could not be deleted earlier).
 * Every stored file has a row before its first byte is written, so none is missed, on disk as in a bucket. Recent files
 * may still be waiting for their record, those of an open form for a day; files of removed fields are left.
 */
export async function sweepFiles(program: SweepDependencies): Promise<void> {
  const { database, definitions, files } = program;
  await files.temporary.sweep();
  const rows = await onEngineTables(database.kysely)
    .selectFrom('files')
    .select(['resource', 'field'])
    .distinct()
    .execute();
  for (const { resource, field: name } of rows) {
    const definition = definitions.registry().get(resource);
    const field = definition?.fields[name];
    if (!definition || !field || columnTypeOf(field) === null) continue;
    await assignOwners(program, definition, field);
    await sweepField(program, definition, field);
  }
}

/** The rows of a field's files: its table as `t` with the `key` of each. Fields of the engine's own are the key itself. */
function keysOf({ table }: Definition, field: Field) {
  const column = sql.id('t', field.name);
  const key = isFileField(field) ? sql`one->>'key'` : column;
  // One file, or a list of them, whatever the type of the field was when they were stored.
  const list = sql`case jsonb_typeof(${column}) when 'array' then ${column} else jsonb_build_array(${column}) end`;
  const fileSource = isFileField(field) ? sql`jsonb_array_elements(${list})` : sql`(values (${column}))`;
  return sql`${sql.id('public', table)} t cross join lateral ${fileSource} as list (one) cross join lateral (select ${key} as key) known`;
}

async function sweepField({ database, files }: SweepDependencies, definition: Definition, field: Field): Promise<void> {
  const usedNames = new Set<string>();
  for (;;) {
    const { rows } = await sql<{ key: string }>`select f.key from assay.files f
      where f.resource = ${definition.name} and f.field = ${field.name}
      and f.created_at < now() - case when f.is_waiting then interval '1 day' else interval '1 hour' end
      and not (f.key = any(${[...usedNames]}::text[]))
      and not exists (select from ${keysOf(definition, field)} where known.key = f.key)
      and not exists (select from assay.deleted_files d where d.key = f.key)
      limit ${batch}`.execute(database.kysely);
    await files.remove(rows.map(({ key }) => key));
    // Files that cannot be deleted now are left for the next sweep.
    for (const { key } of rows) usedNames.add(key);
    if (rows.length < batch) return;
  }
}

/** Files from before quotas existed are assigned to the company and creator of their record. */
async function assignOwners({ database }: SweepDependencies, definition: Definition, field: Field): Promise<void> {
  const company = definition.fields.site_id ? sql`t.site_id` : sql`null::bigint`;
  await sql`update assay.files f set site_id = ${company}, user_id = t.created_by
    from ${keysOf(definition, field)}
    where f.resource = ${definition.name} and f.field = ${field.name} and f.user_id is null and f.site_id is null
    and known.key = f.key and t.created_by is not null`.execute(database.kysely);
}
