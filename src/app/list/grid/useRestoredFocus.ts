import type { GridApiCommon, GridRowId } from '@mui/x-data-grid';
import { useEffect, useState, type RefObject } from 'react';
import { useLocation } from 'react-router-dom';
import { onSignOut } from '../../session/session';
import * as styles from '../menus.module.css';

interface FocusedCell {
  /** The path of the screen and the resource of its list. */
  pathname: string;
  resource: string;
  id: GridRowId;
  field: string;
}

/** The cell from which a list was last left. */
let lastCell: FocusedCell | undefined;
onSignOut(() => (lastCell = undefined));

/** Another record of a list is now the one that the user will come back from. */
export function followFocus(resource: string, id: GridRowId): void {
  if (lastCell?.resource === resource) lastCell = { ...lastCell, id };
}

/**
 * Returns the focus to the cell from which a record was opened, when the user comes back. Returns a function that
 * remembers a cell.
 */
export function useRestoredFocus(
  api: RefObject<GridApiCommon | null>,
  resource: string,
  rows: readonly { id: GridRowId }[],
): (id: GridRowId, field: string) => void {
  const { pathname } = useLocation();
  const [restoredCell] = useState(() =>
    lastCell?.pathname === pathname && lastCell.resource === resource ? lastCell : undefined,
  );
  useEffect(() => {
    if (!restoredCell || restoredCell !== lastCell || rows.length === 0) return;
    // The grid renders its rows after its parent. `setCellFocus` would pull the focus back on every new page.
    const frame = requestAnimationFrame(() => {
      lastCell = undefined;
      const cell = api.current?.getCellElement(restoredCell.id, restoredCell.field);
      // The content has the focus when nothing in it has.
      if (!document.activeElement?.matches('body, main') || !cell) return;
      const focused = cell.querySelector<HTMLElement>(`.${styles.rowActions} button`) ?? cell;
      focused.focus({ preventScroll: true });
      cell.scrollIntoView?.({ block: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, [api, restoredCell, rows]);
  return (id, field) => {
    lastCell = { pathname, resource, id, field };
  };
}
