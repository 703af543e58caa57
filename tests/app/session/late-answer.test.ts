import { afterEach, expect, it, vi } from 'vitest';
import { lostConnectionSince, markConnected, markDisconnected } from '../../../src/app/session/connection';

afterEach(() => {
  markConnected();
  vi.unstubAllGlobals();
});

it('a late answer to a request from before a lost connection does not announce the connection', async () => {
  const sentAt = Date.now() - 1000;
  const fetch = vi.fn<(path: string) => Promise<Response>>();
  vi.stubGlobal('fetch', fetch);
  markDisconnected();
  const lostAt = lostConnectionSince();
  fetch.mockRejectedValue(new TypeError('Failed to fetch'));
  markConnected(sentAt);
  await vi.waitFor(() => expect(fetch).toHaveBeenCalledWith('/api/health/live'));
  await Promise.resolve();
  expect(lostConnectionSince()).toBe(lostAt);
  // The server is asked then, and answers once there is a connection.
  fetch.mockResolvedValue(new Response());
  markConnected(sentAt);
  await vi.waitFor(() => expect(lostConnectionSince()).toBe(null));
  // A request that was sent since says it by itself.
  markDisconnected();
  markConnected(Date.now() + 1);
  expect(lostConnectionSince()).toBe(null);
});
