/** A path of two steps whose second one looks like the token of a share link: 24 random bytes, in which a capital or a digit is never missing. */
const sharePath = /^\/([a-z][a-z0-9-]*)\/((?=[\w-]*[A-Z0-9])[\w-]{32})$/;

/** The place of a shared record by its address; undefined for any other path. */
export function sharedAt(path: string): { path: string; link: string } | undefined {
  const [, first, link] = sharePath.exec(path) ?? [];
  return first === undefined || link === undefined || first === 'auth' ? undefined : { path: first, link };
}
