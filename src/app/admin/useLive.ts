import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { followEvents } from './followEvents';

/** Under this name the server tells of definitions. */
const definitionEvents = 'modules';
const gather = 500;

/**
 * Keeps what is shown up to date with the server's events: lists of a resource in which something happened are read
 * anew (half a second later, so that many events make one reading), and definitions through `onDefinitions`.
 */
export function useLive(queryClient: QueryClient, onDefinitions: () => void): void {
  const changed = useEffectEvent(onDefinitions);
  useEffect(() => {
    const touched = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      timer = undefined;
      for (const resource of touched) void queryClient.invalidateQueries({ queryKey: [resource, 'getList'] });
      touched.clear();
    };
    const stop = followEvents({
      onEvent: ({ resource }) => {
        if (resource === definitionEvents) changed();
        touched.add(resource);
        timer ??= setTimeout(flush, gather);
      },
      onMissed: () => changed(),
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [queryClient]);
}
