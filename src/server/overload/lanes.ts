import { signInLane } from './admission';

/** First parts of paths that somebody needs to sign in, to know who they are, or to leave. */
const signIn = new Set([
  'login',
  'logout',
  'me',
  'session',
  'register',
  'definitions',
  'forgot-password',
  'reset-password',
]);
/** First parts of paths that are answered whatever else waits. */
const always = new Set(['health', 'events']);

/**
 * The lane of an address below `/api`; undefined for what is always let in: health, streams of events, which are bounded
 * by themselves, and whatever is not the API's.
 */
export function laneOf(url: string): string | undefined {
  const [, first] = /^\/api\/([^/?]*)/.exec(url) ?? [];
  if (first === undefined || always.has(first)) return undefined;
  return signIn.has(first) ? signInLane : first;
}
