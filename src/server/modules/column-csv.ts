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
import { getOrThrow, lastOf } from '../../engine/values/lookups';

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
    for (let last: Place = { company: 0, id: 0 }; ;) {
      const { rows } = await sql<Place & { value: Cell }>`select company, id, value from ${values(last)}
        order by company, id limit ${sql.lit(BATCH_SIZE)}`.execute(kysely);
      if (rows.length > 0) yield sheet.rows(rows.map((row) => [row.id, row.value]));
      if (rows.length < BATCH_SIZE) break;
      last = lastOf(rows);
    }
    yield sheet.end();
  }
  return Readable.from(parts(), { objectMode: false });
}

/** The place of a record in the file. The company is 0 where the id alone gives the order. */
interface Place {
  readonly company: number;
  readonly id: number;
}

/** Selects `company`, `id` and `value` of records after a place that have a value. */
function storedValuesSql(
  current: CurrentSchema,
  registry: Registry,
  definition: Definition,
  column: string,
): (last: Place) => RawBuilder<unknown> {
  const field = Object.hasOwn(definition.fields, column) ? definition.fields[column] : undefined;
  if (current.tables.get(definition.table)?.has(column)) {
    if (field?.secret || (field && columnTypeOf(field) === null)) throw new NotFound();
    const [table, value] = [sql.id('public', definition.table), sql.id(column)];
    return ({ id }) => sql`(select 0::bigint as company, id, ${value}::text as value from ${table}
      where id > ${id} and ${value} is not null) held`;
  }
  const hiddenTable = findHiddenTables(current, registry).find(
    (candidate) => candidate.definition === definition && candidate.field === column,
  );
  if (!hiddenTable) throw new NotFound();
  const table = sql.id('public', hiddenTable.table);
  if (hiddenTable.isOfRows)
    return ({ id }) => sql`(select 0::bigint as company, h.parent_id as id,
        json_agg(to_jsonb(h) - 'id' - 'parent_id' - 'position' - 'site_id' order by h.position, h.id)::text as value
      from ${table} h where h.parent_id > ${id} group by h.parent_id) held`;
  const targets = sql`string_agg(h.target_id::text, ',' order by h.target_id) as value`;
  // Each in the order of the key of its table, so that a batch reads its own pairs alone.
  if (getOrThrow(current.tables, hiddenTable.table).has('site_id'))
    return ({ company, id }) => sql`(select h.site_id as company, h.record_id as id, ${targets}
      from ${table} h where (h.site_id, h.record_id) > (${company}::bigint, ${id}::bigint) group by h.site_id, h.record_id) held`;
  return ({ id }) => sql`(select 0::bigint as company, h.record_id as id, ${targets}
    from ${table} h where h.record_id > ${id} group by h.record_id) held`;
}
