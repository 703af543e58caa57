import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Transaction } from '../database/database';
import { tableId } from './parts';
import type { Step } from './step';

/** Others are at work in the tables and do not let go of them; nothing was changed. */
export class TablesBusy extends Error {
  constructor() {
    super('The tables are in use at the moment. Nothing was changed; please try again in a minute.');
  }
}

/**
 * Milliseconds to wait for a table: less than PostgreSQL takes to look for a deadlock, so that it is never somebody
 * else's transaction that is ended, and so short that those who queue behind hardly notice.
 */
const PATIENCE = 300;
const TRIES = 40;
/** Not to be had in time, and two in each other's way. */
const busy = new Set(['55P03', '40P01']);

/** From the weakest to the strongest. An index only keeps others from writing, a step that changes a shape from reading. */
const modes = ['share', 'share row exclusive', 'access exclusive'] as const;
type Mode = (typeof modes)[number];

/**
 * Takes every lock that the steps will need, in one order and at once, and lets all of them go to try again where one
 * is not to be had: whoever changes tables gives way to those who use them. Throws TablesBusy after the last try.
 */
export async function lockTables(trx: Transaction, steps: readonly Step[]): Promise<void> {
  const wanted = new Map<string, Mode>();
  for (const step of steps) {
    const mode = modeOf(step);
    for (const table of step.locks) {
      const known = wanted.get(table);
      if (!known || modes.indexOf(known) < modes.indexOf(mode)) wanted.set(table, mode);
    }
  }
  if (wanted.size === 0) return;
  const locks = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1));
  for (let attempt = 1; !(await taken(trx, locks)); attempt++) {
    if (attempt === TRIES) throw new TablesBusy();
    await pause(20 + Math.random() * 180);
  }
}

function modeOf({ kind }: Step): Mode {
  if (kind === 'createIndex') return 'share';
  return kind === 'addForeignKey' ? 'share row exclusive' : 'access exclusive';
}

async function taken(trx: Transaction, locks: readonly (readonly [string, Mode])[]): Promise<boolean> {
  await sql`savepoint locks`.execute(trx);
  try {
    await sql`set local lock_timeout = ${sql.lit(PATIENCE)}`.execute(trx);
    for (const [table, mode] of locks) await sql.raw(`lock table ${tableId(table)} in ${mode} mode`).execute(trx);
    await sql`set local lock_timeout = 0`.execute(trx);
    await sql`release savepoint locks`.execute(trx);
    return true;
  } catch (error) {
    if (!busy.has(String((error as { code?: string }).code))) throw error;
    await sql`rollback to savepoint locks`.execute(trx);
    return false;
  }
}
