import { sql, type RawBuilder } from 'kysely';
import type { AnyRelationField, Definition, FieldOf } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { pairTable } from '../database/identifiers';
import { sqlTrue } from './compare-sql';

/** A field that refers to records: those that it points to, or those that point at it. */
export type FieldWithRecords = AnyRelationField | FieldOf<'inverse'>;

/** The rows that a field refers to, as parts of a subquery. */
export interface RelatedRows {
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
  /** The related row's id. */
  readonly id: RawBuilder<unknown>;
  readonly alias: string;
  readonly definition: Definition;
}

/**
 * Passes the rows that a relation, relations or inverse field of the row `alias` refers to, for use in a subquery. An
 * inverse field excludes deleted and archived records; a relation still refers to them.
 */
export function withRelatedRows<T>(
  field: FieldWithRecords,
  place: { definition: Definition; alias: string; registry: Registry; depth: number },
  use: (rows: RelatedRows) => T,
): T {
  const { alias: outer, registry, depth } = place;
  const alias = `related${depth}`;
  const pair = `pair${depth}`;
  const id = sql.id(alias, 'id');
  const from = (definition: Definition) => sql`${sql.id('public', definition.table)} ${sql.id(alias)}`;
  if (field.inverse) {
    const definition = registry.getOrThrow(field.inverse.resource);
    const other = definition.fields[field.inverse.field]!;
    const standing = activeRowsSql(definition, alias);
    if (other.type !== 'relations') {
      const where = sql`${sql.id(alias, other.name)} = ${sql.id(outer, 'id')} and ${standing}`;
      return use({ from: from(definition), where, id, alias, definition });
    }
    const pairs = sql`${sql.id('public', pairTable(definition, other))} ${sql.id(pair)}`;
    return use({
      from: sql`${pairs} join ${from(definition)} on ${id} = ${sql.id(pair, 'record_id')}`,
      where: sql`${sql.id(pair, 'target_id')} = ${sql.id(outer, 'id')} and ${standing}`,
      id,
      alias,
      definition,
    });
  }
  const definition = registry.getOrThrow(field.to);
  if (field.type !== 'relations') {
    return use({ from: from(definition), where: sql`${id} = ${sql.id(outer, field.name)}`, id, alias, definition });
  }
  const pairs = sql`${sql.id('public', pairTable(place.definition, field))} ${sql.id(pair)}`;
  return use({
    from: sql`${pairs} join ${from(definition)} on ${id} = ${sql.id(pair, 'target_id')}`,
    where: sql`${sql.id(pair, 'record_id')} = ${sql.id(outer, 'id')}`,
    id,
    alias,
    definition,
  });
}

function activeRowsSql(definition: Definition, alias: string): RawBuilder<unknown> {
  const conditions = [
    ...(definition.archive ? [sql`${sql.id(alias, 'archived_at')} is null`] : []),
    ...(definition.delete.keep ? [sql`${sql.id(alias, 'deleted_at')} is null`] : []),
  ];
  return conditions.length === 0 ? sqlTrue : sql.join(conditions, sql` and `);
}
