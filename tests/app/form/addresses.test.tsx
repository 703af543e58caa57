import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import '../../../src/app/form/DialogRoute';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import { shot, timeLog } from '../work/rows';

const rows = () => ({ shots: [shot()], shifts: [timeLog(1, 7), timeLog(2, 8)] });
const inRow = (text: string) => screen.findByText(text, { selector: '.MuiDataGrid-row *' });
const address = () => window.location.pathname + window.location.search;
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
const question = () => screen.findByRole('alertdialog', { name: 'Unsaved changes' });

describe('a form that is a dialog has an address over its list', () => {
  it('from a row: the list stays as it is, and has the focus again afterwards', async () => {
    fakeServer({ rows: rows() });
    const user = renderApp('/shifts?q=Log');
    const cell = (await inRow('Person 7')).closest<HTMLElement>('[role=gridcell]')!;
    const list = document.title;
    await user.click(cell);
    const dialog = await screen.findByRole('dialog', { name: 'Edit Shift' });
    expect(address()).toBe('/shifts/1');
    expect(await within(dialog).findByDisplayValue('Log 1')).toBeTruthy();
    expect(screen.getAllByRole('heading', { level: 1 }).map(({ textContent }) => textContent)).toEqual(['Edit Shift']);
    expect(document.querySelectorAll('h1')).toHaveLength(1);
    expect(screen.queryByRole('grid')).toBeNull();
    expect(document.querySelectorAll('#content [aria-label]')).toHaveLength(0);
    await waitFor(() => expect(document.title).toMatch(/Edit Shift/));

    // Twice: the second one must not go back further than to the list.
    await user.keyboard('{Escape}{Escape}');
    await isClosed();
    expect(address()).toBe('/shifts?q=Log');
    expect(document.title).toBe(list);
    expect(cell.isConnected).toBe(true);
    expect(screen.getByRole('button', { name: 'Edit Log 1' })).toBeTruthy();
    await waitFor(() => expect(cell.contains(document.activeElement)).toBe(true));
    expect(await screen.findByRole('heading', { level: 1, name: /^Shift/ })).toBeTruthy();

    act(() => window.history.forward());
    expect(await screen.findByRole('dialog', { name: 'Edit Shift' })).toBeTruthy();
    expect(address()).toBe('/shifts/1');
  });

  it('adds at its address, and returns to the list', async () => {
    const server = fakeServer({ rows: rows() });
    const user = renderApp('/shifts?q=Log');
    await inRow('Person 7');
    const add = await screen.findByRole('button', { name: 'Add Shift' });
    await user.click(add);
    const dialog = await screen.findByRole('dialog', { name: 'Add Shift' });
    expect(address()).toBe('/shifts/create');
    await user.type(within(dialog).getByLabelText(/^Comments/), 'Half a day');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await isClosed();
    expect(address()).toBe('/shifts?q=Log');
    expect(server.calls.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('opened directly, is over its list too, which takes its place when it is closed', async () => {
    fakeServer({ rows: rows() });
    const user = renderApp('/shifts/1/edit');
    const dialog = await screen.findByRole('dialog', { name: 'Edit Shift' });
    expect(await within(dialog).findByDisplayValue('Log 1')).toBeTruthy();
    expect(await inRow('Person 8')).toBeTruthy();
    expect(address()).toBe('/shifts/1/edit');
    const entries = window.history.length;
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    await isClosed();
    expect(address()).toBe('/shifts');
    expect(window.history.length).toBe(entries);
  });

  it('asks before the browser goes back from unsaved changes', async () => {
    fakeServer({ rows: rows() });
    const user = renderApp('/shifts?q=Log');
    await user.click(await inRow('Person 7'));
    const dialog = await screen.findByRole('dialog', { name: 'Edit Shift' });
    await user.type(await within(dialog).findByLabelText(/^Comments/), ', longer');
    act(() => window.history.back());
    await user.click(within(await question()).getByText('Stay'));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(within(dialog).getByDisplayValue('Log 1, longer')).toBeTruthy();
    expect(address()).toBe('/shifts/1');
    act(() => window.history.back());
    await user.click(within(await question()).getByText('Leave'));
    await isClosed();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(address()).toBe('/shifts?q=Log');
  });

  it('saves, and is closed at the address of the list', async () => {
    const server = fakeServer({ rows: rows() });
    const user = renderApp('/shifts/1');
    const dialog = await screen.findByRole('dialog', { name: 'Edit Shift' });
    await user.type(await within(dialog).findByLabelText(/^Comments/), '!');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await isClosed();
    expect(address()).toBe('/shifts');
    expect(server.calls.find(({ method }) => method === 'PUT')!.body).toMatchObject({ comments: 'Log 1!' });
    expect(await screen.findByText('Updated Successfully')).toBeTruthy();
  });

  it('says what a page says of records that there are not, and that cannot be changed', async () => {
    fakeServer({ rows: rows(), answers: { 'GET /shifts/99': { status: 404, body: { message: 'Not found' } } } });
    const user = renderApp('/shifts/99');
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText('Shift not found, or you have no access')).toBeTruthy();
    await user.click(within(dialog).getByRole('link', { name: 'All shifts' }));
    await isClosed();
    await user.click(await inRow('Person 8'));
    const theirs = await screen.findByRole('dialog', { name: 'Shift' });
    expect(await within(theirs).findByText('You may read this record but not change it.')).toBeTruthy();
    expect(within(theirs).queryByRole('button', { name: 'Save' })).toBeNull();
  });

  it('to look at, leads to the one that changes the record; and to its history', async () => {
    fakeServer({ rows: rows() });
    const user = renderApp('/shifts/1/view');
    const dialog = await screen.findByRole('dialog', { name: 'Shift' });
    await user.click(await within(dialog).findByRole('button', { name: 'Edit' }));
    const form = await screen.findByRole('dialog', { name: 'Edit Shift' });
    expect(address()).toBe('/shifts/1');
    expect(within(form).getByRole('link', { name: 'History' }).getAttribute('href')).toBe('/shifts/1/history');
  });

  it('is a page for those who may not see the list', async () => {
    fakeServer({ rows: rows(), permissions: { shifts: ['create'], shots: ['list'] } });
    renderApp('/shifts/create');
    expect(await screen.findByRole('heading', { level: 1, name: 'Add Shift' })).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Save' })).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
