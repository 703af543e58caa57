import { useMemo } from 'react';
import { DataGrid, type GridColDef, type GridRenderCellParams, type GridValidRowModel } from '@mui/x-data-grid';
import * as fieldsStyles from '../../fields/fields.module.css';
import * as gridStyles from '../../list/grid/grid.module.css';

interface PlainGridProps<Row extends GridValidRowModel> {
  label: string;
  rows: readonly Row[];
  columns: readonly GridColDef<Row>[];
  /** Pixels. */
  rowHeight: number;
  loading?: boolean;
}

/** A read-only grid: no sorting, no column menu, no selection; paging is outside of it. */
export function PlainGrid<Row extends GridValidRowModel>({
  label,
  rows,
  columns,
  rowHeight,
  loading,
}: PlainGridProps<Row>) {
  const defined = useMemo(() => columns.map((column) => ({ renderCell: asText, ...column })), [columns]);
  return (
    <DataGrid
      className={gridStyles.grid}
      aria-label={label}
      rows={rows}
      columns={defined}
      loading={loading}
      rowHeight={rowHeight}
      columnHeaderHeight={50}
      autoHeight
      hideFooter
      disableRowSelectionOnClick
      disableColumnSelector
      disableColumnMenu
      disableColumnSorting
      slotProps={{ loadingOverlay: { variant: 'skeleton', noRowsVariant: 'skeleton' } }}
    />
  );
}

/** Text that is too long for its cell ends in an ellipsis. */
function asText({ formattedValue }: GridRenderCellParams) {
  return <span className={fieldsStyles.cellText}>{formattedValue}</span>;
}
