import type { GridApiCommon, GridRowId } from '@mui/x-data-grid';
import { useEffect, useState, type RefObject } from 'react';
import { useLocation } from 'react-router';

interface Cell {
  /** The address of the screen and the resource of its list. */
  pathname: string;
  resource: string;
  id: GridRowId;
  field: string;
}

/** The cell that a list was last left from by keyboard. */
let left: Cell | undefined;

/**
 * Who opens a record by keyboard and comes back finds the focus on the cell that it was left on. Gives back what
 * remembers a cell as the one that the list is left from.
 */
export function useReturnedFocus(
  api: RefObject<GridApiCommon | null>,
  resource: string,
  rows: readonly { id: GridRowId }[],
): (id: GridRowId, field: string) => void {
  const { pathname } = useLocation();
  const [due, setDue] = useState(() => (left?.pathname === pathname && left.resource === resource ? left : undefined));
  useEffect(() => {
    if (!due || rows.length === 0) return;
    left = undefined;
    setDue(undefined);
    if (document.activeElement !== document.body || !rows.some(({ id }) => id === due.id)) return;
    api.current?.setCellFocus(due.id, due.field);
    api.current?.getCellElement(due.id, due.field)?.scrollIntoView({ block: 'nearest' });
  }, [api, due, rows]);
  return (id, field) => {
    left = { pathname, resource, id, field };
  };
}
