import pg from 'pg';
import { NoAnswer } from '../errors/errors';

/** A problem of the database itself, independent of the requested records. */
export interface DatabaseFault {
  /** A message for the user: what is wrong, not what happened to the request. */
  readonly message: string;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number;
}

const fault = (message: string, retryAfter = 5): DatabaseFault => ({ message, retryAfter });

const unreachable = fault('The database cannot be reached at the moment.');
const stopping = fault('The database is being stopped or restarted.');

/**
 * By SQLSTATE: problems that are temporary or that an operator has to fix, and that any other request would have met
 * too.
 */
const byState: Readonly<Record<string, DatabaseFault>> = {
  '25006': fault('The database does not accept changes at the moment: it is read-only.'),
  '25P03': fault('The database ended the request because it was idle for too long.'),
  '40001': fault('The same records were changed by somebody else at the same time.', 1),
  '40P01': fault('The same records were changed by somebody else at the same time.', 1),
  '53100': fault('The disk of the database is full. An administrator has to free some space.', 60),
  '53200': fault('The database has run out of memory.'),
  '53300': fault('The database has no free connections.'),
  '53400': fault('The database has reached a configured limit.'),
  '55P03': fault('The data is locked by another change that takes long.', 2),
  '57014': fault('This took too long and was stopped.'),
  '57P01': stopping,
  '57P02': stopping,
  '57P03': fault('The database is starting or stopping.'),
  '57P04': unreachable,
  '57P05': unreachable,
  '58030': fault('The disk of the database reports an error. An administrator has to check it.', 60),
};

/** Errors of Node.js: the connection could not be opened, or broke. */
const network: ReadonlySet<string> = new Set([
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

const known = new WeakSet<object>();

/** Marks an error as coming from a database connection: those of others, such as mail servers, look the same. */
export function ofDatabase(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) known.add(error);
  return error;
}

/** The database problem behind an error; undefined for any other error, including errors of a statement itself. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  if (error instanceof pg.DatabaseError) {
    const state = error.code ?? '';
    return byState[state] ?? (state.startsWith('08') ? unreachable : undefined);
  }
  if (!known.has(error)) return undefined;
  if (poolTimeout.test(error.message)) return fault('All connections to the database are busy.');
  return isBroken(error, code) ? unreachable : undefined;
}

/** Whether the database only accepts reads at the moment: it is read-only, or its disk is full. */
export function takesNoChanges(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '25006' || error.code === '53100');
}

/** Whether the connection was lost, so that the result of the last statement is unknown. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof NoAnswer) return true;
  // An error that only ends its statement is a result; one that ends the connection may come after the commit.
  if (error instanceof pg.DatabaseError) return error.severity === 'FATAL' || error.severity === 'PANIC';
  return isBroken(error, (error as { code?: unknown }).code);
}

/** Whether the statement was never sent because the connection was lost before. */
export function isUnsent(error: unknown): boolean {
  return error instanceof Error && unusable.test(error.message);
}

function isBroken(error: Error, code: unknown): boolean {
  if (typeof code === 'string' && network.has(code)) return true;
  return terminated.test(error.message) || unusable.test(error.message);
}
