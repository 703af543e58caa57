import { useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react';
import { resultQueueOf, type QueuedResult, type ResultQueue } from './resultQueue';
import type { EntryDetails } from './runnerApi';

/** The results of a person that the server does not have yet; `onStored` is called with each test that it then has. */
export function useResultQueue(
  person: number,
  onStored: (entry: EntryDetails) => void,
): { queue: ResultQueue; items: readonly QueuedResult[] } {
  const queue = useMemo(() => resultQueueOf(person), [person]);
  const stored = useEffectEvent(onStored);
  useEffect(() => queue.listenToStored((entry) => stored(entry)), [queue]);
  return { queue, items: useSyncExternalStore(queue.subscribe, queue.snapshot) };
}
