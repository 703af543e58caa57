import { sql } from 'kysely';
import type { FieldOf, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { insertedField } from '../../engine/definitions/row-definition';
import { insertsRecord, ownColumns, rowsIn } from '../../engine/field-types/rows';
import { isEmpty } from '../../engine/values/is-empty';
import type { Queries } from '../database/database';
import { storedRowsSql } from '../sql/operands';

/** The rows of records that others insert, by the id of the record. */
export type InsertedRows = ReadonlyMap<unknown, readonly ResourceRecord[]>;

/** The rows that stored rows of a field insert. One statement, and none if they insert nothing. */
export async function loadInsertedRows(
  registry: Registry,
  field: FieldOf<'rows'>,
  stored: readonly ResourceRecord[],
  queries: Queries,
): Promise<InsertedRows> {
  const { insertedRows } = field;
  const ids = stored.filter((row) => insertsRecord(field, row)).map((row) => row[insertedRows!.by] as number);
  if (ids.length === 0) return new Map();
  const target = insertedField(registry, field);
  const { rows } = await sql<{ id: number; rows: ResourceRecord[] }>`
    select t.id, ${storedRowsSql(target.definition, target.field, 't')} as rows
    from ${sql.id('public', target.definition.table)} t where t.id = any(${[...new Set(ids)]}::integer[])`.execute(
    queries,
  );
  return new Map(rows.map((row) => [row.id, row.rows]));
}

/** Stored rows as a file has them. */
export interface ExpandedStoredRows {
  readonly rows: readonly ResourceRecord[];
  /**
   * The rows to store for those that a comparison with a file gave, in which inserted rows have negative ids: a row that
   * inserts a record stays where the file repeats all of its rows, else the file's rows are the record's own.
   *
   * @param columns The columns of the file.
   */
  fold(compared: readonly ResourceRecord[], columns: readonly string[]): readonly ResourceRecord[];
}

/** The stored rows with inserted ones in place of those that insert them. */
export function expandStoredRows(
  field: FieldOf<'rows'>,
  stored: readonly ResourceRecord[],
  inserted: InsertedRows,
): ExpandedStoredRows {
  const names = ownColumns(field).map(({ name }) => name);
  const cellsOf = new Map<unknown, ResourceRecord>();
  const runs: { readonly by: ResourceRecord; readonly ids: readonly number[] }[] = [];
  let next = -1;
  const rows = stored.flatMap((row) => {
    if (!insertsRecord(field, row)) return [row];
    const own = rowsIn(inserted.get(row[field.insertedRows!.by])).map((one) => {
      const cells = Object.fromEntries(names.map((name) => [name, one[name] ?? null]));
      const id = next--;
      cellsOf.set(id, cells);
      return { ...cells, id };
    });
    runs.push({ by: row, ids: own.map(({ id }) => id) });
    return own;
  });
  const fold = (compared: readonly ResourceRecord[], columns: readonly string[]) => {
    let folded = [...compared];
    for (const { by, ids } of runs) {
      const shown = ids.filter((id) => columns.some((name) => !isEmpty(cellsOf.get(id)![name])));
      const from = folded.findIndex(({ id }) => id === shown[0]);
      const repeats = shown.every((id, at) => {
        const row = folded[from + at];
        return row?.id === id && Object.keys(row).length === 1;
      });
      if (!repeats) continue;
      const at = shown.length === 0 ? folded.length : from;
      const others = (row: ResourceRecord) => !ids.includes(row.id as number);
      folded = [...folded.slice(0, at).filter(others), { id: by.id }, ...folded.slice(at).filter(others)];
    }
    return folded.map((row) => {
      const cells = cellsOf.get(row.id);
      if (!cells) return row;
      const { id: _id, ...changed } = row;
      return { ...cells, ...changed };
    });
  };
  return { rows, fold };
}
