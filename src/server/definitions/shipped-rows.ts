import { sql } from 'kysely';
import { basename, dirname, join } from 'node:path';
import { checkRows } from '../../engine/check/check-rows';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { JsonError, parseJson } from '../../engine/check/parse-json';
import { closestPath, type DefinitionFile } from '../../engine/check/read-definitions';
import type { Registry } from '../../engine/registry/registry';
import { columnTypeOf } from '../../engine/field-types';
import type { Transaction } from '../database/database';
import { definitionName } from './candidates';
import type { DefinitionProblem } from './definition-problem';
import type { DefinitionFiles, DefinitionFolders } from './folder';
import { onEngineTables } from '../database/engine-tables';
import { pinnedRelations } from '../../engine/normalise/pins';
import { pinRowsSql } from '../sync/pins';
import { numberRows } from '../sync/sequences';
import { requireValue } from '../../engine/values/lookups';

/** Validated rows that ship with a resource. */
export interface ShippedRows {
  readonly definition: Definition;
  readonly rows: readonly ResourceRecord[];
}

/** Lower ids are reserved for shipped rows; resources that ship many rows reserve more. */
const FIRST_USER_ID = 1_000;
const FIRST_USER_ID_OF_LARGE = 10_000;
const LARGE_ROW_COUNT = 400;
const BATCH_SIZE = 500;

/** Reads the files of shipped rows that definitions name. Skips a file with problems as a whole. */
export function readShippedRows(
  registry: Registry,
  { definitions, rows: files }: DefinitionFiles,
  { product }: DefinitionFolders,
): { shipped: ShippedRows[]; faults: DefinitionProblem[] } {
  const faults: DefinitionProblem[] = [];
  const shippedRows: ShippedRows[] = [];
  for (const definition of registry.definitions.values()) {
    if (!definition.rows) continue;
    const name = definition.rows.file;
    const rowFile = files.find(({ file }) => basename(file) === name);
    if (!rowFile) {
      const definitionFile = definitions.find(({ file }) => definitionName(file) === definition.name);
      const message = `${definition.name} names this file for its shipped rows, but it does not exist.`;
      const folder = definitionFile ? dirname((definitionFile.locate?.('/rows') ?? definitionFile).file) : product;
      faults.push({ file: join(folder, 'rows', name), path: '', message });
      continue;
    }
    const read = readRows(definition, rowFile);
    if (read.faults.length === 0) shippedRows.push({ definition, rows: read.rows });
    faults.push(...read.faults);
  }
  return { shipped: shippedRows, faults };
}

function readRows(definition: Definition, { file, text, locate }: DefinitionFile) {
  try {
    const { value, lines } = parseJson(text);
    const faults = checkRows(definition, value).map((fault): DefinitionProblem => {
      const position = locate?.(fault.path) ?? { file, line: lines.get(closestPath(fault.path, lines)) ?? 1 };
      return { ...fault, ...position };
    });
    return { rows: value as ResourceRecord[], faults };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { rows: [], faults: [{ file, line: error.line, path: '', message: error.message }] };
  }
}

/**
 * Inserts shipped rows that were not inserted before, and remembers them: a deleted row does not come back, a changed
 * row stays changed. Ids of records created by users start above. Returns the resources that got rows.
 */
export async function storeShippedRows(trx: Transaction, shippedRows: readonly ShippedRows[]): Promise<string[]> {
  const storedKeys = await onEngineTables(trx).selectFrom('shipped_rows').select(['resource', 'record_id']).execute();
  const storedRowKeys = new Set(storedKeys.map(({ resource, record_id }) => `${resource} ${record_id}`));
  const newRows = shippedRows
    .map(({ definition, rows }) => ({
      definition,
      rows: rows.filter(({ id }) => !storedRowKeys.has(`${definition.name} ${id}`)),
    }))
    .filter(({ rows }) => rows.length > 0);
  if (newRows.length > 0) await sql`set constraints all deferred`.execute(trx);
  for (const { definition, rows } of newRows) await insertShippedRows(trx, definition, rows);
  // Later steps may change tables, which PostgreSQL refuses while deferred checks are pending.
  if (newRows.length > 0) await sql`set constraints all immediate`.execute(trx);
  return newRows.map(({ definition }) => definition.name);
}

async function insertShippedRows(
  trx: Transaction,
  definition: Definition,
  rows: readonly ResourceRecord[],
): Promise<void> {
  const columns = Object.values(definition.fields).filter((field) => columnTypeOf(field) !== null);
  const now = new Date();
  for (let offset = 0; offset < rows.length; offset += BATCH_SIZE) {
    const part = rows.slice(offset, offset + BATCH_SIZE);
    const values = part.map((row) =>
      Object.fromEntries(
        columns.map((field) => {
          const { name, default: fallback } = field;
          const value = row[name] ?? (name === 'created_at' || name === 'updated_at' ? now : plainDefault(fallback));
          return [name, columnTypeOf(field) === 'jsonb' && value !== null ? JSON.stringify(value) : value];
        }),
      ),
    );
    await trx
      .withSchema('public')
      .insertInto(definition.table)
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await onEngineTables(trx)
      .insertInto('shipped_rows')
      .values(
        part.map(({ id }) => ({
          resource: definition.name,
          record_id: id as number,
          protected: requireValue(definition.rows, `the rows of ${definition.name}`).protected,
        })),
      )
      .execute();
  }
  await numberRows(trx, definition);
  for (const field of pinnedRelations(definition)) await sql.raw(pinRowsSql(definition, field)).execute(trx);
  const sequence = sql`pg_get_serial_sequence(${`public."${definition.table}"`}, 'id')`;
  const first = rows.length > LARGE_ROW_COUNT ? FIRST_USER_ID_OF_LARGE : FIRST_USER_ID;
  await sql`select setval(${sequence}, greatest(nextval(${sequence}) - 1, ${sql.lit(first - 1)},
    (select max(id) from ${sql.id('public', definition.table)})))`.execute(trx);
}

function plainDefault(value: unknown): unknown {
  return value === undefined || (typeof value === 'string' && value.startsWith('$')) ? null : value;
}
