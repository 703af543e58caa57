// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { localToday } from '../../../src/app/data/localTime';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

type User = ReturnType<typeof userEvent.setup>;

const studios = () => [
  {
    id: 1,
    name: 'Northwind',
    code: 'NWF',
    email: 'ops@northwind.test',
    territory_id: 1,
    territory: { id: 1, name: 'Norway' },
    films: [{ id: 4, name: 'Cargo' }],
    archive: false,
    site_id: 1,
  },
  {
    id: 2,
    name: 'Alder',
    code: 'ALF',
    email: 'qa@alder.test',
    territory_id: 2,
    territory: { id: 2, name: 'Canada' },
    films: [],
    archive: false,
    site_id: 1,
  },
  {
    id: 3,
    name: 'Old Mill',
    code: 'OLD',
    email: 'old@mill.test',
    territory_id: 1,
    territory: { id: 1, name: 'Norway' },
    films: [],
    archive: true,
    site_id: 1,
  },
];
const films = () =>
  [1, 2, 3].map((id) => ({
    id,
    name: `Film ${id}`,
    stage_id: 1,
    stage: { id: 1, option_name: 'Not Started' },
    archive: false,
    site_id: 1,
  }));
const inRow = (name: string) => screen.findByText(name, { selector: '.MuiDataGrid-row *' });
const more = async (user: User, name: string) => {
  await inRow(name);
  await user.click(screen.getByLabelText(`More actions for ${name}`));
  return within(await screen.findByRole('menu')).getAllByRole('menuitem');
};
const choose = async (user: User, items: HTMLElement[], label: string) =>
  user.click(items.find((item) => item.textContent === label)!);

describe('row actions', () => {
  it('offer related records only if there are some, and open them filtered', async () => {
    fakeServer({ rows: { studios: studios(), films: films() } });
    const user = renderApp('/studios');
    const without = await more(user, 'Alder');
    expect(without.map((item) => item.textContent)).toEqual(['Delete']);
    await user.keyboard('{Escape}');
    const items = await more(user, 'Northwind');
    expect(items.map((item) => item.textContent)).toEqual(['Films', 'Delete']);
    await choose(user, items, 'Films');
    await waitFor(() => expect(window.location.pathname + window.location.search).toBe('/films?studio_id=1'));
  });

  it('ask the definition’s question before a deletion, and confirm it with a toast', async () => {
    const server = fakeServer({ rows: { studios: studios() } });
    const user = renderApp('/studios');
    await choose(user, await more(user, 'Northwind'), 'Delete');
    await screen.findByText('This studio has films. Delete it?');
    const dialog = screen.getByRole('alertdialog');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(server.calls.some(({ method }) => method === 'DELETE')).toBe(false);
    expect(dialog).toBeTruthy();

    await choose(user, await more(user, 'Alder'), 'Delete');
    await screen.findByText('Are you sure you want to delete?');
    await user.click(within(screen.getByRole('alertdialog')).getByText('Delete'));
    expect(await screen.findByText('Deleted Successfully')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Alder', { selector: '.MuiDataGrid-row *' })).toBeNull());

    // What was archived can be taken back.
    await user.click(await screen.findByText('Undo'));
    const isRestored = ({ method, path }: { method: string; path: string }) =>
      method === 'PATCH' && path === '/studios/restore/2';
    await waitFor(() => expect(server.calls.filter(isRestored)).toHaveLength(1));
  });

  it('are evaluated for the current day, as are marks and questions', async () => {
    const due: Source['fields'] = { due_on: { type: 'date', label: 'Due' } };
    const overdue = { due_on: { $lt: '$today' } };
    const definitions = fixtureDefinitions((source) =>
      source.name === 'studios'
        ? {
            ...source,
            fields: { ...source.fields, ...due },
            list: {
              ...source.list,
              // Of those that match, the first marks a row.
              highlight: [
                { where: overdue, tone: 'urgent', label: 'Overdue' },
                { where: { due_on: { $lt: '$today+30d' } }, tone: 'medium', label: 'Soon' },
              ],
              actions: [
                'edit',
                { name: 'films', label: 'Remind', goTo: { resource: 'films', filter: {} }, visible: overdue },
                'delete',
              ],
            },
            delete: { confirmations: [{ where: overdue, confirm: 'It is overdue. Delete it?' }] },
          }
        : source,
    );
    const [northwind, alder] = studios();
    const rows = [
      { ...northwind!, due_on: '2001-01-01' },
      { ...alder!, due_on: '2999-01-01' },
      { ...alder!, id: 4, name: 'Birch', due_on: localToday() },
    ];
    fakeServer({ definitions, rows: { studios: rows } });
    const user = renderApp('/studios');
    expect((await more(user, 'Alder')).map((item) => item.textContent)).toEqual(['Delete']);
    await user.keyboard('{Escape}');
    const items = await more(user, 'Northwind');
    expect(items.map((item) => item.textContent)).toEqual(['Remind', 'Delete']);
    expect(screen.getAllByText('Overdue')).toHaveLength(1);
    expect(screen.getAllByText('Soon')).toHaveLength(1);
    await choose(user, items, 'Delete');
    expect(await screen.findByText('It is overdue. Delete it?')).toBeTruthy();
  });

  it('restore from the archive, where no other action is offered', async () => {
    const server = fakeServer({ rows: { studios: studios() } });
    const user = renderApp('/studios?archive=1');
    const items = await more(user, 'Old Mill');
    expect(items.map((item) => item.textContent)).toEqual(['Unarchive']);
    expect(screen.queryByLabelText('Edit Old Mill')).toBeNull();
    await choose(user, items, 'Unarchive');
    await screen.findByText('Are you sure you want to Unarchive this studio?');
    await user.click(within(screen.getByRole('alertdialog')).getByText('Unarchive'));
    expect(await screen.findByText('Studio Unarchive Successfully')).toBeTruthy();
    expect(server.calls.some(({ method, path }) => method === 'PATCH' && path === '/studios/restore/3')).toBe(true);
  });

  it('say in advance why a record cannot be unarchived, and link to the records that block it', async () => {
    const rows = {
      studios: studios(),
      films: [
        { ...films()[0]!, name: 'Led', studio_id: 3, archive: true },
        { ...films()[1]!, name: 'Free', studio_id: 1, archive: true },
      ],
    };
    const why = 'The studio of this film is archived. Unarchive the studio first.';
    const server = fakeServer({ rows });
    const user = renderApp('/films?archive=1');
    await inRow('Led');
    const asked = () => server.calls.filter(({ path, query }) => path === '/studios' && query.filter?.includes('"id"'));
    await waitFor(() => expect(asked()).toHaveLength(1));
    expect(JSON.parse(asked()[0]!.query.filter!)).toEqual({ id: [1, 3], archive: 1 });
    expect((await more(user, 'Free')).map((item) => item.textContent)).toEqual(['Unarchive']);
    await user.keyboard('{Escape}');

    screen.getByLabelText('More actions for Led').focus();
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('menuitem', { name: `Unarchive ${why}` })).toBeTruthy();
    await user.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'This film cannot be unarchived alone' });
    expect(within(dialog).getByText(why)).toBeTruthy();
    expect(document.activeElement).toBe(within(dialog).getByRole('link', { name: 'Show Old Mill' }));
    await user.keyboard('{Enter}');
    await inRow('Old Mill');
    expect(window.location.pathname + window.location.search).toBe('/studios?archive=1&q=Old+Mill');
    expect(server.calls.some(({ method }) => method === 'PATCH')).toBe(false);
  });

  it('show the server’s message when it rejects', async () => {
    const message = 'Urgency is used by 12 shots and 40 screenings';
    fakeServer({
      rows: { urgencies: [{ id: 1, option_name: 'Urgent', site_id: 1 }] },
      answers: { 'DELETE /urgencies/1': { status: 409, body: { message } } },
    });
    const user = renderApp('/urgencies');
    await inRow('Urgent');
    await user.click(screen.getByLabelText('Delete Urgent'));
    await user.click(within(screen.getByRole('alertdialog')).getByText('Delete'));
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.getByText('Urgent', { selector: '.MuiDataGrid-row *' })).toBeTruthy();
  });

  it('follow grants: reading instead of editing, no adding, no deleting, no choosing of rows', async () => {
    fakeServer({ level: 4, permissions: { studios: ['list', 'view'] }, rows: { studios: studios() } });
    renderApp('/studios');
    await inRow('Alder');
    expect(screen.getByLabelText('View Alder')).toBeTruthy();
    expect(screen.queryByLabelText('Edit Alder')).toBeNull();
    expect(screen.queryByLabelText('More actions for Alder')).toBeNull();
    expect(screen.queryByText('Add Studio')).toBeNull();
    expect(document.querySelector('.MuiDataGrid-cellCheckbox')).toBeNull();
  });

  it('are reserved for its administrator on rows of the installation', async () => {
    fakeServer({
      rows: {
        urgencies: [
          { id: 1, option_name: 'Urgent', site_id: null },
          { id: 9, option_name: 'Our own', site_id: 1 },
        ],
      },
    });
    renderApp('/urgencies');
    await inRow('Our own');
    expect(screen.getByLabelText('Edit Our own')).toBeTruthy();
    expect(screen.queryByLabelText('Edit Urgent')).toBeNull();
    expect(screen.queryByLabelText('Delete Urgent')).toBeNull();
    expect(screen.getByLabelText('View Urgent')).toBeTruthy();
  });

  it('include no Add for records that the program alone writes', async () => {
    fakeServer({ level: 1, rows: { 'automation-runs': [{ id: 1, label: 'Tell the owner', state: 'done' }] } });
    renderApp('/automation-runs');
    await inRow('Tell the owner');
    expect(screen.queryByText(/^Add /)).toBeNull();
  });

  it('name the company for administrators of several', async () => {
    fakeServer({ level: 1, rows: { studios: studios() } });
    renderApp('/studios');
    await inRow('Alder');
    expect(screen.getByText('Company', { selector: '.MuiDataGrid-columnHeaderTitle' })).toBeTruthy();
  });
});

describe('several rows at once', () => {
  const tick = async (user: User, name: string) => {
    const row = (await inRow(name)).closest('.MuiDataGrid-row')!;
    await user.click(row.querySelector('input[type=checkbox]')!);
  };

  it('are deleted after one confirmation, and failed ones stay selected', async () => {
    const server = fakeServer({
      rows: { films: films() },
      answers: { 'DELETE /films/2': { status: 409, body: { message: 'Film 2 is in use.' } } },
    });
    const user = renderApp('/films');
    await tick(user, 'Film 1');
    await tick(user, 'Film 2');
    const bar = await screen.findByRole('region', { name: 'Selection' });
    expect(await within(bar).findByText('2 selected')).toBeTruthy();
    await user.click(within(bar).getByText('Delete'));
    const question = await screen.findByRole('alertdialog', { name: 'Delete 2 films?' });
    expect(within(question).getByText('Are you sure you want to delete?')).toBeTruthy();
    await user.click(within(question).getByText('Delete'));
    const summary = await screen.findByRole('dialog', { name: '1 of 2 films deleted' });
    expect(within(summary).getByText('Film 2 is in use.')).toBeTruthy();
    await user.click(within(summary).getByText('Close'));
    await waitFor(() => expect(screen.queryByText('Film 1', { selector: '.MuiDataGrid-row *' })).toBeNull());
    expect(screen.getByText('1 selected')).toBeTruthy();
    expect(
      server.calls
        .filter(({ method }) => method === 'DELETE')
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['/films/1', '/films/2']);
  });

  it('are those of the current page by the header’s checkbox', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      ...films()[0]!,
      id: index + 1,
      name: `Film ${index + 1}`,
    }));
    fakeServer({ rows: { films: many } });
    const user = renderApp('/films');
    await inRow('Film 20');
    await user.click(document.querySelector('.MuiDataGrid-columnHeaderCheckbox input')!);
    expect(screen.getByText('15 selected')).toBeTruthy();
    await user.click(screen.getByText('Select all 20'));
    expect(await screen.findByText('20 selected')).toBeTruthy();
    await user.click(screen.getByLabelText('Clear selection'));
    expect(screen.queryByText('20 selected')).toBeNull();
  });

  it('get one field set on all of them, even if the connection is lost in between', async () => {
    let isOffline = true;
    const server = fakeServer({
      rows: { films: films() },
      answers: {
        'GET /films/choices/stage_id': { status: 200, body: { data: [{ id: 3, title: 'Completed' }] } },
        'PUT /films/1': () => {
          if (isOffline) throw new TypeError('Failed to fetch');
          return { status: 200, body: { ...films()[0]!, stage_id: 3 } };
        },
      },
    });
    const user = renderApp('/films');
    await tick(user, 'Film 1');
    await tick(user, 'Film 3');
    await user.click(within(await screen.findByRole('region', { name: 'Selection' })).getByText('Edit'));
    const dialog = await screen.findByRole('dialog', { name: 'Edit 2 films' });
    await user.click(within(dialog).getByRole('combobox', { name: 'New value' }));
    await user.click(await screen.findByRole('option', { name: /Completed/ }));
    await user.click(within(dialog).getByText('Save'));
    // One request has no connection: it is sent again under its key.
    expect(
      await screen.findByText(/^No connection\. Your changes are kept; saving again when it is back\./),
    ).toBeTruthy();
    isOffline = false;
    await user.click(screen.getByRole('button', { name: 'Try now' }));
    expect(await screen.findByText('Updated Successfully')).toBeTruthy();
    const puts = server.calls.filter(({ method }) => method === 'PUT');
    expect(puts.every(({ body }) => JSON.stringify(body) === '{"stage_id":3}')).toBe(true);
    const keysOf = (path: string) => puts.filter((put) => put.path === path).map(({ key }) => key);
    expect(keysOf('/films/3')).toHaveLength(1);
    expect(keysOf('/films/1').length).toBeGreaterThan(1);
    expect([...new Set(keysOf('/films/1'))]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });

  it('get several fields set with one change of each record', async () => {
    const server = fakeServer({
      rows: { films: films() },
      answers: {
        'GET /films/choices/stage_id': { status: 200, body: { data: [{ id: 3, title: 'Completed' }] } },
        'GET /films/choices/kind_id': { status: 200, body: { data: [{ id: 2, title: 'Mobile' }] } },
      },
    });
    const user = renderApp('/films');
    await tick(user, 'Film 1');
    await tick(user, 'Film 3');
    await user.click(within(await screen.findByRole('region', { name: 'Selection' })).getByText('Edit'));
    const dialog = await screen.findByRole('dialog', { name: 'Edit 2 films' });
    const choose = async (label: string, option: RegExp) => {
      await user.click(within(dialog).getByRole('combobox', { name: label }));
      await user.click(await screen.findByRole('option', { name: option }));
    };
    await choose('New value', /Completed/);
    await user.click(within(dialog).getByRole('button', { name: 'Change another field' }));
    // An empty value would be stored too, and taking the field back leaves the first.
    expect(within(dialog).getByText('Empty: cleared')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: /^Don't change/ }));
    expect(within(dialog).queryByText('Empty: cleared')).toBeNull();
    await user.click(within(dialog).getByRole('button', { name: 'Change another field' }));
    await choose('New value 2', /Mobile/);
    await user.click(within(dialog).getByText('Save'));
    expect(await screen.findByText('Updated Successfully')).toBeTruthy();
    const puts = server.calls.filter(({ method }) => method === 'PUT');
    expect(puts.map(({ path, body }) => [path, body]).sort()).toEqual([
      ['/films/1', { stage_id: 3, kind_id: 2 }],
      ['/films/3', { stage_id: 3, kind_id: 2 }],
    ]);
  });
});

describe('columns', () => {
  const shown = () =>
    [...document.querySelectorAll('.MuiDataGrid-columnHeaderTitle')].map((head) => head.textContent ?? '');

  it('keep the user’s choice on the server, which includes at least one and all fixed ones', async () => {
    const server = fakeServer({ rows: { territories: [{ id: 1, name: 'Norway' }], studios: studios() } });
    const user = renderApp('/studios');
    await inRow('Alder');
    expect(shown()).toEqual(['Name', 'Code', 'Territory', 'Email']);
    await user.click(screen.getByText('Columns'));
    const dialog = await screen.findByRole('dialog', { name: 'Columns' });
    expect((await within(dialog).findByLabelText<HTMLInputElement>(/^Name/)).disabled).toBe(true);
    await user.click(within(dialog).getByLabelText('Email'));
    await user.click(within(dialog).getByLabelText('City'));
    await waitFor(() => expect(shown()).toEqual(['Name', 'Code', 'City', 'Territory']));
    const kept = server.calls.findLast(({ method }) => method === 'POST')!;
    expect(kept.path).toBe('/grid-configurations');
    expect(kept.body).toMatchObject({ name: 'studios' });
    expect((kept.body as { configuration: unknown[] }).configuration).toContainEqual({
      field: 'city',
      visibility: true,
      filter: true,
    });
  });

  it('of a list ask for at least one', async () => {
    const chosen = (source: Source) =>
      source.name === 'email-templates' ? { ...source, list: { ...source.list, chooseColumns: true } } : source;
    fakeServer({ definitions: fixtureDefinitions(chosen) });
    const user = renderApp('/email-templates');
    await user.click(await screen.findByText('Columns'));
    const dialog = await screen.findByRole('dialog', { name: 'Columns' });
    for (const box of await within(dialog).findAllByRole<HTMLInputElement>('checkbox'))
      if (box.checked) await user.click(box);
    expect(within(dialog).getByText('Please select at least one column.')).toBeTruthy();
    const checked = within(dialog)
      .getAllByRole<HTMLInputElement>('checkbox')
      .filter((box) => box.checked);
    expect(checked).toHaveLength(1);
  });
});
