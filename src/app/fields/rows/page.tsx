import type { FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { insertedRows, insertsRecord, ownColumns, rowsIn } from '../../../engine/field-types/rows';
import { isMarkdown } from '../../../engine/formats/markdown';
import { isEmpty } from '../../../engine/values/is-empty';
import { MarkdownText } from '../markdown/MarkdownText';
import { picturesOf } from '../markdown/picturesOf';
import type { CellProps, PageFacets } from '../fieldType';
import { PageValue } from '../pages';
import * as styles from '../page-values.module.css';

/**
 * The rows as a table; where it is narrow, each row as a list. Rows of a record that is inserted follow its name, and are
 * numbered among the others.
 */
function Value({ field, value, record, definition, registry }: CellProps<FieldOf<'rows'>>) {
  const columns = ownColumns(field);
  const recordColumn = field.insertedRows && field.columns[field.insertedRows.by];
  const pictures = picturesOf(definition, record);
  return (
    <table className={styles.valueRows} aria-label={field.label}>
      <thead>
        <tr>
          <th scope="col">#</th>
          {columns.map((column) => (
            <th key={column.name} scope="col">
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rowsOf(field, value).map(({ row, number }, index) =>
          number === undefined && recordColumn ? (
            <tr key={index} data-inserted>
              <td colSpan={columns.length + 1}>
                <PageValue
                  field={recordColumn}
                  value={row[recordColumn.name]}
                  record={row}
                  {...{ definition, registry }}
                />
              </td>
            </tr>
          ) : (
            <tr key={index}>
              <th scope="row" className="num">
                {number}
              </th>
              {columns.map((column) => (
                <td key={column.name} data-label={column.label}>
                  {isMarkdown(column) && !isEmpty(row[column.name]) ? (
                    <MarkdownText text={String(row[column.name])} pictures={pictures} />
                  ) : (
                    <PageValue field={column} value={row[column.name]} record={row} {...{ definition, registry }} />
                  )}
                </td>
              ))}
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

/** Each row with its number; one that inserts a record has none, and is followed by the rows of that. */
function rowsOf(field: FieldOf<'rows'>, value: unknown): { row: ResourceRecord; number?: number }[] {
  let number = 0;
  return rowsIn(value).flatMap((row) => {
    if (!insertsRecord(field, row)) return { row, number: ++number };
    return [{ row }, ...rowsIn(row[insertedRows]).map((insertedRow) => ({ row: insertedRow, number: ++number }))];
  });
}

export default { Value } satisfies PageFacets<FieldOf<'rows'>>;
