import { ReadableStream, TextDecoderStream } from 'node:stream/web';
import { expect, test, vi } from 'vitest';
import { subscribeToEvents, readEvents } from '../../../src/app/data/subscribeToEvents';
import { readSession, saveSession } from '../../../src/app/session/session';
import { fakeApi, signedIn } from '../auth/fakeApi';

test('repeated reconnects leave no listeners behind', async () => {
  vi.useFakeTimers();
  saveSession(signedIn(3));
  let attempts = 0;
  vi.stubGlobal('fetch', () => {
    attempts++;
    return Promise.reject(new TypeError('Failed to fetch'));
  });
  let listeners = 0;
  const [add, remove] = [AbortSignal.prototype.addEventListener, AbortSignal.prototype.removeEventListener];
  vi.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (
    this: AbortSignal,
    ...args: unknown[]
  ) {
    listeners++;
    return add.apply(this, args as never);
  });
  vi.spyOn(AbortSignal.prototype, 'removeEventListener').mockImplementation(function (
    this: AbortSignal,
    ...args: unknown[]
  ) {
    listeners--;
    return remove.apply(this, args as never);
  });
  const stop = subscribeToEvents({ onEvent: () => {}, onMissed: () => {} });
  await vi.advanceTimersByTimeAsync(20_000);
  const [early, before] = [attempts, listeners];
  await vi.advanceTimersByTimeAsync(400_000);
  expect(attempts).toBeGreaterThan(early + 8);
  expect(listeners).toBe(before);
  stop();
});

test('one stream opens where the token has expired and is renewed first, and another for a later token', async () => {
  const later = () => Date.now() + 3_600_000;
  saveSession({ ...signedIn(3), sign_in_id: 1, expires_at: Date.now() - 1_000 });
  const tokens: string[] = [];
  const renewed = { status: 200, body: { token: 'second', token_type: 'Bearer', sign_in_id: 1, expires_in: 3_600 } };
  fakeApi({
    'POST /api/session/renew': renewed,
    'GET /api/events': ({ headers }) => {
      tokens.push(headers.get('Authorization')!);
      return new Promise(() => {});
    },
  });
  const stop = subscribeToEvents({ onEvent: () => {}, onMissed: () => {} });
  await vi.waitFor(() => expect(readSession()?.token).toBe('second'));
  await vi.waitFor(() => expect(tokens).toEqual(['Bearer second']));
  saveSession({ ...signedIn(3), token: 'third', sign_in_id: 1, expires_at: later() });
  await vi.waitFor(() => expect(tokens.at(-1)).toBe('Bearer third'));
  expect(tokens).toEqual(['Bearer second', 'Bearer third']);
  stop();
});

test('events are read however the stream is cut, and what is no event of a resource is passed over', async () => {
  const event = (id: number) => ({ resource: 'things', id, event: 'updated' });
  const written = [
    ': hello\n\n',
    `data: ${JSON.stringify(event(1))}\n\n`,
    `id: 7\r\ndata:${JSON.stringify(event(2))}\r\n\r\n`,
    'data: {"resource":"things",\ndata: "id":3,"event":"updated"}\n\n',
    'data: {}\n\ndata: nothing\n\nevent: alone\n\n',
    `data: ${JSON.stringify({ ...event(4), name: 'Jürgen' })}\n\n`,
    `data: ${JSON.stringify(event(5))}`,
  ].join('');
  const bytes = Buffer.from(written);
  // A browser has it, jsdom does not.
  vi.stubGlobal('TextDecoderStream', TextDecoderStream);
  for (const size of [1, 7, bytes.length]) {
    const [seen, signs] = [[] as unknown[], vi.fn()];
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        parts.forEach((part) => stream.enqueue(part));
        stream.close();
      },
    });
    await readEvents(body as never, (one) => seen.push(one), signs);
    expect(seen).toEqual([event(1), event(2), event(3), { ...event(4), name: 'Jürgen' }]);
    expect(signs.mock.calls.length).toBeGreaterThan(0);
  }
});
