import { useCallback, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { panes, type Pane } from '../draft';

/** Places that are visited for less than this many milliseconds get no entry in the browser's history. */
const replaceWithin = 700;

/** The selected place and pane, kept in the address: `?at=/fields/name&face=json`. */
export function usePlace(first: string): { place: string; face: Pane; go: (place: string, face?: Pane) => void } {
  const [query, setQuery] = useSearchParams();
  const place = query.get('at') ?? first;
  const face = panes.find((one) => one === query.get('face')) ?? (query.has('at') ? 'properties' : 'fields');
  const last = useRef(0);
  const go = useCallback(
    (to: string, as?: Pane) => {
      const now = Date.now();
      const replace = now - last.current < replaceWithin;
      last.current = now;
      setQuery(
        (old) => {
          const next = new URLSearchParams(old);
          next.set('at', to);
          if (as === 'properties') next.delete('face');
          else if (as) next.set('face', as);
          return next;
        },
        { replace },
      );
    },
    [setQuery],
  );
  return { place, face, go };
}
