import { sessionLane, signInLane, type AdmissionRequest } from './admission';

/** First parts of the paths for signing in: anybody may call them, and many do. */
const signInPaths = new Set(['login', 'register', 'forgot-password', 'reset-password']);
/** First parts of the paths that every signed-in user needs. */
const sessionPaths = new Set(['me', 'session', 'definitions', 'logout']);
/** First parts of paths that are always admitted. */
const alwaysAdmittedPaths = new Set(['health', 'events']);

/**
 * Determines the admission of a call by its method and URL; undefined for calls that are always admitted: health
 * checks, event streams, which have their own limits, and everything outside the API.
 */
export function admissionRequestOf(method: string, url: string): AdmissionRequest | undefined {
  const [, first, rest = ''] = /^\/api\/([^/?]*)([^?]*)/.exec(url) ?? [];
  if (first === undefined || alwaysAdmittedPaths.has(first)) return undefined;
  const isRead = method === 'GET' || method === 'HEAD';
  const laneName = signInPaths.has(first) ? signInLane : sessionPaths.has(first) ? sessionLane : first;
  if (isRead) return { lane: laneName };
  // `PATCH tasks/7`, `PATCH tasks/restore/7`, `POST test-cases/7/share`: the first id names the record.
  const id = /\/(\d+)(?=\/|$)/.exec(rest)?.[1];
  return { lane: laneName, isChange: true, ...(id !== undefined && { record: `${first}/${id}` }) };
}
