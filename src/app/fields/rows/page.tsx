import type { FieldOf } from '../../../engine/definitions/definition';
import { rowsIn } from '../../../engine/field-types/rows';
import { isMarkdown } from '../../../engine/formats/markdown';
import { isEmpty } from '../../../engine/validation/is-empty';
import { MarkdownText } from '../../markdown/MarkdownText';
import { picturesOf } from '../../markdown/picturesOf';
import type { CellProps, PageFacets } from '../fieldType';
import { PageValue } from '../pages';
import * as styles from '../page-values.module.css';

/** The rows as a table; where it is narrow, each row as a list. */
function Value({ field, value, record, definition, registry }: CellProps<FieldOf<'rows'>>) {
  const columns = Object.values(field.columns);
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
        {rowsIn(value).map((row, index) => (
          <tr key={index}>
            <th scope="row" className="num">
              {index + 1}
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
        ))}
      </tbody>
    </table>
  );
}

export default { Value } satisfies PageFacets<FieldOf<'rows'>>;
