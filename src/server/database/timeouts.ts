import { sql, type QueryExecutorProvider } from 'kysely';

/** Milliseconds for one statement outside a transaction: lists, records, choices, sign-in. */
export const readTimeout = 10_000;
/** Milliseconds for each statement of a transaction that changes something. */
export const writeTimeout = 30_000;
/** Milliseconds for each statement of what is known to take long: downloads, imports, plans. */
const longTimeout = 600_000;
/**
 * Milliseconds to wait for a lock on a table or row. Short, since whoever waits holds a connection that others need: a
 * table that is being changed for longer is answered with 503.
 */
export const lockTimeout = 3_000;
/** Milliseconds for which a transaction may wait for its next statement. */
export const idleTimeout = 60_000;
/** Milliseconds beyond PostgreSQL's own limit after which a connection is taken for dead. */
const slack = 3_000;

/** Milliseconds within which a statement with a limit of its own is answered, by one side or the other. */
export function answerWithin(limit: number): number {
  return limit + slack;
}

/** Gives each further statement of a transaction the time of what is known to take long. */
export async function allowLong(trx: QueryExecutorProvider): Promise<void> {
  await sql.raw(`set local statement_timeout = ${longTimeout}; set local lock_timeout = 10000`).execute(trx);
}

/** Milliseconds within which statements are answered after this one: more where it gives them more time, else 0. */
export function limitSetBy(statement: string): number {
  const [, value] = /\bset local statement_timeout = '?(\d+)/i.exec(statement) ?? [];
  if (value === undefined) return 0;
  return Number(value) === 0 ? Infinity : answerWithin(Number(value));
}
