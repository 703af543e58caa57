import type { Definition, Field } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { columnOf } from '../../engine/field-types';
import { searchColumn } from '../conditions/search';
import { partOf, quoted, tableId, type WantedPart } from './parts';

/**
 * The indexes of a resource's table: unique fields, relations, the search text, the orders that lists offer, and those
 * that the definition asks for. All but unique ones end with the id, as every order does.
 */
export function wantedIndexes(definition: Definition, registry: Registry): WantedPart[] {
  const stored = Object.values(definition.fields).filter((field) => columnOf(field) !== null);
  const parts = [
    ...stored.filter((field) => field.unique).map((field) => uniqueIndex(definition, field)),
    ...stored.filter((field) => field.type === 'relation').map((field) => plainIndex(definition, [field.name])),
    ...sortedFields(definition).map((name) => plainIndex(definition, [...company(definition), name])),
    ...sharedOrders(definition, registry).map((name) => ({
      ...plainIndex(definition, [...company(definition), name]),
      helps: true as const,
    })),
    ...definition.indexes.map((fields) => plainIndex(definition, fields)),
    ...searchIndex(definition, registry),
  ];
  return [...new Map(parts.map((part) => [part.name, part])).values()];
}

function company(definition: Definition): string[] {
  return definition.scope === 'company' ? ['site_id'] : [];
}

function sortedFields(definition: Definition): string[] {
  const names = [definition.list.sort.field, ...definition.list.sortChoices.map((choice) => choice.replace(/^-/, ''))];
  return names.filter((name) => {
    const field = definition.fields[name];
    return field && name !== 'id' && columnOf(field) !== null && field.type !== 'relation';
  });
}

/**
 * The relations that lists can be sorted by and whose targets are shared by several companies: with the company as
 * first column, a list in that order only reads its own rows.
 */
function sharedOrders(definition: Definition, registry: Registry): string[] {
  if (definition.scope !== 'company' && definition.scope !== 'both') return [];
  const names = [definition.list.sort.field, ...definition.list.sortChoices.map((choice) => choice.replace(/^-/, ''))];
  return [...new Set(names)].filter((name) => {
    const field = definition.fields[name];
    if (field?.type !== 'relation' || columnOf(field) === null) return false;
    const target = registry.get(field.to!);
    return target !== undefined && target.scope !== 'company';
  });
}

/** Whether an index provides the rows of a company in the order of this relation. */
export function hasSharedOrder(definition: Definition, field: Field, registry: Registry): boolean {
  return sharedOrders(definition, registry).includes(field.name);
}

function plainIndex(definition: Definition, names: readonly string[]): WantedPart {
  const columns = names.map((name) => {
    const field = definition.fields[name];
    return field && columnOf(field) === 'text' ? `${quoted(name)} collate "und-x-icu"` : quoted(name);
  });
  const all = names.includes('id') ? columns : [...columns, 'id'];
  return partOf(
    'ix',
    definition.table,
    names,
    `Index ${definition.table} by ${names.join(', ')}`,
    (index) => `create index ${index} on ${tableId(definition.table)} (${all.join(', ')})`,
  );
}

function uniqueIndex(definition: Definition, field: Field): WantedPart {
  const value = columnOf(field) === 'text' ? `lower(${quoted(field.name)})` : quoted(field.name);
  const byCompany = field.unique === 'company' && 'site_id' in definition.fields;
  const columns = [...(byCompany ? ['coalesce(site_id, 0)'] : []), value];
  const where = definition.delete.keep ? ' where deleted_at is null' : '';
  const table = tableId(definition.table);
  return {
    ...partOf(
      'ux',
      definition.table,
      [field.name],
      `Require unique values of ${definition.table}.${field.name}`,
      (index) => `create unique index ${index} on ${table} (${columns.join(', ')})${where}`,
    ),
    against: (
      from,
    ) => `select id from (select id, count(*) over (partition by ${columns.join(', ')}) as n from ${from} a
      where ${quoted(field.name)} is not null${where.replace('where', 'and')}) each where n > 1`,
  };
}

function searchIndex(definition: Definition, registry: Registry): WantedPart[] {
  const column = searchColumn(definition, registry);
  if (!column) return [];
  const part = partOf(
    'ix',
    definition.table,
    [column.name],
    `Index ${definition.table} for searching`,
    (index) => `create index ${index} on ${tableId(definition.table)} using gin (${quoted(column.name)} gin_trgm_ops)`,
  );
  return [{ ...part, helps: true }];
}
