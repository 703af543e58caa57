import { useEffect, useState } from 'react';

/**
 * Loads a shared record: `content` is undefined while loading, and null if the link is not valid (any more). `load` must
 * be stable for the same link.
 *
 * @example const { found } = useShared(load); // undefined: still loading; null: no such link
 */
export function useShared<T>(load: (signal: AbortSignal) => Promise<T | null>) {
  const [content, setContent] = useState<T | null>();
  const [failure, setFailure] = useState<Error>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    load(stop.signal).then(setContent, (error: Error) => {
      if (!stop.signal.aborted) setFailure(error);
    });
    return () => stop.abort();
  }, [attempt, load]);
  const retry = () => {
    setFailure(undefined);
    setAttempt(attempt + 1);
  };
  return { content, failure, retry };
}
