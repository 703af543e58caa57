import { useEffect, useEffectEvent, useRef, useState, type FocusEvent, type RefCallback } from 'react';

interface KeptFocus {
  /** For the element around the rows, each of which has its id as `data-id`; it takes the focus where no row is left. */
  readonly ref: RefCallback<HTMLElement>;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onBlur: (event: FocusEvent) => void;
}

/** What had the focus: the row, its position on the page, and which of the row's buttons. */
interface Place {
  element: Element;
  id: number;
  index: number;
  button: number;
}

/**
 * Keeps the focus within a list whose rows and buttons disappear, because they were acted on or changed elsewhere: it
 * moves to another button of the row, or to the row that takes its place. Nothing moves while the list is `covered` by a
 * question about a row.
 */
export function useKeptFocus(rows: readonly { id: number }[] | undefined, covered: boolean): KeptFocus {
  const [list, setList] = useState<HTMLElement | null>(null);
  const place = useRef<Place>(undefined);
  const onFocus = ({ target }: FocusEvent) => {
    // The grid tries for the focus when a row goes, also behind a question, which takes it back.
    if (covered) return;
    const row = target.closest('[data-id]');
    if (!row || !list) return void (place.current = undefined);
    // By what is on the screen: the focus may come back to a row that is about to go.
    const index = [...list.querySelectorAll('[data-id]')].indexOf(row);
    const button = buttonsOf(row).indexOf(target as HTMLElement);
    place.current = { element: target, id: Number(row.getAttribute('data-id')), index, button };
  };
  const onBlur = ({ target, relatedTarget }: FocusEvent) => {
    // A window that is left keeps its focused element, and a question gives the focus back.
    if (covered || document.activeElement === target || list?.contains(relatedTarget)) return;
    place.current = undefined;
  };
  const restore = useEffectEvent(() => {
    const lost = place.current;
    if (!lost || !rows || covered || lost.element.isConnected) return;
    place.current = undefined;
    const next = rows.find(({ id }) => id === lost.id) ?? rows[Math.min(lost.index, rows.length - 1)];
    const row = next && list?.querySelector(`[data-id="${next.id}"]`);
    const buttons = row ? buttonsOf(row) : [];
    (buttons[lost.button] ?? buttons[0] ?? list)?.focus();
  });
  useEffect(() => restore(), [covered]);
  useEffect(() => {
    // The grid removes a row later than its parent is told of it.
    const observer = new MutationObserver(() => restore());
    if (list) observer.observe(list, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [list]);
  return { ref: setList, onFocus, onBlur };
}

const buttonsOf = (row: Element): HTMLElement[] => [...row.querySelectorAll('button')];
