import { sql, type RawBuilder } from 'kysely';
import type { Queries, Row, Transaction } from '../database/database';

/** Asks about stored rows. Undefined means that nobody wants to wait for the answer. */
export interface Ask {
  /** How many rows a query selects. */
  count(query: string): Promise<number | undefined>;
  /** The first values of `id` that a query selects, in their order. */
  ids(query: string | RawBuilder<unknown>): Promise<readonly number[] | undefined>;
  /** The one row of a statement. */
  row(statement: RawBuilder<unknown>): Promise<Row | undefined>;
}

const FIRST = 100;
const TOO_LONG = '57014';

/** Asks within `patience` milliseconds a question, and gives up without a failure; without a limit where none is given. */
export function askOf(queries: Queries, patience?: number): Ask {
  const first = async <T>(statement: RawBuilder<T>): Promise<readonly T[] | undefined> => {
    if (patience === undefined) return (await statement.execute(queries)).rows;
    return queries.isTransaction
      ? within(queries as Transaction, statement, patience)
      : queries.transaction().execute((trx) => within(trx, statement, patience));
  };
  return {
    async count(query) {
      return (await first(sql<{ rows: number }>`select count(*) as rows from (${sql.raw(query)}) counted`))?.[0]!.rows;
    },
    async ids(query) {
      const from = typeof query === 'string' ? sql.raw(query) : query;
      const rows = await first(sql<{ id: number }>`select id from (${from}) named order by id limit ${sql.lit(FIRST)}`);
      return rows?.map(({ id }) => id);
    },
    async row(statement) {
      return (await first(statement as RawBuilder<Row>))?.[0];
    },
  };
}

/** A statement that is given up must not take the whole transaction along. */
async function within<T>(trx: Transaction, statement: RawBuilder<T>, patience: number): Promise<T[] | undefined> {
  await sql`savepoint asked`.execute(trx);
  await sql`set local statement_timeout = ${sql.lit(patience)}`.execute(trx);
  try {
    const { rows } = await statement.execute(trx);
    // Rolling back takes the limit back too.
    await sql`rollback to savepoint asked`.execute(trx);
    return rows;
  } catch (error) {
    await sql`rollback to savepoint asked`.execute(trx);
    if ((error as { code?: string }).code !== TOO_LONG) throw error;
    return undefined;
  }
}
