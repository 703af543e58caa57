import { ApiError } from './apiError';

/** Keys of requests whose outcome is unknown, by the request's fingerprint. */
const unsettled = new Map<string, string>();
const mostKept = 100;

/**
 * Sends a change with an `Idempotency-Key`. If its outcome is unknown, the next identical request gets the same key, so
 * that trying again stores nothing twice. Any other request, or the same one after a response, gets a new key.
 */
export async function withKey<T>(asked: string, send: (key: string) => Promise<T>): Promise<T> {
  const key = unsettled.get(asked) ?? newKey();
  try {
    const answer = await send(key);
    unsettled.delete(asked);
    return answer;
  } catch (error) {
    if (isUnsettled(error)) keep(asked, key);
    else unsettled.delete(asked);
    throw error;
  }
}

/** Whether a failed request may have stored something. */
function isUnsettled(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.code === 'CONFLICT');
}

/** A request's fingerprint, as text: files by what distinguishes them. */
export function askedBy(method: string, path: string, body: unknown): string {
  const text =
    body instanceof FormData
      ? JSON.stringify([...body].map(([name, value]) => [name, value instanceof File ? fileText(value) : value]))
      : String(body ?? '');
  return `${method} ${path} ${text}`;
}

function keep(asked: string, key: string): void {
  unsettled.delete(asked);
  unsettled.set(asked, key);
  if (unsettled.size > mostKept) unsettled.delete(unsettled.keys().next().value!);
}

function fileText({ name, size, lastModified }: File): string {
  return `${name} ${size} ${lastModified}`;
}

/** `crypto.randomUUID` only exists in secure contexts. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
