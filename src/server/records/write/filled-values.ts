import { sql } from 'kysely';
import type { Definition, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import type { Predicate } from '../../../engine/conditions/grammar';
import { isRelation } from '../../../engine/field-types/relation';
import { defaultLookup } from '../../../engine/forms/default-lookup';
import { accessFilterIfGranted, allOf } from '../../access/access-filter';
import type { QueryScope } from '../../access/record-scope';
import { type RequestContext, isKnownZone } from '../../access/request-context';
import { runStatement, type Queries } from '../../database/database';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { resolveCondition } from '../../sql/statement-parameter';
import type { Input } from './input';
import { cachedChoiceFilter, recordCompany, recordParameters } from './references';
import { cachedStatement, conditionKey } from '../read/statement-cache';
import { firstOf, requireValue } from '../../../engine/values/lookups';
import { isDuration } from '../../../engine/field-types/duration';
import { minutesInZone } from '../../access/days';
import { Level } from '../../../engine/definitions/level';
import { isEmpty } from '../../../engine/values/is-empty';
import { findState, missingStateMessage, stateRelations } from './states';

/** A duration between two times of one day. */
interface DaySpan {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** The field of the day. */
  readonly on: string;
}

/**
 * Gives durations between times of a day their real length in the caller's time zone, also where the clocks change. One
 * whose times did not change keeps its stored length, wherever the record is edited from.
 */
export async function withRealDurations(
  { context, definition, queries }: QueryScope,
  values: ResourceRecord,
  storedRecord?: ResourceRecord,
): Promise<ResourceRecord> {
  const lengths: ResourceRecord = {};
  let timeZone: string | undefined;
  for (const { name, from: startField, to: endField, on: dateField } of daySpans(definition)) {
    const [day, start, end] = [values[dateField], values[startField], values[endField]];
    if (typeof day !== 'string' || typeof start !== 'string' || typeof end !== 'string') continue;
    const isUnchanged =
      storedRecord &&
      [dateField, startField, endField].every((fieldName) => storedRecord[fieldName] === values[fieldName]);
    if (isUnchanged && typeof storedRecord[name] === 'number') lengths[name] = storedRecord[name];
    else lengths[name] = minutesInZone(day, start, end, (timeZone ??= await zoneOf(context, queries))) ?? null;
  }
  return { ...values, ...lengths };
}

function daySpans({ fields }: Definition): DaySpan[] {
  return Object.values(fields).flatMap((field) => {
    if (!isDuration(field)) return [];
    const { name, span } = field;
    const dateField = fields[span.from]?.dateField;
    return dateField !== undefined && fields[span.to]?.dateField === dateField
      ? [{ name, ...span, on: dateField }]
      : [];
  });
}

const zones = new WeakMap<RequestContext, string>();

/** The time zone of the request, otherwise the one that the caller chose; UTC, without changes of clocks, if none is known. */
async function zoneOf(context: RequestContext, queries: Queries): Promise<string> {
  const callerZone = context.knownZone ?? zones.get(context);
  if (callerZone !== undefined) return callerZone;
  const { rows } = await sql<{ time_zone: string | null }>`select time_zone from assay.user_preferences
    where user_id = ${context.actor.id}`.execute(queries);
  const preferredZone = rows[0]?.time_zone ?? null;
  const zone = preferredZone !== null && isKnownZone(preferredZone) ? preferredZone : 'UTC';
  zones.set(context, zone);
  return zone;
}

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
async function withLookedUpDefaults(scope: QueryScope, input: Input, lookedUpRecords: LookedUpRecords): Promise<Input> {
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

/** States that were looked up, for callers that create many records: field, company and name → id. */
export type KnownStates = Map<string, number | undefined>;

/** A new record's input with the defaults that are looked up, and the initial states of relations that have none. */
export async function withInitialStates(
  scope: QueryScope,
  sentInput: Input,
  knownStates: KnownStates = new Map(),
): Promise<Input> {
  const { context, definition, queries } = scope;
  const input = await withLookedUpDefaults(scope, sentInput, knownStates);
  const open = stateRelations(definition).filter(
    ({ name, initial }) => initial !== undefined && isEmpty(input.values[name]) && !input.errors[name],
  );
  if (open.length === 0) return input;
  const values: ResourceRecord = { ...input.values };
  const errors = { ...input.errors };
  for (const field of open) {
    const name = requireValue(field.initial, `the initial state of ${field.name}`);
    const key = `${field.name} ${String(values.site_id ?? '')} ${field.choices ? JSON.stringify(values) : ''}`;
    if (!knownStates.has(key))
      knownStates.set(key, await findState({ context, definition, queries }, field, name, ownValues(context, values)));
    const id = knownStates.get(key);
    if (id === undefined) errors[field.name] = missingStateMessage(context, field, name);
    else values[field.name] = id;
  }
  const initial = new Set([...(input.initial ?? []), ...open.map(({ name }) => name)]);
  return { ...input, values, errors, initial };
}

/** The values with the company that the record gets. */
function ownValues({ actor }: RequestContext, values: ResourceRecord): ResourceRecord {
  return actor.level === Level.Installation
    ? { ...values, site_id: values.site_id ?? null }
    : { ...values, site_id: actor.site_id };
}
