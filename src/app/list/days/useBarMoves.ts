import { useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { useNotify } from 'react-admin';
import { followPointer } from './followPointer';
import { daysBetween } from '../../../engine/formats/dates';
import type { Direction } from './layout';
import { movedSpan, type Grip, type Span } from './spans';
import type { Bar } from './useBars';
import type { SpanStep } from './useSpanMoves';

/** Where bars are put so that their records have no days. */
export interface OutsideDays {
  readonly take: (bar: Bar) => void;
  /** A bar that can be put there is dragged, here or over it; undefined: no longer. */
  readonly onDrag: (place: 'here' | 'over' | undefined) => void;
}

interface BarMovesInput {
  /** The element that contains the bars: elements with `data-bar`, the id of their record, and elements with `data-date`, their day. */
  frame: RefObject<HTMLElement | null>;
  bars: readonly Bar[];
  move: (bar: Bar, grip: Grip, step: SpanStep) => void;
  /** The bar that an arrow key leads to. */
  nextOf: (id: Bar['id'], direction: Direction) => Bar['id'];
  /** Left and right move the bar in focus, without Alt. */
  plainMoves?: boolean;
  outside: OutsideDays;
}

/** A bar that is dragged, and the days where it would be put down. */
export interface DraggedBar {
  readonly id: Bar['id'];
  readonly span: Span;
}

interface BarMoves {
  readonly dragged: DraggedBar | undefined;
  readonly handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onKeyDown: (event: KeyboardEvent) => void;
    onFocus: (event: { target: EventTarget }) => void;
    onBlur: (event: { target: EventTarget }) => void;
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
 * day or a week, with Shift its end, with both its start; Delete takes its days away.
 */
export function useBarMoves({
  frame,
  bars,
  move,
  nextOf,
  plainMoves = false,
  outside: outsideDays,
}: BarMovesInput): BarMoves {
  const notify = useNotify();
  const [draggedBar, setDraggedBar] = useState<DraggedBar>();
  const [focused, setFocused] = useState<Bar['id']>();
  const focusTarget = useRef<Bar['id']>(undefined);
  const barOf = (target: EventTarget | null) => {
    const id = target instanceof Element ? target.closest<HTMLElement>('[data-bar]')?.dataset.bar : undefined;
    return bars.find((bar) => String(bar.id) === id);
  };
  const focusBar = (id: Bar['id']) => {
    const element = frame.current?.querySelector<HTMLElement>(`[data-bar="${String(id)}"]`);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  };

  // Tab leads to one bar alone: to that which had the focus last, or to the first.
  useLayoutEffect(() => {
    const elements = [...(frame.current?.querySelectorAll<HTMLElement>('[data-bar]') ?? [])];
    const stop = elements.find(({ dataset }) => dataset.bar === String(focused)) ?? elements[0];
    for (const element of elements) element.tabIndex = element === stop ? 0 : -1;
  });

  // A bar that moved to another row is another element: the focus goes with the record.
  useLayoutEffect(() => {
    if (focusTarget.current === undefined || document.activeElement !== document.body) return;
    focusBar(focusTarget.current);
  });

  const change = (bar: Bar, grip: Grip, step: SpanStep) => {
    if (grip === 'both' ? bar.canMove : bar.ends.has(grip)) return move(bar, grip, step);
    const changeWords = grip === 'both' ? 'moved' : `changed at its ${grip}`;
    say(`${bar.title} cannot be ${changeWords}: you may not change these dates.`);
  };
  const say = (words: string) => notify(words, { type: 'info', messageArgs: { _: words } });
  const takeDays = (bar: Bar) => {
    if (bar.needsDays) return say(`${bar.title} needs its dates.`);
    if (!bar.canMove) return say(`${bar.title} keeps its dates: you may not change them.`);
    const next = nextOf(bar.id, 'right');
    const neighbour = next === bar.id ? nextOf(bar.id, 'left') : next;
    if (neighbour !== bar.id) focusBar(neighbour);
    outsideDays.take(bar);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const bar = barOf(event.target);
    if (bar && event.key === 'Delete') {
      event.preventDefault();
      event.stopPropagation();
      return takeDays(bar);
    }
    const direction = directions[event.key];
    if (!bar || !direction || event.ctrlKey || event.metaKey) return;
    const isAcross = direction === 'left' || direction === 'right';
    const isMove = event.altKey || event.shiftKey || (plainMoves && isAcross);
    event.preventDefault();
    event.stopPropagation();
    // The list of a day beside the frame has an order of its own, that of Tab.
    if (!isMove) return frame.current?.contains(event.target as Node) ? focusBar(nextOf(bar.id, direction)) : undefined;
    const offset = { left: -1, right: 1, up: -7, down: 7 }[direction];
    const grip: Grip = !event.shiftKey ? 'both' : event.altKey ? 'start' : 'end';
    focusTarget.current = bar.id;
    change(bar, grip, (span) => movedSpan(span, grip, offset));
  };

  const onPointerDown = (event: PointerEvent) => {
    const bar = barOf(event.target);
    if (!bar || event.button !== 0) return;
    const edge = (event.target as Element).closest<HTMLElement>('[data-grip]')?.dataset.grip;
    const grip = (edge ?? 'both') as Grip;
    if (!(grip === 'both' ? bar.canMove : bar.ends.has(grip))) return;
    const startDay = dayAt(frame.current, event.clientX, event.clientY);
    const canLeave = grip === 'both' && bar.canMove && !bar.needsDays;
    let next: Span | undefined;
    let isOut = false;
    followPointer(event, {
      onMove: (x, y) => {
        isOut = canLeave && isOutside(x, y);
        if (canLeave) outsideDays.onDrag(isOut ? 'over' : 'here');
        const day = isOut ? startDay : dayAt(frame.current, x, y);
        if (day === undefined || startDay === undefined) return;
        next = movedSpan(bar.span, grip, daysBetween(startDay, day));
        setDraggedBar({ id: bar.id, span: next });
      },
      onDrop: () => {
        if (isOut) return outsideDays.take(bar);
        if (!next) return;
        focusTarget.current = bar.id;
        const target = next;
        if (target.from !== bar.span.from || target.to !== bar.span.to) move(bar, grip, () => target);
      },
      onEnd: () => {
        setDraggedBar(undefined);
        if (canLeave) outsideDays.onDrag(undefined);
      },
    });
  };

  const onFocus = ({ target }: { target: EventTarget }) => {
    const bar = barOf(target);
    if (!bar) return;
    // Its bar may be drawn anew more than once: when it is moved, stored and loaded again.
    if (bar.id !== focusTarget.current) focusTarget.current = undefined;
    setFocused(bar.id);
  };
  const onBlur = ({ target }: { target: EventTarget }) =>
    queueMicrotask(() => {
      // A bar that is drawn anew loses the focus as it leaves the document; one that stays was left by the user.
      if ((target as Element).isConnected) focusTarget.current = undefined;
    });
  return { dragged: draggedBar, handlers: { onPointerDown, onKeyDown, onFocus, onBlur } };
}

const isOutside = (x: number, y: number) => Boolean(document.elementFromPoint?.(x, y)?.closest('[data-without-days]'));

/** The day at a point of the screen where days are shown; undefined beside them. */
export function dayUnder(x: number, y: number): string | undefined {
  const view = document.elementFromPoint?.(x, y)?.closest<HTMLElement>('[data-days]');
  const left = view?.querySelector('[data-date]')?.getBoundingClientRect().left ?? 0;
  return view && x >= left ? dayAt(view, x, y) : undefined;
}

/** The day at a point of the screen: that of the element there with a day, or of the nearest one, rows before columns. */
function dayAt(frame: HTMLElement | null, x: number, y: number): string | undefined {
  const days = [...(frame?.querySelectorAll<HTMLElement>('[data-date]') ?? [])].map((element) => {
    const box = element.getBoundingClientRect();
    const rowDistance = Math.max(box.top - y, y - box.bottom, 0);
    return { element, rowDistance, columnDistance: Math.max(box.left - x, x - box.right, 0), width: box.width };
  });
  const [nearest] = days
    .filter(({ width }) => width > 0)
    .toSorted((left, right) => left.rowDistance - right.rowDistance || left.columnDistance - right.columnDistance);
  return nearest?.element.dataset.date;
}
