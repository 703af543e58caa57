const secretName = /token|code|secret|pass|sign|sig$|key|auth|credential|state|nonce|session|assertion|e-?mail|link/i;
/** A random token differs from the name of a resource or screen by its length, with digits or capitals in it. */
const randomToken = /^(?=.*[0-9A-Z])[\w.~%+=-]{20,}$/;
const redacted = 'redacted';
const maxUrlLength = 1_000;

/**
 * A URL for the log: path and query as sent, without secrets (file signatures, codes, tokens, share links) and email
 * addresses.
 */
export function redactUrl(url: string): string {
  const [path = '', ...rest] = url.split('?');
  const clean = path.split('/').map((part) => (randomToken.test(part) ? redacted : part));
  const query = rest.length === 0 ? '' : `?${rest.join('?').split('&').map(redactPair).join('&')}`;
  return `${clean.join('/')}${query}`.slice(0, maxUrlLength);
}

function redactPair(pair: string): string {
  const split = pair.indexOf('=');
  if (split < 0) return randomToken.test(pair) ? redacted : pair;
  const [name, value] = [pair.slice(0, split), pair.slice(split + 1)];
  const isSecret = secretName.test(name) || randomToken.test(value) || /@|%40/i.test(value);
  return `${name}=${isSecret && value !== '' ? redacted : value}`;
}
