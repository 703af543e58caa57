import { MissingValueError } from '../../engine/values/lookups';

/**
 * The row of a statement that always returns exactly one, such as `select count(*)` or an insert of one row.
 *
 * @example const { total } = oneRow(await sql<{ total: number }>`select count(*) as total from sites`.execute(trx));
 */
export function oneRow<Row>({ rows }: { readonly rows: readonly Row[] }): Row {
  const [row] = rows;
  if (row === undefined) throw new MissingValueError('A statement that always returns a row returned none');
  return row;
}
