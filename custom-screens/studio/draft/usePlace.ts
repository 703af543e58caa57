import { useCallback, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { faces, type Face } from '../draft';

/** Places that are gone through faster than this are one step for the browser's Back. */
const passing = 700;

/** The place that is being worked on, kept in the address: `?at=/fields/name&face=json`. */
export function usePlace(first: string): { place: string; face: Face; go: (place: string, face?: Face) => void } {
  const [query, setQuery] = useSearchParams();
  const place = query.get('at') ?? first;
  const face = faces.find((one) => one === query.get('face')) ?? (query.has('at') ? 'properties' : 'fields');
  const last = useRef(0);
  const go = useCallback(
    (to: string, as?: Face) => {
      const now = Date.now();
      const replace = now - last.current < passing;
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
