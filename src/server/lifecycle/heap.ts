import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How much the heap grows between two collections, in percent of what is in use after the first. */
const growth = 50;

/** Milliseconds between two looks at the process, and the share of them in which an idle process is busy at most. */
const lookInterval = 5_000;
const idleShare = 0.1;
/** Garbage that is worth a collection: so much more than after the last one, in bytes. */
const worthwhile = 24_000_000;

/**
 * Keeps the memory of this process close to what it uses. Left to itself, the heap grows to four times that where the
 * machine has much memory, and keeps the garbage of a rush until the next one. Call it early.
 */
export function keepHeapSmall(interval = lookInterval): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`);
  setFlagsFromString('--expose-gc');
  // The flag holds for contexts that are created after it.
  const collect = runInNewContext('gc') as () => void;
  const usedHeap = () => getHeapStatistics().used_heap_size;
  let usedAfterLast = Infinity;
  let load = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, load);
    load = now;
    // The first look comes when the start is over.
    usedAfterLast = Math.min(usedAfterLast, usedHeap());
    if (utilization > idleShare || usedHeap() < usedAfterLast + worthwhile) return;
    collect();
    usedAfterLast = usedHeap();
  }, interval).unref();
}
