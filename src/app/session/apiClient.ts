import { createContext, use } from 'react';
import { requestApi } from './api';

/** Sends requests to the server: returns an ok response, and throws as `requestApi` does. */
export type ApiClient = typeof requestApi;

/** The client of all components below, besides the data provider. Previews replace it with one that changes nothing. */
export const ApiClientContext = createContext<ApiClient>(requestApi);

/**
 * The API client for this part of the screen.
 *
 * @example
 * const client = useApi();
 * const { data } = await fetchApi<{ data: Deal[] }>('/deals', {}, client);
 */
export function useApi(): ApiClient {
  return use(ApiClientContext);
}
