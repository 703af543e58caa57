import { sql } from 'kysely';
import { unwrapId, type EvaluationContext, type RelatedState } from '../../../engine/conditions/variables';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { isStateRelation, isRecordId } from '../../../engine/field-types/relation';
import { visibleRowsFilter } from '../../access/access-filter';
import type { QueryScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { runStatement, type Queries } from '../../database/database';
import { Invalid } from '../../errors/errors';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { cachedChoiceFilter, recordCompany, recordParameters } from './references';
import { audienceKey, bind, cachedStatement, conditionKey, Placeholder } from '../read/statement-cache';

type StateField = ReturnType<typeof stateRelations>[number];

const stateRelationsCache = new WeakMap<Pick<Definition, 'fields'>, ReturnType<typeof findStateRelations>>();

/** The relations of a definition whose value is a state. */
export function stateRelations(definition: Pick<Definition, 'fields'>) {
  let relations = stateRelationsCache.get(definition);
  if (!relations) stateRelationsCache.set(definition, (relations = findStateRelations(definition)));
  return relations;
}

const findStateRelations = ({ fields }: Pick<Definition, 'fields'>) => Object.values(fields).filter(isStateRelation);

/** The states of records that a request has read, by target and naming field: a request for many records reads each once. */
const knownStates = new WeakMap<RequestContext, Map<string, Map<unknown, RelatedState>>>();

/**
 * The states that relations with transitions have in records: one statement per relation whose records this request has
 * not read yet, and none where there are no such relations. Ids that refer to nothing count as hidden.
 *
 * @example const states = await relatedStates({ context, definition: deals, queries: trx }, [before, values]); // states.stage_id.get(3)?.name
 */
export async function relatedStates(
  { context, definition, queries }: QueryScope,
  records: readonly ResourceRecord[],
  isAsked: (field: Field) => boolean = () => true,
): Promise<NonNullable<EvaluationContext['states']>> {
  const states: Record<string, ReadonlyMap<unknown, RelatedState>> = {};
  for (const field of stateRelations(definition)) {
    if (!isAsked(field)) continue;
    const ids = records.map((record) => unwrapId(record[field.name])).filter(isRecordId);
    states[field.name] = await loadStates(context, field, [...new Set(ids)], queries);
  }
  return states;
}

/** As `relatedStates`, of the fields whose value changes. */
export async function changedStates(
  scope: QueryScope,
  { values, before: storedRecord }: { readonly values: ResourceRecord; readonly before?: ResourceRecord },
): Promise<NonNullable<EvaluationContext['states']>> {
  const isChanged = ({ name }: Field) => unwrapId(storedRecord?.[name] ?? null) !== unwrapId(values[name] ?? null);
  return relatedStates(scope, storedRecord ? [storedRecord, values] : [values], isChanged);
}

async function loadStates(
  context: RequestContext,
  { to: targetName, transitionsBy }: StateField,
  ids: readonly number[],
  queries: Queries,
): Promise<ReadonlyMap<unknown, RelatedState>> {
  const statesByField = knownStates.get(context) ?? new Map<string, Map<unknown, RelatedState>>();
  knownStates.set(context, statesByField);
  const key = `${targetName}.${transitionsBy}`;
  const statesById = statesByField.get(key) ?? new Map<unknown, RelatedState>();
  statesByField.set(key, statesById);
  const open = ids.filter((id) => !statesById.has(id));
  if (open.length === 0) return statesById;
  const { registry, evaluationContext } = context;
  const plan = cachedStatement(context, `states|${audienceKey(context)}|${key}`, () => {
    const target = registry.getOrThrow(targetName);
    const visibleSql = predicateToSql(visibleRowsFilter(context, target), target, 't', registry, evaluationContext);
    return sql`select t.id, t.${sql.id(transitionsBy)} as name, (${visibleSql}) is true as seen
      from ${sql.id('public', target.table)} t where t.id = any(${new Placeholder('ids')}::bigint[])`;
  });
  const rows = await runStatement<{ id: number; name: string | null; seen: boolean }>(
    queries,
    bind(plan, { ids: open }),
  );
  for (const id of open) statesById.set(id, { name: `#${id}`, isHidden: true });
  for (const { id, name, seen: isSeen } of rows)
    statesById.set(id, { name: name ?? `#${id}`, ...(!isSeen && { isHidden: true }) });
  return statesById;
}

/**
 * The record that a state means for a record with these values, as its field may refer to it: of its company before that
 * of the installation. Undefined if there is none that the caller may choose.
 *
 * @example await findState({ context, definition: deals, queries: trx }, deals.fields.stage_id, 'Won', deal); // 5
 */
export async function findState(
  { context, definition, queries }: QueryScope,
  field: Field,
  name: string,
  values: ResourceRecord,
): Promise<number | undefined> {
  if (!isStateRelation(field)) return undefined;
  const { registry, evaluationContext } = context;
  const target = registry.getOrThrow(field.to);
  const company = recordCompany(definition, { site_id: context.actor.site_id, ...values });
  const filter = cachedChoiceFilter(context, field, company, values);
  const key = `state|${field.transitionsBy}|${conditionKey(context, target, filter)}`;
  const plan = cachedStatement(
    context,
    key,
    () => {
      const companyOrder = target.fields.site_id ? sql`t.site_id is null, ` : sql``;
      return sql`select t.id from ${sql.id('public', target.table)} t
        where t.${sql.id(field.transitionsBy)} = ${new Placeholder('name')}
          and ${predicateToSql(filter, target, 't', registry, evaluationContext)}
        order by ${companyOrder}t.id limit 1`;
    },
    recordParameters(company, values),
  );
  const [row] = await runStatement<{ id: number }>(queries, bind(plan, { name }));
  return row?.id;
}

/** As `findState`. Throws Invalid if there is none. */
export async function chosenState(
  scope: QueryScope,
  field: Field,
  name: string,
  values: ResourceRecord,
): Promise<number> {
  const { context } = scope;
  const id = await findState(scope, field, name, values);
  if (id === undefined) throw new Invalid({ [field.name]: missingStateMessage(context, field, name) });
  return id;
}

/** The message if no record has a state's name that the caller may choose. */
export function missingStateMessage({ registry }: RequestContext, field: Field, name: string): string {
  const { labels } = registry.getOrThrow(field.to);
  return `${field.label}: there is no ${labels.one.toLowerCase()} “${name}” that can be chosen here. Add it or give one back its name, or change the transitions of the module.`;
}
