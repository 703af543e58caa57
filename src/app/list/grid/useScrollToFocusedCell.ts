import type { GridApiCommon } from '@mui/x-data-grid';
import { useEffect, type RefObject } from 'react';

/** Scrolls a focused cell out from behind the row's actions, which stick to the right edge. */
export function useScrollToFocusedCell(api: RefObject<GridApiCommon | null>): void {
  useEffect(
    () =>
      api.current?.subscribeEvent('cellFocusIn', ({ id, field }) => {
        const cell = api.current?.getCellElement(id, field);
        const actions = api.current?.getCellElement(id, '__actions__');
        if (!cell || !actions || cell === actions) return;
        const hidden = cell.getBoundingClientRect().right - actions.getBoundingClientRect().left;
        if (hidden > 0) cell.closest('.MuiDataGrid-virtualScroller')?.scrollBy({ left: hidden });
      }),
    [api],
  );
}
