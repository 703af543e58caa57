// @module-tag slow
import { cleanup, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { clearSession, readSession } from '../../../src/app/session/session';
import type { Level } from '../../../src/engine/definitions/definition';
import { signedIn } from '../auth/fakeApi';
import { fill } from '../auth/renderRoot';
import { fakeServer, shippedDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const menu = () => [...document.querySelectorAll('.shell-side .side-label')].map((label) => label.textContent);

describe('the application after sign-in', () => {
  it('starts with the accessible modules and their record counts', async () => {
    fakeServer({
      level: 4,
      permissions: { clients: ['list', 'view'], projects: ['view'], countries: ['list'] },
      rows: { clients: [{ id: 1, name: 'Alder', archive: false }], countries: [{ id: 1 }, { id: 2 }] },
    });
    renderApp('/');
    await screen.findByText('Welcome, Ada');
    expect(window.location.pathname).toBe('/dashboard');
    const links = [...document.querySelectorAll('.home-module')];
    await waitFor(() =>
      expect(links.map((link) => link.querySelector('.home-count')?.textContent)).toEqual(['1 records', '2 records']),
    );
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/clients', '/countries']);
    expect(menu()).toContain('Clients');
    expect(menu()).not.toContain('Projects Modules');
  });

  it('redirects unknown paths and modules without access to the root, with a message', async () => {
    fakeServer({ level: 6, permissions: { projects: ['list', 'view'] } });
    renderApp('/nowhere/at/all/of/it');
    expect(await screen.findByText('Page /nowhere/at/all/of/it not found.')).toBeTruthy();
    expect(window.location.pathname).toBe('/dashboard');
  });

  it('denies access to a module without the grant', async () => {
    fakeServer({ level: 6, permissions: { projects: ['list', 'view'] } });
    renderApp('/clients');
    expect(await screen.findByText("You don't have access to Clients.")).toBeTruthy();
    expect(window.location.pathname).toBe('/dashboard');
  });

  it.each<[path: string, level: Level, to: string, toast?: string]>([
    ['/modules', 1, '/studio'],
    ['/modules/create?from=mail#top', 1, '/studio/new?from=mail#top'],
    ['/modules/clients', 1, '/studio/clients'],
    ['/permissions/create', 2, '/roles/create'],
    ['/permissions/3?tab=rights#clients', 2, '/roles/3?tab=rights#clients'],
    ['/modules', 2, '/dashboard', "You don't have access to Studio."],
    ['/modules/clients', 5, '/dashboard', "You don't have access to this page."],
    ['/permissions/3', 5, '/dashboard', "You don't have access to Roles."],
    ['/spaceships', 5, '/dashboard', 'Page /spaceships not found, or you have no access.'],
  ])('leads from %s at level %i to %s, signed in and after sign-in', async (path, level, to, toast) => {
    const permissions = level < 3 ? undefined : { projects: ['list'] as const };
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
    fakeServer({ answers: { 'GET /clients': { status: 401, body: { message: 'Unauthenticated.' } } } });
    renderApp('/clients');
    await waitFor(() => expect(window.location.pathname).toBe('/auth/login'));
    expect(readSession()).toBeNull();
  });

  it('signs out on the messages that other servers use for it', async () => {
    fakeServer({ answers: { 'GET /clients': { status: 403, body: { message: 'Invalid token' } } } });
    renderApp('/clients');
    await waitFor(() => expect(window.location.pathname).toBe('/auth/login'));
  });

  it('signs out by the menu, here and on the server', async () => {
    const server = fakeServer();
    const user = renderApp('/dashboard');
    await user.click(await screen.findByLabelText('Ada King, profile menu'));
    await user.click(await screen.findByText('Sign out'));
    await waitFor(() => expect(window.location.pathname).toBe('/auth/login'));
    expect(server.calls.some(({ method, path }) => method === 'POST' && path === '/logout')).toBe(true);
  });

  it('shows a changed definition without a reload', async () => {
    const server = fakeServer({ rows: { countries: [{ id: 1, name: 'Norway', capital: 'Oslo' }] } });
    renderApp('/countries');
    await screen.findByText('Norway', { selector: '.MuiDataGrid-row *' });
    server.options.definitions = shippedDefinitions((source) =>
      source.name === 'countries'
        ? {
            ...source,
            fields: { ...source.fields, capital: { label: 'Capital city' } },
            list: { ...source.list, columns: ['id', 'name', 'capital'] },
          }
        : source,
    );
    server.publish({ resource: 'modules', id: 'countries', event: 'changed' });
    expect(await screen.findByText('Capital city')).toBeTruthy();
    expect(await screen.findByText('Oslo')).toBeTruthy();
  });

  it('shows the error when it cannot start, and retries', async () => {
    const server = fakeServer({
      answers: { 'GET /me': { status: 500, body: { message: 'The database is asleep.' } } },
    });
    const user = renderApp('/dashboard');
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
