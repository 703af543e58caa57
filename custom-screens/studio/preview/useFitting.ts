import { useCallback, useState, type RefCallback } from 'react';

/** For an element: how much smaller than its size something of at least that width has to be drawn to fit into it. */
export function useFitting(least: number): [RefCallback<HTMLElement>, number] {
  const [scale, setScale] = useState(1);
  const measure = useCallback<RefCallback<HTMLElement>>(
    (place) => {
      if (!place || typeof ResizeObserver === 'undefined') return;
      const observer = new ResizeObserver(([entry]) => {
        const { width } = entry!.contentRect;
        setScale(width > 0 ? Math.min(1, width / least) : 1);
      });
      observer.observe(place);
      return () => observer.disconnect();
    },
    [least],
  );
  return [measure, scale];
}
