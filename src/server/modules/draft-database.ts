import type { CompiledQuery, QueryExecutor } from 'kysely';
import type { Database, Transaction } from '../database/database';
import { transactionDatabase } from '../database/transaction-database';

/** A text in quotes, or the name of a table. Texts are skipped, so that none of them is taken for a name. */
const textOrTable = /'(?:[^']|'')*'|"public"\."((?:[^"]|"")+)"/g;

/**
 * A statement that reads these rows in place of tables.
 *
 * @example replaceTables('select from "public"."deals" t', new Map([['deals', '(select 1 as id)']]));
 * // select from (select 1 as id) t
 */
export function replaceTables(statement: string, rows: ReadonlyMap<string, string>): string {
  if (rows.size === 0) return statement;
  return statement.replace(textOrTable, (text, table?: string) => (table && rows.get(table)) || text);
}

/**
 * A database within a transaction where some tables have other rows: table → an SQL `from` item. It caches nothing for
 * others, runs one statement at a time, and none once `end` was called.
 */
export function draftDatabase(
  database: Database,
  trx: Transaction,
  rows: ReadonlyMap<string, string>,
): { readonly database: Database; end(): void } {
  const executor = trx.getExecutor();
  let isEnded = false;
  let previous: Promise<unknown> = Promise.resolve();
  const executeQuery = <R>(query: CompiledQuery<R>) => {
    const run = previous.then(() => {
      if (isEnded) throw new Error('The transaction of this draft has ended.');
      return executor.executeQuery<R>({ ...query, sql: replaceTables(query.sql, rows) });
    });
    previous = run.catch(() => undefined);
    return run;
  };
  const replacing: Pick<QueryExecutor, 'transformQuery' | 'compileQuery' | 'executeQuery'> = {
    transformQuery: (node, id) => executor.transformQuery(node, id),
    compileQuery: (node, id) => executor.compileQuery(node, id),
    executeQuery,
  };
  // Reading compiles and executes statements, and uses nothing else of a transaction.
  const queries = { isTransaction: true, getExecutor: () => replacing, executeQuery } as unknown as Transaction;
  const root = transactionDatabase(database, queries);
  return { database: { ...root, root }, end: () => (isEnded = true) };
}
