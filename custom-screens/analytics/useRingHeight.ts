import { useSyncExternalStore } from 'react';

/** The height of a doughnut chart for a window's width, in pixels. */
export function ringHeight(width: number): number {
  if (width < 1420) return 220;
  if (width <= 1910) return 250;
  if (width <= 2200) return 300;
  return width <= 2300 ? 350 : 400;
}

function subscribeToResize(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

/** The height of a doughnut chart in the current window, in pixels. */
export function useRingHeight(): number {
  return useSyncExternalStore(subscribeToResize, () => ringHeight(window.innerWidth));
}
