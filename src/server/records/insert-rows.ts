import { sql } from 'kysely';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { historyValues, storedFields } from './row-writes';

/** Inserts any number of rows and their history entries with three statements. Returns their ids, in order. */
export async function insertRows(
  context: RequestContext,
  definition: Definition,
  rows: readonly ResourceRecord[],
  trx: Transaction,
): Promise<number[]> {
  const sequence = sql`pg_get_serial_sequence(${`public.${definition.table}`}, 'id')`;
  const { rows: next } = await sql<{ id: number }>`
    select nextval(${sequence})::integer as id from generate_series(1, ${sql.lit(rows.length)})`.execute(trx);
  const ids = next.map(({ id }) => id);
  const fields = storedFields(definition);
  const table = sql.id('public', definition.table);
  const columns = sql.join(fields.map(({ name }) => sql.id(name)));
  const text = JSON.stringify(
    rows.map((row, index) => ({
      ...Object.fromEntries(fields.map(({ name }) => [name, row[name] ?? null])),
      id: ids[index],
    })),
  );
  await sql`insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, ${text}::json)`.execute(
    trx,
  );
  if (definition.history) {
    const names = Object.keys(definition.fields);
    const lines = rows.map((row, index) => ({ id: ids[index], kept: historyValues(definition, row, names) }));
    await sql`insert into assay.history (resource, record_id, event, new_values, user_id, created_at)
      select ${definition.name}, one.id, 'created', one.kept, ${context.actor.id}::integer, ${context.now}::timestamptz
      from json_to_recordset(${JSON.stringify(lines)}::json) as one (id integer, kept jsonb)`.execute(trx);
  }
  return ids;
}
