import { sql, type QueryExecutorProvider } from 'kysely';

/** Milliseconds for one statement outside a transaction: lists, records, choices, sign-in. */
export const readTimeout = 10_000;
/** Milliseconds for each statement of a transaction that changes something. */
export const writeTimeout = 30_000;
/** Milliseconds for each statement of long-running work: downloads, imports, plans. */
const longTimeout = 600_000;
/**
 * Milliseconds to wait for a lock on a table or row. Short, because whoever waits occupies a connection: requests to a
 * table that is locked for longer get 503.
 */
export const lockTimeout = 3_000;
/** Milliseconds for which a transaction may wait for its next statement. */
export const idleTimeout = 60_000;
/** Milliseconds after PostgreSQL's own limit until a connection is considered dead. */
const responseSlack = 3_000;

/** Milliseconds within which a statement with its own limit gets a response or is given up. */
export function responseTimeout(limit: number): number {
  return limit + responseSlack;
}

/**
 * Extends the time limit for the rest of a transaction, for long-running work.
 *
 * @example await allowLongStatements(trx); // before statements that store thousands of rows
 */
export async function allowLongStatements(trx: QueryExecutorProvider): Promise<void> {
  await sql.raw(`set local statement_timeout = ${longTimeout}; set local lock_timeout = 10000`).execute(trx);
}

/** The time limit (milliseconds) for statements after this one if it extends it, else 0. */
export function timeoutSetBy(statement: string): number {
  const [, value] = /\bset local statement_timeout = '?(\d+)/i.exec(statement) ?? [];
  if (value === undefined) return 0;
  return Number(value) === 0 ? Infinity : responseTimeout(Number(value));
}
