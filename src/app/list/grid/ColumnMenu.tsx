import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import MenuItem from '@mui/material/MenuItem';
import {
  GridColumnMenu,
  useGridApiContext,
  type GridColumnMenuItemProps,
  type GridColumnMenuProps,
} from '@mui/x-data-grid';
import { use } from 'react';
import { Icon } from '../../icons/Icon';
import { ColumnMenuContext } from './columnMenuContext';
import * as styles from './grid.module.css';

// The grid shows its own filter entry only with client-side filtering, which is off: the server filters.
const slots = { columnMenuColumnsItem: null, columnFilter: FilterEntry, columnWidth: WidthEntries };
const slotProps = { columnFilter: { displayOrder: 20 }, columnWidth: { displayOrder: 30 } };

/** The menu of a column: sorting, filter and width. */
export function ColumnMenu(props: GridColumnMenuProps) {
  return <GridColumnMenu {...props} slots={slots} slotProps={slotProps} />;
}

function FilterEntry({ colDef, onClick }: GridColumnMenuItemProps) {
  const menu = use(ColumnMenuContext);
  const api = useGridApiContext();
  if (!menu?.filterable.has(colDef.field)) return null;
  return (
    <MenuItem
      onClick={(event) => {
        onClick(event);
        const anchor = api.current.getColumnHeaderElement(colDef.field);
        if (anchor) menu.onFilter(colDef.field, anchor as HTMLElement);
      }}
    >
      <ListItemIcon>
        <Icon name="filter" />
      </ListItemIcon>
      <ListItemText>Filter…</ListItemText>
    </MenuItem>
  );
}

const widths = [
  { label: 'Wider', by: 1, keys: 'Shift →', icon: 'chevron-right' },
  { label: 'Narrower', by: -1, keys: 'Shift ←', icon: 'chevron-left' },
] as const;

/** Instead of dragging the edge of the column; the menu stays open for the next step. */
function WidthEntries({ colDef }: GridColumnMenuItemProps) {
  const menu = use(ColumnMenuContext);
  return widths.map(({ label, by: step, keys, icon }) => (
    <MenuItem key={label} onClick={() => menu?.onWidth(colDef.field, step)}>
      <ListItemIcon>
        <Icon name={icon} />
      </ListItemIcon>
      <ListItemText>{label}</ListItemText>
      <kbd className={styles.columnKeys}>{keys}</kbd>
    </MenuItem>
  ));
}
