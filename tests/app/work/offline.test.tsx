// @module-tag slow
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { markConnected } from '../../../src/app/session/connection';
import { pantry, sent, servePantry, stored } from '../form/pantry';
import { renderApp } from '../support/renderApp';
// Loads lazy code in advance.
import { preloadOfflineBar } from '../../../src/app/shell/ConnectionLostBar';
import '../../../src/app/list/inline/CellEditor';
import '../../../src/app/record/RecordPage';

afterEach(() => act(markConnected));

const rail = () => screen.findByRole('complementary', { name: 'Properties' });
const bar = () => screen.findByRole('status', { name: 'Connection' });

/** Opens the page of a jar, loses the connection and puts the jar into another box. Returns a function that reconnects. */
async function changeOffline() {
  const history = { status: 200, body: { data: [] }, headers: { 'Content-Range': 'history 0-0/0' } };
  const server = servePantry({
    definitions: pantry({}, { page: {} }),
    rows: { jars: [{ ...stored }], shelves: [], boxes: [] },
    answers: {
      'GET /jars/7/history': history,
      'GET /jars/7/watch': { status: 200, body: { data: { state: null, watching: false } } },
    },
  });
  await preloadOfflineBar();
  const user = renderApp('/jars/7/view');
  await user.click(within(await rail()).getByRole('button', { name: 'Edit Box' }));
  const choice = await screen.findByRole('option', { name: /Salt/ });
  const online = globalThis.fetch;
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await user.click(choice);
  // It is shown at once, and kept.
  expect(within(await rail()).getByText('Salt')).toBeTruthy();
  expect((await bar()).textContent).toMatch(/^No connection since \d\d:\d\d\./);
  await user.click(await within(await bar()).findByRole('button', { name: '1 change waits' }));
  const dialog = await screen.findByRole('dialog', { name: 'Changes that wait' });
  expect(within(dialog).getByText('Box of Pepper')).toBeTruthy();
  return { server, user, dialog, reconnect: () => vi.stubGlobal('fetch', online) };
}

it('a change without a connection is listed, and saved as soon as there is one again', async () => {
  const { server, user, dialog, reconnect } = await changeOffline();
  expect(sent(server, 'PUT')).toEqual([]);
  reconnect();
  await user.click(within(dialog).getByRole('button', { name: 'Try now' }));
  await screen.findByText('Box of Pepper set to Salt');
  expect(sent(server, 'PUT')).toMatchObject([{ box_id: 12 }]);
  // The bar goes, and what was opened from it.
  await waitFor(() => expect(dialog.isConnected).toBe(false));
  expect(screen.queryByRole('status', { name: 'Connection' })).toBeNull();
});

it('a waiting change is discarded after a question, and the restored value is named', async () => {
  const { server, user, dialog, reconnect } = await changeOffline();
  await user.click(within(dialog).getByRole('button', { name: 'Discard Box of Pepper' }));
  const question = await screen.findByRole('alertdialog', { name: 'Discard this change?' });
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(within(dialog).getByText('Box of Pepper')).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Discard Box of Pepper' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Discard' }));
  await screen.findByText('Box of Pepper is Spices again');
  reconnect();
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  expect(within(await rail()).getByText('Spices')).toBeTruthy();
  expect(sent(server, 'PUT')).toEqual([]);
});
