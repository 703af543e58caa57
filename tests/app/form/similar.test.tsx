// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '../support/renderApp';
import { pantry, sent, servePantry, stored } from './pantry';

const definitions = pantry({
  name: { required: true, similar: true },
  shelf_id: { type: 'relation', to: 'shelves', embed: 'shelf', container: true },
});
const serve = (data: object[]) =>
  servePantry({ definitions, answers: { 'GET /jars/similar/name': () => ({ status: 200, body: { data } }) } });

test('similar records are named once somebody pauses, open in a new tab, and keep nobody from saving', async () => {
  const server = serve([{ id: 9, title: 'Pepper, black', key: 'J-9', similarity: 80 }]);
  const user = renderApp('/jars/7');
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await user.type(name, ' black');
  const link = await screen.findByRole('link', { name: /^J-9 Pepper, black/ });
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/jars/9', '_blank']);
  expect(within(screen.getByText(/A similar jar/).closest('[role=status]')!).getByRole('link')).toBe(link);
  const asked = server.calls.filter(({ path }) => path === '/jars/similar/name');
  expect(asked.at(-1)!.query).toEqual({ text: 'Pepper black', record: '7', shelf_id: '1' });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent(server, 'PUT')).toEqual([{ name: 'Pepper black', updated_at: stored.updated_at }]));
});

test('similar records are not asked for while the text is as stored, or too short', async () => {
  const server = serve([]);
  const user = renderApp('/jars/7');
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await user.clear(name);
  await user.type(name, 'Pe');
  await user.click(screen.getByRole('textbox', { name: 'Website' }));
  expect(server.calls.filter(({ path }) => path.startsWith('/jars/similar'))).toEqual([]);
});
