import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Field, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { insertedRows, insertsRecord, ownColumns, rowsIn } from '../../../engine/field-types/rows';
import { isMarkdown } from '../../../engine/formats/markdown';
import { formatNumber } from '../../../engine/formats/numbers';
import { recordPathFor } from '../../../engine/lists/row-actions';
import { isEmpty } from '../../../engine/values/is-empty';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { Icon } from '../../icons/Icon';
import { MarkdownText } from '../markdown/MarkdownText';
import { picturesOf } from '../markdown/picturesOf';
import type { CellProps, PageFacets } from '../fieldType';
import { PageValue } from '../pages';
import * as styles from '../page-values.module.css';
import { useInsertedRecords, type InsertedRecords } from './useInsertedRecords';

/**
 * The rows as a table; where it is narrow, each row as a list. Rows of a record that is inserted are folded to one line with
 * its name, and are numbered among the others.
 */
function Value(props: CellProps<FieldOf<'rows'>>) {
  const { field, value, record, definition } = props;
  const columns = ownColumns(field);
  const rows = rowsIn(value);
  const insertedRecords = useInsertedRecords(field, rows);
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
        {numberedRows(field, rows).map(({ row, number }, index) =>
          insertsRecord(field, row) ? (
            <InsertedRows key={index} {...{ ...props, columns, row, number, insertedRecords, pictures }} />
          ) : (
            <PlainRow key={index} {...{ ...props, columns, row, number, pictures }} />
          ),
        )}
      </tbody>
    </table>
  );
}

/** Each row with its number, or that of the first row for which it stands. */
function numberedRows(field: FieldOf<'rows'>, rows: readonly ResourceRecord[]) {
  let next = 1;
  return rows.map((row) => {
    const number = next;
    next += insertsRecord(field, row) ? rowsIn(row[insertedRows]).length : 1;
    return { row, number };
  });
}

interface RowProps extends Pick<CellProps<FieldOf<'rows'>>, 'field' | 'definition' | 'registry'> {
  columns: readonly Field[];
  row: ResourceRecord;
  number: number;
  pictures: ReturnType<typeof picturesOf>;
}

function PlainRow({ columns, row, number, pictures, definition, registry }: RowProps) {
  return (
    <tr>
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
  );
}

/** The rows of a record that is inserted: its name, the numbers for which it stands, and where else it is used; unfolded, the rows. */
function InsertedRows({ insertedRecords, ...props }: RowProps & { insertedRecords: InsertedRecords | undefined }) {
  const { field, columns, row, number, registry, definition } = props;
  const [isOpen, setOpen] = useState(false);
  const rows = rowsIn(row[insertedRows]);
  const relation = field.insertedRows && field.columns[field.insertedRows.by];
  if (!relation) return null;
  const last = number + rows.length - 1;
  const id = row[relation.name];
  return (
    <>
      <tr data-inserted>
        <td colSpan={columns.length + 1}>
          <span className={styles.insertedLine}>
            {rows.length > 0 && (
              <button
                type="button"
                aria-expanded={isOpen}
                aria-label={`${isOpen ? 'Fold' : 'Unfold'} ${rows.length > 1 ? `rows ${number} to ${last}` : `row ${number}`}`}
                onClick={() => setOpen(!isOpen)}
              >
                <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={16} />
              </button>
            )}
            <span className="num">{rows.length > 1 ? `${number}–${last}` : rows.length === 1 && number}</span>
            <Icon name="layers" size={16} />
            <b>
              <PageValue field={relation} value={id} record={row} {...{ definition, registry }} />
            </b>
            <span>{rows.length === 1 ? '1 row' : `${formatNumber(rows.length)} rows`}</span>
            {insertedRecords && <Usage records={insertedRecords} id={id} />}
          </span>
        </td>
      </tr>
      {isOpen &&
        rows.map((insertedRow, index) => <PlainRow key={index} {...props} row={insertedRow} number={number + index} />)}
    </>
  );
}

interface UsageProps {
  records: InsertedRecords;
  id: unknown;
}

/** In how many records the rows are used; it leads to the record that has them, which lists them. */
function Usage({ records: { definition, mayOpen, usedIn }, id }: UsageProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const usage = usedIn(id);
  if (!usage) return null;
  const { labels } = usage.definition;
  const words = `used in ${formatNumber(usage.count)} ${(usage.count === 1 ? labels.one : labels.many).toLowerCase()}`;
  const path = mayOpen ? recordPathFor(definition, { id }, actor, evaluationContext) : null;
  return <span data-end>{path === null ? words : <Link to={path}>{words}</Link>}</span>;
}

export default { Value } satisfies PageFacets<FieldOf<'rows'>>;
