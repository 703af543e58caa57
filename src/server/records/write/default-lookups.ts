import { sql } from 'kysely';
import type { Definition, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import type { Predicate } from '../../../engine/conditions/grammar';
import { isRelation } from '../../../engine/field-types/relation';
import { defaultLookup } from '../../../engine/forms/default-lookup';
import { accessFilterIfGranted, allOf } from '../../access/access-filter';
import type { QueryScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { runStatement } from '../../database/database';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { resolveCondition } from '../../sql/statement-parameter';
import type { Input } from './input';
import { cachedChoiceFilter, recordCompany, recordParameters } from './references';
import { cachedStatement, conditionKey } from '../read/statement-cache';
import { firstOf } from '../../../engine/values/lookups';

const lookupFieldsCache = new WeakMap<Definition, readonly FieldOf<'relation'>[]>();

/** The relations of a definition whose default is looked up. */
function lookupFields(definition: Definition): readonly FieldOf<'relation'>[] {
  let fields = lookupFieldsCache.get(definition);
  if (!fields) {
    fields = Object.values(definition.fields)
      .filter(isRelation)
      .filter((field) => defaultLookup(field) !== undefined);
    lookupFieldsCache.set(definition, fields);
  }
  return fields;
}

/** Records that were looked up, for callers that create many records: field, company and values → id. */
export type LookedUpRecords = Map<string, number | undefined>;

/**
 * A new record's input with the defaults that are looked up, for relations that it leaves out. One statement for each of
 * these, and none for other definitions.
 */
export async function withLookedUpDefaults(
  scope: QueryScope,
  input: Input,
  lookedUpRecords: LookedUpRecords,
): Promise<Input> {
  const { definition } = scope;
  const open = lookupFields(definition).filter(
    ({ name }) => !Object.hasOwn(input.values, name) && input.errors[name] === undefined,
  );
  if (open.length === 0) return input;
  const values: ResourceRecord = { ...input.values };
  const initial = new Set(input.initial);
  for (const field of open) {
    const key = `lookup ${field.name} ${String(values.site_id ?? '')} ${field.choices ? JSON.stringify(values) : ''}`;
    if (!lookedUpRecords.has(key)) lookedUpRecords.set(key, await lookUpDefault(scope, field, values));
    const id = lookedUpRecords.get(key);
    if (id === undefined) continue;
    values[field.name] = id;
    initial.add(field.name);
  }
  return { ...input, values, initial };
}

async function lookUpDefault(
  { context, definition, queries }: QueryScope,
  field: FieldOf<'relation'>,
  values: ResourceRecord,
): Promise<number | undefined> {
  const { registry, evaluationContext, actor } = context;
  const lookupFilter = defaultLookupFilter(context, field);
  if (!lookupFilter) return undefined;
  const target = registry.getOrThrow(field.to);
  const company = recordCompany(definition, { site_id: actor.site_id, ...values });
  const filter = allOf([cachedChoiceFilter(context, field, company, values), lookupFilter]);
  const statement = cachedStatement(
    context,
    `default|${conditionKey(context, target, filter)}`,
    () => sql`select t.id from ${sql.id('public', target.table)} t
      where ${predicateToSql(filter, target, 't', registry, evaluationContext)} order by t.id limit 2`,
    recordParameters(company, values),
  );
  const rows = await runStatement<{ id: number }>(queries, statement);
  return rows.length === 1 ? firstOf(rows).id : undefined;
}

/**
 * The records that the default of a relation means: those that match its `$lookup` and that the caller may view. Undefined
 * if it has none, or the caller may view none of them.
 */
export function defaultLookupFilter(context: RequestContext, field: FieldOf<'relation'>): Predicate | undefined {
  const condition = defaultLookup(field);
  const visible = condition && accessFilterIfGranted(context, context.registry.getOrThrow(field.to), 'view');
  return visible && allOf([visible, resolveCondition(condition, context.evaluationContext)]);
}
