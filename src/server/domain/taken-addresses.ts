import { sql } from 'kysely';
import type { Database } from '../database/database';
import type { HookContext, Program } from '../program';
import { mustBeWithin, takeAttempt, takenAddressLimits } from '../session/attempts';

/** Answers that are not counted in the database yet, by company. */
interface Uncounted {
  readonly of: Map<number, number>;
  counting: Promise<unknown>;
}
const uncounted = new WeakMap<Database, Uncounted>();

/**
 * Refuses an address that somebody outside the company has, in the words for one that a colleague has. An address is
 * unique in the installation, so this cannot be kept from whoever asks; it is told as often as a company may invite.
 */
export async function refuseTakenElsewhere(context: HookContext, email: string, site: number | null): Promise<void> {
  const { program, trx, actor, definition, fail } = context;
  if (actor.level === 1 || site === null) return;
  const { rows } = await sql`select 1 from users
    where lower(email) = ${email.toLowerCase()} and deleted_at is null and site_id is distinct from ${site}`.execute(
    trx,
  );
  if (rows.length === 0) return;
  const waiting = waitingOf(program.database);
  await mustBeWithin(trx, takenAddressLimits(site), waiting.of.get(site) ?? 0);
  count(program, waiting, site);
  fail('email', `${definition.fields.email!.label} is taken already.`);
}

/** Counts an answer. It is given within a transaction that is to be undone, so this is done beside it, one by one. */
function count({ database: { root }, log }: Program, waiting: Uncounted, site: number): void {
  const add = (change: number) => waiting.of.set(site, (waiting.of.get(site) ?? 0) + change);
  add(1);
  waiting.counting = waiting.counting
    .then(() => takeAttempt(root, takenAddressLimits(site)))
    .catch((error: Error) => log.info(`A taken address was not counted: ${error.message}`))
    .finally(() => add(-1));
}

function waitingOf({ root }: Database): Uncounted {
  let waiting = uncounted.get(root);
  if (!waiting) uncounted.set(root, (waiting = { of: new Map(), counting: Promise.resolve() }));
  return waiting;
}
