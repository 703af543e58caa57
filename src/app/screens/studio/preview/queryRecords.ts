import { matchesCondition } from '../../../../engine/conditions/match-condition';
import { expandParameters } from '../../../../engine/conditions/parameters';
import type { EvaluationContext } from '../../../../engine/conditions/variables';
import type { Condition, Definition, Field, ResourceRecord } from '../../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../../engine/field-types';
import { resolveFilterName } from '../../../../engine/lists/filter-text';
import { isArchived } from '../../../../engine/lists/row-actions';
import { embedsOf, recordTitleOf } from '../../../../engine/lists/titles';
import type { Registry } from '../../../../engine/definitions/registry';
import { sortByGroups } from './groupRecords';

/** The query of a list, as the data provider gets it. */
export interface ListQuery {
  readonly filter: Readonly<ResourceRecord>;
  readonly sort?: { readonly field: string; readonly order: string };
  readonly pagination?: { readonly page: number; readonly perPage: number };
  /** As a grouped list adds it to its call. */
  readonly meta?: { readonly group?: string };
}

interface QueryContext {
  readonly definition: Definition;
  readonly registry: Registry;
  readonly evaluationContext: EvaluationContext;
}

/** Filters, sorts and pages records in memory; `total` is their number before paging. */
export function queryRecords(
  records: readonly ResourceRecord[],
  { filter, sort, pagination, meta }: ListQuery,
  within: QueryContext,
) {
  const { q, archive, ...rest } = filter;
  const meant = within.definition.archive && Number(archive) === 1;
  const left = records.filter(
    (record) =>
      isArchived(record) === Boolean(meant) &&
      matchesFilter(record, rest, within) &&
      matchesSearch(record, String(q ?? ''), within),
  );
  const sorted = sort ? sortRecords(left, sort, within) : left;
  const ordered = meta?.group ? sortByGroups(sorted, meta.group, within) : sorted;
  const { page, perPage } = pagination ?? { page: 1, perPage: ordered.length };
  return { data: ordered.slice((page - 1) * perPage, page * perPage), total: ordered.length };
}

function matchesFilter(
  record: ResourceRecord,
  filter: ResourceRecord,
  { definition, evaluationContext }: QueryContext,
): boolean {
  return Object.entries(filter).every(([name, value]) => {
    const target = resolveFilterName(name, definition);
    if (!target) return true;
    if (target.end) return isInRange(record[target.field!.name], target.end, value);
    const condition: Condition = { [name]: Array.isArray(value) ? { $in: value } : value };
    return matchesCondition(
      target.parameter ? expandParameters({ [name]: value }, definition) : condition,
      record,
      evaluationContext,
    );
  });
}

/** Compares only as many characters as the bound has, so that a day can bound instants. */
function isInRange(value: unknown, end: 'from' | 'to', bound: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === 'number') return end === 'from' ? value >= Number(bound) : value <= Number(bound);
  const text = String(value).slice(0, String(bound).length);
  return end === 'from' ? text >= String(bound) : text <= String(bound);
}

function matchesSearch(record: ResourceRecord, q: string, { definition, registry }: QueryContext): boolean {
  const text = q.trim().toLowerCase();
  if (text === '') return true;
  const searched = Object.values(definition.fields).filter(({ searchable, secret }) => searchable && !secret);
  return searched.some((field) => fieldText(field, record, registry).toLowerCase().includes(text));
}

function fieldText(field: Field, record: ResourceRecord, registry: Registry): string {
  if (field.to === undefined) return fieldTypeOf(field).toText(record[field.name], field);
  const target = registry.get(field.to);
  return embedsOf(field, record)
    .map((embed) => recordTitleOf(target, embed))
    .join(', ');
}

function sortRecords(
  records: readonly ResourceRecord[],
  sort: NonNullable<ListQuery['sort']>,
  { definition, registry }: QueryContext,
) {
  const field = definition.fields[sort.field];
  if (!field) return records;
  const sign = sort.order === 'DESC' ? -1 : 1;
  const keyOf = (record: ResourceRecord) =>
    field.to === undefined ? record[field.name] : fieldText(field, record, registry);
  const ids = (one: ResourceRecord, other: ResourceRecord) => Number(one.id) - Number(other.id);
  return [...records].sort((one, other) => sign * (compareValues(keyOf(one), keyOf(other)) || ids(one, other)));
}

/** Compares for sorting; empty values are last. */
function compareValues(one: unknown, other: unknown): number {
  const [noOne, noOther] = [one, other].map((value) => value === null || value === undefined || value === '');
  if (noOne || noOther) return Number(noOne) - Number(noOther);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other));
}
