import type { Definition } from '../../engine/definitions/definition';
import type { Queries, Transaction } from '../database/database';
import type { RequestContext } from './request-context';

/** The first argument of functions that work on the records of a resource: for whom, and of which. Callers pass theirs on. */
export interface RecordScope {
  readonly context: RequestContext;
  readonly definition: Definition;
}

/** The same within a transaction. */
export interface TransactionScope extends RecordScope {
  readonly trx: Transaction;
}

/** The same with the connection that is read over: that of a transaction, or any. */
export interface QueryScope extends RecordScope {
  readonly queries: Queries;
}
