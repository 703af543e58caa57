import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';

interface PrefetchProps {
  /** Paths that are likely opened next, the likeliest first. */
  likelyPaths: readonly string[];
  /** Loads the code of the page at a path. */
  load: (path: string) => Promise<unknown>;
}

/** Milliseconds without requests after which a page counts as idle. */
const idleDelay = 600;

/**
 * Loads code before it is needed: that of a link when the pointer or the keyboard reaches it, and likely pages while
 * the page is idle, one at a time. The latter is skipped in data saver mode.
 */
export function Prefetch({ likelyPaths, load }: PrefetchProps) {
  const isResting = useIsFetching() === 0;
  const left = useRef(likelyPaths);
  const fetchPage = useEffectEvent(load);
  useEffect(() => {
    // Browsers without `requestIdleCallback` only load code of links that are pointed at.
    if (!isResting || isDataSaverOn() || typeof requestIdleCallback !== 'function') return;
    let idleCallback: number | undefined;
    let isOver = false;
    const next = () => {
      const [first, ...otherPaths] = left.current;
      left.current = otherPaths;
      if (first === undefined) return;
      // A failed load is retried by the screen that needs it.
      void fetchPage(first)
        .catch(() => undefined)
        .then(() => !isOver && whenIdle());
    };
    const whenIdle = () => (idleCallback = requestIdleCallback(next, { timeout: 2_000 }));
    const timer = setTimeout(whenIdle, idleDelay);
    return () => {
      isOver = true;
      clearTimeout(timer);
      if (idleCallback !== undefined) cancelIdleCallback(idleCallback);
    };
  }, [isResting]);
  useEffect(() => {
    let latest = '';
    const onLink = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null;
      if (!link || link.origin !== location.origin || link.pathname === latest) return;
      latest = link.pathname;
      load(latest).catch(() => undefined);
    };
    const kinds = ['pointerover', 'focusin'] as const;
    kinds.forEach((kind) => document.addEventListener(kind, onLink, { passive: true }));
    return () => kinds.forEach((kind) => document.removeEventListener(kind, onLink));
  }, [load]);
  return null;
}

/** Whether the browser is to load no more than a screen needs. */
export function isDataSaverOn(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || connection?.effectiveType?.endsWith('2g') === true;
}
