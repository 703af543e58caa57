import type { RawBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database';
import type { Statement } from '../database/statements';
import type { Actor } from '../../engine/access/actor';
import type { Predicate } from '../../engine/conditions/grammar';
import { refersToTime } from '../../engine/conditions/relative-time';
import { variablesIn } from '../../engine/conditions/variables-in';
import { rollupOf } from '../../engine/expressions/derivations';
import type { Condition, Definition, Field } from '../../engine/definitions/definition';
import { computedKind } from '../../engine/expressions/computed-kind';
import { expressionOf, partsOf } from '../../engine/expressions/grammar';
import { isInverse } from '../../engine/field-types/inverse';
import type { Registry } from '../../engine/definitions/registry';
import type { RequestContext } from '../access/request-context';
import { ruleKey } from '../../engine/access/audience';
import { expandComputed, resolveField } from '../sql/predicate-to-sql';
import type { Order } from './query/order';
import { inverseFilter, type SelectionShape, shareableFilter, throughFilters } from './selection';

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
      /\$(\d+)(::(?:integer|text|date|timestamptz|boolean|double precision|numeric)(?:\[\])?)/g,
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

/** What the columns of a response depend on besides the definition and the caller's level. */
interface Dependencies {
  readonly today: boolean;
  readonly now: boolean;
  readonly actor: boolean;
  /** Whether an expression takes the day of an instant. */
  readonly timeZone: boolean;
  /** Whether any of them, or a rule on embedded records, uses `$now`: then no two requests are alike. */
  readonly isTimeDependent: boolean;
}

const dependencyCache = new WeakMap<Registry, Map<string, Dependencies>>();

interface ActorCache {
  readonly registry: Registry;
  readonly values: Map<string, unknown>;
}

const actorCaches = new WeakMap<Actor, ActorCache>();

/**
 * Caches a value per caller, definition and name: for the caller's current day and the active definitions, and not at
 * all if a rule uses `$now`. A caller is the same object in all requests as long as nothing about them changes,
 * including grants.
 */
export function cachedPerCaller<T>(context: RequestContext, definition: Definition, name: string, compute: () => T): T {
  const { registry, actor, today } = context;
  let cache = actorCaches.get(actor);
  if (cache?.registry !== registry) actorCaches.set(actor, (cache = { registry, values: new Map() }));
  const dependencies = dependenciesOf(registry, definition);
  const key = `${name}|${today}|${dependencies.timeZone ? context.timeZone : ''}|${definition.name}`;
  const known = cache.values.get(key) as T | undefined;
  if (known !== undefined) return known;
  const found = compute();
  if (!dependencies.isTimeDependent) cache.values.set(key, found);
  return found;
}

/** Identifies everything that a selection depends on: two callers with the same key get the same columns. */
export function selectionKey(context: RequestContext, definition: Definition, kind: SelectionShape): string {
  return cachedPerCaller(context, definition, `columns-${kind}`, () => computeSelectionKey(context, definition, kind));
}

function computeSelectionKey(context: RequestContext, definition: Definition, kind: SelectionShape): string {
  const { registry, actor } = context;
  const dependencies = dependenciesOf(registry, definition);
  const inverses = Object.values(definition.fields)
    .filter(isInverse)
    .filter((field) => kind !== 'list' || field.inLists !== 'nothing')
    .map((field) => {
      const where = inverseFilter(context, field);
      const through = throughFilters(context, field);
      if (where && through) {
        const own = registry.getOrThrow(field.inverse.resource);
        const between = registry.getOrThrow(own.fields[field.also!.relation]!.to!);
        return `${conditionKey(context, own, where)}|${conditionKey(context, between, through.between)}`;
      }
      return where ? conditionKey(context, registry.getOrThrow(field.inverse.resource), where) : null;
    });
  const links = shareableFilter(context, definition);
  return `${registry.version}|${definition.name}|${kind}|${ruleKey(actor, registry)}|${contextKey(context, dependencies)}|${inverses.length > 0 ? JSON.stringify(inverses) : ''}|${links ? conditionKey(context, definition, links) : ''}|${derivedKey(context, definition)}`;
}

/**
 * Identifies everything that a condition on a definition's rows depends on, including the variables of computed fields.
 */
export function conditionKey(context: RequestContext, definition: Definition, where: Predicate): string {
  const { registry, evaluationContext } = context;
  return `${registry.version}|${definition.name}|${JSON.stringify(expandComputed(where, definition, registry, evaluationContext))}`;
}

/** Expressions of the definition and of what it may embed, with all that they depend on. */
function derivedKey({ registry, evaluationContext }: RequestContext, definition: Definition): string {
  const resolved = [...relatedDefinitions(registry, definition)].flatMap((one) =>
    Object.values(one.fields)
      .filter(isDerived)
      .map((field) => [one.name, field.name, resolveField(one, field, registry, evaluationContext)]),
  );
  return resolved.length === 0 ? '' : JSON.stringify(resolved);
}

/** Identifies the values that a list is sorted by: those of a computed field depend on the caller. */
export function orderKey(context: RequestContext, definition: Definition, { field, descending }: Order): string {
  const value: Predicate = { kind: 'compare', left: field.name, operator: '$eq', right: true };
  const computed = field.computed === undefined ? '' : conditionKey(context, definition, value);
  return `${field.name}${descending ? '-' : '+'}${computed}`;
}

/** Whether a field's value is made by an expression or from other records. */
function isDerived(field: Field): boolean {
  const kind = computedKind(field);
  return kind !== undefined && kind !== 'condition' && kind !== 'template';
}

function contextKey({ actor, today, now }: RequestContext, dependencies: Dependencies): string {
  return `${dependencies.today ? today : ''}|${dependencies.now ? now : ''}|${dependencies.actor ? JSON.stringify([actor.id, actor.role, actor.role_id, actor.site_id]) : ''}`;
}

/** Computed conditions, of the definition and of embedded ones, may use the day, the time or the caller. */
function dependenciesOf(registry: Registry, definition: Definition): Dependencies {
  let ofRegistry = dependencyCache.get(registry);
  if (!ofRegistry) dependencyCache.set(registry, (ofRegistry = new Map()));
  let found = ofRegistry.get(definition.name);
  if (!found) {
    const all = [...relatedDefinitions(registry, definition)];
    const fields = all.flatMap((one) => Object.values(one.fields));
    const expressions = fields.flatMap((field) =>
      computedKind(field) === 'expression' ? [...partsOf(expressionOf(field.computed as object))] : [],
    );
    const computed = variablesUsed([
      ...fields.flatMap((field) => (computedKind(field) === 'condition' ? [field.computed as Condition] : [])),
      ...fields.flatMap((field) => (computedKind(field) === 'rollup' ? [rollupOf(field).where ?? {}] : [])),
      ...expressions.flatMap((part) =>
        part.kind === 'if' && part.when.kind === 'condition' ? [part.when.condition] : [],
      ),
    ]);
    const ruled = variablesUsed(all.flatMap(({ rules }) => rules.map(({ where }) => where ?? {})));
    const { today, now, actor } = computed;
    const timeZone = expressions.some((part) => part.kind === 'call' && part.operator === '$dayOf');
    ofRegistry.set(definition.name, (found = { today, now, actor, timeZone, isTimeDependent: now || ruled.now }));
  }
  return found;
}

function variablesUsed(conditions: readonly Condition[]) {
  const variables = conditions.flatMap((condition) => [...variablesIn(condition)]);
  return {
    today: variables.some((variable) => refersToTime(variable, 'today')),
    now: variables.some((variable) => refersToTime(variable, 'now')),
    actor: variables.some((variable) => variable.startsWith('$actor.')),
  };
}

/** The definition and all that it is related to, in either direction: embeds are nested, and rules follow relations. */
function relatedDefinitions(
  registry: Registry,
  definition: Definition,
  found = new Set<Definition>(),
): ReadonlySet<Definition> {
  if (found.has(definition)) return found;
  found.add(definition);
  for (const field of Object.values(definition.fields)) {
    const name =
      field.to ?? field.inverse?.resource ?? (computedKind(field) === 'rollup' ? rollupOf(field).resource : undefined);
    if (name) relatedDefinitions(registry, registry.getOrThrow(name), found);
  }
  return found;
}
