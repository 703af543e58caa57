import pg from 'pg';
import { DatabaseTimeout } from '../errors/errors';

/** A problem of the database itself, independent of the requested records. */
export interface DatabaseProblem {
  /** A message for the user: what is wrong, not what happened to the request. */
  readonly message: string;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number;
}

const problem = (message: string, retryAfter = 5): DatabaseProblem => ({ message, retryAfter });

const unreachable = problem('The database cannot be reached at the moment.');
const stoppingProblem = problem('The database is being stopped or restarted.');

/**
 * By SQLSTATE: problems that are temporary or that an operator has to fix, and that any other request would have met
 * too.
 */
const problemsByState: Readonly<Record<string, DatabaseProblem>> = {
  '25006': problem('The database does not accept changes at the moment: it is read-only.'),
  '25P03': problem('The database ended the request because it was idle for too long.'),
  '40001': problem('The same records were changed by somebody else at the same time.', 1),
  '40P01': problem('The same records were changed by somebody else at the same time.', 1),
  '53100': problem('The disk of the database is full. An administrator has to free some space.', 60),
  '53200': problem('The database has run out of memory.'),
  '53300': problem('The database has no free connections.'),
  '53400': problem('The database has reached a configured limit.'),
  '55P03': problem('The data is locked by another change that takes long.', 2),
  '57014': problem('This took too long and was stopped.'),
  '57P01': stoppingProblem,
  '57P02': stoppingProblem,
  '57P03': problem('The database is starting or stopping.'),
  '57P04': unreachable,
  '57P05': unreachable,
  '58030': problem('The disk of the database reports an error. An administrator has to check it.', 60),
};

/** Errors of Node.js: the connection could not be opened, or broke. */
const networkCodes: ReadonlySet<string> = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Errors of the driver, which have no code: the connection ended, or was no longer usable. */
const terminated = /^Connection terminated/;
const unusable = /^Client (has encountered a connection error|was closed) and is not queryable/;
const poolTimeout = /^timeout exceeded when trying to connect/;

/** A replica cannot answer as of now: the primary has to. */
export class NotCaughtUp extends Error {}

const databaseErrors = new WeakSet<object>();

/** Marks an error as coming from a database connection: those of others, such as mail servers, look the same. */
export function markDatabaseError(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) databaseErrors.add(error);
  return error;
}

/** The database problem behind an error; undefined for any other error, including errors of a statement itself. */
export function databaseProblem(error: unknown): DatabaseProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  if (error instanceof pg.DatabaseError) {
    const state = error.code ?? '';
    return problemsByState[state] ?? (state.startsWith('08') ? unreachable : undefined);
  }
  if (error instanceof NotCaughtUp) return unreachable;
  if (!databaseErrors.has(error)) return undefined;
  if (poolTimeout.test(error.message)) return problem('All connections to the database are busy.');
  return isConnectionError(error, code) ? unreachable : undefined;
}

/** Whether the database only accepts reads at the moment: it is read-only, or its disk is full. */
export function isReadOnlyError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '25006' || error.code === '53100');
}

/** Whether the connection was lost, so that the result of the last statement is unknown. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseTimeout) return true;
  // An error that only ends its statement is a result; one that ends the connection may come after the commit.
  if (error instanceof pg.DatabaseError) return error.severity === 'FATAL' || error.severity === 'PANIC';
  return isConnectionError(error, (error as { code?: unknown }).code);
}

/** Whether the statement was never sent because the connection was lost before. */
export function isUnsent(error: unknown): boolean {
  return error instanceof Error && unusable.test(error.message);
}

function isConnectionError(error: Error, code: unknown): boolean {
  if (typeof code === 'string' && networkCodes.has(code)) return true;
  return terminated.test(error.message) || unusable.test(error.message);
}
