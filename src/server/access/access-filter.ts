import { Level } from '../../engine/definitions/level';
import { decideAccess, isGranted, rulesFor } from '../../engine/access/access-decision';
import { ruleKey, type RoleHolder } from '../../engine/access/audience';
import { predicateOf } from '../../engine/conditions/match-condition';
import type { Predicate } from '../../engine/conditions/grammar';
import { dependsOnReader, testedFields } from '../../engine/expressions/sources';
import { truePredicate, falsePredicate } from '../../engine/conditions/variables';
import type { Action, Condition, Definition, ResourceRecord, Field, Rule } from '../../engine/definitions/definition';
import { ruledName } from '../../engine/expressions/derivations';
import type { Registry } from '../../engine/registry/registry';
import { Forbidden } from '../errors/errors';
import type { Actor } from '../../engine/access/actor';
import { isRelation } from '../../engine/field-types/relation';
import type { StatementContext } from '../sql/computed-sql';
import { expandComputed } from '../sql/predicate-to-sql';
import {
  actorParameter,
  hasTime,
  resolveCondition,
  type VariableContext,
  viewerPrefix,
} from '../sql/statement-parameter';
import { firstOf } from '../../engine/values/lookups';

/** The facts that access depends on: the caller, the day, and the definitions. */
export interface AccessContext {
  readonly actor: Actor;
  readonly registry: Registry;
  readonly evaluationContext: VariableContext;
  /** When viewing as another user: the same with the viewer's own permissions. */
  readonly viewer?: AccessContext;
}

/** Which records to include: only active ones, only archived ones, or both. */
export type ArchiveScope = 'none' | 'only' | 'any';

/**
 * The only way to a resource's table: the rows on which a caller may perform an action. Combines grant, company, row
 * rules, deletion and archive into one predicate with its variables resolved. Throws Forbidden if the grant is missing.
 *
 * @example const mine = accessFilter(context, context.registry.getOrThrow('tasks'), 'list');
 */
export function accessFilter(
  context: AccessContext,
  definition: Definition,
  action: Action,
  { archived = 'none' }: { archived?: ArchiveScope } = {},
): Predicate {
  assertGranted(context, definition, action);
  const rows = action === 'list' ? 'list' : 'view';
  return cachedFilter(context, `${definition.name} ${rows} ${archived}`, () =>
    allOf([visibleRowsFilter(context, definition, rows), archiveFilter(context.registry, definition, archived)]),
  );
}

interface FilterCache {
  readonly registry: Registry;
  readonly filters: Map<string, Predicate>;
}

const filterCaches = new WeakMap<Actor, FilterCache>();

/**
 * A filter that only depends on the caller and the definitions, made once for both. A caller is the same object in all
 * requests as long as nothing about them changes. One with the time is made for each request.
 */
export function cachedFilter({ actor, registry }: AccessContext, name: string, make: () => Predicate): Predicate {
  let cache = filterCaches.get(actor);
  if (cache?.registry !== registry) filterCaches.set(actor, (cache = { registry, filters: new Map() }));
  let filter = cache.filters.get(name);
  if (!filter) {
    filter = make();
    if (!hasTime(filter)) cache.filters.set(name, filter);
  }
  return filter;
}

/**
 * As `accessFilter`, but returns undefined instead of throwing if the grant is missing.
 *
 * @example accessFilterIfGranted(context, context.registry.getOrThrow('tasks'), 'list');
 */
export function accessFilterIfGranted(
  context: AccessContext,
  definition: Definition,
  action: Action,
  options?: { archived?: ArchiveScope },
): Predicate | undefined {
  return decideAccess(context.actor, definition, action).allowed
    ? accessFilter(context, definition, action, options)
    : undefined;
}

/** The rows that a derived value is computed from: the active ones that a caller may list, or all that they may view, if granted. */
export function visibleRowsIfGranted(
  context: AccessContext,
  definition: Definition,
  action: 'list' | 'view',
): Predicate | undefined {
  return accessFilterIfGranted(context, definition, action, { archived: action === 'list' ? 'none' : 'any' });
}

/**
 * Throws Forbidden, with a message for the user, if the action is not granted or never available to the actor.
 *
 * @example assertGranted(context, context.registry.getOrThrow('deals'), 'edit');
 */
export function assertGranted({ actor }: AccessContext, definition: Definition, action: Action): void {
  const decision = decideAccess(actor, definition, action);
  if (!decision.allowed) throw new Forbidden(scopeRefusal(actor, definition, action) ?? decision.reason);
  if (
    definition.scope === 'self' &&
    (action === 'create' || action === 'delete') &&
    actor.level !== Level.Installation
  ) {
    throw new Forbidden(
      `You don't have permission to ${action} ${definition.labels.many}: only the installation's administrator does.`,
    );
  }
}

/** Why an action that its role grants is refused to a service account: its scopes; undefined if they are not the reason. */
export function scopeRefusal(actor: Actor, definition: Definition, action: Action): string | undefined {
  if (!actor.beyondScopes?.[definition.name]?.includes(action) || isGranted(actor, definition.name, action)) return;
  return `The scopes of this service account don't include to ${action} ${definition.labels.many}.`;
}

/**
 * The rows that exist for a caller: in their company, not deleted, and within the row rules. Any other row is "not
 * found", whatever grants the caller has.
 */
export function visibleRowsFilter(
  context: AccessContext,
  definition: Definition,
  action: 'list' | 'view' = 'view',
): Predicate {
  return allOf([
    companyScope(context.actor, definition),
    notDeletedFilter(definition),
    rowRuleFilter(context, definition, action),
  ]);
}

/** The rows of the caller's company, whatever row rules say: only for whether there are any. */
export function companyRowsFilter(context: AccessContext, definition: Definition): Predicate {
  return allOf([companyScope(context.actor, definition), notDeletedFilter(definition)]);
}

/**
 * The row rules of an action for the caller's role, ignoring grants. When viewing as another user, the rules of both
 * apply.
 */
export function rowRuleFilter(context: AccessContext, definition: Definition, action: Action): Predicate {
  const ownFilter = ownRuleFilter(context, definition, action);
  return context.viewer ? allOf([ownFilter, rowRuleFilter(context.viewer, definition, action)]) : ownFilter;
}

function ownRuleFilter(context: AccessContext, definition: Definition, action: Action): Predicate {
  const rules = rulesFor(context.actor, definition, action);
  if (rules.length === 0 || rules.some((rule) => !rule.where)) return truePredicate;
  return { kind: 'any', of: rules.map((rule) => ruleCondition(context, definition, rule)) };
}

/**
 * The condition of a rule, resolved. Values of other records that it compares are computed from all of them, not from those that
 * the caller may see: otherwise what somebody sees would depend on what they see.
 *
 * @example predicateToSql(ruleCondition(context, deals, rule), deals, 't', registry, evaluationContext);
 */
export function ruleCondition(context: AccessContext, definition: Definition, { where: condition }: Rule): Predicate {
  if (!condition) return truePredicate;
  const resolvedCondition = resolveCondition(condition, context.evaluationContext);
  return readsForReader(context, definition, condition)
    ? expandForDecision(context, definition, resolvedCondition)
    : resolvedCondition;
}

/** Whether a condition compares what is computed from the records that the reader may see. */
export function readsForReader({ registry }: AccessContext, definition: Definition, condition: Condition): boolean {
  const { definitions } = registry;
  return testedFields(predicateOf(condition), definition, definitions).some((testedField) =>
    dependsOnReader(testedField, definitions),
  );
}

/**
 * A resolved predicate whose computed fields are computed for a decision, which is the same whoever asks: from all records
 * that are not deleted, and those that point to a record also not archived.
 */
export function expandForDecision(context: AccessContext, definition: Definition, predicate: Predicate): Predicate {
  return expandComputed(predicate, definition, context.registry, decisionContext(context));
}

/** The context in which values are computed for a decision. */
export function decisionContext({ registry, evaluationContext }: AccessContext): StatementContext {
  return {
    ...evaluationContext,
    readableFields: ({ fields }) => new Set(Object.keys(fields)),
    visibleRows: (target, action) =>
      allOf([notDeletedFilter(target), archiveFilter(registry, target, action === 'list' ? 'none' : 'any')]),
  };
}

/** Excludes records that were deleted but are kept for their name. */
export function notDeletedFilter(definition: Definition): Predicate {
  return definition.delete.keep ? isNull('deleted_at') : truePredicate;
}

/**
 * Active records (or archived ones), excluding those whose parent is archived.
 *
 * @example archiveFilter(registry, projects); // also without those whose client is archived
 */
export function archiveFilter(registry: Registry, definition: Definition, archived: ArchiveScope = 'none'): Predicate {
  if (archived === 'any') return truePredicate;
  if (archived === 'only') return definition.archive ? { kind: 'not', of: isNull('archived_at') } : truePredicate;
  return allOf([definition.archive ? isNull('archived_at') : truePredicate, activeParentsFilter(registry, definition)]);
}

/** The parents of a record (relations with `container`) are neither archived nor deleted, and neither are theirs. */
function activeParentsFilter(registry: Registry, definition: Definition, ancestors: readonly string[] = []): Predicate {
  const path = [...ancestors, definition.name];
  const fields = Object.values(definition.fields).filter((field) => isRelation(field) && field.container);
  return allOf(
    fields.map((field): Predicate => {
      const target = registry.getOrThrow(field.to);
      const parentFilter = allOf([
        notDeletedFilter(target),
        target.archive ? isNull('archived_at') : truePredicate,
        path.includes(target.name) ? truePredicate : activeParentsFilter(registry, target, path),
      ]);
      if (parentFilter === truePredicate) return truePredicate;
      // Not written as `not some(not …)`: PostgreSQL would then expect hardly any rows to remain and sort all rows of a
      // project instead of reading the first ones from an index.
      return { kind: 'any', of: [isNull(field.name), { kind: 'some', field: field.name, of: parentFilter }] };
    }),
  );
}

const isNull = (left: string): Predicate => ({ kind: 'compare', left, operator: '$eq', right: null });

/**
 * Combines predicates with AND, leaving out those that always hold.
 *
 * @example allOf([accessFilter(context, deals, 'list'), won]);
 */
export function allOf(predicates: readonly Predicate[]): Predicate {
  const operands = predicates.flatMap((predicate) => (predicate.kind === 'all' ? predicate.of : [predicate]));
  return operands.length === 0
    ? truePredicate
    : operands.length === 1
      ? firstOf(operands)
      : { kind: 'all', of: operands };
}

const equals = (left: string, right: unknown): Predicate => ({ kind: 'compare', left, operator: '$eq', right });

type ScopeSubject = Pick<Actor, 'level' | 'site_id' | 'viewer'>;

/**
 * The rows of the actor's company and, if the resource has such rows, of the installation. When viewing as another
 * user: those that both can see.
 */
export function companyScope(actor: ScopeSubject, definition: Definition, parameterPrefix = ''): Predicate {
  const ownFilter = ownScope(actor, definition, parameterPrefix);
  if (!actor.viewer) return ownFilter;
  const viewers = companyScope(actor.viewer, definition, viewerPrefix);
  return viewers === truePredicate
    ? ownFilter
    : ownFilter === truePredicate
      ? viewers
      : { kind: 'all', of: [ownFilter, viewers] };
}

function ownScope(actor: ScopeSubject, definition: Definition, parameterPrefix: string): Predicate {
  if (definition.scope === 'installation' || actor.level === Level.Installation) return truePredicate;
  if (actor.site_id === null) return definition.scope === 'both' ? equals('site_id', null) : falsePredicate;
  const company = actorParameter('site_id', actor.site_id, parameterPrefix);
  if (definition.scope === 'self') return equals('id', company);
  const ownFilter = equals('site_id', company);
  return definition.scope === 'both' ? { kind: 'any', of: [ownFilter, equals('site_id', null)] } : ownFilter;
}

/**
 * The rows that a record of this company may refer to: those of the company and of the installation. `company` is an id
 * or its parameter; null: the installation.
 */
export function referenceScope(company: unknown, definition: Definition): Predicate {
  if (definition.scope === 'installation') return truePredicate;
  if (definition.scope === 'self') return company === null ? falsePredicate : equals('id', company);
  if (company === null) return equals('site_id', null);
  return { kind: 'any', of: [equals('site_id', company), equals('site_id', null)] };
}

/** Throws Forbidden if the actor can see a row but can't change it because it belongs to the installation. */
export function assertOwned(actor: Actor, definition: Definition, row: ResourceRecord, action: string): void {
  if (actor.level === Level.Installation || definition.scope !== 'both' || row.site_id === actor.site_id) return;
  throw new Forbidden(
    `This ${definition.labels.one.toLowerCase()} belongs to the installation. Only its administrator can ${action} it.`,
  );
}

/** Whether a rule allows access to a field. */
export function ruleAllowsField(rule: Rule, field: string): boolean {
  return (rule.fields?.includes(field) ?? true) && !(rule.exceptFields?.includes(field) ?? false);
}

/**
 * The fields that an actor may read: `always` on every record, `sometimes` on records matched by some rule. Only the
 * first may be used to filter, sort and search, so that the order of a list reveals nothing hidden. Secrets are in
 * neither.
 */
export interface ReadableFields {
  readonly always: ReadonlySet<string>;
  readonly sometimes: ReadonlySet<string>;
}

/** Whose rules decide what is readable: an actor's and, when viewing as another user, the viewer's. */
type Reader = RoleHolder & { readonly viewer?: RoleHolder };

/**
 * The fields that an actor may read on every record, in lists and alone.
 *
 * @example visibleFields(actor, deals).has('amount');
 */
export function visibleFields(actor: Reader, definition: Definition): ReadonlySet<string> {
  const inLists = readableFields(actor, definition, 'list').always;
  const readableAlone = readableFields(actor, definition, 'view').always;
  return new Set([...inLists].filter((name) => readableAlone.has(name)));
}

const readableFieldsCache = new WeakMap<Definition, Map<string, ReadableFields>>();

/**
 * The fields of a definition that an actor may read, by the field rules of its role alone (grants are checked
 * elsewhere). When viewing as another user: those that both may read.
 */
export function readableFields(
  actor: Reader,
  definition: Definition,
  action: 'list' | 'view' = 'list',
): ReadableFields {
  const key = `${action}${ruleKey(actor, definition)}`;
  const cachedFields = readableFieldsCache.get(definition)?.get(key);
  if (cachedFields) return cachedFields;
  const viewers = actor.viewer && readableFields(actor.viewer, definition, action);
  const rules = rulesFor(actor, definition, action);
  const open = Object.values(definition.fields).filter((field) => !field.secret);
  const pick = (allowedNames: ReadonlySet<string> | undefined, test: (field: Field) => boolean) =>
    new Set(open.filter((field) => test(field) && (allowedNames?.has(field.name) ?? true)).map((field) => field.name));
  const readable = {
    always: pick(viewers?.always, (field) => rules.every((rule) => ruleAllowsField(rule, ruledName(field)))),
    sometimes: pick(
      viewers?.sometimes,
      (field) => rules.length === 0 || rules.some((rule) => ruleAllowsField(rule, ruledName(field))),
    ),
  };
  const answers = readableFieldsCache.get(definition) ?? new Map<string, ReadableFields>();
  readableFieldsCache.set(definition, answers.set(key, readable));
  return readable;
}
