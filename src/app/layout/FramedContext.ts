import { createContext, use } from 'react';

/** The document of the surrounding frame, if any. */
export const FramedContext = createContext<Document | null>(null);

/**
 * The document that the caller renders into. Look up elements in it.
 *
 * @example useOwnerDocument().getElementById(errorId)?.focus();
 */
export function useOwnerDocument(): Document {
  return use(FramedContext) ?? document;
}
