import type {} from '@mui/x-data-grid/themeAugmentation';
import { type ComponentOverrides } from './overrides';
import { token } from './tokens';

const inset = { outline: `2px solid ${token('accent-line')}`, outlineOffset: -2 };

/** The data grid: edge to edge, horizontal lines only, rows and header 50 px high, 15 rows a page. */
export const gridOverrides: ComponentOverrides = {
  MuiDataGrid: {
    // A fixed scrollbar size avoids measuring it, which forces a layout at every mount.
    defaultProps: { rowHeight: 50, columnHeaderHeight: 50, pageSizeOptions: [15], scrollbarSize: 14 },
    styleOverrides: {
      root: {
        '--DataGrid-rowBorderColor': token('line'),
        '--unstable_DataGrid-radius': '0px',
        border: 0,
        background: token('surface'),
        fontSize: 13,
        '& .MuiDataGrid-columnHeader': {
          padding: '0 10px',
          color: token('t3'),
          fontSize: 12,
          lineHeight: '16px',
          fontWeight: 500,
        },
        '& .MuiDataGrid-columnHeader--sorted': { color: token('t1') },
        '& .MuiDataGrid-columnHeaderTitle': { fontWeight: 500 },
        '& .MuiDataGrid-columnSeparator': { color: 'transparent' },
        '& .MuiDataGrid-columnHeader:hover .MuiDataGrid-columnSeparator--resizable': { color: token('line-2') },
        '& .MuiDataGrid-sortIcon': { color: token('accent-text'), fontSize: 14, opacity: 1 },
        '& .MuiDataGrid-cell': { padding: '0 10px', borderColor: token('line') },
        '& .MuiDataGrid-cell[data-colindex="0"], & .MuiDataGrid-columnHeader[aria-colindex="1"]': {
          paddingLeft: token('gutter'),
        },
        '& .MuiDataGrid-columnHeaderCheckbox, & .MuiDataGrid-cellCheckbox': { padding: 0 },
        '& .MuiDataGrid-cellCheckbox[data-colindex="0"], & .MuiDataGrid-columnHeaderCheckbox[aria-colindex="1"]': {
          justifyContent: 'flex-start',
          paddingLeft: `calc(${token('gutter')} - 8px)`,
        },
        // The grid's own outline also appears after a click; the ring is for whoever uses the keyboard.
        '& .MuiDataGrid-cell:focus, & .MuiDataGrid-cell:focus-within, & .MuiDataGrid-columnHeader:focus, & .MuiDataGrid-columnHeader:focus-within':
          { outline: 'none' },
        '& .MuiDataGrid-cell:focus-visible, & .MuiDataGrid-cell:not([data-field="__actions__"]):focus-within:has(:focus-visible), & .MuiDataGrid-columnHeader:focus-visible':
          inset,
        '& .MuiDataGrid-row:hover': { background: token('hover') },
        '& .MuiDataGrid-row.Mui-selected, & .MuiDataGrid-row.Mui-selected:hover': { background: token('tint') },
        '& .MuiDataGrid-footerContainer': { minHeight: 48, borderColor: token('line') },
        '& .MuiDataGrid-overlay': { background: token('surface') },
      },
      panelContent: { fontSize: 13 },
      // The menu of a column looks like every other menu.
      menu: {
        '& .MuiPaper-root': {
          minWidth: 200,
          border: `1px solid ${token('line-2')}`,
          background: token('raised'),
          boxShadow: token('shadow'),
        },
        '& .MuiListItemIcon-root': { minWidth: 0, color: token('t3') },
      },
      paper: { border: `1px solid ${token('line-2')}`, background: token('raised'), boxShadow: token('shadow') },
    },
  },
};
