// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '../support/renderApp';
import { reader, servePantry, stored } from './pantry';

const user = { id: 3, name: 'Ada King' };
const lines = [
  {
    id: 30,
    event: 'updated',
    old_values: { name: 'Salt' },
    new_values: { name: 'Pepper' },
    user,
    created_at: stored.updated_at,
  },
  {
    id: 20,
    event: 'updated',
    old_values: { name: 'Old', website: null },
    new_values: { name: 'Salt', website: 'https://pepper.test' },
    user,
    created_at: '2026-11-19T10:00:00.000Z',
  },
  {
    id: 10,
    event: 'created',
    old_values: null,
    new_values: { name: 'Old' },
    user,
    created_at: '2026-11-18T10:00:00.000Z',
  },
];
const serve = (more: Parameters<typeof servePantry>[0] = {}) =>
  servePantry({
    ...more,
    answers: { 'GET /jars/7/history': () => ({ status: 200, body: { data: lines } }), ...more.answers },
  });
const open = async (actor: ReturnType<typeof renderApp>) => {
  await actor.click(await screen.findByRole('button', { name: 'Compare version 1' }));
  return within(await screen.findByRole('dialog', { name: 'Compare versions' }));
};

test('two versions are compared by field, and the chosen one is restored with the version that was seen', async () => {
  const server = serve({ answers: { 'POST /jars/7/history/20/restore': () => ({ status: 200, body: stored }) } });
  const actor = renderApp('/jars/7/history');
  const dialog = await open(actor);
  expect(await dialog.findByText('https://pepper.test')).toBeTruthy();
  expect(dialog.getByText('Old')).toBeTruthy();
  await actor.selectOptions(dialog.getByRole('combobox', { name: 'Version' }), '20');
  // From the second version to now only the name has changed.
  expect(dialog.queryByText('https://pepper.test')).toBeNull();
  expect(dialog.getByText('Salt')).toBeTruthy();
  await actor.click(dialog.getByRole('button', { name: 'Restore version 2' }));
  expect(await screen.findByText('Version 2 was restored.')).toBeTruthy();
  const sent = server.calls.filter(({ method }) => method === 'POST');
  expect(sent.map(({ path, body }) => [path, body])).toEqual([
    ['/jars/7/history/20/restore', { updated_at: stored.updated_at }],
  ]);
  // Taken back: the version that was the latest.
  await actor.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(server.calls.at(-1)!.path).toBeTruthy());
  await waitFor(() => expect(server.calls.some(({ path }) => path === '/jars/7/history/30/restore')).toBe(true));
});

test('the reason that a version is refused is shown in the dialog', async () => {
  const refusal = {
    message: 'No.',
    code: 'VALIDATION_FAILED',
    errors: { shelf_id: 'Shelf: #4 of that version was deleted.' },
  };
  serve({ answers: { 'POST /jars/7/history/10/restore': () => ({ status: 422, body: refusal }) } });
  const actor = renderApp('/jars/7/history');
  const dialog = await open(actor);
  await actor.click(await dialog.findByRole('button', { name: 'Restore version 1' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Shelf: #4 of that version was deleted.');
});

test('a user who may only read compares versions, and restores none', async () => {
  serve({ level: 4, permissions: reader });
  const dialog = await open(renderApp('/jars/7/history'));
  expect(await dialog.findByText('https://pepper.test')).toBeTruthy();
  expect(dialog.queryByRole('button', { name: /^Restore/ })).toBeNull();
});
