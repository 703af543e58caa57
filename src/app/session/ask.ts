import { createContext, use } from 'react';
import { requestApi } from './api';

/** A way to ask the server: it gives back an answer that is ok, and throws as `requestApi` does. */
export type Ask = typeof requestApi;

/** How everything below asks the server, besides the data provider. What must change nothing, as a preview, has a way of its own. */
export const AskContext = createContext<Ask>(requestApi);

/** The way to ask the server for whatever is on this part of the screen. */
export function useAsk(): Ask {
  return use(AskContext);
}
