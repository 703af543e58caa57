import type { FieldOf } from '../../../engine/definitions/definition';
import { rowsIn } from '../../../engine/field-types/rows';
import type { CellProps, PageFacets } from '../fieldType';
import { PageValue } from '../pages';
import * as styles from '../page-values.module.css';

/** The rows as a table; where it is narrow, each row as a list. */
function Value({ field, value, definition, registry }: CellProps<FieldOf<'rows'>>) {
  const columns = Object.values(field.columns);
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
        {rowsIn(value).map((row, index) => (
          <tr key={index}>
            <th scope="row" className="num">
              {index + 1}
            </th>
            {columns.map((column) => (
              <td key={column.name} data-label={column.label}>
                <PageValue field={column} value={row[column.name]} record={row} {...{ definition, registry }} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export default { Value } satisfies PageFacets<FieldOf<'rows'>>;
