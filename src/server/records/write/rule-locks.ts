import { Level } from '../../../engine/definitions/level';
import { sql } from 'kysely';
import type { Definition } from '../../../engine/definitions/definition';
import { ruleGroupOf } from '../../../engine/registry/rule-groups';
import type { RequestContext } from '../../access/request-context';
import type { Transaction } from '../../database/database';
import { getOrThrow } from '../../../engine/values/lookups';

/** The keys of the locks that each transaction holds. */
const lockKeys = new WeakMap<Transaction, Set<string>>();

/**
 * Whether rules of a resource read what other writes change, so that its records are written one after the other.
 *
 * @example isInRuleGroup(context, leaveRequests); // true, if a request is compared with the sum of all requests
 */
export function isInRuleGroup({ registry }: RequestContext, { name }: Definition): boolean {
  return ruleGroupOf(registry, name) !== undefined;
}

/**
 * Has other writes of the company wait until the transaction ends whose rules read what this one changes, or the other way
 * round. Call it before rows are locked or values are read that rules compare; for several resources once, so that all
 * wait in one order. Without such rules no statement is sent. Throws PostgreSQL's error 55P03 after the time for locks.
 *
 * @example await lockRules(context, [leaveRequests], trx);
 */
export async function lockRules(
  context: RequestContext,
  definitions: readonly Definition[],
  trx: Transaction,
): Promise<void> {
  const { registry, actor } = context;
  const groups = new Map(
    definitions.flatMap(({ name }) => {
      const group = ruleGroupOf(registry, name);
      return group ? [[group.name, group] as const] : [];
    }),
  );
  if (groups.size === 0) return;
  let keys = lockKeys.get(trx);
  if (!keys) lockKeys.set(trx, (keys = new Set()));
  for (const name of [...groups.keys()].sort()) {
    // Writes for one company leave the others alone, but not those for any of them.
    const company =
      actor.level === Level.Installation || getOrThrow(groups, name).isAcrossCompanies ? null : actor.site_id;
    const groupKey = `rules of ${name}`;
    const companyKey = `${groupKey} in ${company}`;
    if (keys.has(companyKey)) continue;
    if (company === null) await sql`select pg_advisory_xact_lock(hashtextextended(${groupKey}, 0))`.execute(trx);
    else
      await sql`select pg_advisory_xact_lock_shared(hashtextextended(${groupKey}, 0)),
        pg_advisory_xact_lock(hashtextextended(${companyKey}, 0))`.execute(trx);
    keys.add(companyKey);
  }
}

/** Forgets which locks a transaction holds, since a part of it was undone, and with it the locks that were taken in it. */
export function forgetRuleLocks(trx: Transaction): void {
  lockKeys.delete(trx);
}
