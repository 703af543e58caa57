import { useMemo } from 'react';
import { DataGrid, type GridColDef, type GridRenderCellParams, type GridValidRowModel } from '@mui/x-data-grid';
import '../../src/app/list/list.css';

interface PlainGridProps<Row extends GridValidRowModel> {
  label: string;
  rows: readonly Row[];
  columns: readonly GridColDef<Row>[];
  /** Pixels. */
  rowHeight: number;
  loading?: boolean;
}

/** A grid that is only read: no sorting, no choice of columns, no selection; its pages are turned below it. */
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
      className="grid"
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

/** Words that are too long for their cell end in an ellipsis. */
function asText({ formattedValue }: GridRenderCellParams) {
  return <span className="cell-text">{formattedValue}</span>;
}
