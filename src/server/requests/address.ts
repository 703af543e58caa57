const secretName = /token|code|secret|pass|sign|sig$|key|auth|credential|state|nonce|session|assertion|e-?mail|link/i;
/** What tells a random text from the name of a module or screen: its length, with digits or capitals in it. */
const random = /^(?=.*[0-9A-Z])[\w.~%+=-]{20,}$/;
const redacted = 'redacted';
const longest = 1_000;

/**
 * An address as it may stand in a log: paths and queries as they were sent, without what opens something to whoever
 * reads it (signatures of files, codes, tokens, share links) and without e-mail addresses.
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
