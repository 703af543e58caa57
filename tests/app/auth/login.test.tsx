// @module-tag slow
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { product } from '../../../custom-screens';
import type { BrowserProduct } from '../../../src/app/product';
import { clearSession, readSession, saveSession } from '../../../src/app/session/session';
import { runProduct } from '../support/runProduct';
import { fakeApi, signedIn } from './fakeApi';
import { fill, renderRoot } from './renderRoot';

beforeEach(() => runProduct(product));

const rule = 'Password:8+ chars,1 upper,1 lower,1 digit,1 special.';
const emailField = () => screen.getByLabelText('Email');
const passwordField = () => screen.getByLabelText('Password');
const button = () => screen.getByRole('button', { name: 'Sign in' });

describe('signing in', () => {
  it.each([
    ['an owner without clients', signedIn(2, { totalClients: 0 }), '/flow-setup-steps'],
    ['an owner without projects', signedIn(2, { totalProjects: 0 }), '/flow-setup-steps'],
    ['an owner who is set up', signedIn(2), '/'],
    ['anybody else', signedIn(5, { totalClients: 0, totalProjects: 0 }), '/'],
  ])('leads %s on, with a toast that arrives', async (_, answer, path) => {
    const calls = fakeApi({ 'POST /api/login': { body: answer } });
    const user = renderRoot('/auth/login');
    expect(document.activeElement).toBe(emailField());
    await user.keyboard(' ada@example.test {Tab}Demo@1234{Enter}');

    expect((await screen.findByLabelText('application')).textContent).toBe('Login Successfully!');
    expect(window.location.pathname).toBe(path);
    const call = calls.find(({ path }) => path === '/api/login')!;
    expect(call.body).toEqual({ email: 'ada@example.test', password: 'Demo@1234', authenticateUrl: 1 });
    expect(call.headers.get('Authorization')).toBeNull();
    expect(readSession()).toMatchObject({ token: answer.token, role: answer.role, totalClients: answer.totalClients });
  });

  it('leads to what the running product says, and keeps its facts alone', async () => {
    const answer = { ...signedIn(2, { totalClients: 0 }), orders: 4, permissions: {} };
    const shop: BrowserProduct = {
      name: 'shop',
      welcome: 'Everything on the shelves.',
      home: '/shelves',
      facts: ['orders'],
      firstPath: ({ orders }) => (orders === 0 ? '/first-order' : undefined),
    };
    for (const [running, orders, path] of [
      [shop, 0, '/first-order'],
      [shop, 4, '/'],
      [undefined, 0, '/'],
    ] as const) {
      runProduct(running, 'Farm & Shop');
      fakeApi({ 'POST /api/login': { body: { ...answer, orders } } });
      const user = renderRoot('/auth/login');
      expect(screen.getByRole('heading', { name: 'Welcome to Farm & Shop' })).toBeTruthy();
      expect(screen.queryByText(shop.welcome!) !== null).toBe(running === shop);
      expect(document.title).toBe('Sign in · Farm & Shop');
      await user.keyboard('ada@example.test{Tab}Demo@1234{Enter}');
      await screen.findByLabelText('application');
      expect(window.location.pathname).toBe(path);
      const { token, user: person, role } = answer;
      expect(readSession()).toEqual({ token, token_type: 'Bearer', user: person, role, ...(running && { orders }) });
      cleanup();
      localStorage.clear();
    }
  });

  it('sets lists as the default view unless there is a choice', async () => {
    fakeApi({ 'POST /api/login': { body: signedIn(3) } });
    localStorage.setItem('graphView', 'graph');
    const user = renderRoot('/auth/login');
    await fill(user, emailField(), 'ada@example.test');
    await fill(user, passwordField(), 'Demo@1234');
    await user.keyboard('{Enter}');
    await screen.findByLabelText('application');
    expect(localStorage.getItem('listView')).toBe('list');
    expect(localStorage.getItem('graphView')).toBe('graph');
  });

  it('shows below the form why it was rejected, and allows another try', async () => {
    fakeApi({ 'POST /api/login': { body: { status: false, message: 'Email or password is wrong.' } } });
    const user = renderRoot('/auth/login');
    await fill(user, emailField(), 'ada@example.test');
    await fill(user, passwordField(), 'Demo@1234');
    await user.click(button());
    expect((await screen.findByRole('alert')).textContent).toBe('Email or password is wrong.');
    expect(readSession()).toBeNull();
    expect(window.location.pathname).toBe('/auth/login');

    fakeApi({ 'POST /api/login': { body: signedIn(3) } });
    await user.click(button());
    await screen.findByLabelText('application');
  });

  it('says that too many attempts were made', async () => {
    fakeApi({ 'POST /api/login': { status: 429, body: { message: 'Too many attempts. Try again in 5 minutes.' } } });
    const user = renderRoot('/auth/login');
    await fill(user, emailField(), 'ada@example.test');
    await fill(user, passwordField(), 'Demo@1234');
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(screen.getByRole('alert').textContent).toBe('Too many attempts. Try again in 5 minutes.'),
    );
  });

  it('says when the server cannot be reached', async () => {
    fakeApi({ 'POST /api/login': new TypeError('Failed to fetch') });
    const user = renderRoot('/auth/login');
    await fill(user, emailField(), 'ada@example.test');
    await fill(user, passwordField(), 'Demo@1234');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('CORS error: Failed to fetch'));
  });

  it('validates before sending, names the field and focuses it', async () => {
    const calls = fakeApi({});
    const user = renderRoot('/auth/login');
    await user.click(button());
    expect(document.activeElement).toBe(emailField());
    expect(emailField().getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(emailField().getAttribute('aria-describedby')!)?.textContent).toBe(
      'Email is required.',
    );

    await fill(user, emailField(), 'ada@example.test');
    await fill(user, passwordField(), 'short');
    await user.click(button());
    expect(screen.getByText(rule)).toBeTruthy();
    expect(document.activeElement).toBe(passwordField());
    expect(calls.filter(({ path }) => path === '/api/login')).toEqual([]);
  });

  it('shows the server’s errors below their fields', async () => {
    const errors = { email: 'No such address.' };
    fakeApi({ 'POST /api/login': { status: 422, body: { message: 'The form has errors.', errors } } });
    const user = renderRoot('/auth/login');
    await fill(user, emailField(), 'ada@example.test');
    await fill(user, passwordField(), 'Demo@1234');
    await user.keyboard('{Enter}');
    expect(await screen.findByText('No such address.')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('');
    await fill(user, emailField(), 'x');
    expect(screen.queryByText('No such address.')).toBeNull();
  });

  it('shows the typed password on request', async () => {
    fakeApi({});
    const user = renderRoot('/auth/login');
    expect(passwordField().getAttribute('type')).toBe('password');
    await user.click(screen.getByRole('button', { name: 'Show password' }));
    expect(passwordField().getAttribute('type')).toBe('text');
  });

  it('sends one request however often the button is pressed', async () => {
    let answer = () => {};
    const waiting = new Promise<void>((resolve) => (answer = resolve));
    const calls = fakeApi({
      'POST /api/login': () => waiting.then(() => ({ body: { status: false, message: 'No.' } })),
    });
    const user = renderRoot('/auth/login');
    await fill(user, emailField(), 'ada@example.test');
    await fill(user, passwordField(), 'Demo@1234');
    await user.click(button());
    await user.click(button());
    answer();
    await screen.findByText('No.');
    expect(calls.filter(({ path }) => path === '/api/login')).toHaveLength(1);
  });
});

describe('demo accounts', () => {
  const accounts = [{ email: 'qa@demo.test', role_name: 'QA', password: 'Demo@1234' }];

  it('signs in with one click', async () => {
    const calls = fakeApi({
      'GET /api/demo-accounts': { body: { data: accounts } },
      'POST /api/login': { body: signedIn(5) },
    });
    const user = renderRoot('/auth/login');
    await user.click(await screen.findByRole('button', { name: /qa@demo\.test/ }));
    await screen.findByLabelText('application');
    expect(calls.at(-1)?.body).toMatchObject({ email: 'qa@demo.test', password: 'Demo@1234' });
  });

  it.each([
    ['a server without any', { status: 404, body: { message: 'Not found.' } }],
    ['an empty list', { body: { data: [] } }],
  ])('are not mentioned with %s', async (_, answer) => {
    const calls = fakeApi({ 'GET /api/demo-accounts': answer });
    renderRoot('/auth/login');
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(screen.queryByText('Demo accounts')).toBeNull();
  });
});

describe('the address that was opened while signed out', () => {
  const opened = '/shots/7?tab=shifts#comments';
  const address = () => window.location.pathname + window.location.search + window.location.hash;
  const signIn = async (user: ReturnType<typeof renderRoot>) => {
    await fill(user, await screen.findByLabelText('Email'), 'ada@example.test');
    await fill(user, passwordField(), 'Demo@1234');
    await user.keyboard('{Enter}');
    await screen.findByLabelText('application');
  };

  it.each<[who: string, level: number, totals: object, to: string]>([
    ['somebody', 5, {}, opened],
    ['an owner who is set up', 2, {}, opened],
    ['an owner who is not', 2, { totalClients: 0 }, '/flow-setup-steps'],
  ])('is where %s arrives, with query and fragment', async (_, level, totals, to) => {
    fakeApi({ 'POST /api/login': { body: signedIn(level, totals) } });
    await signIn(renderRoot(opened));
    expect(address()).toBe(to);
    expect(sessionStorage.length).toBe(0);
  });

  it.each([
    '//evil.test/x',
    '/\\evil.test',
    '/..//evil.test',
    'https://evil.test/',
    'javascript:alert(1)',
    '/auth/login',
    '/auth',
  ])('is none where it leads elsewhere: %s', async (wanted) => {
    fakeApi({ 'POST /api/login': { body: signedIn(5) } });
    sessionStorage.setItem('assay.wanted', wanted);
    await signIn(renderRoot('/auth/login'));
    expect(address()).toBe('/');
  });

  it('is opened again after the session ended, by a sign-in here or in another tab', async () => {
    fakeApi({ 'POST /api/login': { body: signedIn(5) } });
    saveSession(signedIn(5));
    const user = renderRoot(opened);
    await screen.findByLabelText('application');
    act(() => clearSession());
    await waitFor(() => expect(address()).toBe('/auth/login'));
    await signIn(user);
    expect(address()).toBe(opened);

    act(() => clearSession());
    await waitFor(() => expect(address()).toBe('/auth/login'));
    const { token, token_type, user: person, role } = signedIn(5);
    localStorage.setItem('assay.session', JSON.stringify({ token, token_type, user: person, role }));
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'assay.session' })));
    await screen.findByLabelText('application');
    expect(address()).toBe(opened);
    expect(sessionStorage.length).toBe(0);
  });
});

describe('redirects', () => {
  it('sends a visitor to sign in, from anywhere', async () => {
    fakeApi({});
    renderRoot('/somewhere/7?tab=2');
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
    expect(window.location.pathname).toBe('/auth/login');
  });

  it('lets a visitor see a public page', async () => {
    fakeApi({});
    renderRoot('/shared/abc');
    await screen.findByLabelText('application');
    expect(window.location.pathname).toBe('/shared/abc');
  });

  it.each(['/auth/login', '/auth/register', '/auth/reset-password', '/auth/setup-account'])(
    'sends who is signed in from %s to the home page',
    async (path) => {
      fakeApi({});
      saveSession(signedIn(2, { totalClients: 0 }));
      renderRoot(path);
      await screen.findByLabelText('application');
      expect(window.location.pathname).toBe('/');
    },
  );

  it('shows the sign-in page for an unknown page before sign-in', async () => {
    fakeApi({});
    renderRoot('/auth/nothing');
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
    expect(window.location.pathname).toBe('/auth/login');
  });

  it.each(['login', 'register', 'forgot-password', 'reset-password', 'setup-account'])(
    'welcomes beside the form of %s',
    (page) => {
      fakeApi({});
      renderRoot(`/auth/${page}`);
      expect(screen.getByRole('heading', { name: 'Welcome to Assay' })).toBeTruthy();
      expect(screen.getByText(/^Know what is tested/)).toBeTruthy();
    },
  );
});
