import type { GridApiCommon } from '@mui/x-data-grid';
import { useEffect, type RefObject } from 'react';

/** By how many pixels a key or an entry of the menu changes the width of a column. */
const step = 40;
const keys: Partial<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * Widths without dragging: Shift with an arrow key on the head of a column, and the returned function, make it wider or
 * narrower.
 */
export function useColumnWidths(api: RefObject<GridApiCommon | null>): (column: string, by: 1 | -1) => void {
  useEffect(
    () =>
      api.current?.subscribeEvent(
        'columnHeaderKeyDown',
        ({ field, colDef }, event) => {
          const direction = keys[event.key];
          if (!event.shiftKey || direction === undefined || colDef.resizable === false) return;
          event.preventDefault();
          event.defaultMuiPrevented = true;
          changeWidth(api.current, field, direction);
        },
        { isFirst: true },
      ),
    [api],
  );
  return (column, direction) => changeWidth(api.current, column, direction);
}

function changeWidth(grid: GridApiCommon | null, field: string, direction: 1 | -1): void {
  const column = grid?.getColumn(field);
  if (!column) return;
  grid?.setColumnWidth(field, Math.max(column.minWidth ?? 0, toStoredWidth(column.computedWidth + direction * step)));
}

/** A width as views keep it. */
export const toStoredWidth = (width: number) => Math.round(Math.min(1000, Math.max(40, width)));
