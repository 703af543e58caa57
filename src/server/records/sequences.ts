import { sql } from 'kysely';
import type { Definition, FieldOf, ResourceRecord } from '../../engine/definitions/definition';
import { formatParts, numberedBy, numberPlace } from '../../engine/field-types/sequence';
import type { RequestContext } from '../access/request-context';
import type { Queries, Transaction } from '../database/database';
import { sequenceFields, usedNumberSql } from '../sync/sequences';

/** Whether records get keys when they are stored, which takes a transaction. */
export function hasSequence(definition: Definition): boolean {
  return sequenceFields(definition).length > 0;
}

/**
 * New records with their keys, numbered in their order. The counter stays locked until the transaction ends: whoever
 * numbers records of the same scope waits, and a transaction that is undone leaves no gap.
 */
export async function withKeys(
  { registry }: RequestContext,
  definition: Definition,
  records: readonly ResourceRecord[],
  trx: Transaction,
): Promise<ResourceRecord[]> {
  const numbered = records.map((record) => ({ ...record }));
  for (const field of sequenceFields(definition)) {
    const related = await relatedValues(registry.getOrThrow.bind(registry), definition, field, records, trx);
    // In the order of ids: two transactions that number the same scopes must not wait for each other.
    for (const [scope, members] of [...byScope(field, numbered)].sort(([one], [other]) => one - other)) {
      // All keys of a scope contain the same values of what they are numbered by.
      const known = (path: string) =>
        path.split('.')[0] === numberedBy(field) ? textAt(path, members[0]!, related) : undefined;
      const last = await takeNumbers(definition, field, { scope, count: members.length, known }, trx);
      members.forEach((record, index) => {
        record[field.name] = keyOf(field, last - members.length + index + 1, record, related);
      });
    }
  }
  return numbered;
}

function byScope(field: FieldOf<'sequence'>, records: readonly ResourceRecord[]): Map<number, ResourceRecord[]> {
  const by = numberedBy(field);
  const scopes = new Map<number, ResourceRecord[]>();
  for (const record of records) {
    const scope = by === undefined ? 0 : ((record[by] as number | null | undefined) ?? 0);
    scopes.set(scope, [...(scopes.get(scope) ?? []), record]);
  }
  return scopes;
}

interface NumbersWanted {
  readonly scope: number;
  readonly count: number;
  readonly known: (path: string) => string | undefined;
}

/** Takes the next numbers of a scope and returns the last of them. A new scope starts after the keys that are stored. */
async function takeNumbers(
  { name, table }: Definition,
  field: FieldOf<'sequence'>,
  { scope, count, known }: NumbersWanted,
  trx: Queries,
): Promise<number> {
  const { rows: updated } = await sql<{ last: number }>`update assay.sequences set last = last + ${count}::bigint
    where resource = ${name} and field = ${field.name} and scope = ${scope}::integer returning last`.execute(trx);
  if (updated[0]) return updated[0].last;
  const by = numberedBy(field);
  const inScope = by === undefined ? sql`true` : sql`coalesce(${sql.id('t', by)}, 0) = ${scope}::integer`;
  const used = sql.raw(usedNumberSql(field, `t."${field.name}"`, known));
  const { rows } = await sql<{ last: number }>`insert into assay.sequences (resource, field, scope, last)
    select ${name}, ${field.name}, ${scope}::integer, coalesce(max(${used}), 0) + ${count}::bigint
    from ${sql.id('public', table)} t where ${inScope}
    on conflict (resource, field, scope) do update set last = assay.sequences.last + ${count}::bigint
    returning last`.execute(trx);
  return rows[0]!.last;
}

/** The values of related records that a format contains, by path and id. */
async function relatedValues(
  resource: (name: string) => Definition,
  definition: Definition,
  field: FieldOf<'sequence'>,
  records: readonly ResourceRecord[],
  trx: Queries,
): Promise<ReadonlyMap<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const part of formatParts(field.format)) {
    if (!('path' in part) || !part.path.includes('.')) continue;
    const [name, inner] = part.path.split('.') as [string, string];
    const { table } = resource(definition.fields[name]!.to!);
    const ids = [...new Set(records.map((record) => record[name] as number))];
    const { rows } = await sql<{ id: number; value: unknown }>`select t.id, ${sql.id('t', inner)} as value
      from ${sql.id('public', table)} t where t.id = any(${ids}::integer[])`.execute(trx);
    for (const { id, value } of rows) values.set(`${part.path} ${id}`, value);
  }
  return values;
}

function keyOf(
  { format }: FieldOf<'sequence'>,
  number: number,
  record: ResourceRecord,
  related: ReadonlyMap<string, unknown>,
): string {
  const texts = formatParts(format).map((part) => {
    if ('text' in part) return part.text;
    return part.path === numberPlace ? number : textAt(part.path, record, related);
  });
  return texts.join('');
}

/** The text of a path of the format in a record. */
function textAt(path: string, record: ResourceRecord, related: ReadonlyMap<string, unknown>): string {
  const name = path.split('.')[0]!;
  const value = path === name ? record[name] : related.get(`${path} ${String(record[name])}`);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
