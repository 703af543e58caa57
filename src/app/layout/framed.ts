import { createContext, use } from 'react';

/** The page of the frame around, where there is one. */
export const FramedContext = createContext<Document | null>(null);

/** The page that the caller is drawn in: what looks for elements looks there. */
export function useOwnDocument(): Document {
  return use(FramedContext) ?? document;
}
