import { useCallback, useState, type RefCallback } from 'react';

/** A ref for an element, and the scale (at most 1) at which content of at least `least` pixels fits its width. */
export function useFitScale(least: number): [RefCallback<HTMLElement>, number] {
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
