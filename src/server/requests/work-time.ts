import { currentRequest, type WorkAccount } from './current-request';

/** In milliseconds: of work that has just been done, a third counts after this time. */
const memory = 3_000;

/**
 * The part of the time of late that the work of an account has taken: 1 if it kept one processor busy.
 *
 * @example shareOf({ work: 1_500, at: now }, now); // 0.5
 */
export function shareOf({ work, at: startTime }: WorkAccount, now = performance.now()): number {
  return (work * Math.exp((startTime - now) / memory)) / memory;
}

/** Adds milliseconds of work to an account. */
export function addWork(account: WorkAccount, milliseconds: number, now = performance.now()): void {
  account.work = shareOf(account, now) * memory + milliseconds;
  account.at = now;
}

let activeAccount: { readonly account: WorkAccount; readonly since: number } | undefined;
let endsWithTurn = false;

/**
 * Counts the time of the event loop from now on for an account, by default that of the current request: until it is
 * called again, or the turn of the event loop ends. Call it where work for a request begins or continues.
 */
export function countWork(account: WorkAccount | undefined = currentRequest()?.account): void {
  const now = performance.now();
  if (activeAccount) addWork(activeAccount.account, now - activeAccount.since, now);
  activeAccount = account && { account, since: now };
  if (!activeAccount || endsWithTurn) return;
  endsWithTurn = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  endsWithTurn = false;
  if (activeAccount) addWork(activeAccount.account, performance.now() - activeAccount.since);
  activeAccount = undefined;
}
