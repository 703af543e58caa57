// @module-tag slow
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { product } from '../../../custom-screens';
import { start } from '../../../src/app/start';
import { clearSession, readSession } from '../../../src/app/session/session';
import type { Level } from '../../../src/engine/definitions/definition';
import { signedIn } from '../auth/fakeApi';
import { fill } from '../auth/renderRoot';
import { fakeProductServer, fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import { runProduct } from '../support/runProduct';

const menu = () => [...document.querySelectorAll('.shell-side .side-label')].map((label) => label.textContent);

describe('the application after sign-in', () => {
  it('starts with the accessible modules and their record counts', async () => {
    fakeServer({
      level: 4,
      permissions: { studios: ['list', 'view'], films: ['view'], territories: ['list'] },
      rows: { studios: [{ id: 1, name: 'Alder', archive: false }], territories: [{ id: 1 }, { id: 2 }] },
    });
    renderApp('/');
    await screen.findByText('Welcome, Ada');
    expect(window.location.pathname).toBe('/');
    const links = [...document.querySelectorAll('.home-module')];
    await waitFor(() =>
      expect(links.map((link) => link.querySelector('.home-count')?.textContent)).toEqual(['1 record', '2 records']),
    );
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/studios', '/territories']);
    expect(menu()).toContain('Studios');
    expect(menu()).not.toContain('Films Modules');
  });

  it('redirects unknown paths and modules without access to the root, with a message', async () => {
    fakeServer({ level: 6, permissions: { films: ['list', 'view'] } });
    renderApp('/nowhere/at/all/of/it');
    expect(await screen.findByText('Page /nowhere/at/all/of/it not found.')).toBeTruthy();
    expect(window.location.pathname).toBe('/');
  });

  it('denies access to a module without the grant', async () => {
    fakeServer({ level: 6, permissions: { films: ['list', 'view'] } });
    renderApp('/studios');
    expect(await screen.findByText("You don't have access to Studios.")).toBeTruthy();
    expect(window.location.pathname).toBe('/');
  });

  it('shows a spinner during requests, unless nobody waits for them', async () => {
    let release = () => {};
    const released = new Promise<void>((done) => (release = done));
    let isHeld = false;
    const held = async () => {
      if (isHeld) await released;
      return { status: 200, body: { data: [] } };
    };
    const server = fakeServer({ rows: { studios: [] }, answers: { 'GET /notifications': held, 'GET /films': held } });
    const user = renderApp('/studios');
    const films = await screen.findByRole('link', { name: 'Films' });
    const spinner = () => screen.queryByRole('progressbar', { name: 'Loading' });
    await waitFor(() => expect(spinner()).toBeNull());
    isHeld = true;
    const before = server.calls.length;
    act(() => server.publish({ resource: 'notifications', id: 1, event: 'created' }));
    await waitFor(() => expect(server.calls.slice(before).map(({ path }) => path)).toContain('/notifications'));
    expect(spinner()).toBeNull();
    await user.click(films);
    expect(await screen.findByRole('progressbar', { name: 'Loading' })).toBeTruthy();
    release();
    await waitFor(() => expect(spinner()).toBeNull());
  });

  it('shows the generated form to those who may not open the screen in its place', async () => {
    fakeServer({ rows: { studios: [], films: [] } });
    const load = () => Promise.resolve({ default: () => <p>Another screen</p> });
    renderApp('/studios/create', [{ path: '/studios/create', load, allowed: () => false }]);
    expect(await screen.findByRole('textbox', { name: /^Name/ })).toBeTruthy();
    expect(window.location.pathname).toBe('/studios/create');
  });

  it('signs out without a reload when the session is removed, and sends nothing more', async () => {
    const server = fakeServer({ rows: { studios: [], films: [] } });
    const user = renderApp('/studios');
    const films = await screen.findByRole('link', { name: 'Films' });
    await screen.findByRole('heading', { level: 1, name: /^Studios/ });
    localStorage.removeItem('assay.session');
    const before = server.calls.length;
    await user.click(films);
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy();
    expect(server.calls.slice(before).filter(({ path }) => path.startsWith('/films'))).toEqual([]);
  });

  it.each<[path: string, level: Level, to: string, toast?: string]>([
    ['/modules', 1, '/studio'],
    ['/modules/create?from=mail#top', 1, '/studio/new?from=mail#top'],
    ['/modules/studios', 1, '/studio/studios'],
    ['/permissions/create', 2, '/roles/create'],
    ['/permissions/3?tab=rights#studios', 2, '/roles/3?tab=rights#studios'],
    ['/modules', 2, '/', "You don't have access to Studio."],
    ['/modules/studios', 5, '/', "You don't have access to this page."],
    ['/permissions/3', 5, '/', "You don't have access to Roles."],
    ['/spaceships', 5, '/', 'Page /spaceships not found, or you have no access.'],
    ['/films/7/anything', 1, '/', 'Page /films/7/anything not found.'],
    ['/films/7/show/anything', 1, '/', 'Page /films/7/show/anything not found.'],
    ['/FILMS', 1, '/', 'Page /FILMS not found, or you have no access.'],
    ['/films/create/7/anything', 1, '/', 'Page /films/create/7/anything not found.'],
    ['/studios/create/7/anything', 1, '/', 'Page /studios/create/7/anything not found.'],
  ])('leads from %s at level %i to %s, signed in and after sign-in', async (path, level, to, toast) => {
    const permissions = level < 3 ? undefined : { films: ['list'] as const };
    const rows = { roles: [{ id: 3, role_name: 'Manager', level: 3 }] };
    const signIn = { status: 200, body: { ...signedIn(level), site_id: 1 } };
    fakeServer({ level, permissions, rows, answers: { 'POST /login': signIn } });
    const address = () => window.location.pathname + window.location.search + window.location.hash;
    renderApp(path);
    await waitFor(() => expect(address()).toBe(to));
    if (toast) expect(await screen.findByText(toast)).toBeTruthy();
    cleanup();

    clearSession();
    const user = renderApp(path);
    await fill(user, await screen.findByLabelText('Email'), 'ada@example.test');
    await fill(user, screen.getByLabelText('Password'), 'Demo@1234');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(address()).toBe(to));
    if (toast) expect(await screen.findByText(toast)).toBeTruthy();
  });

  it('signs out when the server no longer knows the session', async () => {
    fakeServer({ answers: { 'GET /studios': { status: 401, body: { message: 'Unauthenticated.' } } } });
    renderApp('/studios');
    await waitFor(() => expect(window.location.pathname).toBe('/auth/login'));
    expect(readSession()).toBeNull();
  });

  it('signs out on the messages that other servers use for it', async () => {
    fakeServer({ answers: { 'GET /studios': { status: 403, body: { message: 'Invalid token' } } } });
    renderApp('/studios');
    await waitFor(() => expect(window.location.pathname).toBe('/auth/login'));
  });

  it('signs out by the menu, here and on the server', async () => {
    const server = fakeServer();
    const user = renderApp('/');
    await user.click(await screen.findByLabelText('Ada King, profile menu'));
    await user.click(await screen.findByText('Sign out'));
    await waitFor(() => expect(window.location.pathname).toBe('/auth/login'));
    expect(server.calls.some(({ method, path }) => method === 'POST' && path === '/logout')).toBe(true);
  });

  it('shows a changed definition without a reload', async () => {
    const server = fakeServer({ rows: { territories: [{ id: 1, name: 'Norway', capital: 'Oslo' }] } });
    renderApp('/territories');
    await screen.findByText('Norway', { selector: '.MuiDataGrid-row *' });
    server.options.definitions = fixtureDefinitions((source) =>
      source.name === 'territories'
        ? {
            ...source,
            fields: { ...source.fields, capital: { label: 'Capital city' } },
            list: { ...source.list, columns: ['id', 'name', 'capital'] },
          }
        : source,
    );
    server.publish({ resource: 'modules', id: 'territories', event: 'changed' });
    expect(await screen.findByText('Capital city')).toBeTruthy();
    expect(await screen.findByText('Oslo')).toBeTruthy();
  });

  it('shows the error when it cannot start, and retries', async () => {
    const server = fakeServer({
      answers: { 'GET /me': { status: 500, body: { message: 'The database is asleep.' } } },
    });
    const user = renderApp('/');
    expect(await screen.findByText('The application could not be loaded')).toBeTruthy();
    server.options.answers = {};
    await user.click(screen.getByText('Try again'));
    expect(await screen.findByText('Welcome, Ada')).toBeTruthy();
  });

  it('shows given screens at their paths and in the menu, for those who may see them', async () => {
    fakeServer();
    const Timesheet = () => <h2>Hours</h2>;
    const screenOf = (path: string, allowed: boolean) => ({
      path,
      load: () => Promise.resolve({ default: Timesheet }),
      menu: { label: `At ${path}`, icon: 'clock', group: 'Time' },
      allowed: () => allowed,
    });
    renderApp('/hours', [screenOf('/hours', true), screenOf('/secret', false)]);
    expect(await screen.findByText('Hours')).toBeTruthy();
    expect(menu()).toContain('At /hours');
    expect(menu()).not.toContain('At /secret');
  });
});

describe('the product that the server runs', () => {
  /** Starts the application with the screens of one product, on a page of a server that runs the named one. */
  const open = (name: string, path: string) => {
    runProduct(product, 'Farm', name);
    // Not in jsdom.
    Object.assign(performance, { getEntriesByType: () => [] });
    window.history.replaceState(null, '', path);
    const root = start(document.body.appendChild(document.createElement('div')), [product]);
    return () => act(() => root.unmount());
  };

  it('has its home page, its screens and their entries in the menu', async () => {
    fakeProductServer({ answers: { 'GET /dashboard': { status: 200, body: { data: {} } } } });
    const close = open(product.name, '/');
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
    await screen.findByRole('navigation', { name: 'Main' });
    expect(menu()).toEqual(expect.arrayContaining(['Dashboard', 'Time', 'Analytics', 'Settings']));
    expect(menu()).not.toContain('Home');
    close();
  });

  it.each(['/dashboard', '/timesheet'])('has none of those of another one: %s', async (path) => {
    fakeServer();
    const close = open('farm', path);
    expect(await screen.findByText(`Page ${path} not found, or you have no access.`)).toBeTruthy();
    expect(window.location.pathname).toBe('/');
    expect(await screen.findByText('Welcome, Ada')).toBeTruthy();
    await waitFor(() => expect(document.title).toBe('Welcome, Ada · Farm'));
    expect(screen.getByRole('navigation', { name: 'Main' }).querySelector('.side-brand')?.textContent).toMatch(/^Farm/);
    expect(menu()).toEqual(expect.arrayContaining(['Home', 'Notifications', 'Settings']));
    expect(menu()).not.toEqual(expect.arrayContaining(['Dashboard']));
    expect(menu()).not.toEqual(expect.arrayContaining(['Time']));
    close();
  });

  it('has no public screens of another one', async () => {
    fakeServer({ answers: {} });
    clearSession();
    const close = open('farm', '/testcase/abcdefghijklmnopqrstu');
    expect(await screen.findByRole('heading', { name: 'Welcome to Farm' })).toBeTruthy();
    expect(window.location.pathname).toBe('/auth/login');
    close();
  });

  it('without modules of its own leads its administrator to the studio', async () => {
    const definitions = fixtureDefinitions().filter(({ name }) => name === 'users' || name === 'roles');
    const one = {
      id: 3,
      title: 'Import finished',
      content: '12 records',
      date: new Date().toISOString(),
      isRead: false,
    };
    fakeServer({
      level: 1,
      definitions,
      rows: { users: [{ id: 1 }, { id: 2 }] },
      answers: {
        'GET /notifications': {
          status: 200,
          body: { data: [one] },
          headers: { 'Content-Range': 'notifications 0-0/1' },
        },
      },
    });
    const close = open('farm', '/');
    expect(await screen.findByRole('heading', { name: 'No modules yet' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'New module' }).getAttribute('href')).toBe('/studio/new');
    expect((await screen.findByText('2')).closest('a')?.getAttribute('href')).toBe('/users');
    const notices = within(screen.getByRole('region', { name: 'Latest notifications' }));
    expect((await notices.findByRole('button')).textContent).toMatch(/^Unread: Import finished 12 records/);
    expect(notices.getByRole('link', { name: 'See all' }).getAttribute('href')).toBe('/notifications');
    close();
  });
});
