import {
  DataGrid,
  useGridApiRef,
  type GridColDef,
  type GridEventListener,
  type GridRowHeightParams,
  type GridRowHeightReturnValue,
  type GridRowId,
  type GridSortModel,
  type GridValidRowModel,
} from '@mui/x-data-grid';
import { useEffect, useMemo, useState } from 'react';
import type { RaRecord } from 'react-admin';
import type { Column, Field, Tone } from '../../../engine/definitions/definition';
import type { FilterInput } from '../../../engine/lists/filter-inputs';
import { inlineFields } from '../../../engine/lists/inline-edit';
import { recordTitle } from '../../../engine/lists/row-actions';
import { pageSizeOf } from '../../../engine/lists/list-state';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useMe } from '../../data/DefinitionsProvider';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { lazyComponent } from '../../states/lazyComponent';
import { useResourceList } from '../ResourceList';
import { useOpenRecord } from '../../navigation/useOpenRecord';
import { ColumnMenuContext } from './columnMenuContext';
import { gridColumns } from './gridColumns';
import type { FittedColumns } from './useFittedColumns';
import { GridCheckbox, GridHint, RecordRow, RowCheckbox, type RowNames } from './gridSlots';
import { toSelectionModel, applySelectionModel, noneSelected } from './selection';
import { toStoredWidth, useColumnWidths } from './useColumnWidths';
import { useGridCommands } from './useGridCommands';
import { useRestoredFocus } from './useRestoredFocus';
import { useScrollToFocusedCell } from './useScrollToFocusedCell';
import { highlightOf } from '../../../engine/lists/highlight-of';
import * as styles from './grid.module.css';

const rowTones: Partial<Record<Tone, string>> = {
  urgent: styles.rowUrgent,
  high: styles.rowHigh,
  medium: styles.rowMedium,
  low: styles.rowLow,
};

const ColumnMenu = lazyComponent(() => import('./ColumnMenu').then((part) => ({ default: part.ColumnMenu })));
const CellEditor = lazyComponent(() => import('../inline/CellEditor').then((part) => ({ default: part.CellEditor })));

/** A cell that is edited. */
interface EditedCell {
  readonly record: RaRecord;
  readonly field: Field;
  readonly anchor: HTMLElement;
}

const slots = {
  row: RecordRow,
  columnMenu: ColumnMenu,
  baseCheckbox: GridCheckbox,
  rowCheckbox: RowCheckbox as typeof GridCheckbox,
  baseTooltip: GridHint,
};
const loadingOverlay = { variant: 'linear-progress', noRowsVariant: 'skeleton' } as const;
const orders = ['asc', 'desc'] as const;
/** Pixels, by the density that a person chose. */
const rowHeights = { comfortable: 50, medium: 40, compact: 36 } as const;

/** The rows of a grouped list that are no records: headings and totals. */
export interface GridGroups {
  /** All rows in their order. */
  readonly rows: readonly GridValidRowModel[];
  /** Whether a row is one of them. */
  readonly isOwn: (id: GridRowId) => boolean;
  /** The columns with the cells of these rows. */
  readonly withCells: (columns: readonly GridColDef[]) => GridColDef[];
  readonly height: (row: GridRowHeightParams) => GridRowHeightReturnValue;
  readonly onKeyDown: GridEventListener<'cellKeyDown'>;
  readonly onClick: GridEventListener<'cellClick'>;
}

interface GridProps {
  /** The chosen columns. */
  columns: readonly Column[];
  /** Where they stand, and the records that they were fitted to. */
  fittedColumns: FittedColumns;
  rows: readonly RaRecord[];
  onViewportWidth: (width: number) => void;
  /** The filters of columns, by field. */
  filters: ReadonlyMap<string, FilterInput>;
  /** Opens the filter of a column beside its header. */
  onFilter: (column: string, anchor: HTMLElement) => void;
  groups?: GridGroups;
}

/**
 * The records as a grid: the server paginates, sorts and filters. Enter or a click edits a cell that can be edited in place;
 * elsewhere Enter, or a click if the definition says so, opens the row.
 */
export function Grid({ columns, fittedColumns, rows, filters, groups, onFilter, onViewportWidth }: GridProps) {
  const { definition, state, change, total = 0, setSort, selection, ...list } = useResourceList();
  const { selectable, select } = selection;
  const selected = selectable ? selection.selected : noneSelected;
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const density = useMe()?.preferences?.density ?? 'comfortable';
  const openerOf = useOpenRecord(definition);
  const api = useGridApiRef();
  const leaveFrom = useRestoredFocus(api, definition.name, rows);
  useScrollToFocusedCell(api);
  const onWidth = useColumnWidths(api);
  const [editedCell, setEditedCell] = useState<EditedCell | null>(null);
  const fieldsOf = (record: RaRecord) => inlineFields(definition, record, actor, evaluationContext);
  const edit = (record: RaRecord, field: Field) => {
    const shownColumns = fittedColumns.columns;
    const column = shownColumns.find((candidate) => candidate.field === field.name) ?? shownColumns[0];
    const anchor = column && api.current?.getCellElement(record.id, column.field);
    if (anchor) setEditedCell({ record, field, anchor });
  };
  useGridCommands({ api, columns: fittedColumns.columns, fieldsOf, onEdit: edit });
  const filterable = useMemo(() => new Set(filters.keys()), [filters]);
  useEffect(
    () => api.current?.subscribeEvent('viewportInnerSizeChange', ({ width }) => onViewportWidth(width)),
    [api, onViewportWidth],
  );
  const recordColumns = useMemo(
    () => gridColumns({ definition, registry, fittedColumns, actor, filterable }),
    [actor, definition, filterable, fittedColumns, registry],
  );
  const defined = useMemo(() => groups?.withCells(recordColumns) ?? recordColumns, [groups, recordColumns]);
  const isRecord = (id: GridRowId) => !groups?.isOwn(id);
  // New model objects on every render would reset the grid to its first page.
  const pageSize = pageSizeOf(state);
  const paginationModel = useMemo(() => ({ page: state.page - 1, pageSize }), [pageSize, state.page]);
  const { field, order } = state.sort;
  const sortModel = useMemo<GridSortModel>(() => [{ field, sort: order === 'ASC' ? 'asc' : 'desc' }], [field, order]);
  const selectionModel = useMemo(() => toSelectionModel(selected), [selected]);
  const slotProps = useMemo(() => {
    const nameOf: RowNames['nameOf'] = (id) => recordTitle(definition, api.current?.getRow(id) as RaRecord);
    return { loadingOverlay, rowCheckbox: { nameOf } as object };
  }, [api, definition]);

  const { rowClick } = definition.list;
  const open = (record: RaRecord) => openerOf(record).open();
  const onCellKeyDown: GridEventListener<'cellKeyDown'> = (params, event, details) => {
    const { row, field: column } = params;
    if (!isRecord(params.id)) return groups?.onKeyDown(params, event, details);
    const isEnter = event.key === 'Enter';
    const presses = event.key === ' ' && event.target instanceof HTMLButtonElement;
    if ((!isEnter && !presses) || column === '__check__') return;
    leaveFrom(row.id as RaRecord['id'], column);
    // The browser presses the button; the grid would select the row instead.
    if (presses) event.defaultMuiPrevented = true;
    if (presses || isControl(event.target)) return;
    event.preventDefault();
    const field = fieldsOf(row as RaRecord).find(({ name }) => name === column);
    if (field) edit(row as RaRecord, field);
    else open(row as RaRecord);
  };
  const onCellClick: GridEventListener<'cellClick'> = (params, event, details) => {
    const { id, row, field: column } = params;
    if (!isRecord(id)) return groups?.onClick(params, event, details);
    if (column === '__check__') return;
    if (rowClick !== 'none' || isControl(event.target)) leaveFrom(id, column);
    if (isControl(event.target) || hasSelectedText()) return;
    const field = fieldsOf(row as RaRecord).find(({ name }) => name === column);
    if (field) edit(row as RaRecord, field);
  };
  const onRowClick: GridEventListener<'rowClick'> = ({ id, row }, event) => {
    if (!isRecord(id)) return;
    if (rowClick === 'none' || isControl(event.target) || hasSelectedText()) return;
    const column = (event.target as Element).closest<HTMLElement>('[role=gridcell]')?.dataset.field;
    if (!fieldsOf(row as RaRecord).some(({ name }) => name === column)) open(row as RaRecord);
  };
  return (
    <ColumnMenuContext value={{ filterable, onFilter, onWidth }}>
      <DataGrid
        apiRef={api}
        className={styles.grid}
        aria-label={definition.labels.many}
        rowHeight={rowHeights[density]}
        data-clickable={rowClick !== 'none' || undefined}
        rows={groups?.rows ?? rows}
        getRowHeight={groups?.height}
        isRowSelectable={({ id }) => isRecord(id)}
        columns={defined}
        rowCount={Math.floor(total)}
        paginationMode="server"
        sortingMode="server"
        filterMode="server"
        paginationModel={paginationModel}
        sortModel={sortModel}
        sortingOrder={orders}
        onSortModelChange={([next]) =>
          next && setSort({ field: next.field, order: next.sort === 'desc' ? 'DESC' : 'ASC' })
        }
        onColumnWidthChange={({ colDef, width }) => {
          const storedColumns = columns.map(({ field: name }) => {
            const storedWidth = state.columns?.find((candidate) => candidate.field === name)?.width;
            const now = name === colDef.field ? toStoredWidth(width) : storedWidth;
            return { field: name, ...(now && { width: now }) };
          });
          // Widths one after the other are one step back.
          change((current) => ({ ...current, columns: storedColumns }), { replace: state.columns !== undefined });
        }}
        checkboxSelection={selectable}
        rowSelectionModel={selectionModel}
        onRowSelectionModelChange={(model) => select(applySelectionModel(model, rows, selected))}
        keepNonExistentRowsSelected
        disableRowSelectionOnClick
        disableColumnFilter
        disableColumnSelector
        disableVirtualization
        hideFooter
        loading={list.isReplacing}
        slots={slots}
        slotProps={slotProps}
        getRowClassName={({ id, row }) => {
          if (!isRecord(id)) return String(row.className);
          const highlight = highlightOf(definition, row as RaRecord, evaluationContext);
          return (highlight && rowTones[highlight.tone]) ?? '';
        }}
        onCellKeyDown={onCellKeyDown}
        onCellClick={onCellClick}
        onRowClick={onRowClick}
      />
      {editedCell && <CellEditor {...editedCell} definition={definition} onClose={() => setEditedCell(null)} />}
    </ColumnMenuContext>
  );
}

/** Whether a click or key belongs to an interactive element in the row. */
function isControl(target: EventTarget): boolean {
  return (
    target instanceof Element && target.closest('a, button, input, [role=menu], .MuiDataGrid-cellCheckbox') !== null
  );
}

/** A user who selects text does not want to open the row. */
function hasSelectedText(): boolean {
  return (window.getSelection()?.toString() ?? '') !== '';
}
