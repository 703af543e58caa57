import { createContext, use } from 'react';
import { requestApi } from './api';

/** Sends requests to the server: returns an ok response, and throws as `requestApi` does. */
export type Ask = typeof requestApi;

/** The client of all components below, besides the data provider. Previews replace it with one that changes nothing. */
export const AskContext = createContext<Ask>(requestApi);

/** The API client for this part of the screen. */
export function useAsk(): Ask {
  return use(AskContext);
}
