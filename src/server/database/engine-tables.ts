import type { Kysely } from 'kysely';
import type { Column } from './column-types';
import type { Queries } from './database';
import type { engineTables } from './engine-columns';

type Values<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer Type> ? Type : never;
};

/** The types of the engine's tables. */
export type EngineTables = { [Table in keyof typeof engineTables]: Values<(typeof engineTables)[Table]> };

/**
 * Queries of the engine's own tables, whose columns the compiler knows.
 *
 * @example
 *   await onEngineTables(trx).selectFrom('grants').select('action').where('role_id', '=', 3).execute();
 */
export function onEngineTables(queries: Queries): Kysely<EngineTables> {
  return queries.withSchema('assay') as Kysely<EngineTables>;
}
