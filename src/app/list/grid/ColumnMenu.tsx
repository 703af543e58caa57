import MenuItem from '@mui/material/MenuItem';
import {
  GridColumnMenu,
  useGridApiContext,
  type GridColumnMenuItemProps,
  type GridColumnMenuProps,
} from '@mui/x-data-grid';
import { createContext, use } from 'react';
import { Icon } from '../../icons/Icon';

interface MenuContext {
  /** The fields of columns that can be filtered. */
  filterable: ReadonlySet<string>;
  onFilter: (column: string, anchor: HTMLElement) => void;
}

/** What column menus need besides the grid's props. */
export const ColumnMenuContext = createContext<MenuContext | null>(null);

// The grid shows its own filter entry only with client-side filtering, which is off: the server filters.
const slots = { columnMenuColumnsItem: null, columnFilter: FilterEntry };
const slotProps = { columnFilter: { displayOrder: 20 } };

/** The menu of a column: sorting and filter. */
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
      <Icon name="filter" />
      Filter…
    </MenuItem>
  );
}
