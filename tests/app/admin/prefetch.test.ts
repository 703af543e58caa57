import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { prefetchRequests, takePrefetched } from '../../../src/app/session/prefetch';
import { requestApi } from '../../../src/app/session/api';
import { saveSession, type Session } from '../../../src/app/session/session';

const signedIn = (id: number): Session => ({
  token: `token-of-${id}`,
  token_type: 'Bearer',
  user: { id, name: 'Ada', first_name: 'Ada', last_name: 'Novak', email: 'ada@novak.test', role_id: 2, site_id: 1 },
  role: { id: 2, role_name: 'Owner', level: 2 },
});
const page = '/shots?range=%5B0%2C14%5D';
const asked: string[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // Not in jsdom.
  Object.assign(performance, { getEntriesByType: () => [] });
  localStorage.clear();
  history.replaceState(null, '', '/shots?page=2');
  asked.length = 0;
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url.replace('/api', ''));
    return new Response(`answer ${asked.length}`);
  });
  saveSession(signedIn(7));
});
afterEach(() => {
  vi.runAllTimers();
});

/** A visit on which the screen asks for a page, until what it asked for is noted. */
async function visit(path = page): Promise<string> {
  prefetchRequests(requestApi);
  const text = await (await requestApi(path)).text();
  await vi.advanceTimersByTimeAsync(5_000);
  return text;
}

test('requests of all screens are prefetched, and each response is used once', async () => {
  prefetchRequests(requestApi);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual(['/events', '/me', '/definitions']);
  expect(await (await requestApi('/me')).text()).toBe('answer 2');
  expect(asked).toHaveLength(3);
  expect(await (await requestApi('/me')).text()).toBe('answer 4');
});

test('requests that a screen made are prefetched the next time its address opens', async () => {
  await visit();
  asked.length = 0;
  expect(await visit()).toBe('answer 4');
  expect(asked).toEqual(['/events', '/me', '/definitions', page]);
  asked.length = 0;
  history.replaceState(null, '', '/shots');
  await visit('/shots?range=%5B15%2C29%5D');
  expect(asked).toEqual(['/events', '/me', '/definitions', '/shots?range=%5B15%2C29%5D']);
});

test('unused responses are discarded in time, and those of another user are not used', async () => {
  prefetchRequests(requestApi);
  await vi.advanceTimersByTimeAsync(10_001);
  expect(takePrefetched('/me')).toBeUndefined();
  prefetchRequests(requestApi);
  saveSession(signedIn(8));
  expect(takePrefetched('/me')).toBeUndefined();
});

test('conditional requests do not use prefetched responses', async () => {
  prefetchRequests(requestApi);
  await vi.advanceTimersByTimeAsync(0);
  await requestApi('/definitions', { headers: { 'If-None-Match': '"1"' } });
  expect(asked).toHaveLength(4);
});

test('a prefetched response is aborted by its caller’s signal', async () => {
  let given: AbortSignal | undefined;
  const ask = async (_path: string, init?: RequestInit) => {
    given = init?.signal ?? undefined;
    return new Response('');
  };
  prefetchRequests(ask);
  const end = new AbortController();
  await takePrefetched('/definitions', end.signal);
  expect(given!.aborted).toBe(false);
  end.abort();
  expect(given!.aborted).toBe(true);
});

test('unreadable notes on what to prefetch are ignored', async () => {
  for (const text of ['nonsense', '[]', '{"/shots?page=2":{"paths":"x"}}', '{"/shots?page=2":null}']) {
    localStorage.setItem('assay.ahead.7', text);
    asked.length = 0;
    await visit();
    expect(asked).toHaveLength(4);
  }
});
