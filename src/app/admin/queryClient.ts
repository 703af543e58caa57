import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../session/api';
import { hasNoResponse } from '../session/connection';

/** A retry helps if the server was not reached or is busy; not after a timeout. */
function shouldRetry(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 ? error.code !== 'TIMEOUT' : error.status === 503);
}

/**
 * A query cache for one session. A failed query calls `onError`, unless it is marked `meta.quiet` because its screen
 * shows the error. Forms show errors of single records themselves.
 */
export function createQueryClient(onError: (error: Error) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        // Stale data stays on the screen, with its age.
        if (hasNoResponse(error) && query.state.data !== undefined) return;
        if (!query.meta?.quiet && query.queryKey[1] !== 'getOne') onError(error);
      },
    }),
    defaultOptions: {
      queries: {
        // Fail at once instead of waiting silently for a connection, and refetch when there is one.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (count, error) => count < 1 && shouldRetry(error),
        retryDelay: 1000,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
