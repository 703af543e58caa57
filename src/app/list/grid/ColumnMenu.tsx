import MenuItem from '@mui/material/MenuItem';
import {
  GridColumnMenu,
  useGridApiContext,
  type GridColumnMenuItemProps,
  type GridColumnMenuProps,
} from '@mui/x-data-grid';
import { createContext, use } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { filters } from '../../../engine/lists/filter-text';
import { Icon } from '../../icons/Icon';

interface MenuContext {
  definition: Definition;
  onFilter: (field: string, anchor: HTMLElement) => void;
}

/** What the menus of columns need besides what the grid tells them. */
export const ColumnMenuContext = createContext<MenuContext | null>(null);

const slots = { columnMenuColumnsItem: null, columnMenuFilterItem: FilterEntry };

/** The menu of a column: its order, and its own filter. */
export function ColumnMenu(props: GridColumnMenuProps) {
  return <GridColumnMenu {...props} slots={slots} />;
}

function FilterEntry({ colDef, onClick }: GridColumnMenuItemProps) {
  const menu = use(ColumnMenuContext);
  const api = useGridApiContext();
  const field = menu?.definition.fields[colDef.field];
  if (!menu || !field || !filters(field)) return null;
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
