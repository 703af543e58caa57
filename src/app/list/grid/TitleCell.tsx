import { Link } from 'react-router-dom';
import type { Column, Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import type { ColumnSource } from '../../../engine/lists/column-value';
import { recordTitle } from '../../../engine/lists/row-actions';
import { isEmpty } from '../../../engine/values/is-empty';
import { displayOf } from '../../fields/displays';
import { RowMark } from '../RowMark';
import { SecondLine } from '../ColumnCell';
import { SourceCell } from '../SourceCell';
import { useOpenRecord } from '../../navigation/useOpenRecord';
import * as fieldsStyles from '../../fields/fields.module.css';
import * as gridStyles from './grid.module.css';

interface TitleCellProps {
  definition: Definition;
  /** The title field. */
  source: ColumnSource;
  column: Column;
  record: ResourceRecord;
  /** The cell has the grid's focus. */
  focused: boolean;
}

/** The record's title as a link, so that it can be opened in another tab, and its highlight. */
export function TitleCell({ definition, source, column, record, focused }: TitleCellProps) {
  const { path, onClick } = useOpenRecord(definition)(record);
  const name = (
    <>
      <Name {...{ definition, source, record, focused }} />
      {column.secondLine && <SecondLine paths={column.secondLine} {...{ definition, record }} />}
    </>
  );
  return (
    <>
      {path ? (
        <Link to={path} onClick={onClick} className={gridStyles.titleLink} tabIndex={focused ? 0 : -1}>
          {name}
        </Link>
      ) : (
        name
      )}
      <RowMark definition={definition} record={record} />
    </>
  );
}

/** The value as its type shows it. An empty value falls back to the record's title, so that no link is empty. */
function Name({ definition, source, record, focused }: Omit<TitleCellProps, 'column'>) {
  const { field } = source;
  const value = source.value(record);
  const text = fieldTypeOf(field).toText(value, field, source.record(record)).trim();
  const hasWords = text !== '' || (field.emptyText !== undefined && isEmpty(value));
  if (hasWords && !displayOf(field).isLink) return <SourceCell {...{ source, record, focused }} />;
  return <span className={fieldsStyles.cellText}>{text || recordTitle(definition, record)}</span>;
}
