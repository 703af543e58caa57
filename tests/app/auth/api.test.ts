import { describe, expect, it, vi } from 'vitest';
import { ApiError, fetchApi } from '../../../src/app/session/api';
import { onSessionChange, readSession, saveSession, updateSession } from '../../../src/app/session/session';
import { takeQueuedToasts } from '../../../src/app/session/toastQueue';
import { fakeApi, signedIn } from './fakeApi';

describe('calls of the API', () => {
  it('send the bearer token and the time zone, and return JSON', async () => {
    saveSession(signedIn(3));
    const calls = fakeApi({ 'PUT /api/things/7': { body: { id: 7 } } });
    expect(await fetchApi('things/7', { method: 'PUT', json: { name: 'x' } })).toEqual({ id: 7 });
    expect(calls[0]!.headers.get('Authorization')).toBe('Bearer token-3');
    expect(calls[0]!.headers.get('X-Timezone')).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(calls[0]!.headers.get('Content-Type')).toBe('application/json');
    expect(calls[0]!.body).toEqual({ name: 'x' });
  });

  it('are not sent without a session, unless they need none', async () => {
    saveSession(signedIn(3));
    const calls = fakeApi({ 'GET /api/a': { status: 200, body: {} }, 'GET /api/open': { status: 200, body: {} } });
    localStorage.removeItem('assay.session');
    await expect(fetchApi('/a')).rejects.toMatchObject({ status: 401 });
    await fetchApi('/open', { anonymous: true });
    expect(calls.map(({ path }) => path)).toEqual(['/api/open']);
    expect(takeQueuedToasts()).toEqual([]);
  });

  it('that need no session carry no token, and their answers end no session', async () => {
    saveSession(signedIn(3));
    const calls = fakeApi({ 'POST /api/login': { status: 401, body: { message: 'Unauthenticated.' } } });
    const call = fetchApi('/login', { method: 'POST', json: { authenticateUrl: 1 }, anonymous: true });
    await expect(call).rejects.toMatchObject({ status: 401, message: 'Unauthenticated.' });
    expect(calls[0]!.headers.get('Authorization')).toBeNull();
    expect(readSession()?.token).toBe('token-3');
    expect(takeQueuedToasts()).toEqual([]);
  });

  it('throw errors with the server’s message', async () => {
    saveSession(signedIn(3));
    fakeApi({
      'GET /api/a': { status: 422, body: { message: 'The form has errors.', errors: { name: 'Too long.' } } },
    });
    const error = await fetchApi('/a').catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 422, message: 'The form has errors.', errors: { name: 'Too long.' } });
  });

  it('throw a readable error if the server sends no message', async () => {
    saveSession(signedIn(3));
    fakeApi({ 'GET /api/a': { status: 502 }, 'GET /api/b': new TypeError('Failed to fetch') });
    await expect(fetchApi('/a')).rejects.toMatchObject({ status: 502, message: 'Error 502' });
    await expect(fetchApi('/b')).rejects.toMatchObject({ status: 0, message: 'CORS error: Failed to fetch' });
  });

  it('that change something report an unknown outcome, unless the server says what happened', async () => {
    saveSession(signedIn(3));
    const open = 'Your change may or may not have been saved: reload and check before you try again.';
    const words = { message: 'The disk is full. Nothing was changed.', code: 'UNAVAILABLE' };
    fakeApi({
      'PUT /api/a': new TypeError('Failed to fetch'),
      'DELETE /api/a': { status: 504 },
      'POST /api/a': { status: 503, body: words },
      'POST /api/plan': new TypeError('Failed to fetch'),
    });
    const broken = { status: 0, message: `CORS error: Failed to fetch. ${open}`, code: 'OUTCOME_UNKNOWN' };
    await expect(fetchApi('/a', { method: 'PUT', json: {} })).rejects.toMatchObject(broken);
    const between = { status: 504, message: `Error 504. ${open}`, code: 'OUTCOME_UNKNOWN' };
    await expect(fetchApi('/a', { method: 'DELETE' })).rejects.toMatchObject(between);
    await expect(fetchApi('/a', { method: 'POST', json: {} })).rejects.toMatchObject({ status: 503, ...words });
    const reads = fetchApi('/plan', { method: 'POST', json: {}, readsOnly: true });
    await expect(reads).rejects.toMatchObject({ message: 'CORS error: Failed to fetch' });
    expect((await reads.catch((error: ApiError) => error)) as ApiError).toHaveProperty('code', undefined);
  });

  it('end the session when the server no longer knows it, with a single toast', async () => {
    saveSession(signedIn(3));
    fakeApi({ 'GET /api/a': { status: 401, body: { message: 'Unauthenticated.' } } });
    await Promise.allSettled([fetchApi('/a'), fetchApi('/a'), fetchApi('/a')]);
    expect(readSession()).toBeNull();
    expect(takeQueuedToasts()).toEqual([{ message: 'Unauthenticated.', kind: 'error' }]);
  });

  it('keep a newer session when an older one is rejected', async () => {
    saveSession(signedIn(3));
    fakeApi({
      'GET /api/a': () => {
        saveSession(signedIn(5));
        return { status: 401, body: { message: 'Unauthenticated.' } };
      },
    });
    await expect(fetchApi('/a')).rejects.toMatchObject({ status: 401 });
    expect(readSession()?.token).toBe('token-5');
  });
});

describe('the session', () => {
  it('stays the same object until it changes, and notifies subscribers', () => {
    const heard = vi.fn();
    const stop = onSessionChange(heard);
    saveSession(signedIn(2, { totalClients: 0 }));
    expect(readSession()).toBe(readSession());
    updateSession({ totalClients: 1 });
    expect(readSession()).toMatchObject({ totalClients: 1 });
    stop();
    updateSession({ totalClients: 2 });
    expect(heard).toHaveBeenCalledTimes(2);
  });

  it('is null when the stored one cannot be read', () => {
    localStorage.setItem('assay.session', '{"token":');
    expect(readSession()).toBeNull();
    localStorage.setItem('assay.session', '{"token":"t"}');
    expect(readSession()).toBeNull();
  });
});
