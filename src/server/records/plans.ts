import type { RawBuilder } from 'kysely';
import type { Database } from '../database/database';
import type { Statement } from '../database/statements';

/** A place in a statement whose value each run brings along. */
export class Slot {
  constructor(readonly name: string) {}
}

const CAPACITY = 2_000;
const caches = new WeakMap<Database, Map<string, Statement>>();

/**
 * A compiled statement, built once for each key: the key names everything that the statement is made of. Building and
 * compiling costs more than a small query itself.
 */
export function planned(database: Database, key: string, build: () => RawBuilder<unknown>): Statement {
  let plans = caches.get(database.root);
  if (!plans) caches.set(database.root, (plans = new Map()));
  let plan = plans.get(key);
  if (plan) {
    plans.delete(key);
  } else {
    if (plans.size >= CAPACITY) plans.delete(plans.keys().next().value!);
    const { sql, parameters } = build().compile(database.kysely);
    plan = { sql, parameters };
  }
  plans.set(key, plan);
  return plan;
}

/** The statement with those of its slots filled that values are given for. */
export function filled({ sql, parameters }: Statement, values: Readonly<Record<string, unknown>>): Statement {
  return {
    sql,
    parameters: parameters.map((one) =>
      one instanceof Slot && Object.hasOwn(values, one.name) ? values[one.name] : one,
    ),
  };
}
