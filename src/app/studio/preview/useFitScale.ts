import { useCallback, useState, type RefCallback } from 'react';
import { lastOf } from '../../../engine/values/lookups';

/** A ref for an element, and the scale (at most 1) at which content of at least `minWidth` pixels fits its width. */
export function useFitScale(minWidth: number): [RefCallback<HTMLElement>, number] {
  const [scale, setScale] = useState(1);
  const measure = useCallback<RefCallback<HTMLElement>>(
    (element) => {
      if (!element || typeof ResizeObserver === 'undefined') return;
      const observer = new ResizeObserver((entries) => {
        const { width } = lastOf(entries).contentRect;
        setScale(width > 0 ? Math.min(1, width / minWidth) : 1);
      });
      observer.observe(element);
      return () => observer.disconnect();
    },
    [minWidth],
  );
  return [measure, scale];
}
