// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fakeServer, type Call } from '../support/fakeServer';
import { chooseAction } from '../form/chooseAction';
import { renderApp } from '../support/renderApp';
import '../../../src/app/record/requests/PageDialog';

type User = ReturnType<typeof userEvent.setup>;

const user = (id: number, first_name: string, status_id: number) => ({
  id,
  first_name,
  last_name: 'Larsen',
  name: `${first_name} Larsen`,
  email: `${first_name.toLowerCase()}@demo.test`,
  role_id: 4,
  role: { id: 4, role_name: 'Developer', level: 4 },
  status_id,
  user_status: { id: status_id, option_name: status_id === 4 ? 'Invited' : 'Active' },
  user_films_count: 0,
  site_id: 1,
});
const people = () => [user(21, 'Nia', 4), user(22, 'Ole', 1)];
const sent = { 'POST /resend-invitation': { status: 200, body: { status: true, message: 'Sent.' } } };
const template = { id: 3, identifier: 'hello', subject: 'Hello', content: '<p>Hello</p>', site_id: 1 };

const menuOf = async (on: User, name: string) => {
  await on.click(await screen.findByLabelText(`More actions for ${name}`));
  return within(await screen.findByRole('menu')).getAllByRole('menuitem');
};
const wordsOf = (items: HTMLElement[]) => items.map((item) => item.textContent);
const posted = (calls: readonly Call[]) =>
  calls.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]);

describe('a call of a definition', () => {
  it('is made from a row, and shows its toast', async () => {
    const server = fakeServer({ rows: { users: people() }, answers: sent });
    const on = renderApp('/users');
    const items = await menuOf(on, 'Nia Larsen');
    expect(wordsOf(items)).toEqual(['Resend Invitation', 'Send Reset Link', 'Reset Second Factor', 'Delete']);
    await on.click(items[0]!);
    expect(await screen.findByText('Invitation request sent successfully!')).toBeTruthy();
    expect(posted(server.calls)).toContainEqual([
      '/resend-invitation',
      { user_id: 21, invitationLink: `${window.location.origin}/auth/setup-account` },
    ]);
  });

  it('shows the server’s message if the response’s status is false', async () => {
    const refused = { status: 200, body: { status: false, message: 'This user has no open invitation.' } };
    fakeServer({ rows: { users: people() }, answers: { 'POST /resend-invitation': refused } });
    const on = renderApp('/users');
    const items = await menuOf(on, 'Ole Larsen');
    expect(wordsOf(items)).toEqual(['Resend Invitation', 'Send Reset Link', 'Reset Second Factor', 'Delete']);
    await on.click(items[0]!);
    expect(await screen.findByText('This user has no open invitation.')).toBeTruthy();
  });

  it('is shown on cards only if its condition holds', async () => {
    fakeServer({ rows: { users: people() }, answers: sent });
    const on = renderApp('/users');
    await on.click(await screen.findByRole('button', { name: /cards/i }));
    await screen.findByText('Nia Larsen', { selector: '.record-card *' });
    expect(wordsOf(await menuOf(on, 'Nia Larsen'))).toEqual(['Edit', 'Resend Invitation', 'Delete']);
    await on.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(wordsOf(await menuOf(on, 'Ole Larsen'))).toEqual([
      'Edit',
      'Send Reset Link',
      'Reset Second Factor',
      'Delete',
    ]);
  });

  it('is not offered to users who may not edit', async () => {
    fakeServer({ rows: { users: people() }, permissions: { users: ['list', 'view'] } });
    renderApp('/users');
    await screen.findByLabelText('View Nia Larsen');
    expect(screen.queryByLabelText('More actions for Nia Larsen')).toBeNull();
  });

  it('is a button of the form; its response is shown as a sandboxed page', async () => {
    const page = { subject: 'Hello Ada', html: '<p>Hello <b>Ada</b></p>', text: 'Hello Ada, plainly' };
    const server = fakeServer({
      rows: { 'email-templates': [template] },
      answers: {
        'POST /email-templates/3/preview': { status: 200, body: { data: page } },
        'POST /email-templates/3/test': { status: 200, body: { status: true, message: 'Sent to ada@example.test.' } },
      },
    });
    const on = renderApp('/email-templates/3');
    await on.click(await screen.findByRole('button', { name: 'Preview' }));
    const dialog = await screen.findByRole('dialog', { name: 'Hello Ada' });
    const frame = within(dialog).getByTitle('Hello Ada');
    expect([frame.getAttribute('sandbox'), frame.getAttribute('srcdoc')]).toEqual(['', page.html]);
    expect(within(dialog).getByText('Hello Ada, plainly')).toBeTruthy();
    await on.click(within(dialog).getByRole('button', { name: 'Close' }));
    await chooseAction(on, 'Send a Test');
    expect(await screen.findByText('Sent to ada@example.test.')).toBeTruthy();
    expect(posted(server.calls).map(([path]) => path)).toEqual([
      '/email-templates/3/preview',
      '/email-templates/3/test',
    ]);
  });

  it('is made as soon as an account was added, which keeps its panel open with the token', async () => {
    const answer = { token: 'assay_9Kq2', title: 'Token of Build', text: 'It is not shown again.' };
    const account = { id: 5, name: 'Build', role_id: 4, role: user(1, 'Nia', 1).role, active: true, token_end: null };
    const server = fakeServer({
      rows: { 'service-accounts': [account] },
      answers: {
        'POST /service-accounts': { status: 201, body: { data: account } },
        'POST /service-accounts/5/token': { status: 200, body: { data: answer } },
      },
    });
    const on = renderApp('/service-accounts/create/5');
    const dialog = await screen.findByRole('dialog', { name: /Service Account/ });
    await on.click(await within(dialog).findByRole('button', { name: 'Save' }));
    const panel = await screen.findByRole('dialog', { name: 'Edit Service Account' });
    expect(await within(panel).findByText('assay_9Kq2')).toBeTruthy();
    expect(posted(server.calls).map(([path]) => path)).toEqual(['/service-accounts', '/service-accounts/5/token']);

    // At its foot the panel deletes its record, after a question, and closes.
    await on.click(within(panel).getByRole('button', { name: 'Delete' }));
    const question = await screen.findByRole('alertdialog', { name: 'Delete service account?' });
    await on.click(within(question).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    // The list hides the record before the server is asked.
    await waitFor(() =>
      expect(server.calls.some(({ method, path }) => method === 'DELETE' && path === '/service-accounts/5')).toBe(true),
    );
  });

  it('is limited to what the chosen role grants: the other permissions are locked', async () => {
    const role = { id: 4, role_name: 'Sender', level: 4, modulePermission: ['studios.list'] };
    const own = { name: 'Build', role_id: 4, role, active: true, limited: true, scopes: ['studios.view'] };
    const grants = ['list', 'view', 'create'].map((action) => ({ id: `studios.${action}`, action }));
    fakeServer({
      rows: { 'service-accounts': [{ id: 5, ...own }], roles: [role] },
      answers: {
        'GET /module-permissions': {
          status: 200,
          body: { data: [{ module: 'studios', label: 'Studios', actions: grants }] },
        },
      },
    });
    renderApp('/service-accounts/5');
    const panel = await screen.findByRole('dialog', { name: 'Edit Service Account' });
    // What was given under another role can still be taken away.
    await waitFor(() => expect(within(panel).getAllByTitle(/Beyond what/)).toHaveLength(1));
    expect(within(panel).queryByTitle(/have this grant/)).toBeNull();
  });

  it('asks its question first, and shows a secret that is copied, until it is closed on purpose', async () => {
    const answer = { token: 'assay_3fA9', title: 'Token of Nightly', text: 'It is not shown again.' };
    const account = {
      id: 4,
      name: 'Nightly',
      role_id: 4,
      role: user(1, 'Nia', 1).role,
      active: true,
      token_end: null,
      expires_at: '2020-01-01T00:00:00.000Z',
    };
    const server = fakeServer({
      rows: { 'service-accounts': [account] },
      answers: { 'POST /service-accounts/4/token': { status: 200, body: { data: answer } } },
    });
    const on = renderApp('/service-accounts');
    const items = await menuOf(on, 'Nightly');
    await on.click(items.find(({ textContent }) => textContent === 'New Token')!);
    await on.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(posted(server.calls)).toEqual([]);
    const again = await menuOf(on, 'Nightly');
    await on.click(again.find(({ textContent }) => textContent === 'New Token')!);
    await on.click(await screen.findByRole('button', { name: 'New Token' }));
    // Above the form of the account, which is a panel beside the list.
    const dialog = await screen.findByRole('dialog', { name: 'Edit Service Account' });
    expect(await within(dialog).findByText('assay_3fA9')).toBeTruthy();
    await on.click(within(dialog).getByRole('button', { name: 'Copy the Token of Nightly' }));
    expect(await navigator.clipboard.readText()).toBe('assay_3fA9');
    expect(within(dialog).getByText('It is not shown again.')).toBeTruthy();
    expect(within(dialog).getByText('Expired')).toBeTruthy();
    await on.click(document.querySelector('.MuiBackdrop-root')!);
    expect(screen.getByText('assay_3fA9')).toBeTruthy();
    await on.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
