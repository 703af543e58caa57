import type { GridColDef } from '@mui/x-data-grid';
import type { Actor } from '../../../engine/access/actor';
import { fieldsOfAllRecords } from '../../../engine/access/access-decision';
import type { Column, Definition, ResourceRecord } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { resolveColumn, type ColumnSource } from '../../../engine/lists/column-value';
import { sortedField } from '../../../engine/lists/sorted-field';
import { displayOf } from '../../fields/displays';
import { titleFieldOf, type FittedColumns } from './useFittedColumns';
import { RowActions } from '../RowActions';
import { RowMark } from '../RowMark';
import { ColumnCell, SecondLine } from '../ColumnCell';
import * as styles from './grid.module.css';
import { Link } from 'react-router-dom';
import { fieldTypeOf } from '../../../engine/field-types/index';
import { recordTitle } from '../../../engine/lists/row-actions';
import { isEmpty } from '../../../engine/values/is-empty';
import { SourceCell } from '../SourceCell';
import { useOpenRecord } from '../../navigation/useOpenRecord';
import * as fieldsStyles from '../../fields/fields.module.css';
import * as gridStyles from './grid.module.css';

interface GridColumnsInput {
  definition: Definition;
  registry: Registry;
  fittedColumns: FittedColumns;
  actor: Actor;
  /** The fields of columns that can be filtered. */
  filterable: ReadonlySet<string>;
}

/** The grid's columns, each with the cell of its field type, and the actions at the end. */
export function gridColumns({
  definition,
  registry,
  fittedColumns,
  actor,
  filterable,
}: GridColumnsInput): GridColDef[] {
  const { columns } = fittedColumns;
  const titleColumn = titleFieldOf(columns, definition);
  const markColumn = highlightedColumn(columns, definition, titleColumn);
  const shownFields = new Set(columns.map(({ field }) => field));
  const visibleColumns = columns.flatMap((column) => {
    const source = resolveColumn(column.field, definition, registry);
    if (!source) return [];
    const defined = {
      ...columnOf(column, source, definition, column.field === titleColumn, column.field === markColumn, shownFields),
      ...sizeOf(column, fittedColumns),
      sortable: isSortable(column, source, definition, actor),
    };
    return [{ ...defined, disableColumnMenu: !defined.sortable && !filterable.has(column.field) }];
  });
  return definition.list.actions.length === 0 ? visibleColumns : [...visibleColumns, actionsColumn(definition)];
}

/** Whether the list can be sorted by a column: a field, or a stored one of the record that a relation shows. */
function isSortable(
  { field: path }: Column,
  { field, definition: owner }: ColumnSource,
  definition: Definition,
  actor: Actor,
) {
  if (!field.sortable) return false;
  if (path === field.name) return fieldsOfAllRecords(actor, definition).has(path);
  const isStored = sortedField(path, definition) !== undefined && field.computed === undefined;
  return isStored && fieldsOfAllRecords(actor, owner).has(field.name);
}

/** The column that shows a row's highlight: the title, which does so itself, or else the first visible column. */
function highlightedColumn(columns: readonly Column[], { list }: Definition, titleColumn: string): string | undefined {
  if (list.highlight.length === 0 || columns.some(({ field }) => field === titleColumn)) return undefined;
  return columns.find(({ field }) => field !== 'id')?.field;
}

function columnOf(
  column: Column,
  source: ColumnSource,
  definition: Definition,
  isTitled: boolean,
  isMarked: boolean,
  shownFields: ReadonlySet<string>,
): GridColDef {
  const { field } = source;
  const isOwn = column.field === field.name;
  const isTitle = isOwn && isTitled && field.name !== 'id';
  return {
    field: column.field,
    headerName: column.label,
    cellClassName:
      field.name === 'id' ? `${styles.cellId} num` : isTitle ? styles.cellTitle : isMarked ? styles.cellMarked : '',
    align: 'left',
    headerAlign: 'left',
    valueGetter: (_value, row: ResourceRecord) => source.value(row),
    renderCell: ({ row, hasFocus }) =>
      isTitle ? (
        <TitleCell {...{ definition, source, column, shownFields }} record={row as ResourceRecord} focused={hasFocus} />
      ) : (
        <>
          <ColumnCell {...{ definition, source, column }} record={row as ResourceRecord} focused={hasFocus} />
          {isMarked && <RowMark {...{ definition, shownFields }} record={row as ResourceRecord} />}
        </>
      ),
  };
}

/** The column that takes the rest grows with the grid. All can be dragged to be narrow. */
function sizeOf({ field, width }: Column, { widths, widestField }: FittedColumns): Partial<GridColDef> {
  if (field === widestField && width === undefined) return { flex: 1, minWidth: 200 };
  const fittedWidth = widths.get(field) ?? width;
  return { width: fittedWidth, minWidth: Math.min(fittedWidth ?? narrowest, narrowest) };
}

const narrowest = 40;

/** The pixels of the column of actions; 0 without one. */
export function actionsWidthOf({ list }: Definition): number {
  return list.actions.length === 0 ? 0 : (list.actionsWidth ?? 92);
}

function actionsColumn(definition: Definition): GridColDef {
  const width = actionsWidthOf(definition);
  return {
    field: '__actions__',
    headerName: 'Actions',
    width,
    minWidth: width,
    sortable: false,
    resizable: false,
    disableColumnMenu: true,
    headerClassName: styles.headActions,
    cellClassName: styles.cellActions,
    renderHeader: () => <span className="unseen">Actions</span>,
    renderCell: ({ row, hasFocus }) => (
      <RowActions definition={definition} record={row as ResourceRecord} focused={hasFocus} />
    ),
  };
}

interface TitleCellProps {
  definition: Definition;
  /** The title field. */
  source: ColumnSource;
  column: Column;
  record: ResourceRecord;
  /** The cell has the grid's focus. */
  focused: boolean;
  shownFields: ReadonlySet<string>;
}

/** The record's title as a link, so that it can be opened in another tab, and its highlight. */
function TitleCell({ definition, source, column, record, focused, shownFields }: TitleCellProps) {
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
      <RowMark {...{ definition, record, shownFields }} />
    </>
  );
}

/** The value as its type shows it. An empty value falls back to the record's title, so that no link is empty. */
function Name({ definition, source, record, focused }: Omit<TitleCellProps, 'column' | 'shownFields'>) {
  const { field } = source;
  const value = source.value(record);
  const text = fieldTypeOf(field).toText(value, field, source.record(record)).trim();
  const hasWords = text !== '' || (field.emptyText !== undefined && isEmpty(value));
  if (hasWords && !displayOf(field).isLink) return <SourceCell {...{ source, record, focused }} />;
  return <span className={fieldsStyles.cellText}>{text || recordTitle(definition, record)}</span>;
}
