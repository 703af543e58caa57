/** Thrown if the tables stay locked by others; nothing was changed. */
export class TablesBusyError extends Error {
  constructor() {
    super('The tables are in use at the moment. Nothing was changed. Try again in a minute.');
  }
}

/**
 * Milliseconds for which a change of tables waits for one lock: less than PostgreSQL takes to detect a deadlock, so that
 * another transaction is never the one to be canceled, and short enough that those who queue behind hardly notice.
 */
export const tableLockTimeout = 300;

/** Lock timeout and deadlock. */
const busyCodes: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

/** Whether something failed because others hold a lock that it needs, so that it may succeed later. */
export function isLockedError(error: unknown): boolean {
  return error instanceof TablesBusyError || busyCodes.has((error as { code?: unknown } | null)?.code);
}

/** Milliseconds before another attempt: of those who wait for the same lock, not all come back at once. */
export function lockRetryPause(): number {
  return 20 + Math.random() * 180;
}
