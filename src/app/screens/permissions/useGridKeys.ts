import { useEffect, type KeyboardEvent, type RefObject } from 'react';
import { firstOf, itemAt, lastOf } from '../../../engine/values/lookups';

const page = 8;

/**
 * Moves the focus between the elements marked `data-stop` in a table by arrow keys, Home, End and the page keys; Tab
 * enters the table once, at the element that had the focus last. Returns the table's event handlers.
 */
export function useGridKeys(table: RefObject<HTMLTableElement | null>) {
  // Exactly one stop takes Tab, also after rows were added or removed.
  useEffect(() => {
    if (table.current && !table.current.querySelector('[data-stop][tabindex="0"]')) {
      table.current.querySelector<HTMLElement>('tbody [data-stop]')?.setAttribute('tabindex', '0');
    }
  });

  const onFocus = ({ target }: { target: EventTarget }) => {
    const stop = target as HTMLElement;
    if (!stop.hasAttribute('data-stop')) return;
    table.current
      ?.querySelectorAll('[data-stop][tabindex="0"]')
      .forEach((element) => element.setAttribute('tabindex', '-1'));
    stop.setAttribute('tabindex', '0');
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const stop = event.target as HTMLElement;
    if (!table.current || !stop.hasAttribute('data-stop') || event.altKey || event.metaKey) return;
    const next = nextStop(table.current, stop, event.key, event.ctrlKey);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return { onFocus, onKeyDown };
}

function nextStop(table: HTMLTableElement, stop: HTMLElement, key: string, isFar: boolean): HTMLElement | undefined {
  const rows = [...table.rows].map(stopsOf).filter((stops) => stops.length > 0);
  const rowIndex = rows.findIndex((stops) => stops.includes(stop));
  const row = itemAt(rows, rowIndex);
  const index = row.indexOf(stop);
  const down = (steps: number) =>
    nearestStop(itemAt(rows, Math.min(Math.max(rowIndex + steps, 0), rows.length - 1)), stop);
  switch (key) {
    case 'ArrowLeft':
      return row[index - 1];
    case 'ArrowRight':
      return row[index + 1];
    case 'ArrowUp':
      return rowIndex > 0 ? down(-1) : undefined;
    case 'ArrowDown':
      return down(1);
    case 'PageUp':
      return down(-page);
    case 'PageDown':
      return down(page);
    case 'Home':
      return isFar ? nearestStop(firstOf(rows), stop) : row[0];
    case 'End':
      return isFar ? nearestStop(lastOf(rows), stop) : row.at(-1);
    default:
      return undefined;
  }
}

const stopsOf = (row: HTMLTableRowElement) => [...row.querySelectorAll<HTMLElement>('[data-stop]')];

/** The stop of a row that is below, or above, another one. */
function nearestStop(stops: readonly HTMLElement[], reference: HTMLElement): HTMLElement {
  const centre = (element: HTMLElement) => element.getBoundingClientRect().left + element.offsetWidth / 2;
  const targetCentre = centre(reference);
  return stops.reduce((nearest, candidate) =>
    Math.abs(centre(candidate) - targetCentre) < Math.abs(centre(nearest) - targetCentre) ? candidate : nearest,
  );
}
