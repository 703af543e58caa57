// @module-tag slow
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { fakeServer } from '../support/fakeServer';
import { onPhone, renderApp } from '../support/renderApp';
import { paintedValue } from '../support/styles';
import { comment, shot } from './rows';

const rows = () => ({ shots: [shot()], 'shot-notes': [comment(1, 'First of all'), comment(2, 'Second thought')] });
const open = async (level: 2 | 6 = 2, answer?: { status: number; body?: unknown }) => {
  const server = fakeServer({ level, rows: rows(), answers: answer ? { 'PATCH /shot/4': answer } : {} });
  const user = renderApp('/shots/4');
  await user.click(await screen.findByRole('button', { name: 'Comments 2' }));
  return { server, user, dialog: await screen.findByRole('dialog') };
};

describe('a request on a record', () => {
  it('shows existing comments, with their count in the title', async () => {
    const { dialog } = await open();
    expect(await within(dialog).findByText('Second thought')).toBeTruthy();
    expect(dialog.querySelector('h2')!.textContent).toBe('Comments History | Total Records: 2');
    expect(paintedValue(dialog, 'width')).toBe('80%');
    const heads = [...dialog.querySelectorAll('[role=columnheader]')].map(({ textContent }) => textContent);
    expect(heads).toEqual(['Comments', 'User Name', 'Created At']);
  });

  it('shows the values of a comment below each other on a phone, where columns would be cut off', async () => {
    onPhone();
    const { dialog } = await open();
    const row = (await within(dialog).findByText('Second thought')).closest('[role=row]')!;
    expect(row.querySelectorAll('[role=gridcell]')).toHaveLength(1);
    expect([...row.querySelectorAll('dt')].map(({ textContent }) => textContent)).toEqual([
      'Comments',
      'User Name',
      'Created At',
    ]);
    expect([...row.querySelectorAll('dd')].every(({ textContent }) => textContent !== '')).toBe(true);
  });

  it('sends its values, shows a toast, and is ready for the next', async () => {
    const { server, user, dialog } = await open(2, {
      status: 200,
      body: { data: shot({ updated_at: '2026-11-21T10:00:00.000Z' }) },
    });
    const text = await within(dialog).findByLabelText(/^Comments/, { selector: 'textarea' });
    await user.type(text, 'Ready again');
    await user.click(within(dialog).getByText('Save'));
    expect(await screen.findByText('Saved Successfully')).toBeTruthy();
    const sent = server.calls.find(({ method }) => method === 'PATCH')!;
    expect(sent).toMatchObject({ path: '/shot/4', body: { status_id: 2, comments: 'Ready again' } });
    await waitFor(() => expect((text as HTMLTextAreaElement).value).toBe(''));
  });

  it('requires the comment, and shows the server’s errors at its field', async () => {
    const errors = { status_id: 'Status may not go back.' };
    const { server, user, dialog } = await open(2, {
      status: 422,
      body: { message: 'Some fields are wrong.', errors },
    });
    await user.click(await within(dialog).findByText('Save'));
    expect(await within(dialog).findByText('Comments is required.')).toBeTruthy();
    expect(server.calls.some(({ method }) => method === 'PATCH')).toBe(false);
    await user.type(within(dialog).getByLabelText(/^Comments/, { selector: 'textarea' }), 'Back');
    await user.click(within(dialog).getByText('Save'));
    expect(await within(dialog).findByText('Status may not go back.')).toBeTruthy();
  });

  it('asks level 6 for the comment alone', async () => {
    const { server, user, dialog } = await open(6, { status: 200, body: { data: shot() } });
    const text = await within(dialog).findByLabelText(/^Comments/, { selector: 'textarea' });
    expect(within(dialog).queryByText('Status')).toBeNull();
    await user.type(text, 'Thanks');
    await user.click(within(dialog).getByText('Save'));
    await waitFor(() =>
      expect(server.calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ comments: 'Thanks' }),
    );
  });

  it('asks before a comment is lost', async () => {
    const { user, dialog } = await open();
    await user.type(await within(dialog).findByLabelText(/^Comments/, { selector: 'textarea' }), 'Nearly');
    await user.click(within(dialog).getByLabelText('Close'));
    await user.click(within(await screen.findByRole('alertdialog', { name: 'Unsaved changes' })).getByText('Leave'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('over a form with unsaved changes asks once for both before going back', async () => {
    const warned = vi.spyOn(console, 'warn');
    fakeServer({ rows: rows() });
    const user = renderApp('/shots');
    await user.click(await screen.findByText('Make payment idempotent', { selector: '.MuiDataGrid-row *' }));
    await user.type(await screen.findByLabelText(/^Name/), '!');
    await user.click(await screen.findByRole('button', { name: 'Comments 2' }));
    const dialog = await screen.findByRole('dialog');
    await user.type(await within(dialog).findByLabelText(/^Comments/, { selector: 'textarea' }), 'Nearly');
    act(() => window.history.back());
    await user.click(within(await screen.findByRole('alertdialog', { name: 'Unsaved changes' })).getByText('Leave'));
    await waitFor(() => expect(window.location.pathname).toBe('/shots'));
    await screen.findByText('Make payment idempotent', { selector: '.MuiDataGrid-row *' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(warned.mock.calls.flat().join()).not.toContain('one blocker');
    warned.mockRestore();
  });

  it('opens from a row too', async () => {
    fakeServer({ rows: rows() });
    const user = renderApp('/shots');
    await screen.findByText('Make payment idempotent', { selector: '.MuiDataGrid-row *' });
    await user.click(screen.getByLabelText('More actions for Make payment idempotent'));
    await user.click(await screen.findByText('Comments'));
    expect(await within(await screen.findByRole('dialog')).findByText('First of all')).toBeTruthy();
  });
});
