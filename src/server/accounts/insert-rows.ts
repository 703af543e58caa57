import { sql } from 'kysely';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Transaction } from '../database/database';
import { isRows } from '../../engine/field-types/rows';
import { pairTable } from '../database/identifiers';
import { hasCompanyKey } from '../sql/same-company';
import { pinnedRelations } from '../../engine/normalise/pins';
import { pinRowsSql } from '../sync/pins';
import { numberRows, sequenceFields } from '../sync/sequences';
import { withDerived } from '../records/write/input';
import { storeRows } from '../records/write/rows';
import { toColumnValue, historyValues, sideFields, storedFields } from '../records/write/row-writes';
import { idOf } from '../../engine/definitions/accessors';
import { companyKey } from '../sql/company-key';

// PostgreSQL accepts 65,535 parameters per statement.
const maxParameters = 60_000;

/**
 * The next ids of a table, in one go, so that rows can refer to one another before they are stored.
 *
 * @example const [first, second] = await nextIds(trx, projects, 2);
 */
export async function nextIds(trx: Transaction, definition: Definition, count: number): Promise<number[]> {
  const sequence = sql`pg_get_serial_sequence(${`public.${definition.table}`}, 'id')`;
  const { rows } = await sql<{ id: number }>`
    select nextval(${sequence}) as id from generate_series(1, ${sql.lit(count)})`.execute(trx);
  return rows.map(({ id }) => id);
}

/**
 * Stores many rows at once, without the validation of a request, and records their creation in the history. Rows must
 * have ids (see `nextIds`), company and stamps; plain defaults, derived values, keys and versions are filled in.
 *
 * @example
 * await insertRows(trx, projects, [{ id: first, name: 'Website', site_id: 1, created_at: now, updated_at: now }]);
 */
export async function insertRows(
  trx: Transaction,
  definition: Definition,
  rows: readonly ResourceRecord[],
): Promise<void> {
  const columns = storedFields(definition);
  const rowToInsert = rows.map((fieldValues) => {
    const row = withDerived(definition, fieldValues);
    return Object.fromEntries(
      columns.map((field) => [field.name, toColumnValue(field, row[field.name] ?? plainDefault(field.default))]),
    );
  });
  await insertMany(trx, definition.table, rowToInsert);
  for (const field of sideFields(definition)) {
    if (isRows(field)) {
      await storeRows(
        definition,
        field,
        rows.map((row) => ({ id: idOf(row), values: row, isNew: true })),
        trx,
      );
      continue;
    }
    const pairs = rows.flatMap((row) =>
      ((row[field.name] ?? []) as number[]).map((target_id) => ({
        ...(hasCompanyKey(definition) && { site_id: row.site_id }),
        record_id: row.id,
        target_id,
      })),
    );
    await insertMany(trx, pairTable(definition, field), pairs);
  }
  for (const relation of pinnedRelations(definition)) await sql.raw(pinRowsSql(definition, relation)).execute(trx);
  await recordCreation(trx, definition, await withKeys(trx, definition, rows));
}

/** Numbers the stored rows without a key, and returns the rows with theirs. */
async function withKeys(
  trx: Transaction,
  definition: Definition,
  rows: readonly ResourceRecord[],
): Promise<readonly ResourceRecord[]> {
  const fields = sequenceFields(definition);
  if (fields.length === 0 || rows.length === 0) return rows;
  await numberRows(trx, definition);
  const keys = fields.map(({ name }) => sql.id('t', name));
  const { rows: insertedRows } = await sql<ResourceRecord>`select t.id, ${sql.join(keys)}
    from ${sql.id('public', definition.table)} t
    where t.id = any(${rows.map(({ id }) => id as number)}::bigint[])`.execute(trx);
  const keysOf = new Map(insertedRows.map((row) => [row.id, row]));
  return rows.map((row) => ({ ...row, ...keysOf.get(row.id) }));
}

async function insertMany(
  trx: Transaction,
  table: string,
  rows: readonly ResourceRecord[],
  // Engine and records may have tables of the same name.
  schema = 'public',
): Promise<void> {
  const chunk = Math.floor(maxParameters / Math.max(1, Object.keys(rows[0] ?? {}).length));
  for (let offset = 0; offset < rows.length; offset += chunk) {
    await trx
      .withSchema(schema)
      .insertInto(table)
      .values(rows.slice(offset, offset + chunk))
      .execute();
  }
}

async function recordCreation(trx: Transaction, definition: Definition, rows: readonly ResourceRecord[]) {
  if (!definition.history) return;
  const names = Object.keys(definition.fields);
  const entries = rows.map((row) => ({
    site_id: companyKey(definition, row),
    resource: definition.name,
    record_id: row.id,
    event: 'created',
    new_values: JSON.stringify(historyValues(definition, row, names)),
    user_id: row.created_by ?? null,
    created_at: row.created_at,
  }));
  await insertMany(trx, 'history', entries, 'assay');
}

function plainDefault(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('$') ? null : (value ?? null);
}
