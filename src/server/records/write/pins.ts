import { sql } from 'kysely';
import type { Definition, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { pinNames } from '../../../engine/field-types/relation';
import { currentVersion, pinnedBy, pinnedRelations } from '../../../engine/normalise/pins';
import { parseInstant } from '../../../engine/formats/dates';
import type { FieldErrors } from '../../../engine/validation/validate-values';
import { accessFilterIfGranted, readableFields } from '../../access/access-filter';
import type { QueryScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { runStatement, type Queries } from '../../database/database';
import { textSql } from '../../sql/operands';
import { predicateToSql } from '../../sql/predicate-to-sql';
import type { Input } from './input';
import { bind, cachedStatement, conditionKey, fixedStatement, Placeholder } from '../read/statement-cache';

/**
 * An input without the versions of pinned relations among its values: they become its `pins`. For values that do not come
 * from a body.
 */
export function withPinsApart(definition: Definition, input: Input): Input {
  const values: ResourceRecord = {};
  const pins: ResourceRecord = {};
  for (const [name, value] of Object.entries(input.values)) {
    const pinned = pinnedBy(definition, name);
    if (pinned) pins[pinned.name] = value;
    else values[name] = value;
  }
  return Object.keys(pins).length === 0 ? input : { ...input, values, pins: { ...input.pins, ...pins } };
}

/** New records with the present versions of what they refer to: one statement per pinned relation. */
export async function withPins(
  { registry }: Pick<RequestContext, 'registry'>,
  definition: Definition,
  records: readonly ResourceRecord[],
  queries: Queries,
): Promise<readonly ResourceRecord[]> {
  let pinnedRecords = records;
  for (const relation of pinnedRelations(definition)) {
    const ids = [
      ...new Set(pinnedRecords.map((record) => record[relation.name]).filter((id) => typeof id === 'number')),
    ];
    if (ids.length === 0) continue;
    const target = registry.getOrThrow(relation.to);
    const plan = fixedStatement(
      target,
      'versions',
      queries,
      () => sql`select t.id, ${versionSql} as version
        from ${sql.id('public', target.table)} t where t.id = any(${new Placeholder('ids')}::bigint[])`,
    );
    const rows = await runStatement<{ id: number; version: string }>(queries, bind(plan, { ids }));
    const versions = new Map(rows.map(({ id, version }) => [id, version]));
    const { pin } = pinNames(relation.name);
    pinnedRecords = pinnedRecords.map((record) => ({
      ...record,
      [pin]: versions.get(record[relation.name] as number) ?? null,
    }));
  }
  return pinnedRecords;
}

/** A changed record, with the present versions of what it newly refers to. */
export async function withChangedPins(
  context: Pick<RequestContext, 'registry'>,
  definition: Definition,
  storedRecord: ResourceRecord,
  values: ResourceRecord,
  queries: Queries,
): Promise<ResourceRecord> {
  const changedRelations = pinnedRelations(definition).filter(
    ({ name }) => (values[name] ?? null) !== (storedRecord[name] ?? null),
  );
  if (changedRelations.length === 0) return values;
  const emptyPins = Object.fromEntries(changedRelations.map(({ name }) => [pinNames(name).pin, null]));
  const relationValues = Object.fromEntries(changedRelations.map(({ name }) => [name, values[name]]));
  const [pins] = (await withPins(context, definition, [{ ...emptyPins, ...relationValues }], queries)) as [
    ResourceRecord,
  ];
  return { ...values, ...pins };
}

/**
 * The versions that a change takes, as values of the record, and why some of them cannot be taken. A target that the
 * record no longer refers to afterwards has none; what is sent back as it was read changes nothing.
 */
export async function takenPins(
  { context, definition, queries }: QueryScope,
  storedRecord: ResourceRecord,
  { values, pins = {} }: Input,
): Promise<{ readonly values: ResourceRecord; readonly errors: FieldErrors }> {
  const pinValues: ResourceRecord = {};
  const errors: FieldErrors = {};
  for (const relation of pinnedRelations(definition)) {
    const { name, label } = relation;
    const { pin } = pinNames(name);
    const sentVersion = pins[name];
    const id = storedRecord[name];
    const isMoved = name in values && (values[name] ?? null) !== (id ?? null);
    if (sentVersion === undefined || sentVersion === null || sentVersion === '' || typeof id !== 'number' || isMoved)
      continue;
    const seenVersion = typeof sentVersion === 'string' ? parseInstant(sentVersion) : undefined;
    if (sentVersion !== currentVersion && seenVersion === undefined) {
      errors[pin] =
        `${label} Version is "${currentVersion}", or the version that you have seen (${pinNames(name).latest}).`;
      continue;
    }
    if (seenVersion !== undefined && seenVersion === storedRecord[pin]) continue;
    const latestVersion = await visibleVersion(context, relation, id, queries);
    if (latestVersion === undefined) errors[pin] = `${label} cannot be taken as it is now, because you may not see it.`;
    else if (seenVersion !== undefined && seenVersion !== latestVersion)
      errors[pin] = `${label} has changed again in the meantime. Look at its latest version and take that.`;
    else pinValues[pin] = latestVersion;
  }
  return { values: pinValues, errors };
}

const versionSql = textSql({ sql: sql.id('t', 'updated_at'), columnType: 'timestamptz(3)' });

/** The present version of a target; undefined if the caller may not see it. */
async function visibleVersion(
  context: RequestContext,
  { to: targetName }: FieldOf<'relation'>,
  id: number,
  queries: Queries,
): Promise<string | undefined> {
  const target = context.registry.getOrThrow(targetName);
  const filter = accessFilterIfGranted(context, target, 'view', { archived: 'any' });
  if (!filter || !readableFields(context.actor, target, 'view').always.has('updated_at')) return undefined;
  const plan = cachedStatement(context, `version|${conditionKey(context, target, filter)}`, () => {
    const condition = predicateToSql(filter, target, 't', context.registry, context.evaluationContext);
    return sql`select ${versionSql} as version
      from ${sql.id('public', target.table)} t where t.id = ${new Placeholder('id')} and ${condition}`;
  });
  const [row] = await runStatement<{ version: string }>(queries, bind(plan, { id }));
  return row?.version;
}
