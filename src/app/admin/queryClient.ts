import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../session/api';
import { isWithoutAnswer } from '../session/connection';

/** Waiting a second may help when nobody was reached, or the server said that it is busy; not when the time was up already. */
function mayHelpToRetry(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 ? error.code !== 'TIMEOUT' : error.status === 503);
}

/**
 * A cache for one session. A query that fails tells `onError`, unless it is marked `meta.quiet` because its screen says
 * what happened by itself. (Single records are a matter of their forms, which do.)
 */
export function makeQueryClient(onError: (error: Error) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        // What is shown stays, and says how old it is.
        if (isWithoutAnswer(error) && query.state.data !== undefined) return;
        if (!query.meta?.quiet && query.queryKey[1] !== 'getOne') onError(error);
      },
    }),
    defaultOptions: {
      queries: {
        // What cannot be read says so at once, instead of waiting for a connection without a word, and is read when there is one.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (count, error) => count < 1 && mayHelpToRetry(error),
        retryDelay: 1000,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
