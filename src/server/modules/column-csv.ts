import { Readable } from 'node:stream';
import { sql, type RawBuilder } from 'kysely';
import { columnTypeOf } from '../../engine/field-types';
import type { Definition } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import type { Cell } from '../../engine/field-types';
import type { Database } from '../database/database';
import { csvSheet } from '../exports/sheet/csv';
import { NotFound } from '../errors/errors';
import { findHiddenTables } from '../sync/purge';
import { introspect, type CurrentSchema } from '../sync/row-queries';
import { lastOf } from '../../engine/values/lookups';

const BATCH_SIZE = 5_000;

/**
 * The values of a stored column as CSV of `id` and value, streamed: a copy before the column is dropped. For hidden
 * pairs, the values are the ids of related records. Throws NotFound for a column that does not exist or is secret.
 */
export async function columnCsv(
  { kysely }: Database,
  registry: Registry,
  definition: Definition,
  column: string,
): Promise<Readable> {
  const values = storedValuesSql(await introspect(kysely), registry, definition, column);
  async function* parts() {
    const sheet = csvSheet({ title: column, headings: ['id', column], timeZone: 'UTC' });
    for (let lastId = 0; ;) {
      const { rows } = await sql<{ id: number; value: Cell }>`select id, value from ${values(lastId)}
        order by id limit ${sql.lit(BATCH_SIZE)}`.execute(kysely);
      if (rows.length > 0) yield sheet.rows(rows.map((row) => [row.id, row.value]));
      if (rows.length < BATCH_SIZE) break;
      lastId = lastOf(rows).id;
    }
    yield sheet.end();
  }
  return Readable.from(parts(), { objectMode: false });
}

/** Selects `id` and `value` of records after an id that have a value. */
function storedValuesSql(
  current: CurrentSchema,
  registry: Registry,
  definition: Definition,
  column: string,
): (after: number) => RawBuilder<unknown> {
  const field = Object.hasOwn(definition.fields, column) ? definition.fields[column] : undefined;
  if (current.tables.get(definition.table)?.has(column)) {
    if (field?.secret || (field && columnTypeOf(field) === null)) throw new NotFound();
    const [table, value] = [sql.id('public', definition.table), sql.id(column)];
    return (lastId) => sql`(select id, ${value}::text as value from ${table}
      where id > ${lastId} and ${value} is not null) held`;
  }
  const pairs = findHiddenTables(current, registry).find(
    (hiddenTable) => hiddenTable.definition === definition && hiddenTable.field === column,
  );
  if (!pairs) throw new NotFound();
  const isOfRecord = (parent: string) => sql`h.${sql.id(parent)} = t.id
    ${current.tables.get(pairs.table)?.has('site_id') ? sql`and h.site_id = t.site_id` : sql``}`;
  const value = pairs.isOfRows
    ? sql`select json_agg(to_jsonb(h) - 'id' - 'parent_id' - 'position' - 'site_id' order by h.position, h.id)::text as value
        from ${sql.id('public', pairs.table)} h where ${isOfRecord('parent_id')}`
    : sql`select string_agg(h.target_id::text, ',' order by h.target_id) as value
        from ${sql.id('public', pairs.table)} h where ${isOfRecord('record_id')}`;
  return (lastId) => sql`(select t.id, each.value from ${sql.id('public', definition.table)} t
    cross join lateral (${value}) each where t.id > ${lastId} and each.value is not null) held`;
}
