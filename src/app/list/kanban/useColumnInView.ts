import { useCallback, useEffect, useRef, useState } from 'react';

/** Which column of a horizontally scrolling frame is in view, and a function that scrolls to another. */
export function useColumnInView(count: number) {
  const frame = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const onScroll = () => {
      const starts = [...element.children].map((child) => (child as HTMLElement).offsetLeft - element.offsetLeft);
      const left = element.scrollLeft + element.clientWidth / 4;
      const atEnd = element.scrollLeft + element.clientWidth >= element.scrollWidth - 2 && element.scrollLeft > 0;
      setCurrent(atEnd ? starts.length - 1 : Math.max(0, starts.filter((start) => start <= left).length - 1));
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [count]);
  const choose = useCallback((index: number) => {
    const element = frame.current;
    const column = element?.children[index];
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    column?.scrollIntoView({ behavior: calm ? 'auto' : 'smooth', inline: 'start', block: 'nearest' });
    setCurrent(index);
  }, []);
  return { frame, current, choose };
}
