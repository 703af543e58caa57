import { useCallback, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** The width that the name of a record keeps beside buttons, in pixels; a shorter name keeps its own. */
const leastName = 320;

/** Whether the title of a bar has less room than it needs. */
function isShort(title: Element): boolean {
  const lines = [...title.children].flatMap((part) => [...part.getClientRects()]);
  const neededWidth = lines.reduce((sum, { width }) => sum + width, 0);
  return title.clientWidth < Math.min(leastName, Math.floor(neededWidth));
}

/**
 * How many of the buttons in a bar are shown: as many as leave room for the title. The ref is of an element in the bar.
 *
 * @example const [count, mark] = useShownButtons(2); // <span ref={mark} hidden />
 */
export function useShownButtons(buttonCount: number): [count: number, mark: (element: HTMLElement | null) => void] {
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const [hiddenCount, setHiddenCount] = useState(0);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rest of the bar may have grown; each round hides one more
  useLayoutEffect(() => {
    const title = bar?.querySelector('h1');
    if (title && hiddenCount < buttonCount && isShort(title)) setHiddenCount(hiddenCount + 1);
  });
  useLayoutEffect(() => {
    if (!bar || typeof ResizeObserver !== 'function') return;
    let width = bar.clientWidth;
    let observedTitle: Element | null = null;
    const observer = new ResizeObserver(() => {
      const title = bar.querySelector('h1');
      if (title && title !== observedTitle) observer.observe(title);
      observedTitle = title;
      if (bar.clientWidth !== width) flushSync(() => setHiddenCount(0));
      else if (title && isShort(title)) flushSync(() => setHiddenCount((count) => Math.min(count + 1, buttonCount)));
      width = bar.clientWidth;
    });
    observer.observe(bar);
    return () => observer.disconnect();
  }, [bar, buttonCount]);
  const mark = useCallback((element: HTMLElement | null) => setBar(element?.closest('header') ?? null), []);
  return [buttonCount - Math.min(hiddenCount, buttonCount), mark];
}
