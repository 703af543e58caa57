// @module-tag slow
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const kind = (id: number, email: string) => ({
  id,
  option_name: `Kind ${id}`,
  created_by: id,
  user: { id, name: `Person ${id}`, email },
  site_id: 1,
});
const rows = () => ({ 'screening-types': [kind(1, 'b@demo.test'), kind(2, 'a@demo.test')] });

it('a click on the heading of a relation sorts the list by its shown part, and another one backwards', async () => {
  const server = fakeServer({ rows: rows() });
  const user = renderApp('/screening-types');
  const heading = () => screen.getByRole('columnheader', { name: 'User' });
  await screen.findByText('b@demo.test');
  await user.click(heading());
  await waitFor(() => expect(server.lastList('screening-types')?.sort).toEqual(['user.email', 'ASC']));
  await waitFor(() => expect(new URLSearchParams(window.location.search).get('sort')).toBe('user.email'));
  expect(heading().getAttribute('aria-sort')).toBe('ascending');
  await user.click(heading());
  await waitFor(() => expect(server.lastList('screening-types')?.sort).toEqual(['user.email', 'DESC']));
});

it('an address says by which part of a related record a list is sorted', async () => {
  const server = fakeServer({ rows: rows() });
  renderApp('/screening-types?sort=-user.email');
  await waitFor(() => expect(server.lastList('screening-types')?.sort).toEqual(['user.email', 'DESC']));
});

it('a heading does not sort by a field that the user may not read', async () => {
  const server = fakeServer({ rows: rows(), level: 6 });
  const user = renderApp('/screening-types');
  await screen.findByText('Kind 1');
  await user.click(await screen.findByRole('columnheader', { name: 'User' }));
  expect(server.lastList('screening-types')?.sort).toEqual(['id', 'ASC']);
});
