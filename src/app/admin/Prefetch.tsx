import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';

interface PrefetchProps {
  /** Paths that are likely wanted next, the likeliest first. */
  likely: readonly string[];
  /** Loads what the page at a path needs. */
  load: (path: string) => Promise<unknown>;
}

/** Milliseconds for which nothing is asked of the server until a page counts as at rest. */
const rest = 600;

/**
 * Loads code before it is needed: that of a link when the pointer or the keyboard comes to it, and what is likely wanted
 * next once the page is at rest, one part at a time while the browser is idle. Whoever saves data is spared the latter.
 */
export function Prefetch({ likely, load }: PrefetchProps) {
  const isResting = useIsFetching() === 0;
  const left = useRef(likely);
  const fetchPage = useEffectEvent(load);
  useEffect(() => {
    // Browsers that do not say when they are idle load code when a link is come to.
    if (!isResting || savesData() || typeof requestIdleCallback !== 'function') return;
    let idle: number | undefined;
    let isOver = false;
    const next = () => {
      const [first, ...others] = left.current;
      left.current = others;
      if (first === undefined) return;
      // What does not come is asked for again by whoever shows it.
      void fetchPage(first)
        .catch(() => undefined)
        .then(() => !isOver && whenIdle());
    };
    const whenIdle = () => (idle = requestIdleCallback(next, { timeout: 2_000 }));
    const timer = setTimeout(whenIdle, rest);
    return () => {
      isOver = true;
      clearTimeout(timer);
      if (idle !== undefined) cancelIdleCallback(idle);
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

function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || connection?.effectiveType?.endsWith('2g') === true;
}
