import { afterEach, expect, test, vi } from 'vitest';
import { followEvents } from '../../../src/app/admin/followEvents';
import { saveSession } from '../../../src/app/session/session';
import { signedIn } from '../auth/fakeApi';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
});

test('a way to the server that breaks again and again leaves no listener behind with each attempt', async () => {
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
  const stop = followEvents({ onEvent: () => {}, onMissed: () => {} });
  await vi.advanceTimersByTimeAsync(20_000);
  const [early, before] = [attempts, listeners];
  await vi.advanceTimersByTimeAsync(400_000);
  expect(attempts).toBeGreaterThan(early + 8);
  expect(listeners).toBe(before);
  stop();
});
