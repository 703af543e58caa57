import { useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react';
import { resultQueueOf, waitingFiles, type QueuedResult, type ResultQueue } from './resultQueue';
import { runnerFiles } from './runnerFiles';
import type { EntryDetails } from './runnerApi';

/** The results of a person that the server does not have yet; `onStored` is called with each test that it then has. */
export function useResultQueue(
  person: number,
  onStored: (entry: EntryDetails) => void,
): { queue: ResultQueue; items: readonly QueuedResult[] } {
  const queue = useMemo(() => resultQueueOf(person), [person]);
  const notifyStored = useEffectEvent(onStored);
  useEffect(() => queue.listenToStored((entry) => notifyStored(entry)), [queue]);
  useEffect(() => {
    const waitingIds = waitingFiles();
    if (waitingIds) void runnerFiles.sweep(waitingIds);
  }, []);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (queue.isUnstored() || runnerFiles.hasUnstored()) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [queue]);
  return { queue, items: useSyncExternalStore(queue.subscribe, queue.snapshot) };
}
