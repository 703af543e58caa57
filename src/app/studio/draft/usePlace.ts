import { useCallback, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { panes, type Pane } from '../draft';

/** Places that are visited for less than this many milliseconds get no entry in the browser's history. */
const replaceWithin = 700;

/** The selected place and pane, kept in the address: `?at=/fields/name&face=json`. */
export function usePlace(first: string): { pointer: string; face: Pane; go: (place: string, face?: Pane) => void } {
  const [query, setQuery] = useSearchParams();
  const pointer = query.get('at') ?? first;
  const face =
    panes.find((candidate) => candidate === query.get('face')) ?? (query.has('at') ? 'properties' : 'fields');
  const last = useRef(0);
  const go = useCallback(
    (target: string, pane?: Pane) => {
      const now = Date.now();
      const replace = now - last.current < replaceWithin;
      last.current = now;
      setQuery(
        (queryBefore) => {
          const next = new URLSearchParams(queryBefore);
          next.set('at', target);
          if (pane === 'properties') next.delete('face');
          else if (pane) next.set('face', pane);
          return next;
        },
        { replace },
      );
    },
    [setQuery],
  );
  return { pointer, face, go };
}
