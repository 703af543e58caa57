import type { Database, Transaction } from './database';

/**
 * A database whose work all belongs to one transaction: everything is read and written within it, `transaction` joins
 * it, and `afterCommit` waits for its commit.
 */
export function transactionDatabase(database: Database, trx: Transaction): Database {
  return {
    ...database,
    root: database.root,
    kysely: trx,
    query: (statement, inner = trx) => database.query(statement, inner),
    // It would not see what the transaction has written.
    queryAsJson: () => Promise.reject(new Error('Within a transaction rows are read as values.')),
    transaction: (run) => run(trx),
    afterCommit: (inner, call) => database.afterCommit(inner, call),
    afterRollback: (inner, call) => database.afterRollback(inner, call),
    afterWrite: (call, inner = trx) => database.afterCommit(inner, call),
    notify: (channel, payload, inner = trx) => database.notify(channel, payload, inner),
  };
}
