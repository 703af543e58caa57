import { sql, type RawBuilder } from 'kysely';
import type { Queries, Row, Transaction } from '../database/database';
import { firstOf } from '../../engine/values/lookups';

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
