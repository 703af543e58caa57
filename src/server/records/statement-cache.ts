import type { RawBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database';
import type { Statement } from '../database/statements';

/** A placeholder in a statement, whose value is bound at each run. */
export class Placeholder {
  constructor(readonly name: string) {}
}

const MAX_STATEMENTS = 2_000;
const statementCaches = new WeakMap<Database, LRUCache<string, Statement>>();

/**
 * A compiled statement, built once per key: the key must identify everything that the statement depends on. Building
 * and compiling costs more than a small query itself.
 */
export function cachedStatement(
  database: Database,
  key: string,
  build: () => RawBuilder<unknown>,
  finish: (statement: Statement) => Statement = (statement) => statement,
): Statement {
  let statements = statementCaches.get(database.root);
  if (!statements) statementCaches.set(database.root, (statements = new LRUCache({ max: MAX_STATEMENTS })));
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
export function cachedGenericStatement(database: Database, key: string, build: () => RawBuilder<unknown>): Statement {
  return cachedStatement(database, key, build, ({ sql, parameters }) => ({
    sql: sql.replace(
      /\$(\d+)(::(?:integer|text|date|timestamptz|boolean|double precision)(?:\[\])?)/g,
      (whole, number, type) =>
        parameters[Number(number) - 1] instanceof Placeholder ? whole : `(select ${whole})${type}`,
    ),
    parameters,
  }));
}

/** Binds values to the placeholders of a statement; others stay unbound. */
export function bind({ sql, parameters }: Statement, values: Readonly<Record<string, unknown>>): Statement {
  return {
    sql,
    parameters: parameters.map((one) =>
      one instanceof Placeholder && Object.hasOwn(values, one.name) ? values[one.name] : one,
    ),
  };
}
