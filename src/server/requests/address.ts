const secretName = /token|code|secret|pass|sign|sig$|key|auth|credential|state|nonce|session|assertion|e-?mail|link/i;
/** What distinguishes a random token from the name of a module or screen: its length, with digits or capitals in it. */
const random = /^(?=.*[0-9A-Z])[\w.~%+=-]{20,}$/;
const redacted = 'redacted';
const longest = 1_000;

/**
 * A URL for the log: path and query as sent, without secrets (file signatures, codes, tokens, share links) and email
 * addresses.
 */
export function addressWithoutSecrets(url: string): string {
  const [path = '', ...rest] = url.split('?');
  const clean = path.split('/').map((part) => (random.test(part) ? redacted : part));
  const query = rest.length === 0 ? '' : `?${rest.join('?').split('&').map(withoutSecret).join('&')}`;
  return `${clean.join('/')}${query}`.slice(0, longest);
}

function withoutSecret(pair: string): string {
  const split = pair.indexOf('=');
  if (split < 0) return random.test(pair) ? redacted : pair;
  const [name, value] = [pair.slice(0, split), pair.slice(split + 1)];
  const isSecret = secretName.test(name) || random.test(value) || /@|%40/i.test(value);
  return `${name}=${isSecret && value !== '' ? redacted : value}`;
}
