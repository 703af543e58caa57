import type { RawBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database';
import type { Statement } from '../database/statements';

/** A placeholder in a statement, whose value is bound at each run. */
export class Slot {
  constructor(readonly name: string) {}
}

const CAPACITY = 2_000;
const caches = new WeakMap<Database, LRUCache<string, Statement>>();

/**
 * A compiled statement, built once per key: the key must identify everything that the statement depends on. Building
 * and compiling costs more than a small query itself.
 */
export function planned(
  database: Database,
  key: string,
  build: () => RawBuilder<unknown>,
  finish: (statement: Statement) => Statement = (statement) => statement,
): Statement {
  let statements = caches.get(database.root);
  if (!statements) caches.set(database.root, (statements = new LRUCache({ max: CAPACITY })));
  let cached = statements.get(key);
  if (!cached) {
    const { sql, parameters } = build().compile(database.kysely);
    statements.set(key, (cached = finish({ sql, parameters })));
  }
  return cached;
}

/**
 * As `cachedStatement`, for statements that find rows by id, so that one plan fits all values. PostgreSQL would plan
 * them again each time, which takes several times as long as running them, because it expects a plan for known values
 * to be cheaper. So the values are hidden from the planner.
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

/** Binds values to the placeholders of a statement; others stay unbound. */
export function filled({ sql, parameters }: Statement, values: Readonly<Record<string, unknown>>): Statement {
  return {
    sql,
    parameters: parameters.map((one) =>
      one instanceof Slot && Object.hasOwn(values, one.name) ? values[one.name] : one,
    ),
  };
}
