import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import '../../../src/app/record/DialogRoute';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
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
    await user.click(await screen.findByRole('button', { name: 'Leave' }));
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

  it.each([
    ['Escape', (user: ReturnType<typeof renderApp>) => user.keyboard('{Escape}')],
    ['Back', () => act(() => window.history.back())],
  ])('saves before it is left by %s, if that is asked for', async (_, leave) => {
    const server = fakeServer({ rows: rows() });
    const user = renderApp('/shifts?q=Log');
    await user.click(await inRow('Person 7'));
    const dialog = await screen.findByRole('dialog', { name: 'Edit Shift' });
    await user.type(await within(dialog).findByLabelText(/^Comments/), ', longer');
    await leave(user);
    await user.click(within(await question()).getByRole('button', { name: 'Save and leave' }));
    await isClosed();
    expect(server.calls.find(({ method }) => method === 'PUT')!.body).toMatchObject({ comments: 'Log 1, longer' });
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

  it('names records that are missing or cannot be changed, as a page does', async () => {
    fakeServer({ rows: rows(), answers: { 'GET /shifts/99': { status: 404, body: { message: 'Not found' } } } });
    const user = renderApp('/shifts/99');
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText('Shift not found, or you have no access')).toBeTruthy();
    expect(within(dialog).getByRole('heading', { name: 'Shift not found' })).toBeTruthy();
    await user.click(within(dialog).getByRole('link', { name: 'All shifts' }));
    await isClosed();
    await user.click(await inRow('Person 8'));
    const theirs = await screen.findByRole('dialog', { name: 'Shift' });
    expect(await within(theirs).findByText('You may read this record but not change it.')).toBeTruthy();
    expect(within(theirs).queryByRole('button', { name: 'Save' })).toBeNull();
  });

  it('for reading, leads to the form that changes the record, and to its history', async () => {
    fakeServer({ rows: rows() });
    const user = renderApp('/shifts/1/view');
    const dialog = await screen.findByRole('dialog', { name: 'Shift' });
    await user.click(await within(dialog).findByRole('button', { name: 'Edit' }));
    const form = await screen.findByRole('dialog', { name: 'Edit Shift' });
    expect(address()).toBe('/shifts/1');
    expect(within(form).getByRole('link', { name: 'History' }).getAttribute('href')).toBe('/shifts/1/history');
  });

  it('is a page for users who may not see the list', async () => {
    fakeServer({ rows: rows(), permissions: { shifts: ['create'], shots: ['list'] } });
    renderApp('/shifts/create');
    expect(await screen.findByRole('heading', { level: 1, name: 'Add Shift' })).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Save' })).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('a copy has an address too', () => {
  const dialogOf = () => screen.findByRole('dialog', { name: 'Copy Shift' });

  it('from the menu of a row, after a reload, and back', async () => {
    const server = fakeServer({ definitions: copied(), rows: rows() });
    let user = renderApp('/shifts?q=Log');
    await inRow('Person 7');
    await user.click(screen.getByLabelText('More actions for Log 1'));
    await user.click(await screen.findByRole('menuitem', { name: 'Copy' }));
    expect(await within(await dialogOf()).findByDisplayValue('Log 1')).toBeTruthy();
    expect(address()).toBe('/shifts/create/1');
    act(() => window.history.back());
    await isClosed();
    expect(address()).toBe('/shifts?q=Log');
    act(() => window.history.forward());
    await dialogOf();
    cleanup();
    user = renderApp('/shifts/create/1');
    const dialog = within(await dialogOf());
    await user.type(await dialog.findByDisplayValue('Log 1'), ' again');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await isClosed();
    // The list is as it was last.
    await waitFor(() => expect(address()).toBe('/shifts?q=Log'));
    const sent = server.calls.filter(({ method }) => method === 'POST');
    expect(sent.map(({ path, body }) => [path, (body as { comments: string }).comments])).toEqual([
      ['/shifts', 'Log 1 again'],
    ]);
  });

  it.each(['/shifts/create/99', '/shifts/99', '/shifts/99/view'])('%s of a missing record says so', async (path) => {
    fakeServer({ definitions: copied(), rows: rows() });
    const user = renderApp(path);
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText('Shift not found, or you have no access')).toBeTruthy();
    expect(dialog.queryByRole('button', { name: 'Save' })).toBeNull();
    await user.keyboard('{Escape}');
    await isClosed();
    expect(address()).toBe('/shifts');
  });
});
const copied = () =>
  fixtureDefinitions((source) =>
    source.name === 'shifts' ? { ...source, list: { ...source.list, actions: ['edit', 'copy', 'delete'] } } : source,
  );

describe('a panel at the side', () => {
  const sided = () =>
    fixtureDefinitions((source) =>
      source.name === 'shifts' ? { ...source, form: { ...source.form, dialog: { width: 400, side: true } } } : source,
    );

  it('opened at its address is beside its list', async () => {
    fakeServer({ definitions: sided(), rows: rows() });
    renderApp('/shifts/1');
    const panel = within(await screen.findByRole('dialog', { name: 'Edit Shift' }));
    expect(await panel.findByDisplayValue('Log 1')).toBeTruthy();
    expect(await inRow('Person 8')).toBeTruthy();
  });

  it('asks before Escape discards what was typed, and leads back to the cell that opened it', async () => {
    const server = fakeServer({ definitions: sided(), rows: rows() });
    const user = renderApp('/shifts?q=Log');
    const cell = (await inRow('Person 7')).closest<HTMLElement>('[role=gridcell]')!;
    await user.click(cell);
    const panel = within(await screen.findByRole('dialog', { name: 'Edit Shift' }));
    await user.type(await panel.findByLabelText(/^Comments/), ', longer');
    await user.keyboard('{Escape}');
    await user.click(within(await question()).getByText('Stay'));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(panel.getByDisplayValue('Log 1, longer')).toBeTruthy();
    expect(address()).toBe('/shifts/1');
    await user.keyboard('{Escape}');
    await user.click(within(await question()).getByText('Leave'));
    await isClosed();
    expect(address()).toBe('/shifts?q=Log');
    await waitFor(() => expect(cell.contains(document.activeElement)).toBe(true));
    expect(server.calls.some(({ method }) => method === 'PUT')).toBe(false);
  });
});

describe('from the third page of a filtered list', () => {
  const many = () => Array.from({ length: 120 }, (_, at) => ({ ...timeLog(at + 1, 7), comments: `Log ${at + 1}` }));
  const shown = '/shifts?page=3&sort=id&q=Log';

  it.each(['Save', 'Back', 'Cancel'])('%s leads back to that page, with its filter', async (way) => {
    const server = fakeServer({ rows: { ...rows(), shifts: many() } });
    const user = renderApp(shown);
    const [first] = await screen.findAllByText('Person 7', { selector: '.MuiDataGrid-row *' });
    const lists = () => server.lastList('shifts')!;
    const before = lists();
    expect(before.range[0]).toBeGreaterThan(0);
    expect(before.filter).toMatchObject({ q: 'Log' });
    await user.click(first!);
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Shift' }));
    expect(await dialog.findByDisplayValue(`Log ${before.range[0]! + 1}`)).toBeTruthy();
    if (way === 'Save') await user.type(dialog.getByLabelText(/^Comments/), '!');
    if (way === 'Back') act(() => window.history.back());
    else await user.click(dialog.getByRole('button', { name: way }));
    await isClosed();
    await waitFor(() => expect(address()).toBe(shown));
    expect(lists()).toEqual(before);
    expect(await screen.findAllByText('Person 7', { selector: '.MuiDataGrid-row *' })).not.toEqual([]);
  });
});

describe('a new tab', () => {
  const opened = vi.fn();
  beforeEach(() => {
    opened.mockClear();
    vi.stubGlobal('open', opened);
  });
  const isUntouched = () => {
    expect(address()).toBe('/shifts?q=Log');
    expect(screen.queryByRole('dialog')).toBeNull();
  };

  it.each([
    ['Ctrl', (it: HTMLElement) => fireEvent.click(it, { ctrlKey: true })],
    ['Cmd', (it: HTMLElement) => fireEvent.click(it, { metaKey: true })],
    ['the middle button', (it: HTMLElement) => fireEvent(it, new MouseEvent('auxclick', { bubbles: true, button: 1 }))],
  ])('opens by %s on the buttons that add and edit, and the list stays', async (_, press) => {
    fakeServer({ rows: rows() });
    renderApp('/shifts?q=Log');
    await inRow('Person 7');
    press(screen.getByRole('button', { name: 'Edit Log 1' }));
    press(screen.getByRole('button', { name: 'Add Shift' }));
    expect(opened.mock.calls.map(([path]) => path as string)).toEqual(['/shifts/1', '/shifts/create']);
    isUntouched();
    // The right button is the browser's.
    fireEvent(
      screen.getByRole('button', { name: 'Edit Log 1' }),
      new MouseEvent('auxclick', { bubbles: true, button: 2 }),
    );
    expect(opened).toHaveBeenCalledTimes(2);
    isUntouched();
  });

  it('of a form that is only small is the browser’s, since the button that adds is a link', async () => {
    const definitions = fixtureDefinitions((source) =>
      source.name === 'urgencies' ? { ...source, grants: { 2: 'all' } } : source,
    );
    const small = definitions.find(({ form }) => form.dialog?.bySize)!;
    fakeServer({ definitions, rows: {} });
    renderApp(`/${small.name}`);
    const [link] = await screen.findAllByRole('link', { name: small.titles.add });
    expect(link!.getAttribute('href')).toBe(`/${small.name}/create`);
    // Nothing keeps the browser from it.
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true });
    let kept = true;
    window.addEventListener(
      'click',
      (event) => {
        kept = event.defaultPrevented;
        event.preventDefault();
      },
      { once: true },
    );
    fireEvent(link!, click);
    expect(kept).toBe(false);
    expect(address()).toBe(`/${small.name}`);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
