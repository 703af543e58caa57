/** A signal that aborts with another one, or after a timeout in milliseconds. */
export function withTimeout(signal: AbortSignal | null | undefined, limit: number): AbortSignal | undefined {
  if (limit === Infinity) return signal ?? undefined;
  const end = new AbortController();
  const timeoutError = new DOMException(
    `The server did not respond within ${limit / 1000} seconds. The connection may be slow or lost.`,
    'TimeoutError',
  );
  setTimeout(() => end.abort(timeoutError), limit);
  if (signal?.aborted) end.abort(signal.reason);
  signal?.addEventListener('abort', () => end.abort(signal.reason), { once: true });
  return end.signal;
}
