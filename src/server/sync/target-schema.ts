import type { Definition, Field } from '../../engine/definitions/definition';
import { isAnyRelation } from '../../engine/field-types/relation';
import { isRelations } from '../../engine/field-types/relations';
import type { Registry } from '../../engine/definitions/registry';
import { columnTypeOf, type ColumnType } from '../../engine/field-types';
import { searchColumn, type SearchColumn } from '../sql/search';
import { pairTable } from '../database/identifiers';
import { createSchemaObject, quoteIdentifier, qualifiedTable, type SchemaObject } from './schema-object';
import { targetIndexes } from './target-indexes';

/** A column that a definition needs. */
export interface TargetColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Its former name. */
  readonly was?: string;
}

export interface TargetTable {
  readonly name: string;
  readonly definition: Definition;
  readonly was?: string;
  /** The field whose pairs it stores; then its columns are fixed. */
  readonly pairField?: Field;
  readonly columns: readonly TargetColumn[];
  /** The generated column with the search text. */
  readonly search?: SearchColumn;
}

/** The schema that all definitions need. */
export interface TargetSchema {
  readonly tables: readonly TargetTable[];
  readonly indexes: readonly SchemaObject[];
  readonly foreignKeys: readonly SchemaObject[];
}

const targetSchemas = new WeakMap<Registry, TargetSchema>();

/** Derives tables, indexes and foreign keys from the definitions. */
export function targetSchema(registry: Registry): TargetSchema {
  const schema = targetSchemas.get(registry) ?? deriveSchema(registry);
  targetSchemas.set(registry, schema);
  return schema;
}

function deriveSchema(registry: Registry): TargetSchema {
  const tables: TargetTable[] = [];
  const indexes: SchemaObject[] = [];
  const foreignKeys: SchemaObject[] = [];
  for (const definition of registry.definitions.values()) {
    // Its table is created by a migration.
    if (definition.system) continue;
    const stored = Object.values(definition.fields).filter((field) => columnTypeOf(field) !== null);
    tables.push({
      name: definition.table,
      definition,
      was: definition.was?.replaceAll('-', '_'),
      columns: stored.map((field) => ({ name: field.name, type: columnTypeOf(field)!, was: field.was })),
      search: searchColumn(definition, registry),
    });
    indexes.push(...targetIndexes(definition, registry));
    for (const field of stored) {
      if (!isAnyRelation(field)) continue;
      const target = registry.get(field.to);
      if (target && !target.system)
        foreignKeys.push(foreignKey(definition.table, field.name, target.table, onDeleteActions[field.onDelete]));
    }
    for (const field of Object.values(definition.fields)) {
      if (!isRelations(field) || field.virtual || field.computed !== undefined) continue;
      const name = pairTable(definition, field);
      const target = registry.get(field.to);
      tables.push({ name, definition, pairField: field, columns: pairColumns });
      foreignKeys.push(foreignKey(name, 'record_id', definition.table, 'cascade', 'record_id'));
      if (target && !target.system)
        foreignKeys.push(foreignKey(name, 'target_id', target.table, pairOnDeleteActions[field.onDelete], 'record_id'));
      indexes.push(
        createSchemaObject(
          'ix',
          name,
          ['target_id'],
          `Index ${name} by target`,
          (index) => `create index ${index} on ${qualifiedTable(name)} (target_id, record_id)`,
        ),
      );
    }
  }
  return { tables, indexes, foreignKeys };
}

const pairColumns: readonly TargetColumn[] = [
  { name: 'record_id', type: 'integer' },
  { name: 'target_id', type: 'integer' },
];

const onDeleteActions = { restrict: 'no action', cascade: 'cascade', clear: 'set null' } as const;
const pairOnDeleteActions = { restrict: 'no action', cascade: 'cascade', clear: 'cascade' } as const;

/** A foreign key from a column of a table to the ids of another. `id` is the column that identifies a violating row. */
export function foreignKey(table: string, column: string, target: string, onDelete: string, id = 'id'): SchemaObject {
  const [from, to, name] = [qualifiedTable(table), qualifiedTable(target), quoteIdentifier(column)];
  return {
    ...createSchemaObject(
      'fk',
      table,
      [column],
      `Make ${table}.${column} refer to ${target}`,
      (constraint) =>
        `alter table ${from} add constraint ${constraint} foreign key (${name}) references ${to} (id) ` +
        `on delete ${onDelete} deferrable initially immediate`,
    ),
    target,
    violations: (rows, targets) => `select a.${id} as id from ${rows} a
      where a.${name} is not null and not exists (select from ${targets} b where b.id = a.${name})`,
  };
}
