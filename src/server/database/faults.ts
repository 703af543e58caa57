import pg from 'pg';
import { NoAnswer } from '../errors/errors';

/** What a fault of the database means for whoever called; it says nothing about the records that were asked for. */
export interface DatabaseFault {
  /** In words for the user: what is wrong, without what became of the call. */
  readonly message: string;
  /** Seconds after which trying again may help. */
  readonly retryAfter: number;
}

const fault = (message: string, retryAfter = 5): DatabaseFault => ({ message, retryAfter });

const unreachable = fault('The database cannot be reached at the moment.');
const stopping = fault('The database is being stopped or restarted.');

/** By SQLSTATE: faults that pass, or that an operator has to end, and that no other call would have met differently. */
const byState: Readonly<Record<string, DatabaseFault>> = {
  '25006': fault('The database accepts no changes at the moment: it is read-only.'),
  '25P03': fault('The database ended the call, since it waited for too long in the middle.'),
  '40001': fault('Another change of the same records came in between.', 1),
  '40P01': fault('Another change of the same records came in between.', 1),
  '53100': fault('The disk of the database is full. An administrator has to free space.', 60),
  '53200': fault('The database has run out of memory.'),
  '53300': fault('The database has no connection left.'),
  '53400': fault('The database has reached a limit of its settings.'),
  '55P03': fault('What this call needs is locked by another change that takes long.', 2),
  '57014': fault('This took too long and was stopped.'),
  '57P01': stopping,
  '57P02': stopping,
  '57P03': fault('The database is starting or stopping.'),
  '57P04': unreachable,
  '57P05': unreachable,
  '58030': fault('The disk of the database reports an error. An administrator has to look at it.', 60),
};

/** Of Node: the connection could not be made, or broke. */
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

/** Of the driver, which gives these errors no code: the connection ended, or was not usable any more. */
const terminated = /^Connection terminated/;
const unusable = /^Client (has encountered a connection error|was closed) and is not queryable/;
const poolTimeout = /^timeout exceeded when trying to connect/;

const known = new WeakSet<object>();

/** Marks an error as one of the database's connections: others, such as those of mail servers, look the same. */
export function ofDatabase(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) known.add(error);
  return error;
}

/** The fault of the database behind an error; undefined for any other error, faults of a statement itself included. */
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

/** Whether an error says that the database only reads for the moment: it is read-only, or its disk is full. */
export function takesNoChanges(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '25006' || error.code === '53100');
}

/** Whether an error says that a connection is lost, so that the database's answer to the last statement is not known. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof NoAnswer) return true;
  // An error that ends only its statement is an answer; one that ends the connection may come after the commit.
  if (error instanceof pg.DatabaseError) return error.severity === 'FATAL' || error.severity === 'PANIC';
  return isBroken(error, (error as { code?: unknown }).code);
}

/** Whether the statement never left, since the connection was lost before. */
export function isUnsent(error: unknown): boolean {
  return error instanceof Error && unusable.test(error.message);
}

function isBroken(error: Error, code: unknown): boolean {
  if (typeof code === 'string' && network.has(code)) return true;
  return terminated.test(error.message) || unusable.test(error.message);
}
