import { holds } from '../../../src/engine/conditions/evaluate';
import { expandParameters } from '../../../src/engine/conditions/parameters';
import type { Surroundings } from '../../../src/engine/conditions/variables';
import type { Condition, Definition, Field, ResourceRecord } from '../../../src/engine/definitions/definition';
import { typeOf } from '../../../src/engine/field-types';
import { filterTarget } from '../../../src/engine/lists/filter-text';
import { isArchived } from '../../../src/engine/lists/row-actions';
import { embedsOf, titleOf } from '../../../src/engine/lists/titles';
import type { Registry } from '../../../src/engine/definitions/registry';

/** The query of a list, as the data provider gets it. */
export interface Asked {
  readonly filter: Readonly<ResourceRecord>;
  readonly sort?: { readonly field: string; readonly order: string };
  readonly pagination?: { readonly page: number; readonly perPage: number };
}

interface Within {
  readonly definition: Definition;
  readonly registry: Registry;
  readonly surroundings: Surroundings;
}

/** Filters, sorts and pages records in memory; `total` is their number before paging. */
export function found(records: readonly ResourceRecord[], { filter, sort, pagination }: Asked, within: Within) {
  const { q, archive, ...rest } = filter;
  const meant = within.definition.archive && Number(archive) === 1;
  const left = records.filter(
    (record) =>
      isArchived(record) === Boolean(meant) &&
      isFound(record, rest, within) &&
      isNamed(record, String(q ?? ''), within),
  );
  const ordered = sort ? inOrder(left, sort, within) : left;
  const { page, perPage } = pagination ?? { page: 1, perPage: ordered.length };
  return { data: ordered.slice((page - 1) * perPage, page * perPage), total: ordered.length };
}

function isFound(record: ResourceRecord, filter: ResourceRecord, { definition, surroundings }: Within): boolean {
  return Object.entries(filter).every(([name, value]) => {
    const target = filterTarget(name, definition);
    if (!target) return true;
    if (target.end) return isWithin(record[target.field!.name], target.end, value);
    const condition: Condition = { [name]: Array.isArray(value) ? { $in: value } : value };
    return holds(target.parameter ? expandParameters({ [name]: value }, definition) : condition, record, surroundings);
  });
}

/** Compares only as many characters as the bound has, so that a day can bound instants. */
function isWithin(value: unknown, end: 'from' | 'to', bound: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === 'number') return end === 'from' ? value >= Number(bound) : value <= Number(bound);
  const text = String(value).slice(0, String(bound).length);
  return end === 'from' ? text >= String(bound) : text <= String(bound);
}

function isNamed(record: ResourceRecord, q: string, { definition, registry }: Within): boolean {
  const text = q.trim().toLowerCase();
  if (text === '') return true;
  const searched = Object.values(definition.fields).filter(({ searchable, secret }) => searchable && !secret);
  return searched.some((field) => inWords(field, record, registry).toLowerCase().includes(text));
}

function inWords(field: Field, record: ResourceRecord, registry: Registry): string {
  if (field.to === undefined) return typeOf(field).toText(record[field.name], field);
  const target = registry.get(field.to);
  return embedsOf(field, record)
    .map((embed) => titleOf(target, embed))
    .join(', ');
}

function inOrder(
  records: readonly ResourceRecord[],
  sort: NonNullable<Asked['sort']>,
  { definition, registry }: Within,
) {
  const field = definition.fields[sort.field];
  if (!field) return records;
  const sign = sort.order === 'DESC' ? -1 : 1;
  const keyOf = (record: ResourceRecord) =>
    field.to === undefined ? record[field.name] : inWords(field, record, registry);
  const ids = (one: ResourceRecord, other: ResourceRecord) => Number(one.id) - Number(other.id);
  return [...records].sort((one, other) => sign * (compared(keyOf(one), keyOf(other)) || ids(one, other)));
}

/** Compares for sorting; empty values are last. */
function compared(one: unknown, other: unknown): number {
  const [noOne, noOther] = [one, other].map((value) => value === null || value === undefined || value === '');
  if (noOne || noOther) return Number(noOne) - Number(noOther);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other));
}
