import { Level } from '../../engine/definitions/level';
import { writeFor, type Reader } from '../../engine/formats/personal';
import { sql } from 'kysely';
import { decideAccess } from '../../engine/access/access-decision';
import { isVariable } from '../../engine/conditions/grammar';
import { truePredicate, unwrapId, resolveVariable, unresolved } from '../../engine/conditions/variables';
import { templateFields } from '../../engine/definitions/labels';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { fieldTypeOf } from '../../engine/field-types';
import { isStateRelation } from '../../engine/field-types/relation';
import { isRelations } from '../../engine/field-types/relations';
import { rulesFor } from '../../engine/access/access-decision';
import { accessFilterIfGranted, readableFields } from '../access/access-filter';
import type { TransactionScope } from '../access/record-scope';
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { pairTable } from '../database/identifiers';
import { inSameCompany } from '../sql/same-company';
import { readAfterWrite } from '../records/read/read';
import { chosenState } from '../records/write/states';
import { predicateToSql } from '../sql/predicate-to-sql';
import { visibleTitleSql } from '../sql/operands';

/** The record that an automation is about, as the user with whose permissions it runs may read it. */
export interface AboutRecord {
  readonly definition: Definition;
  readonly id: number;
  readonly company: number | null;
  /** As stored; of a deleted record, as history keeps it. For finding out who is told, never shown. */
  readonly storedValues: ResourceRecord;
  /** The values that the user may read. */
  readonly readable: ResourceRecord;
  readonly isDeleted: boolean;
}

/** A stored row with its many-relations; undefined if there is none. */
export async function loadStoredRow(
  definition: Definition,
  id: number,
  trx: Transaction,
): Promise<ResourceRecord | undefined> {
  const { rows } =
    await sql<ResourceRecord>`select * from ${sql.id('public', definition.table)} where id = ${id}`.execute(trx);
  return rows[0];
}

/** Whether a user may view a record. */
export async function canView(
  context: RequestContext,
  { definition, id, company, isDeleted }: Pick<AboutRecord, 'definition' | 'id' | 'company' | 'isDeleted'>,
  trx: Transaction,
): Promise<boolean> {
  if (isDeleted) {
    // Conditions cannot be tested on a removed record, so users who could see only some records are not told.
    const isOfCompany =
      context.actor.level === Level.Installation ||
      definition.scope === 'installation' ||
      company === context.actor.site_id;
    const hasRules = rulesFor(context.actor, definition, 'view').some(
      ({ where: condition }) => condition !== undefined,
    );
    return isOfCompany && !hasRules && decideAccess(context.actor, definition, 'view').allowed;
  }
  const visibleRows = accessFilterIfGranted(context, definition, 'view', { archived: 'any' });
  if (!visibleRows) return false;
  const visibilitySql =
    visibleRows === truePredicate
      ? sql`true`
      : predicateToSql(visibleRows, definition, 't', context.registry, context.evaluationContext);
  const { rows } =
    await sql`select from ${sql.id('public', definition.table)} t where t.id = ${id} and ${visibilitySql}`.execute(trx);
  return rows.length > 0;
}

/** The values of a record that a user may read, computed ones included; with a witness, those that both may read. */
export async function readableValues(
  scope: TransactionScope,
  id: number,
  witness?: RequestContext,
): Promise<ResourceRecord> {
  const { context, definition, trx } = scope;
  const names = readableFields(context.actor, definition, 'view').always;
  const answer = await readAfterWrite(scope, id, trx);
  const ownValues = Object.entries(answer).filter(([name]) => names.has(name) || !definition.fields[name]);
  if (!witness) return Object.fromEntries(ownValues);
  const witnessFields = readableFields(witness.actor, definition, 'view').always;
  const witnessAnswer = await readAfterWrite({ context: witness, definition }, id, trx);
  // Parts that come with a record, such as embedded records, differ by reader as a whole.
  const isSame = (name: string, value: unknown) => JSON.stringify(value) === JSON.stringify(witnessAnswer[name]);
  return Object.fromEntries(
    ownValues.filter(([name, value]) => (definition.fields[name] ? witnessFields.has(name) : isSame(name, value))),
  );
}

/** The ids at the end of a path through relations, whoever may see them: to find users. */
export async function idsAtPath(
  context: RequestContext,
  record: Pick<AboutRecord, 'definition' | 'storedValues' | 'id'>,
  path: string,
  trx: Transaction,
): Promise<number[]> {
  let definition = record.definition;
  let ids: number[] = [record.id];
  let rows: ResourceRecord[] = [record.storedValues];
  for (const [index, name] of path.split('.').entries()) {
    const field = definition.fields[name];
    if (!field) return [];
    if (index > 0) {
      const queryResult = await sql<ResourceRecord>`select * from ${sql.id('public', definition.table)}
        where id = any(${ids}::bigint[])`.execute(trx);
      rows = queryResult.rows;
    }
    ids = isRelations(field)
      ? await pairedIds(definition, field, ids, trx)
      : rows.map((row) => unwrapId(row[name])).filter((id): id is number => typeof id === 'number');
    ids = [...new Set(ids)];
    if (field.to === undefined || ids.length === 0) return ids;
    definition = context.registry.getOrThrow(field.to);
  }
  return ids;
}

async function pairedIds(definition: Definition, field: Field, ids: readonly number[], trx: Transaction) {
  const { rows } = await sql<{ target_id: number }>`select p.target_id from ${sql.id('public', definition.table)} t
    join ${sql.id('public', pairTable(definition, field))} p on p.record_id = t.id${inSameCompany('p', 't', definition)}
    where t.id = any(${ids}::bigint[])`.execute(trx);
  return rows.map(({ target_id: id }) => id);
}

/** The value at the end of a path, if every one of the readers may read it; null otherwise. */
export async function valueAtPath(
  readers: readonly RequestContext[],
  record: AboutRecord,
  path: string,
  trx: Transaction,
): Promise<{ readonly field: Field; readonly value: unknown } | null> {
  const context = readers[0]!;
  let definition = record.definition;
  let values: ResourceRecord | undefined = record.readable;
  const steps = path.split('.');
  for (const [index, name] of steps.entries()) {
    const field: Field | undefined = definition.fields[name];
    const isReadable = readers.every(({ actor }) => readableFields(actor, definition, 'view').always.has(name));
    if (!field || !values || !isReadable) return null;
    const value = unwrapId(values[name]);
    if (index === steps.length - 1) return { field, value };
    if (field.to === undefined || typeof value !== 'number') return null;
    definition = context.registry.getOrThrow(field.to);
    const recordReference = { definition, id: value, company: null, isDeleted: false };
    for (const reader of readers) if (!(await canView(reader, recordReference, trx))) return null;
    values = await readableValues({ context, definition, trx }, value);
  }
  return null;
}

/**
 * A text with `{field}` filled in, as far as every one of the readers may read it; dates, times and numbers as `reader`
 * reads them.
 */
export async function fillText(
  readers: readonly RequestContext[],
  record: AboutRecord,
  text: string,
  trx: Transaction,
  reader: Reader,
): Promise<string> {
  const readableValues = new Map<string, string>();
  for (const path of new Set(templateFields(text))) {
    const pathValue = await valueAtPath(readers, record, path, trx);
    readableValues.set(path, pathValue ? await textOf(readers[0]!, pathValue.field, pathValue.value, trx, reader) : '');
  }
  return text.replace(/\{([A-Za-z_][A-Za-z0-9_.]*)\}/g, (_, path: string) => readableValues.get(path) ?? '').trim();
}

/** A value of a field in words, as `reader` reads them. */
export async function textOf(
  context: RequestContext,
  field: Field,
  value: unknown,
  trx: Transaction,
  reader: Reader,
): Promise<string> {
  if (value === null || value === undefined) return '';
  if (field.to !== undefined && !field.inverse) {
    const target = context.registry.getOrThrow(field.to);
    const ids = [value]
      .flat()
      .map(unwrapId)
      .filter((id): id is number => typeof id === 'number');
    const { rows } = await sql<{ title: string | null }>`select
        ${visibleTitleSql(context.actor, target, 't', context.registry)}::text as title
      from ${sql.id('public', target.table)} t where t.id = any(${ids}::bigint[]) order by t.id`.execute(trx);
    return rows.map(({ title }) => title ?? '').join(', ');
  }
  return writeFor(reader, () => fieldTypeOf(field).toText(value, field));
}

/**
 * The values that a step writes: variables resolved, placeholders filled in as `writer` writes them, parsed by the types
 * of their fields. The first of the readers is whose permissions they are written with.
 */
export async function writtenValues(
  readers: readonly RequestContext[],
  record: AboutRecord,
  target: Definition,
  configuredValues: Readonly<Record<string, unknown>>,
  writer: Reader,
  trx: Transaction,
  forEachRecord?: ResourceRecord,
): Promise<ResourceRecord> {
  const values: ResourceRecord = {};
  for (const [name, value] of Object.entries(configuredValues)) {
    const field = target.fields[name];
    if (!field) throw new Error(`${target.name} has no field "${name}".`);
    const resolvedValue = await resolveValue(readers, record, value, writer, trx, forEachRecord);
    values[name] =
      isStateRelation(field) && typeof resolvedValue === 'string'
        ? await chosenState(
            { context: readers[0]!, definition: target, queries: trx },
            field,
            resolvedValue,
            ownerValues(record, target),
          )
        : fieldTypeOf(field).parse(resolvedValue, field);
  }
  return values;
}

/** The values that say which records a new or changed one may refer to. */
const ownerValues = ({ definition, storedValues, company }: AboutRecord, target: Definition): ResourceRecord =>
  target === definition ? storedValues : { site_id: company };

async function resolveValue(
  readers: readonly RequestContext[],
  record: AboutRecord,
  value: unknown,
  writer: Reader,
  trx: Transaction,
  forEachRecord: ResourceRecord | undefined,
): Promise<unknown> {
  if (typeof value !== 'string') return value;
  if (value.startsWith('$each.')) return unwrapId(forEachRecord?.[value.slice('$each.'.length)] ?? null);
  if (isVariable(value)) {
    const variableValue = resolveVariable(value, { ...readers[0]!.evaluationContext, record: record.readable });
    return variableValue === unresolved ? null : variableValue;
  }
  return templateFields(value).length > 0 ? fillText(readers, record, value, trx, writer) : value;
}
