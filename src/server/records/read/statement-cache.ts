import { Level } from '../../../engine/definitions/level';
import { createHash } from 'node:crypto';
import type { RawBuilder } from 'kysely';
import type { LRUCache } from 'lru-cache';
import type { Database, Queries } from '../../database/database';
import type { Statement } from '../../database/statements';
import type { Actor } from '../../../engine/access/actor';
import type { Predicate } from '../../../engine/conditions/grammar';
import type { Definition } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { createByteCache } from '../../limits/byte-cache';
import type { RequestContext } from '../../access/request-context';
import { ruleKey } from '../../../engine/access/audience';
import { expandComputed } from '../../sql/predicate-to-sql';
import { shapeOf, StatementParameter } from '../../sql/statement-parameter';
import type { Order } from './query/order';
import type { SelectionShape } from './selection';

/** A placeholder in a statement, whose value is bound at each run. */
export class Placeholder {
  constructor(readonly name: string) {}

  /** The driver would send an object as JSON. */
  toPostgres(): never {
    throw new Error(`Nothing was bound to ${this.name}.`);
  }
}

/** Stands for a parameter of predicates, which `cachedStatement` binds. */
class ParameterPlaceholder extends Placeholder {}

interface CachedStatement extends Statement {
  /** The places of parameters of predicates. */
  readonly places: readonly number[];
}

const MAX_STATEMENT_BYTES = 24_000_000;
const statementCaches = new WeakMap<Database, LRUCache<string, CachedStatement>>();

/** The values of parameters that are about a record (`$form.project_id`), by name; undefined for others. */
export type RecordParameters = (name: string) => unknown;

const noRecord: RecordParameters = () => undefined;

/**
 * A compiled statement, built once per key: the key must identify everything that the text of the statement depends on,
 * such as shapes of predicates (`conditionKey`), but no values of their parameters. They are those of this request in the
 * statement that is returned. Building and compiling costs more than a small query itself.
 */
export function cachedStatement(
  context: RequestContext,
  key: string,
  build: () => RawBuilder<unknown>,
  recordParameters: RecordParameters = noRecord,
): Statement {
  return findStatement(context, key, build, recordParameters, (statement) => statement);
}

/**
 * As `cachedStatement`, for statements that find rows by id, so that one plan fits all values. PostgreSQL would plan
 * them again each time, which takes several times as long as running them, because it expects a plan for known values
 * to be cheaper. So the values are hidden from the planner.
 */
export function cachedGenericStatement(
  context: RequestContext,
  key: string,
  build: () => RawBuilder<unknown>,
  recordParameters: RecordParameters = noRecord,
): Statement {
  return findStatement(context, key, build, recordParameters, hideValues);
}

function hideValues({ sql, parameters }: Statement): Statement {
  const isShown = (value: unknown) => value instanceof Placeholder && !(value instanceof ParameterPlaceholder);
  return {
    sql: sql.replace(
      /\$(\d+)(::(?:integer|bigint|text|date|timestamptz|boolean|double precision|numeric)(?:\[\])?)/g,
      (match, number, type) => (isShown(parameters[Number(number) - 1]) ? match : `(select ${match})${type}`),
    ),
    parameters,
  };
}

function findStatement(
  context: RequestContext,
  key: string,
  build: () => RawBuilder<unknown>,
  recordParameters: RecordParameters,
  finish: (statement: Statement) => Statement,
): Statement {
  const { database } = context.program;
  let statements = statementCaches.get(database.root);
  if (!statements) statementCaches.set(database.root, (statements = createByteCache(MAX_STATEMENT_BYTES)));
  let entry = statements.get(key);
  if (!entry) {
    const { sql, parameters } = build().compile(database.kysely);
    const slots = parameters.map((value) => toSlot(value, context, recordParameters));
    const parameterIndexes = [...slots.keys()].filter((index) => slots[index] instanceof ParameterPlaceholder);
    statements.set(key, (entry = { ...finish({ sql, parameters: slots }), places: parameterIndexes }));
  }
  return bindParameters(entry, context, recordParameters);
}

/** A slot for a parameter of a predicate. Throws if the statement would get another value than it is built with. */
function toSlot(value: unknown, context: RequestContext, recordParameters: RecordParameters): unknown {
  if (Array.isArray(value) && value.some((item) => item instanceof StatementParameter))
    throw new Error('A list with parameters must be written as one expression for each of them.');
  if (!(value instanceof StatementParameter)) return value;
  if (value.value !== parameterValue(value.name, context, recordParameters))
    throw new Error(`${value.name} has another value in the predicate than in the request.`);
  return new ParameterPlaceholder(value.name);
}

function parameterValue(name: string, context: RequestContext, recordParameters: RecordParameters): unknown {
  return recordParameters(name) ?? context.parameterValue(name);
}

function bindParameters(
  { sql, parameters, places: parameterIndexes }: CachedStatement,
  context: RequestContext,
  recordParameters: RecordParameters,
): Statement {
  if (parameterIndexes.length === 0) return { sql, parameters };
  const bound = [...parameters];
  const instants: number[] = [];
  for (const index of parameterIndexes) {
    const { name } = parameters[index] as ParameterPlaceholder;
    bound[index] = parameterValue(name, context, recordParameters);
    if (name.includes('$now')) instants.push(index);
  }
  return { sql, parameters: bound, ...(instants.length > 0 && { instants }) };
}

/** Binds values to the placeholders of a statement; others stay unbound. */
export function bind(statement: Statement, values: Readonly<Record<string, unknown>>): Statement {
  return {
    ...statement,
    parameters: statement.parameters.map((parameter) =>
      parameter instanceof Placeholder && Object.hasOwn(values, parameter.name) ? values[parameter.name] : parameter,
    ),
  };
}

const fixedStatements = createByteCache<Statement>(8_000_000);
const owners = new WeakMap<object, number>();
let lastOwner = 0;

/**
 * A statement whose text follows from a definition alone (or from another owner, such as the product), compiled once for
 * it. `name` says which of its statements it is, with all that the text depends on besides; values are placeholders.
 *
 * @example bind(fixedStatement(deals, 'lock', trx, () => sql`… where id = ${new Placeholder('id')}`), { id: 7 });
 */
export function fixedStatement(
  owner: object,
  name: string,
  queries: Queries,
  build: () => RawBuilder<unknown>,
): Statement {
  let number = owners.get(owner);
  if (number === undefined) owners.set(owner, (number = ++lastOwner));
  const key = `${number} ${name}`;
  let statement = fixedStatements.get(key);
  if (!statement) {
    const { sql, parameters } = build().compile(queries);
    fixedStatements.set(key, (statement = { sql, parameters }));
  }
  return statement;
}

interface Audience {
  readonly registry: Registry;
  readonly key: string;
}

const audiences = new WeakMap<Actor, Audience>();

/**
 * Identifies the callers for whom statements with the same subject have the same text: those of one role, with the same
 * grants. Their values differ, so these are parameters. A caller is the same object in all requests as long as nothing
 * about them changes.
 */
export function audienceKey({ actor, registry }: RequestContext): string {
  let audience = audiences.get(actor);
  if (audience?.registry !== registry) {
    const persons = actor.viewer ? [actor, actor.viewer] : [actor];
    const facts = persons.map(({ role, permissions, level, ...ids }) => [
      level,
      role,
      level === Level.Installation ? null : permissions,
      [ids.id, ids.role_id, ids.site_id].map((id) => typeof id === 'number'),
    ]);
    const text = JSON.stringify([ruleKey(actor, registry), facts]);
    audience = { registry, key: `${registry.version}|${createHash('sha1').update(text).digest('base64url')}` };
    audiences.set(actor, audience);
  }
  return audience.key;
}

/** Identifies everything that the text of a selection depends on: two callers with the same key get the same columns. */
export function selectionKey(context: RequestContext, definition: Definition, kind: SelectionShape): string {
  return `${audienceKey(context)}|${definition.name}|${kind}`;
}

const conditionKeys = new WeakMap<Predicate, Map<string, string>>();

/**
 * Identifies everything that the text of a condition on a definition's rows depends on: its shape, with that of computed
 * fields. Written once per predicate and audience; filters that every request of a caller has are the same predicates.
 */
export function conditionKey(context: RequestContext, definition: Definition, predicate: Predicate): string {
  return `${context.registry.version}|${definition.name}|${partKey(context, definition, predicate)}`;
}

function partKey(context: RequestContext, definition: Definition, predicate: Predicate): string {
  if (predicate.kind === 'all') return predicate.of.map((part) => partKey(context, definition, part)).join('&');
  const scopeKey = `${audienceKey(context)}|${definition.name}`;
  let keys = conditionKeys.get(predicate);
  if (!keys) conditionKeys.set(predicate, (keys = new Map()));
  let key = keys.get(scopeKey);
  if (key === undefined) {
    const { registry, evaluationContext } = context;
    key = shapeOf(expandComputed(predicate, definition, registry, evaluationContext));
    keys.set(scopeKey, key);
  }
  return key;
}

/** Identifies the values that a list is sorted by: those of a computed field depend on the caller. */
export function orderKey(
  context: RequestContext,
  definition: Definition,
  { field, part, descending, place }: Order,
): string {
  const value: Predicate = { kind: 'compare', left: field.name, operator: '$eq', right: true };
  const computedKey = field.computed === undefined ? '' : conditionKey(context, definition, value);
  return `${field.name}${part ? `.${part.name}` : ''}${descending ? '-' : '+'}${place ? ' placed' : ''}${computedKey}`;
}
