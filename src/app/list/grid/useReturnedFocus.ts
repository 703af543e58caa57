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

/** The cell that a list was last left from. */
let left: Cell | undefined;

/**
 * Whoever opens a record and comes back finds the focus on the cell that the list was left from. Gives back what
 * remembers a cell as that one.
 */
export function useReturnedFocus(
  api: RefObject<GridApiCommon | null>,
  resource: string,
  rows: readonly { id: GridRowId }[],
): (id: GridRowId, field: string) => void {
  const { pathname } = useLocation();
  const [due] = useState(() => (left?.pathname === pathname && left.resource === resource ? left : undefined));
  useEffect(() => {
    if (!due || due !== left || rows.length === 0) return;
    // The grid draws its rows after its parent. Its own `setCellFocus` would draw the focus back at every new page.
    const frame = requestAnimationFrame(() => {
      left = undefined;
      const cell = api.current?.getCellElement(due.id, due.field);
      if (document.activeElement !== document.body || !cell) return;
      const focused = cell.querySelector<HTMLElement>('.row-actions button') ?? cell;
      focused.focus({ preventScroll: true });
      cell.scrollIntoView?.({ block: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, [api, due, rows]);
  return (id, field) => {
    left = { pathname, resource, id, field };
  };
}
