import { useEffect, useEffectEvent, useRef, useState, type FocusEvent, type RefCallback } from 'react';

interface RestoredFocus {
  /** For the element around the rows; each row has its id as `data-id`. It gets the focus when no row is left. */
  readonly ref: RefCallback<HTMLElement>;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onBlur: (event: FocusEvent) => void;
}

/** The position of the focus: the row, its position on the page, and which of the row's buttons. */
interface Place {
  element: Element;
  id: number;
  index: number;
  button: number;
}

/**
 * Keeps the focus inside a list when the focused row or button disappears: it moves to another button of the row, or to
 * the row that takes its place. Does nothing while a dialog covers the list (`covered`).
 */
export function useRestoredFocus(rows: readonly { id: number }[] | undefined, covered: boolean): RestoredFocus {
  const [list, setList] = useState<HTMLElement | null>(null);
  const focusPlace = useRef<Place>(undefined);
  const onFocus = ({ target }: FocusEvent) => {
    // The grid takes the focus when a row is removed, even behind a dialog, which then takes it back.
    if (covered) return;
    const row = target.closest('[data-id]');
    if (!row || !list) return void (focusPlace.current = undefined);
    // The index on the screen, not in `rows`: the focus may return to a row that is about to be removed.
    const index = [...list.querySelectorAll('[data-id]')].indexOf(row);
    const button = buttonsOf(row).indexOf(target as HTMLElement);
    focusPlace.current = { element: target, id: Number(row.getAttribute('data-id')), index, button };
  };
  const onBlur = ({ target, relatedTarget }: FocusEvent) => {
    // When the window loses the focus its element keeps it, and a dialog returns the focus when it closes.
    if (covered || document.activeElement === target || list?.contains(relatedTarget)) return;
    focusPlace.current = undefined;
  };
  const restore = useEffectEvent(() => {
    const lostFocus = focusPlace.current;
    if (!lostFocus || !rows || covered || lostFocus.element.isConnected) return;
    focusPlace.current = undefined;
    const next = rows.find(({ id }) => id === lostFocus.id) ?? rows[Math.min(lostFocus.index, rows.length - 1)];
    const row = next && list?.querySelector(`[data-id="${next.id}"]`);
    const buttons = row ? buttonsOf(row) : [];
    (buttons[lostFocus.button] ?? buttons[0] ?? list)?.focus();
  });
  useEffect(() => restore(), [covered]);
  useEffect(() => {
    // The grid removes the row's element later than the data changes.
    const observer = new MutationObserver(() => restore());
    if (list) observer.observe(list, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [list]);
  return { ref: setList, onFocus, onBlur };
}

const buttonsOf = (row: Element): HTMLElement[] => [...row.querySelectorAll('button')];
