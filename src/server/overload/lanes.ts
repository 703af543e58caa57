import { signInLane, type Ask } from './admission';

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
 * What a call asks for, by its method and address; undefined for what is always let in: health, streams of events, which
 * are bounded by themselves, and whatever is not the API's.
 */
export function askOf(method: string, url: string): Ask | undefined {
  const [, first, rest] = /^\/api\/([^/?]*)([^?]*)/.exec(url) ?? [];
  if (first === undefined || always.has(first)) return undefined;
  if (signIn.has(first)) return { lane: signInLane };
  if (method === 'GET' || method === 'HEAD') return { lane: first };
  // `PATCH tasks/7`, `PATCH tasks/restore/7`, `POST test-cases/7/share`: the record is named before what is done to it.
  const id = /\/(\d+)(?=\/|$)/.exec(rest!)?.[1];
  return { lane: first, changes: true, ...(id !== undefined && { record: `${first}/${id}` }) };
}
