import type { Definition, Field } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { columnOf, type ColumnType } from '../../engine/field-types';
import { searchColumn, type SearchColumn } from '../conditions/search';
import { pairTable } from '../database/names';
import { partOf, quoted, tableId, type WantedPart } from './parts';
import { wantedIndexes } from './wanted-indexes';

/** A column that a definition needs. */
export interface WantedColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Its former name. */
  readonly was?: string;
}

export interface WantedTable {
  readonly name: string;
  readonly definition: Definition;
  readonly was?: string;
  /** The field whose pairs it stores; then its columns are fixed. */
  readonly pairsOf?: Field;
  readonly columns: readonly WantedColumn[];
  /** The generated column with the search text. */
  readonly search?: SearchColumn;
}

/** The schema that all definitions need. */
export interface Wanted {
  readonly tables: readonly WantedTable[];
  readonly indexes: readonly WantedPart[];
  readonly foreignKeys: readonly WantedPart[];
}

const known = new WeakMap<Registry, Wanted>();

/** Derives tables, indexes and foreign keys from the definitions. */
export function wantedSchema(registry: Registry): Wanted {
  const schema = known.get(registry) ?? derive(registry);
  known.set(registry, schema);
  return schema;
}

function derive(registry: Registry): Wanted {
  const tables: WantedTable[] = [];
  const indexes: WantedPart[] = [];
  const foreignKeys: WantedPart[] = [];
  for (const definition of registry.definitions.values()) {
    // Its table is created by a migration.
    if (definition.system) continue;
    const stored = Object.values(definition.fields).filter((field) => columnOf(field) !== null);
    tables.push({
      name: definition.table,
      definition,
      was: definition.was?.replaceAll('-', '_'),
      columns: stored.map((field) => ({ name: field.name, type: columnOf(field)!, was: field.was })),
      search: searchColumn(definition, registry),
    });
    indexes.push(...wantedIndexes(definition, registry));
    for (const field of stored) {
      const target = field.to === undefined ? undefined : registry.get(field.to);
      if (target && !target.system)
        foreignKeys.push(foreignKey(definition.table, field.name, target.table, deletion[field.onDelete]));
    }
    for (const field of Object.values(definition.fields)) {
      if (field.type !== 'relations' || field.virtual || field.computed !== undefined) continue;
      const name = pairTable(definition, field);
      const target = registry.get(field.to!);
      tables.push({ name, definition, pairsOf: field, columns: pairColumns });
      foreignKeys.push(foreignKey(name, 'record_id', definition.table, 'cascade', 'record_id'));
      if (target && !target.system)
        foreignKeys.push(foreignKey(name, 'target_id', target.table, pairDeletion[field.onDelete], 'record_id'));
      indexes.push(
        partOf(
          'ix',
          name,
          ['target_id'],
          `Index ${name} by target`,
          (index) => `create index ${index} on ${tableId(name)} (target_id, record_id)`,
        ),
      );
    }
  }
  return { tables, indexes, foreignKeys };
}

const pairColumns: readonly WantedColumn[] = [
  { name: 'record_id', type: 'integer' },
  { name: 'target_id', type: 'integer' },
];

const deletion = { restrict: 'no action', cascade: 'cascade', clear: 'set null' } as const;
const pairDeletion = { restrict: 'no action', cascade: 'cascade', clear: 'cascade' } as const;

/** A foreign key from a column of a table to the ids of another. `id` is the column that identifies a violating row. */
export function foreignKey(table: string, column: string, target: string, onDelete: string, id = 'id'): WantedPart {
  const [from, to, name] = [tableId(table), tableId(target), quoted(column)];
  return {
    ...partOf(
      'fk',
      table,
      [column],
      `Make ${table}.${column} refer to ${target}`,
      (constraint) =>
        `alter table ${from} add constraint ${constraint} foreign key (${name}) references ${to} (id) ` +
        `on delete ${onDelete} deferrable initially immediate`,
    ),
    target,
    against: (rows, targets) => `select a.${id} as id from ${rows} a
      where a.${name} is not null and not exists (select from ${targets} b where b.id = a.${name})`,
  };
}
