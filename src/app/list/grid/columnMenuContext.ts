import { createContext } from 'react';

interface MenuContext {
  /** The fields of columns that can be filtered. */
  filterable: ReadonlySet<string>;
  onFilter: (column: string, anchor: HTMLElement) => void;
  /** Makes a column wider or narrower by a step. */
  onWidth: (column: string, by: 1 | -1) => void;
}

/** The values that column menus need besides the grid's props. */
export const ColumnMenuContext = createContext<MenuContext | null>(null);
