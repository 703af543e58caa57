// @module-tag slow
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { completeSignIn } from '../../../src/app/auth/completeSignIn';
import { readSession } from '../../../src/app/session/session';
import { renderApp } from '../support/renderApp';
import { describedBy, valueIn } from './inputs';
import { pantry, sent, servePantry, stored } from './pantry';

const name = () => screen.findByRole('textbox', { name: 'Name' });
const save = () => screen.getByRole('button', { name: 'Save' });

test('a new record is validated with the server’s messages, sent, confirmed by a toast, and its list refreshes', async () => {
  const server = servePantry();
  const user = renderApp('/jars/create');
  const input = await name();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Add New Jar');
  expect(document.activeElement).toBe(input);

  await user.type(screen.getByRole('textbox', { name: 'Website' }), 'htp:/x');
  await user.click(save());
  expect(await screen.findByText('Name is required.')).toBeTruthy();
  expect(screen.getByText('Invalid Url')).toBeTruthy();
  expect(screen.getByText('2 fields need attention')).toBeTruthy();
  expect(document.activeElement).toBe(input);
  expect(describedBy(input)).toBe('Name is required.');
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(sent(server, 'POST')).toEqual([]);

  await user.type(input, ' Cumin ');
  expect(screen.queryByText('Name is required.')).toBeNull();
  expect(screen.getByText('1 field needs attention')).toBeTruthy();
  await user.clear(screen.getByRole('textbox', { name: 'Website' }));
  await user.click(save());
  expect(await screen.findByText('Added Successfully')).toBeTruthy();
  expect(sent(server, 'POST')).toEqual([{ name: 'Cumin' }]);
  await waitFor(() => expect(location.pathname).toBe('/jars'));
  expect(await screen.findByText('Cumin')).toBeTruthy();
});

test('a form of a stored record sends changes alone, with the version they are based on', async () => {
  const server = servePantry();
  const user = renderApp('/jars/7');
  const input = await name();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Edit Jar Pepper');
  expect(screen.queryByText('Unsaved changes')).toBeNull();
  await user.type(input, ' black');
  expect(screen.getByText('Unsaved changes')).toBeTruthy();
  await user.clear(screen.getByRole('textbox', { name: 'Website' }));
  await user.keyboard('{Control>}s{/Control}');
  expect(await screen.findByText('Updated Successfully')).toBeTruthy();
  expect(sent(server, 'PUT')).toEqual([{ name: 'Pepper black', website: null, updated_at: stored.updated_at }]);
});

test('the server’s errors are shown at their fields, others above the form', async () => {
  const errors = { name: 'Name is taken.', secret_shape: 'Unknown property secret_shape.' };
  servePantry({ answers: { 'POST /jars': { status: 422, body: { message: 'No.', errors } } } });
  const user = renderApp('/jars/create');
  await user.type(await name(), 'Cumin{Enter}');
  expect(await screen.findByText('Name is taken.')).toBeTruthy();
  expect(document.activeElement).toBe(await name());
  expect(screen.getByText('1 field needs attention')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toContain('Unknown property secret_shape.');
  await user.type(await name(), '!');
  expect(screen.queryByText('Name is taken.')).toBeNull();
});

test('a save that is rejected shows the reason, and the form stays', async () => {
  const message = "You don't have permission to create Jars: only in the morning.";
  servePantry({ answers: { 'POST /jars': { status: 403, body: { message } } } });
  const user = renderApp('/jars/create');
  await user.type(await name(), 'Cumin{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain(message);
  expect(location.pathname).toBe('/jars/create');
});

test('pressing Save twice sends once', async () => {
  const server = servePantry();
  const user = renderApp('/jars/create');
  await user.type(await name(), 'Cumin');
  await user.dblClick(save());
  await screen.findByText('Added Successfully');
  expect(sent(server, 'POST')).toHaveLength(1);
});

test('a copy starts with the original’s values, its name marked, unique ones left out', async () => {
  const definitions = pantry({ code: { unique: true } }, { copy: {} });
  const server = servePantry({ definitions, rows: { jars: [{ ...stored, code: 'P1' }] } });
  const user = renderApp('/jars/create/7');
  expect(valueIn(await name())).toBe('Pepper - Copy');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Copy Jar');
  await user.click(save());
  expect(await screen.findByText('Copied Successfully')).toBeTruthy();
  expect(sent(server, 'POST')).toEqual([
    { name: 'Pepper - Copy', website: 'https://pepper.test', shelf_id: 1, box_id: 11 },
  ]);
});

test('saving redirects as the definition says', async () => {
  const redirects = [
    { mode: 'create' as const, where: { '$actor.level': 3 }, to: '/shelves' },
    { mode: 'create' as const, where: { '$actor.level': 2, '$actor.totalClients': 1 }, to: '/jars/{id}' },
  ];
  servePantry({ definitions: pantry({}, { form: { redirects } }), rows: { jars: [] } });
  const user = renderApp('/jars/create');
  await user.type(await name(), 'Cumin{Enter}');
  await waitFor(() => expect(location.pathname).toBe('/jars/1'));
});

test('Cancel goes back to the list', async () => {
  servePantry();
  const user = renderApp('/jars/7');
  await name();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(location.pathname).toBe('/jars'));
});

test('Cancel asks before it discards entered values', async () => {
  servePantry();
  const user = renderApp('/jars/7');
  await user.type(await name(), '!');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  const question = await screen.findByRole('alertdialog', { name: 'Unsaved changes' });
  expect(location.pathname).toBe('/jars/7');
  await user.click(within(question).getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(location.pathname).toBe('/jars'));
});

test('Back during a save says that the form is still saving, and how the save ended', async () => {
  let answer = (_: { status: number; body?: unknown }) => {};
  servePantry({ answers: { 'PUT /jars/7': () => new Promise((resolve) => (answer = resolve)) } });
  const user = renderApp('/jars/7');
  await user.type(await name(), '!');
  await user.click(save());
  await user.click(screen.getByRole('link', { name: 'Back to Jars' }));
  const question = await screen.findByRole('alertdialog', { name: 'Still saving…' });
  expect(within(question).getByText(/Your changes are being saved/)).toBeTruthy();
  answer({ status: 422, body: { message: 'No.', errors: { name: 'Name is taken.' } } });
  await screen.findByRole('alertdialog', { name: 'Unsaved changes' });
  await user.click(screen.getByRole('button', { name: 'Stay' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await user.click(save());
  await user.click(screen.getByRole('link', { name: 'Back to Jars' }));
  await screen.findByRole('alertdialog', { name: 'Still saving…' });
  answer({ status: 200, body: { ...stored, name: 'Pepper!' } });
  await waitFor(() => expect(location.pathname).toBe('/jars'));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

test.each([
  [403, 'Jars: no permission to edit.', 'You may not save this any more: Jars: no permission to edit.'],
  [404, 'Not found.', 'Jar was deleted, or you may not open it any more.'],
])(
  'a save that is refused with %d says that the access was taken away, and keeps the entered values',
  async (status, message, words) => {
    servePantry({ answers: { 'PUT /jars/7': { status, body: { message } } } });
    const user = renderApp('/jars/7');
    await user.type(await name(), '!');
    await user.click(save());
    const alert = await screen.findByText(
      `${words} What you entered is still here: copy what you need before you leave.`,
    );
    expect(alert.closest('[role=alert]')).toBeTruthy();
    expect(valueIn(await name())).toBe('Pepper!');
  },
);

describe('the values in a form when the session ended by itself', () => {
  const begin = async () => {
    const server = servePantry({
      answers: { 'PUT /jars/7': { status: 401, body: { message: 'Unauthenticated.' } } },
    });
    const session = readSession()!;
    const user = renderApp('/jars/7');
    await user.type(await name(), '!');
    await user.click(save());
    await waitFor(() => expect(readSession()).toBeNull());
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy();
    return { session, server };
  };

  test('are there after the same person signed in again', async () => {
    const { session } = await begin();
    act(() => completeSignIn(session));
    await waitFor(async () => expect(valueIn(await name())).toBe('Pepper!'));
    expect(screen.getByText('Unsaved changes')).toBeTruthy();
    expect(await screen.findByText(/What you had entered before your session ended is here again/)).toBeTruthy();
    expect(sessionStorage.getItem('assay.interrupted')).toBeNull();
  });

  test('are not there for another person, and are forgotten', async () => {
    const { session, server } = await begin();
    const other = { ...session.user, id: 8 };
    const me = (await (await fetch('/api/me')).json()) as { data: object };
    server.options.answers = { 'GET /me': { status: 200, body: { data: { ...me.data, user: other } } } };
    act(() => completeSignIn({ ...session, user: other }));
    await waitFor(async () => expect(valueIn(await name())).toBe('Pepper'));
    expect(sessionStorage.getItem('assay.interrupted')).toBeNull();
  });
});

test('leaving with unsaved changes asks first', async () => {
  servePantry();
  const user = renderApp('/jars/7');
  await user.type(await name(), '!');
  await user.click(screen.getByRole('link', { name: 'Back to Jars' }));
  const question = await screen.findByRole('alertdialog', { name: 'Unsaved changes' });
  expect(document.activeElement).toBe(within(question).getByRole('button', { name: 'Stay' }));
  await user.click(within(question).getByRole('button', { name: 'Stay' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(valueIn(await name())).toBe('Pepper!');
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);

  await user.click(screen.getByRole('link', { name: 'Back to Jars' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(location.pathname).toBe('/jars'));
});

test('leaving with unsaved changes saves them first, if that is asked for, and goes where the person was going', async () => {
  const server = servePantry();
  const user = renderApp('/jars/7');
  await user.clear(await name());
  await user.click(screen.getByRole('link', { name: 'Back to Jars' }));
  await user.click(await screen.findByRole('button', { name: 'Save and leave' }));
  await waitFor(async () => expect((await name()).getAttribute('aria-invalid')).toBe('true'));
  expect(location.pathname).toBe('/jars/7');

  await user.type(await name(), 'Salt');
  server.options.answers = {
    'PUT /jars/7': { status: 422, body: { message: 'No.', errors: { name: 'Name is taken.' } } },
  };
  await user.click(screen.getByRole('link', { name: 'Back to Jars' }));
  await user.click(await screen.findByRole('button', { name: 'Save and leave' }));
  expect(await screen.findByText('Name is taken.')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(location.pathname).toBe('/jars/7');

  server.options.answers = {};
  await user.click(screen.getByRole('link', { name: 'Back to Jars' }));
  await user.click(await screen.findByRole('button', { name: 'Save and leave' }));
  await waitFor(() => expect(location.pathname).toBe('/jars'));
  expect(server.calls.findLast(({ method }) => method === 'PUT')!.body).toMatchObject({ name: 'Salt' });
});

test('a missing record has a page with its address, a search, and no button to try again', async () => {
  servePantry();
  const user = renderApp('/jars/99');
  expect(await screen.findByText('Jar not found, or you have no access')).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Jar not found');
  expect(screen.getByText('/jars/99')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Back to Jars' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  await user.type(screen.getByRole('searchbox', { name: 'Search jars' }), 'Pep{Enter}');
  await waitFor(() => expect(location.pathname + location.search).toBe('/jars?q=Pep'));
});
