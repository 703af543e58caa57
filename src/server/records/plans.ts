import type { RawBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database';
import type { Statement } from '../database/statements';

/** A place in a statement whose value each run brings along. */
export class Slot {
  constructor(readonly name: string) {}
}

const CAPACITY = 2_000;
const caches = new WeakMap<Database, LRUCache<string, Statement>>();

/**
 * A compiled statement, built once for each key: the key names everything that the statement is made of. Building and
 * compiling costs more than a small query itself.
 */
export function planned(
  database: Database,
  key: string,
  build: () => RawBuilder<unknown>,
  finish: (statement: Statement) => Statement = (statement) => statement,
): Statement {
  let plans = caches.get(database.root);
  if (!plans) caches.set(database.root, (plans = new LRUCache({ max: CAPACITY })));
  let plan = plans.get(key);
  if (!plan) {
    const { sql, parameters } = build().compile(database.kysely);
    plans.set(key, (plan = finish({ sql, parameters })));
  }
  return plan;
}

/**
 * As `planned`, for statements that find their rows by id, so that one plan is good for whatever they compare with.
 * PostgreSQL would plan them again each time, which takes several times as long as running them: it estimates a plan for
 * known values to be cheaper. The values are hidden from it.
 */
export function plannedOnce(database: Database, key: string, build: () => RawBuilder<unknown>): Statement {
  return planned(database, key, build, ({ sql, parameters }) => ({
    sql: sql.replace(
      /\$(\d+)(::(?:integer|text|date|timestamptz|boolean|double precision)(?:\[\])?)/g,
      (whole, number, type) => (parameters[Number(number) - 1] instanceof Slot ? whole : `(select ${whole})${type}`),
    ),
    parameters,
  }));
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
