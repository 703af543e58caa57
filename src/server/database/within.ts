import type { Database, Transaction } from './database';

/**
 * A database whose work all belongs to one transaction: everything is read and written within it, `transaction` joins
 * it, and `afterCommit` waits for its commit.
 */
export function databaseWithin(database: Database, trx: Transaction): Database {
  return {
    ...database,
    root: database.root,
    kysely: trx,
    named: (statement, inner = trx) => database.named(statement, inner),
    // It would not see what the transaction has written.
    namedAsJson: () => Promise.reject(new Error('Within a transaction rows are read as values.')),
    transaction: (run) => run(trx),
    afterCommit: (inner, call) => database.afterCommit(inner, call),
    afterWrite: (call, inner = trx) => database.afterCommit(inner, call),
    notify: (channel, payload, inner = trx) => database.notify(channel, payload, inner),
  };
}
