import { ApiError } from './apiError';

/** Keys of calls whose outcome is not known, by what was asked. */
const unsettled = new Map<string, string>();
const mostKept = 100;

/**
 * Sends what changes something with an `Idempotency-Key`. Where no answer came, or one that leaves open what was stored,
 * the same call is sent with the same key the next time, so that trying again stores nothing twice; another call, or the
 * same one after it was answered, has a key of its own.
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

/** Whether a failed call may have stored something all the same. */
function isUnsettled(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.code === 'CONFLICT');
}

/** What a call asks for, as text: files by what tells them apart. */
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

/** `crypto.randomUUID` is there on encrypted pages alone. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
