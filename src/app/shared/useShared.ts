import { useEffect, useState } from 'react';

/**
 * What is behind a link: `found` is undefined until the answer is there, and null where the link opens nothing (any more).
 * `load` has to stay the same for the same link.
 */
export function useShared<T>(load: (signal: AbortSignal) => Promise<T | null>) {
  const [found, setFound] = useState<T | null>();
  const [failure, setFailure] = useState<Error>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    load(stop.signal).then(setFound, (error: Error) => {
      if (!stop.signal.aborted) setFailure(error);
    });
    return () => stop.abort();
  }, [attempt, load]);
  const retry = () => {
    setFailure(undefined);
    setAttempt(attempt + 1);
  };
  return { found, failure, retry };
}
