import type { Definition, Field } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { columnTypeOf } from '../../engine/field-types';
import { isRelation } from '../../engine/field-types/relation';
import { searchColumn } from '../sql/search';
import { createSchemaObject, quoteIdentifier, qualifiedTable, type SchemaObject } from './schema-object';

/**
 * The indexes of a resource's table: unique fields, relations, the search text, the orders that lists offer, and those
 * that the definition asks for. All but unique ones end with the id, as every order does.
 */
export function targetIndexes(definition: Definition, registry: Registry): SchemaObject[] {
  const stored = Object.values(definition.fields).filter((field) => columnTypeOf(field) !== null);
  const parts = [
    ...stored.filter((field) => field.unique).map((field) => uniqueIndex(definition, field)),
    ...stored.filter(isRelation).map((field) => plainIndex(definition, [field.name])),
    ...listSortFields(definition).map((name) => plainIndex(definition, [...companyColumn(definition), name])),
    ...sharedSortFields(definition, registry).map((name) => ({
      ...plainIndex(definition, [...companyColumn(definition), name]),
      isOptional: true as const,
    })),
    ...definition.indexes.map((fields) => plainIndex(definition, fields)),
    ...searchIndex(definition, registry),
  ];
  return [...new Map(parts.map((part) => [part.name, part])).values()];
}

function companyColumn(definition: Definition): string[] {
  return definition.scope === 'company' ? ['site_id'] : [];
}

function listSortFields(definition: Definition): string[] {
  const names = [definition.list.sort.field, ...definition.list.sortChoices.map((choice) => choice.replace(/^-/, ''))];
  return names.filter((name) => {
    const field = definition.fields[name];
    return field && name !== 'id' && columnTypeOf(field) !== null && !isRelation(field);
  });
}

/**
 * The relations that lists can be sorted by and whose targets are shared by several companies: with the company as
 * first column, a list in that order only reads its own rows.
 */
function sharedSortFields(definition: Definition, registry: Registry): string[] {
  if (definition.scope !== 'company' && definition.scope !== 'both') return [];
  const names = [definition.list.sort.field, ...definition.list.sortChoices.map((choice) => choice.replace(/^-/, ''))];
  return [...new Set(names)].filter((name) => {
    const field = definition.fields[name];
    if (!field || !isRelation(field) || columnTypeOf(field) === null) return false;
    const target = registry.get(field.to);
    return target !== undefined && target.scope !== 'company';
  });
}

/** Whether an index provides the rows of a company in the order of this relation. */
export function hasSharedSortIndex(definition: Definition, field: Field, registry: Registry): boolean {
  return sharedSortFields(definition, registry).includes(field.name);
}

function plainIndex(definition: Definition, names: readonly string[]): SchemaObject {
  const columns = names.map((name) => {
    const field = definition.fields[name];
    return field && columnTypeOf(field) === 'text'
      ? `${quoteIdentifier(name)} collate "und-x-icu"`
      : quoteIdentifier(name);
  });
  const all = names.includes('id') ? columns : [...columns, 'id'];
  return createSchemaObject(
    'ix',
    definition.table,
    names,
    `Index ${definition.table} by ${names.join(', ')}`,
    (index) => `create index ${index} on ${qualifiedTable(definition.table)} (${all.join(', ')})`,
  );
}

function uniqueIndex(definition: Definition, field: Field): SchemaObject {
  const value = columnTypeOf(field) === 'text' ? `lower(${quoteIdentifier(field.name)})` : quoteIdentifier(field.name);
  const byCompany = field.unique === 'company' && 'site_id' in definition.fields;
  const columns = [...(byCompany ? ['coalesce(site_id, 0)'] : []), value];
  const where = definition.delete.keep ? ' where deleted_at is null' : '';
  const table = qualifiedTable(definition.table);
  return {
    ...createSchemaObject(
      'ux',
      definition.table,
      [field.name],
      `Require unique values of ${definition.table}.${field.name}`,
      (index) => `create unique index ${index} on ${table} (${columns.join(', ')})${where}`,
    ),
    violations: (
      from,
    ) => `select id from (select id, count(*) over (partition by ${columns.join(', ')}) as n from ${from} a
      where ${quoteIdentifier(field.name)} is not null${where.replace('where', 'and')}) each where n > 1`,
  };
}

function searchIndex(definition: Definition, registry: Registry): SchemaObject[] {
  const column = searchColumn(definition, registry);
  if (!column) return [];
  const part = createSchemaObject(
    'ix',
    definition.table,
    [column.name],
    `Index ${definition.table} for searching`,
    (index) =>
      `create index ${index} on ${qualifiedTable(definition.table)} using gin (${quoteIdentifier(column.name)} gin_trgm_ops)`,
  );
  return [{ ...part, isOptional: true }];
}
