// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '../support/renderApp';
import { pantry, sent, servePantry, stored } from './pantry';

const [pin, latest] = ['2026-11-18T08:00:00.000Z', '2026-11-19T09:30:00.000Z'];
const definitions = pantry({ shelf_id: { type: 'relation', to: 'shelves', embed: 'shelf', pin: true } });
const jar = { ...stored, shelf_id_pin: pin, shelf_id_latest: latest, shelf_id_changed: true };
const lines = [
  { event: 'updated', old_values: { name: 'High' }, new_values: { name: 'Upper' }, user: null, created_at: latest },
  {
    event: 'updated',
    old_values: { name: 'Top' },
    new_values: { name: 'High' },
    user: null,
    created_at: '2026-11-18T09:00:00.000Z',
  },
  { event: 'updated', old_values: { name: 'Old' }, new_values: { name: 'Top' }, user: null, created_at: pin },
];
const serve = (record: object = jar) =>
  servePantry({
    definitions,
    rows: { jars: [{ ...stored, ...record }] },
    answers: { 'GET /shelves/1/history': () => ({ status: 200, body: { data: lines } }) },
  });

test('a form says that a target has changed, shows the difference, and takes the new version when it is saved', async () => {
  const server = serve();
  const user = renderApp('/jars/7');
  expect(await screen.findByText(/^Shelf changed on /)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show difference' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Shelf: then and now' }));
  // From the version that was meant to now, over all changes in between, and nothing from before.
  expect(await dialog.findByText('Top')).toBeTruthy();
  expect(dialog.getByText('Upper')).toBeTruthy();
  expect(dialog.queryByText('High')).toBeNull();
  expect(dialog.queryByText('Old')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Take the new version' }));
  expect(await screen.findByText(/The new version is taken when you save/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Keep the old' }));
  await user.click(await screen.findByRole('button', { name: 'Take the new version' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent(server, 'PUT')).toEqual([{ shelf_id_pin: latest, updated_at: stored.updated_at }]));
});

test('a form says nothing of a target that has not changed', async () => {
  serve({ ...jar, shelf_id_changed: false });
  renderApp('/jars/7');
  expect(await screen.findByRole('textbox', { name: 'Name' })).toBeTruthy();
  expect(screen.queryByText(/^Shelf changed on /)).toBeNull();
});

test('a list marks a changed target, and the read-only view offers the difference alone', async () => {
  const server = serve();
  const user = renderApp('/jars');
  expect(await screen.findByRole('img', { name: 'Changed since' })).toBeTruthy();
  expect(server.calls.find(({ path }) => path === '/jars')?.query.fields).toContain('shelf_id_changed');
  window.history.pushState(null, '', '/jars/7/view');
  window.dispatchEvent(new PopStateEvent('popstate'));
  expect(await screen.findByRole('button', { name: 'Show difference' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Take the new version' })).toBeNull();
  await user.keyboard('{Escape}');
});
