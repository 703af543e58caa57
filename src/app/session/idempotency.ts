import { ApiError } from './apiError';

/** Keys of requests whose outcome is unknown, by the request's fingerprint. */
const pendingKeys = new Map<string, string>();
const maxKeys = 100;

/**
 * Sends a change with an `Idempotency-Key`. If its outcome is unknown, the next identical request gets the same key, so
 * that trying again stores nothing twice. Any other request, or the same one after a response, gets a new key.
 */
export async function withIdempotencyKey<T>(fingerprint: string, send: (key: string) => Promise<T>): Promise<T> {
  const key = pendingKeys.get(fingerprint) ?? createKey();
  try {
    const answer = await send(key);
    pendingKeys.delete(fingerprint);
    return answer;
  } catch (error) {
    if (isOutcomeUnknown(error)) rememberKey(fingerprint, key);
    else pendingKeys.delete(fingerprint);
    throw error;
  }
}

/** Whether a failed request may have stored something. */
function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.code === 'CONFLICT');
}

/** A request's fingerprint, as text: files by what distinguishes them. */
export function requestFingerprint(method: string, path: string, body: unknown): string {
  const text =
    body instanceof FormData
      ? JSON.stringify([...body].map(([name, value]) => [name, value instanceof File ? fileFingerprint(value) : value]))
      : String(body ?? '');
  return `${method} ${path} ${text}`;
}

function rememberKey(fingerprint: string, key: string): void {
  pendingKeys.delete(fingerprint);
  pendingKeys.set(fingerprint, key);
  if (pendingKeys.size > maxKeys) pendingKeys.delete(pendingKeys.keys().next().value!);
}

function fileFingerprint({ name, size, lastModified }: File): string {
  return `${name} ${size} ${lastModified}`;
}

/** `crypto.randomUUID` only exists in secure contexts. */
function createKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
