import { sql } from 'kysely';
import type { FieldOf, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { insertedField } from '../../engine/field-types/row-definition';
import { insertsRecord, ownColumns, rowsIn, insertionIn } from '../../engine/field-types/rows';
import { isEmpty } from '../../engine/values/is-empty';
import type { Queries } from '../database/database';
import { storedRowsSql } from '../sql/operands';
import { getOrThrow } from '../../engine/values/lookups';

/** The rows of records that others insert, by the id of the record. */
export type InsertedRows = ReadonlyMap<unknown, readonly ResourceRecord[]>;

/** The rows that stored rows of a field insert. One statement, and none if they insert nothing. */
export async function loadInsertedRows(
  registry: Registry,
  field: FieldOf<'rows'>,
  storedRows: readonly ResourceRecord[],
  queries: Queries,
): Promise<InsertedRows> {
  const ids = storedRows.filter((row) => insertsRecord(field, row)).map((row) => row[insertionIn(field).by] as number);
  if (ids.length === 0) return new Map();
  const target = insertedField(registry, field);
  const { rows } = await sql<{ id: number; rows: ResourceRecord[] }>`
    select t.id, ${storedRowsSql(target.definition, target.field, 't')} as rows
    from ${sql.id('public', target.definition.table)} t where t.id = any(${[...new Set(ids)]}::bigint[])`.execute(
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
  storedRows: readonly ResourceRecord[],
  insertedRows: InsertedRows,
): ExpandedStoredRows {
  const names = ownColumns(field).map(({ name }) => name);
  const cellsOf = new Map<unknown, ResourceRecord>();
  const runs: { readonly parentRow: ResourceRecord; readonly ids: readonly number[] }[] = [];
  let next = -1;
  const rows = storedRows.flatMap((row) => {
    if (!insertsRecord(field, row)) return [row];
    const ownRows = rowsIn(insertedRows.get(row[insertionIn(field).by])).map((row) => {
      const cells = Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
      const id = next--;
      cellsOf.set(id, cells);
      return { ...cells, id };
    });
    runs.push({ parentRow: row, ids: ownRows.map(({ id }) => id) });
    return ownRows;
  });
  const fold = (comparedRows: readonly ResourceRecord[], columns: readonly string[]) => {
    let foldedRows = [...comparedRows];
    for (const { parentRow, ids } of runs) {
      const visibleIds = ids.filter((id) => columns.some((name) => !isEmpty(getOrThrow(cellsOf, id)[name])));
      const startIndex = foldedRows.findIndex(({ id }) => id === visibleIds[0]);
      const isRepeated = visibleIds.every((id, index) => {
        const row = foldedRows[startIndex + index];
        return row?.id === id && Object.keys(row).length === 1;
      });
      if (!isRepeated) continue;
      const insertIndex = visibleIds.length === 0 ? foldedRows.length : startIndex;
      // Rows that the file adds have no id yet.
      const isOutside = ({ id }: ResourceRecord) => !(ids as readonly unknown[]).includes(id);
      foldedRows = [
        ...foldedRows.slice(0, insertIndex).filter(isOutside),
        { id: parentRow.id },
        ...foldedRows.slice(insertIndex).filter(isOutside),
      ];
    }
    return foldedRows.map((row) => {
      const cells = cellsOf.get(row.id);
      if (!cells) return row;
      const { id: _id, ...ownValues } = row;
      return { ...cells, ...ownValues };
    });
  };
  return { rows, fold };
}
