// @module-tag slow
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { product } from '../../../custom-screens';
import { screens } from '../../../custom-screens/screens';
import { readSession, updateSession } from '../../../src/app/session/session';
import { fakeProductServer as fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import { runProduct } from '../support/runProduct';

beforeEach(() => runProduct(product));

/** Opens the setup of an owner with so many clients and projects, by what this browser stored and the server counts. */
function start(totalClients: number, totalProjects: number) {
  const permissions = { clients: ['list', 'create', 'edit'], projects: ['list', 'create'] } as const;
  const user = {
    id: 7,
    name: 'Ada King',
    first_name: 'Ada',
    last_name: 'King',
    email: 'a@b.test',
    role_id: 2,
    site_id: 1,
  };
  const role = { id: 2, role_name: 'Company Owner', level: 2 };
  const me = { data: { user, role, totalClients, totalProjects, permissions } };
  fakeServer({
    rows: { clients: totalClients > 0 ? [{ id: 3, name: 'Northwind Freight' }] : [] },
    answers: { 'GET /me': { status: 200, body: me } },
  });
  updateSession({ totalClients, totalProjects });
  return renderApp('/flow-setup-steps', screens);
}
const card = async (name: string) => (await screen.findByRole('heading', { level: 2, name })).closest('li')!;
const states = async () =>
  Promise.all(
    ['Create Client', 'Create Project', 'Go To Dashboard'].map(async (name) => (await card(name)).dataset.state),
  );

describe('the setup', () => {
  it.each([
    [0, 0, '31.7', ['next', 'later', 'later'], '/clients/create'],
    [1, 0, '65.8', ['done', 'next', 'later'], '/projects/create'],
    [1, 1, '100', ['done', 'done', 'next'], '/dashboard'],
  ])('with %i clients and %i projects stands at %s %%', async (clients, projects, percent, expected, to) => {
    start(clients, projects);
    expect(await screen.findByRole('heading', { name: 'Welcome to Assay, Ada' })).toBeTruthy();
    expect(screen.getByRole('progressbar', { name: 'Setup' }).getAttribute('aria-valuenow')).toBe(percent);
    expect(await states()).toEqual(expected);
    const next = document.querySelector('[data-state=next] a')!;
    expect(next.getAttribute('href')).toBe(to);
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
  });

  it('names the existing client', async () => {
    start(1, 0);
    expect(await screen.findByRole('link', { name: 'Edit Northwind Freight' })).toBeTruthy();
  });

  it('signs out without a stored session', async () => {
    start(0, 0);
    await screen.findByRole('heading', { name: 'Welcome to Assay, Ada' });
    updateSession({ totalClients: undefined });
    await waitFor(() => expect(readSession()).toBeNull());
    expect(await screen.findByRole('button', { name: /sign in/i })).toBeTruthy();
  });
});
