import { sql, type RawBuilder } from 'kysely';
import type { Queries, Row, Transaction } from '../database/database';
import { firstOf } from '../../engine/values/lookups';
import type { ColumnType } from '../../engine/field-types/index';

/** Queries about stored rows. A result is undefined if it took too long. */
export interface RowQueries {
  /** The number of rows that a query selects. */
  count(query: string): Promise<number | undefined>;
  /** The first ids that a query selects, in ascending order. */
  ids(query: string | RawBuilder<unknown>): Promise<readonly number[] | undefined>;
  /** The first texts that a query selects as `text`, in alphabetical order. */
  texts(query: string): Promise<readonly string[] | undefined>;
  /** The single row of a statement. */
  row(statement: RawBuilder<unknown>): Promise<Row | undefined>;
}

const MAX_IDS = 100;
const MAX_TEXTS = 4;
const QUERY_CANCELED = '57014';

/**
 * Creates queries limited to `patience` milliseconds each, which return undefined instead of failing; no limit if none
 * is given.
 */
export function createRowQueries(queries: Queries, timeout?: number): RowQueries {
  const runLimited = async <T>(statement: RawBuilder<T>): Promise<readonly T[] | undefined> => {
    if (timeout === undefined) return (await statement.execute(queries)).rows;
    return queries.isTransaction
      ? withTimeout(queries as Transaction, statement, timeout)
      : queries.transaction().execute((trx) => withTimeout(trx, statement, timeout));
  };
  return {
    async count(query) {
      const countRows = await runLimited(
        sql<{ rows: number }>`select count(*) as rows from (${sql.raw(query)}) counted`,
      );
      return countRows && firstOf(countRows).rows;
    },
    async ids(query) {
      const rowsSql = typeof query === 'string' ? sql.raw(query) : query;
      const rows = await runLimited(
        sql<{ id: number }>`select id from (${rowsSql}) named order by id limit ${sql.lit(MAX_IDS)}`,
      );
      return rows?.map(({ id }) => id);
    },
    async texts(query) {
      const rows = await runLimited(
        sql<{ text: string }>`select text from (${sql.raw(query)}) named order by text limit ${sql.lit(MAX_TEXTS)}`,
      );
      return rows?.map(({ text }) => text);
    },
    async row(statement) {
      return (await runLimited(statement as RawBuilder<Row>))?.[0];
    },
  };
}

/** In a savepoint, so that a canceled statement does not abort the whole transaction. */
async function withTimeout<T>(trx: Transaction, statement: RawBuilder<T>, timeout: number): Promise<T[] | undefined> {
  await sql`savepoint asked`.execute(trx);
  await sql`set local statement_timeout = ${sql.lit(timeout)}`.execute(trx);
  try {
    const { rows } = await statement.execute(trx);
    // Rolling back also restores the time limit.
    await sql`rollback to savepoint asked`.execute(trx);
    return rows;
  } catch (error) {
    await sql`rollback to savepoint asked`.execute(trx);
    if ((error as { code?: string }).code !== QUERY_CANCELED) throw error;
    return undefined;
  }
}

/** A primary key: the name of its constraint, and its columns in their order. */
export interface PrimaryKey {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The current tables of schema `public`. */
export interface CurrentSchema {
  /** Table → column → type; types without a field type are given as PostgreSQL names them. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, ColumnType | (string & {})>>;
  /** Table → PostgreSQL's estimate of its rows; tables without an estimate are left out. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Name → table, of valid indexes that do not belong to a constraint, other than one that excludes overlaps. */
  readonly indexes: ReadonlyMap<string, string>;
  /** Name → table. */
  readonly foreignKeys: ReadonlyMap<string, string>;
  /** Name of a foreign key → the table that it refers to. */
  readonly targets: ReadonlyMap<string, string>;
  /** Name of a foreign key → its column beside the company, and the index of the key that it refers to. */
  readonly references: ReadonlyMap<string, { readonly column: string; readonly index: string }>;
  /** Table → its primary key. */
  readonly keys: ReadonlyMap<string, PrimaryKey>;
}

/** Reads the current schema from PostgreSQL's catalog. */
export async function introspect(database: Queries): Promise<CurrentSchema> {
  const columns = await sql<{ table: string; column: string | null; type: string; rows: number }>`
    select c.relname as table, c.reltuples as rows, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname, a.attnum`.execute(database);
  const tables = new Map<string, Map<string, string>>();
  const sizes = new Map<string, number>();
  for (const { table, column, type, rows } of columns.rows) {
    if (rows >= 0) sizes.set(table, rows);
    const columnTypes = tables.get(table) ?? new Map<string, string>();
    if (column !== null) columnTypes.set(column, type === 'timestamp(3) with time zone' ? 'timestamptz(3)' : type);
    tables.set(table, columnTypes);
  }
  const indexes = await sql<{ name: string; table: string }>`
    select i.relname as name, c.relname as table
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    where c.relnamespace = 'public'::regnamespace and x.indisvalid
      and not exists (select from pg_constraint k where k.conindid = x.indexrelid and k.contype not in ('x', 'f'))`.execute(
    database,
  );
  const foreignKeys = await sql<{ name: string; table: string; target: string; column: string; index: string }>`
    select k.conname as name, c.relname as table, f.relname as target, i.relname as index,
      (select a.attname from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any(k.conkey)
        order by a.attname = 'site_id', a.attnum limit 1) as column
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
      join pg_class i on i.oid = k.conindid
    where k.contype = 'f' and c.relnamespace = 'public'::regnamespace`.execute(database);
  const primaryKeys = await sql<PrimaryKey & { table: string }>`
    select k.conname as name, c.relname as table, array(select a.attname::text from unnest(k.conkey) with ordinality as n (number, place)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n.number order by n.place) as columns
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'p' and c.relnamespace = 'public'::regnamespace`.execute(database);
  const keys = new Map(primaryKeys.rows.map(({ table, name, columns: names }) => [table, { name, columns: names }]));
  const byName = (rows: { name: string; table: string }[]) => new Map(rows.map(({ name, table }) => [name, table]));
  const targets = new Map(foreignKeys.rows.map(({ name, target }) => [name, target]));
  const references = new Map(foreignKeys.rows.map(({ name, column, index }) => [name, { column, index }]));
  return {
    tables,
    sizes,
    indexes: byName(indexes.rows),
    foreignKeys: byName(foreignKeys.rows),
    targets,
    references,
    keys,
  };
}
