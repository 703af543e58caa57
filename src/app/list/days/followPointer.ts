import type { PointerEvent } from 'react';

interface Followed {
  /** The pointer is at this point of the screen. */
  onMove: (x: number, y: number) => void;
  onDrop: () => void;
  /** After the drop, or without one. */
  onEnd: () => void;
}

/** Pixels that a mouse travels before a press is a drag. */
const threshold = 4;
/** Milliseconds for which a finger rests on something before it drags it; one that moves sooner, by so many pixels, scrolls. */
const hold = 350;
const slop = 8;

/** Follows a pointer that was pressed until it is released. Escape ends it without a drop; the click that follows opens nothing. */
export function followPointer(pressEvent: PointerEvent, { onMove, onDrop, onEnd }: Followed): void {
  const { clientX: x, clientY: y, pointerId } = pressEvent;
  const isTouch = pressEvent.pointerType === 'touch';
  const listeners = new AbortController();
  let isDrag = false;
  const timer = setTimeout(() => {
    if (!isTouch) return;
    isDrag = true;
    onMove(x, y);
  }, hold);
  const end = () => {
    clearTimeout(timer);
    listeners.abort();
    onEnd();
  };
  const move = (event: globalThis.PointerEvent) => {
    if (event.pointerId !== pointerId) return;
    const travelled = Math.hypot(event.clientX - x, event.clientY - y);
    if (!isDrag && isTouch) return travelled > slop ? end() : undefined;
    if (!isDrag && travelled < threshold) return;
    isDrag = true;
    onMove(event.clientX, event.clientY);
  };
  const release = (event: globalThis.PointerEvent) => {
    if (event.pointerId !== pointerId) return;
    const isDrop = isDrag;
    end();
    if (!isDrop) return;
    const ignore = (click: MouseEvent) => {
      click.preventDefault();
      click.stopPropagation();
    };
    window.addEventListener('click', ignore, { capture: true, once: true });
    setTimeout(() => window.removeEventListener('click', ignore, true));
    onDrop();
  };
  const onKey = (key: KeyboardEvent) => {
    if (key.key !== 'Escape' || !isDrag) return;
    key.stopPropagation();
    end();
  };
  /** A finger that drags does not scroll, nor open the menu of a link. */
  const keepStill = (event: Event) => isDrag && isTouch && event.preventDefault();
  const { signal } = listeners;
  window.addEventListener('pointermove', move, { signal });
  window.addEventListener('pointerup', release, { signal });
  window.addEventListener('pointercancel', end, { signal });
  window.addEventListener('keydown', onKey, { signal, capture: true });
  window.addEventListener('touchmove', keepStill, { signal, passive: false });
  // A bar that moved to another day is another element: events of the finger stay with the one it touched first.
  pressEvent.target?.addEventListener('touchmove', keepStill, { signal, passive: false });
  window.addEventListener('contextmenu', keepStill, { signal, capture: true });
}
