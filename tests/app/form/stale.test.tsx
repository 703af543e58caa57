// @module-tag slow
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Call } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import { valueIn } from './inputs';
import { sent, servePantry, stored } from './pantry';

const message = 'This jar was changed by Hana Sato on 21-Nov-2026 at 10:42.';
const newer = { ...stored, name: 'Paprika', website: 'https://paprika.test', updated_at: '2026-11-21T09:42:00.000Z' };

/** Another user saves between loading and the first save. */
function serveStale() {
  const server = servePantry({
    answers: {
      'PUT /jars/7': ({ body }: Call) => {
        if ((body as { updated_at: string }).updated_at === newer.updated_at) return { status: 200, body: newer };
        server.rows.jars = [newer];
        return { status: 409, body: { message } };
      },
    },
  });
  return server;
}

const name = () => screen.findByRole('textbox', { name: 'Name' });

test('a version that somebody else saved is loaded with the typed values beside it', async () => {
  serveStale();
  const user = renderApp('/jars/7');
  await user.type(await name(), ' black');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByRole('alertdialog')).textContent).toContain(message);
  await user.click(screen.getByRole('button', { name: 'Load theirs' }));
  await waitFor(async () => expect(valueIn(await name())).toBe('Paprika'));
  const mine = screen.getByRole('region', { name: 'What you typed' });
  expect(mine.textContent).toContain('NamePepper black');
  expect(screen.queryByText('Unsaved changes')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Dismiss what you typed' }));
  expect(screen.queryByRole('region', { name: 'What you typed' })).toBeNull();
});

test('a user who keeps editing has their changes on top of the version of somebody else', async () => {
  const server = serveStale();
  const user = renderApp('/jars/7');
  await user.type(await name(), ' black');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(valueIn(await name())).toBe('Pepper black');
  expect(valueIn(screen.getByRole('textbox', { name: 'Website' }))).toBe('https://paprika.test');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Updated Successfully')).toBeTruthy();
  expect(sent(server, 'PUT')[1]).toEqual({ name: 'Pepper black', updated_at: newer.updated_at });
});

test('a conflict of another kind is shown above the fields', async () => {
  const archived = 'This jar is archived.';
  servePantry({ answers: { 'PUT /jars/7': { status: 409, body: { message: archived } } } });
  const user = renderApp('/jars/7');
  await user.type(await name(), '!{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain(archived);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});
