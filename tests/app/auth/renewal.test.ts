import { describe, expect, it, vi } from 'vitest';
import { fetchApi } from '../../../src/app/session/api';
import { setProofPrompt } from '../../../src/app/session/proof';
import { scheduleRenewal } from '../../../src/app/session/renewal';
import { readSession, saveSession, sessionIdentity } from '../../../src/app/session/session';
import { takeQueuedToasts } from '../../../src/app/session/toastQueue';
import { fakeApi, signedIn, type Call } from './fakeApi';

const minute = 60_000;
/** A session whose token expires in some minutes. */
const session = (minutes: number, id = 1) => ({
  ...signedIn(3),
  token: 'first',
  sign_in_id: id,
  expires_at: Date.now() + minutes * minute,
});
const ended = { status: 401, body: { message: 'Unauthenticated.' } };
const next = { body: { token: 'second', token_type: 'Bearer', sign_in_id: 1, expires_in: 900 } };
/** A call that only accepts the second token. */
const second = ({ headers }: Call) => (headers.get('Authorization') === 'Bearer second' ? { body: 'yes' } : ended);
const renewals = (calls: Call[]) => calls.filter(({ path }) => path === '/api/session/renew');

describe('a short-lived token', () => {
  it.each([
    ['about to end', 0.5, 1],
    ['long over', -600, 1],
    ['good for a while', 5, 0],
  ])('that is %s is renewed before a call, once for many', async (_, minutes, times) => {
    saveSession(session(minutes));
    const calls = fakeApi({ 'GET /api/a': { body: 'yes' }, 'POST /api/session/renew': next });
    await Promise.all([fetchApi('/a'), fetchApi('/a'), fetchApi('/a')]);
    expect(renewals(calls)).toHaveLength(times);
    const [renewal] = renewals(calls);
    expect(renewal?.body ?? { sign_in_id: 1 }).toEqual({ sign_in_id: 1 });
    expect(renewal?.headers.get('X-Session') ?? 'renewable').toBe('renewable');
    const last = calls.at(-1)!.headers.get('Authorization');
    expect(last).toBe(times === 0 ? 'Bearer first' : 'Bearer second');
    if (times === 1) expect(readSession()!.expires_at! - Date.now()).toBeGreaterThan(14 * minute);
  });

  it('is renewed when the server rejects it, and the request is sent again unchanged', async () => {
    saveSession(session(10));
    const calls = fakeApi({ 'POST /api/a': second, 'POST /api/session/renew': next });
    const mark = sessionIdentity();
    expect(await fetchApi('/a', { method: 'POST', json: { x: 1 } })).toBe('yes');
    expect(calls.map(({ path }) => path)).toEqual(['/api/a', '/api/session/renew', '/api/a']);
    expect(calls[2]!.body).toEqual({ x: 1 });
    expect(sessionIdentity()).toBe(mark);
  });

  it('is renewed once: a rejection of the next one signs out', async () => {
    saveSession(session(10));
    const calls = fakeApi({ 'GET /api/a': ended, 'POST /api/session/renew': next });
    await expect(fetchApi('/a')).rejects.toMatchObject({ status: 401 });
    expect(renewals(calls)).toHaveLength(1);
    expect(readSession()).toBeNull();
    expect(takeQueuedToasts()).toHaveLength(1);
  });

  it('that cannot be renewed ends the session, with a single toast', async () => {
    saveSession(session(-1));
    fakeApi({ 'POST /api/session/renew': ended });
    await Promise.allSettled([fetchApi('/a'), fetchApi('/b')]);
    expect(readSession()).toBeNull();
    expect(takeQueuedToasts()).toHaveLength(1);
  });

  it.each<[string, number, unknown, unknown]>([
    ['no network, good for a moment', 0.5, new TypeError('Failed to fetch'), 'yes'],
    ['no network, over', -1, new TypeError('Failed to fetch'), { status: 0 }],
    ['a server that is stopping, over', -1, { status: 503, body: { message: 'Stopping.' } }, { status: 503 }],
  ])('stays where there is %s: nobody is signed out for it', async (_, minutes, answer, expected) => {
    saveSession(session(minutes));
    fakeApi({ 'GET /api/a': { body: 'yes' }, 'POST /api/session/renew': answer as Error });
    const result = await fetchApi('/a').catch((error: unknown) => error);
    if (typeof expected === 'string') expect(result).toBe(expected);
    else expect(result).toMatchObject(expected as object);
    expect(readSession()?.token).toBe('first');
  });

  it('renewed by another tab in the meantime is used', async () => {
    saveSession(session(10));
    const calls = fakeApi({
      'GET /api/a': (call) => {
        if (readSession()?.token === 'first') saveSession({ ...session(15), token: 'second' });
        return second(call);
      },
    });
    expect(await fetchApi('/a')).toBe('yes');
    expect(renewals(calls)).toHaveLength(0);
  });

  it('is not used to repeat requests of a user who was replaced by another', async () => {
    saveSession(session(10));
    const calls = fakeApi({
      'POST /api/a': () => {
        saveSession({ ...session(15, 2), token: 'second' });
        return ended;
      },
    });
    await expect(fetchApi('/a', { method: 'POST' })).rejects.toMatchObject({ status: 401 });
    expect(calls).toHaveLength(1);
    expect(readSession()?.sign_in_id).toBe(2);
  });

  it('does not come back after a sign-out during its renewal', async () => {
    saveSession(session(-1));
    fakeApi({
      'GET /api/a': ended,
      'POST /api/session/renew': () => {
        localStorage.clear();
        return next;
      },
    });
    await expect(fetchApi('/a')).rejects.toMatchObject({ status: 401 });
    expect(readSession()).toBeNull();
  });

  it('is renewed a minute before it expires while the application is open', async () => {
    vi.useFakeTimers();
    saveSession(session(15));
    const calls = fakeApi({ 'POST /api/session/renew': next });
    const stop = scheduleRenewal();
    await vi.advanceTimersByTimeAsync(13.9 * minute);
    expect(renewals(calls)).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(0.2 * minute);
    expect(renewals(calls)).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(14.1 * minute);
    expect(renewals(calls)).toHaveLength(2);
    stop();
    await vi.advanceTimersByTimeAsync(60 * minute);
    expect(renewals(calls)).toHaveLength(2);
  });
});

describe('a request that requires a confirmed identity', () => {
  const refused = { status: 403, body: { message: 'Please confirm.', code: 'PROOF_REQUIRED' } };

  it.each([[true], [false]])('is sent again after the user confirmed it: %s', async (given) => {
    saveSession(session(10));
    let proven = false;
    const ask = vi.fn(async () => (proven = given));
    const stop = setProofPrompt(ask);
    const calls = fakeApi({ 'PUT /api/a': () => (proven ? { body: 'yes' } : refused) });
    const all = await Promise.allSettled([fetchApi('/a', { method: 'PUT' }), fetchApi('/a', { method: 'PUT' })]);
    stop();
    expect(all.map(({ status }) => status)).toEqual(Array(2).fill(given ? 'fulfilled' : 'rejected'));
    expect([ask.mock.calls.length, calls.length]).toEqual([1, given ? 4 : 2]);
    expect(readSession()).not.toBeNull();
  });
});
