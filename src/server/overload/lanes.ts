import { sessionLane, signInLane, type Ask } from './admission';

/** First parts of paths by which somebody signs in: everybody may call them, and a crowd of strangers does. */
const signIn = new Set(['login', 'register', 'forgot-password', 'reset-password']);
/** First parts of paths by which somebody who has signed in knows who they are, and leaves. */
const session = new Set(['me', 'session', 'definitions', 'logout']);
/** First parts of paths that are answered whatever else waits. */
const always = new Set(['health', 'events']);

/**
 * What a call asks for, by its method and address; undefined for what is always let in: health, streams of events, which
 * are bounded by themselves, and whatever is not the API's.
 */
export function askOf(method: string, url: string): Ask | undefined {
  const [, first, rest] = /^\/api\/([^/?]*)([^?]*)/.exec(url) ?? [];
  if (first === undefined || always.has(first)) return undefined;
  const reads = method === 'GET' || method === 'HEAD';
  const lane = signIn.has(first) ? signInLane : session.has(first) ? sessionLane : first;
  if (reads) return { lane };
  // `PATCH tasks/7`, `PATCH tasks/restore/7`, `POST test-cases/7/share`: the record is named before what is done to it.
  const id = /\/(\d+)(?=\/|$)/.exec(rest!)?.[1];
  return { lane, changes: true, ...(id !== undefined && { record: `${first}/${id}` }) };
}
