/**
 * A path of two segments whose second one looks like a share token: 24 random bytes in base64url, which practically
 * always contain a capital or a digit.
 */
const sharedPathPattern = /^\/([a-z][a-z0-9-]*)\/((?=[\w-]*[A-Z0-9])[\w-]{32})$/;

/** The parts of a shared record's path; undefined for any other path. */
export function parseSharedPath(path: string): { path: string; link: string } | undefined {
  const [, first, link] = sharedPathPattern.exec(path) ?? [];
  return first === undefined || link === undefined || first === 'auth' ? undefined : { path: first, link };
}
