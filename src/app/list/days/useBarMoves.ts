import { useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { useNotify } from 'react-admin';
import { addDays } from '../../../engine/formats/dates';
import { daysBetween, type Direction } from './layout';
import { movedSpan, type Grip, type Span } from './spans';
import type { Bar } from './useBars';

/** Pixels that the pointer travels before a press is a drag. */
const threshold = 4;

interface BarMovesInput {
  /** What contains the bars: elements with `data-bar`, the id of their record, and rows of days with `data-first` and `data-count`. */
  frame: RefObject<HTMLElement | null>;
  bars: readonly Bar[];
  move: (bar: Bar, grip: Grip, next: Span) => void;
  /** The bar that an arrow key leads to. */
  nextOf: (id: Bar['id'], direction: Direction) => Bar['id'];
  /** Left and right move the bar in focus, without Alt. */
  plainMoves?: boolean;
}

/** A bar that is dragged, and the days where it would be put down. */
export interface DraggedBar {
  readonly id: Bar['id'];
  readonly span: Span;
}

interface BarMoves {
  readonly dragged: DraggedBar | undefined;
  /** The bar that Tab leads to. */
  readonly stop: Bar['id'] | undefined;
  readonly handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onKeyDown: (event: KeyboardEvent) => void;
    onFocus: (event: { target: EventTarget }) => void;
  };
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/**
 * Moves bars over days, with the pointer or with keys. Arrows lead from bar to bar; with Alt they move the bar in focus by a
 * day or a week, with Shift its end, with both its start.
 */
export function useBarMoves({ frame, bars, move, nextOf, plainMoves = false }: BarMovesInput): BarMoves {
  const notify = useNotify();
  const [dragged, setDragged] = useState<DraggedBar>();
  const [focused, setFocused] = useState<Bar['id']>();
  const wanted = useRef<Bar['id']>(undefined);
  const barOf = (target: EventTarget | null) => {
    const id = target instanceof Element ? target.closest<HTMLElement>('[data-bar]')?.dataset.bar : undefined;
    return bars.find((bar) => String(bar.id) === id);
  };
  const focusBar = (id: Bar['id']) => {
    const found = frame.current?.querySelector<HTMLElement>(`[data-bar="${String(id)}"]`);
    found?.focus({ preventScroll: true });
    found?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  };

  // A bar that moved to another row is another element: the focus goes with the record.
  useLayoutEffect(() => {
    if (wanted.current === undefined || document.activeElement !== document.body) return;
    focusBar(wanted.current);
  });

  const change = (bar: Bar, grip: Grip, next: Span) => {
    if (grip === 'both' ? bar.canMove : bar.ends.has(grip)) return move(bar, grip, next);
    const what = grip === 'both' ? 'moved' : `changed at its ${grip}`;
    const words = `${bar.title} cannot be ${what}: you may not change these dates.`;
    notify(words, { type: 'info', messageArgs: { _: words } });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const bar = barOf(event.target);
    const direction = directions[event.key];
    if (!bar || !direction || event.ctrlKey || event.metaKey) return;
    const isAcross = direction === 'left' || direction === 'right';
    const isMove = event.altKey || event.shiftKey || (plainMoves && isAcross);
    event.preventDefault();
    event.stopPropagation();
    if (!isMove) return focusBar(nextOf(bar.id, direction));
    const by = { left: -1, right: 1, up: -7, down: 7 }[direction];
    const grip: Grip = !event.shiftKey ? 'both' : event.altKey ? 'start' : 'end';
    wanted.current = bar.id;
    change(bar, grip, movedSpan(bar.span, grip, by));
  };

  const onPointerDown = (event: PointerEvent) => {
    const bar = barOf(event.target);
    if (!bar || event.button !== 0 || event.pointerType === 'touch') return;
    const edge = (event.target as Element).closest<HTMLElement>('[data-grip]')?.dataset.grip;
    const grip = (edge ?? 'both') as Grip;
    if (!(grip === 'both' ? bar.canMove : bar.ends.has(grip))) return;
    const begun = { x: event.clientX, y: event.clientY, day: dayAt(frame.current, event.clientX, event.clientY) };
    let next: Span | undefined;
    const onMove = ({ clientX, clientY }: globalThis.PointerEvent) => {
      if (!next && Math.hypot(clientX - begun.x, clientY - begun.y) < threshold) return;
      const day = dayAt(frame.current, clientX, clientY);
      if (day === undefined || begun.day === undefined) return;
      next = movedSpan(bar.span, grip, daysBetween(begun.day, day));
      setDragged({ id: bar.id, span: next });
    };
    const end = () => {
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerup', onUp);
      window.removeEventListener('pointercancel', end);
      window.removeEventListener('keydown', onKey, true);
      setDragged(undefined);
    };
    const onUp = () => {
      end();
      if (!next) return;
      // The click that follows a drag opens nothing.
      const stop = (click: MouseEvent) => {
        click.preventDefault();
        click.stopPropagation();
      };
      window.addEventListener('click', stop, { capture: true, once: true });
      setTimeout(() => window.removeEventListener('click', stop, true));
      wanted.current = bar.id;
      if (next.from !== bar.span.from || next.to !== bar.span.to) move(bar, grip, next);
    };
    const onKey = (key: globalThis.KeyboardEvent) => {
      if (key.key !== 'Escape') return;
      key.stopPropagation();
      end();
    };
    window.addEventListener('pointermove', onMove);
    window.addEventListener('pointerup', onUp);
    window.addEventListener('pointercancel', end);
    window.addEventListener('keydown', onKey, true);
  };

  const onFocus = ({ target }: { target: EventTarget }) => {
    const bar = barOf(target);
    if (!bar) return;
    wanted.current = undefined;
    setFocused(bar.id);
  };
  const stop = bars.some(({ id }) => id === focused) ? focused : bars[0]?.id;
  return { dragged, stop, handlers: { onPointerDown, onKeyDown, onFocus } };
}

/** The day at a point of the screen: in the row of days there, or the nearest one. */
function dayAt(frame: HTMLElement | null, x: number, y: number): string | undefined {
  const rows = [...(frame?.querySelectorAll<HTMLElement>('[data-first]') ?? [])].map((row) => {
    const box = row.getBoundingClientRect();
    return { row, box, away: Math.max(box.top - y, y - box.bottom, 0) };
  });
  const [nearest] = rows.toSorted((one, other) => one.away - other.away);
  if (!nearest || nearest.box.width === 0) return undefined;
  const { first = '', count = '7' } = nearest.row.dataset;
  const column = Math.floor(((x - nearest.box.left) / nearest.box.width) * Number(count));
  return addDays(first, Math.min(Number(count) - 1, Math.max(0, column)));
}
