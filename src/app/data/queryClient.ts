import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../session/api';
import { hasNoResponse, lostConnectionSince } from '../session/connection';

/** A retry helps if the server was not reached or is busy; not after a timeout. */
function shouldRetry(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 ? error.code !== 'TIMEOUT' : error.status === 503);
}

/**
 * A query cache for one session. A failed query calls `onError`, unless it is marked `meta.quiet` because its screen
 * shows the error. Forms show errors of single records themselves.
 */
export function createQueryClient(onError: (error: Error) => void): QueryClient {
  let reportedLoss: number | null = null;
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        // Stale data stays on the screen, with its age.
        if (hasNoResponse(error) && query.state.data !== undefined) return;
        // One message for all that a lost connection keeps from loading.
        const loss = lostConnectionSince();
        const isReported = hasNoResponse(error) && loss !== null && loss === reportedLoss;
        if (isReported || query.meta?.quiet || query.queryKey[1] === 'getOne') return;
        reportedLoss = loss;
        onError(error);
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
