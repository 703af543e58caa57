import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../session/api';

/** Waiting a second may help when nobody answered, or the server said that it is busy. */
function mayHelpToRetry(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 503);
}

/**
 * A cache for one session. A query that fails tells `onError`, unless it is marked `meta.quiet` because its screen says
 * what happened by itself. (Single records are a matter of their forms, which do.)
 */
export function makeQueryClient(onError: (error: Error) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!query.meta?.quiet && query.queryKey[1] !== 'getOne') onError(error);
      },
    }),
    defaultOptions: {
      queries: { retry: (count, error) => count < 1 && mayHelpToRetry(error), retryDelay: 1000 },
      mutations: { retry: false },
    },
  });
}
