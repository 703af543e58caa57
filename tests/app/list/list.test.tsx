// @module-tag slow
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { onPhone, renderApp } from '../support/renderApp';

const territories = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Territory ${String(index + 1).padStart(2, '0')}`,
  }));
const studios = () => [
  {
    id: 1,
    name: 'Northwind Freight',
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
    name: 'Alder & Finch',
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
const lands = () => [
  { id: 1, name: 'Norway' },
  { id: 2, name: 'Canada' },
];
// By text: looking rows up by role computes the name of the whole grid.
const row = async (name: RegExp) =>
  (await screen.findByText(name, { selector: '.MuiDataGrid-row *' })).closest<HTMLElement>('.MuiDataGrid-row')!;
const noRow = (name: RegExp) =>
  waitFor(() => expect(screen.queryByText(name, { selector: '.MuiDataGrid-row *' })).toBeNull());
const search = () => Object.fromEntries(new URLSearchParams(window.location.search));

describe('the list', () => {
  it('shows the title with the true total, a page of 15, and the way to the next', async () => {
    const server = fakeServer({ rows: { territories: territories(15_032) } });
    const user = renderApp('/territories');
    await row(/Territory 01/);
    expect(document.querySelector('h1')?.textContent).toBe('Territories | Total Records: 15,032');
    expect(screen.getByText('1–15 of 15,032')).toBeTruthy();
    expect(document.querySelectorAll('.MuiDataGrid-row')).toHaveLength(15);
    await user.click(screen.getByLabelText('Next page'));
    await screen.findByText('16–30 of 15,032');
    expect(search()).toEqual({ page: '2' });
    expect(server.lastList('territories')?.range).toEqual([15, 29]);
    await user.click(screen.getByLabelText('Page 1,003'));
    await screen.findByText('15,031–15,032 of 15,032');
  });

  it('stays on the page of its address, although the filter before left fewer pages', async () => {
    fakeServer({ rows: { territories: territories(200) } });
    renderApp('/territories?q=Territory+01');
    await row(/Territory 01/);
    act(() => {
      window.history.pushState(null, '', '/territories?page=8');
      window.dispatchEvent(new PopStateEvent('popstate'));
    });
    await screen.findByText('106–120 of 200');
    expect(search()).toEqual({ page: '8' });
  });

  it('sorts by a column on the server, and keeps it in the address', async () => {
    const server = fakeServer({ rows: { territories: territories(3) } });
    const user = renderApp('/territories');
    await row(/Territory 01/);
    expect(screen.queryByText('Save view')).toBeNull();
    await user.click(screen.getByText('Name', { selector: '.MuiDataGrid-columnHeaderTitle' }));
    await waitFor(() => expect(server.lastList('territories')?.sort).toEqual(['name', 'DESC']));
    expect(search()).toEqual({ sort: '-name' });
    await user.click(screen.getByText('Save view'));
    expect(await screen.findByText('Save as new view', { selector: '[role=dialog] *' })).toBeTruthy();
  });

  it('searches while it is typed, and the address follows', async () => {
    const server = fakeServer({ rows: { studios: studios(), territories: lands() } });
    const user = renderApp('/studios');
    await row(/Northwind/);
    await user.keyboard('/');
    await user.keyboard('alder');
    await waitFor(() => expect(search()).toEqual({ q: 'alder' }));
    await noRow(/Northwind/);
    expect(server.lastList('studios')?.filter).toEqual({ q: 'alder' });
    await user.keyboard('{Escape}');
    await row(/Northwind/);
  });

  it('opens at the page, order, search and filters of its address', async () => {
    const server = fakeServer({ rows: { studios: studios(), territories: lands() } });
    renderApp('/studios?territory_id=1&sort=-code&q=north');
    await row(/Northwind/);
    expect(server.lastList('studios')).toEqual({
      filter: { territory_id: 1, q: 'north' },
      sort: ['code', 'DESC'],
      range: [0, 14],
    });
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('north');
    expect(screen.getByRole('columnheader', { name: 'Code' }).getAttribute('aria-sort')).toBe('descending');
    expect(await screen.findByText('Norway', { selector: '.filter-chip b' })).toBeTruthy();
  });

  it('applies several filters at once, shows each as a chip that can be removed, and remembers them', async () => {
    const server = fakeServer({ rows: { studios: studios(), territories: lands() } });
    const user = renderApp('/studios');
    await row(/Northwind/);
    await user.click(screen.getByLabelText('Filters'));
    const dialog = (await screen.findByText('Show Archive')).closest<HTMLElement>('[role=dialog]')!;
    await user.click(within(dialog).getByLabelText('Territory'));
    await user.click(await screen.findByText('Norway', { selector: '[role=option] *' }));
    await user.click(within(dialog).getByLabelText('Show Archive'));
    await user.click(within(dialog).getByText('Apply'));
    await row(/Old Mill/);
    expect(server.lastList('studios')?.filter).toEqual({ territory_id: 1, archive: 1 });
    expect(screen.getByText('Filters Applied')).toBeTruthy();
    expect(screen.getByLabelText('Filters, 2 applied')).toBeTruthy();

    await user.click(screen.getByText('Films', { selector: 'a .side-label' }));
    await screen.findByText(/^No films yet\. Add the first\b/);
    await user.click(screen.getByText('Studios', { selector: 'a .side-label' }));
    await row(/Old Mill/);
    expect(search()).toEqual({ territory_id: '1', archive: '1' });

    await user.click(screen.getByLabelText('Remove filter Show'));
    await row(/Northwind/);
    await user.click(screen.getByText('Clear all'));
    await row(/Alder/);
    expect(search()).toEqual({});
    expect(screen.queryByText('Filters Applied')).toBeNull();
  });

  it('names the next step when nothing is found', async () => {
    fakeServer({ rows: { studios: studios(), territories: lands() } });
    const user = renderApp('/studios?territory_id=2&q=north');
    expect(await screen.findByText('No Data Found')).toBeTruthy();
    expect(
      await screen.findByText(
        /^No studio with “north” is in this list\. Without filters there are \d+\. Remove a filter, or add a studio\.$/,
      ),
    ).toBeTruthy();
    expect(screen.getAllByRole('link', { name: 'Add Studio' })).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await row(/Northwind/);
  });

  it('names the records missing in a tab; without any records, the first step', async () => {
    const tabs = [
      { name: 'all', label: 'All ({total})', filter: {} },
      { name: 'far', label: 'Far Islands ({total})', filter: { name: 'Far' } },
    ];
    const definitions = fixtureDefinitions((source) =>
      source.name === 'territories' ? { ...source, list: { ...source.list, tabs } } : source,
    );
    const server = fakeServer({ definitions, rows: { territories: [] } });
    const user = renderApp('/territories');
    await screen.findByText(/^No territories yet\./);
    await user.click(screen.getByRole('tab', { name: 'Far Islands (0)' }));
    await screen.findByText(/^No territories yet\./);
    server.rows.territories = territories(2);
    act(() => server.publish({ resource: 'territories', id: 1, event: 'created' }));
    expect(await screen.findByText(/^No far islands\./)).toBeTruthy();
  });

  it('shows an error, and retries', async () => {
    const server = fakeServer({
      rows: { territories: territories(2) },
      answers: { 'GET /territories': { status: 500, body: { message: 'The database is asleep.' } } },
    });
    const user = renderApp('/territories');
    expect(await screen.findByText('Territories could not be loaded')).toBeTruthy();
    expect(screen.getAllByText('The database is asleep.').length).toBeGreaterThan(0);
    server.options.answers = {};
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await row(/Territory 01/);
  });

  it('names remembered filters that no longer exist, and forgets them', async () => {
    fakeServer({ rows: { studios: studios(), territories: lands() } });
    const key = 'assay.filters.7.studios';
    localStorage.setItem(key, 'territory_id=1&old_name=3&sort=-gone');
    const user = renderApp('/studios');
    const note = await screen.findByText(/^Shown without what you filtered or sorted by last: old_name, gone\./);
    expect(await screen.findByText('Northwind Freight')).toBeTruthy();
    await user.click(within(note.closest<HTMLElement>('[role=alert]')!).getByRole('button', { name: 'Close' }));
    expect(screen.queryByText(/^Shown without/)).toBeNull();
    expect(localStorage.getItem(key)).toBe('territory_id=1');
    await waitFor(() => expect(window.location.search).toBe('?territory_id=1'));
  });

  it.each([
    ['territory_id=abc', 'Territory “abc”'],
    ['created_at_from=2026-11-31', 'Created At from “2026-11-31”'],
    ['no_such=1', 'no_such “1”'],
    ['id=1,x', 'Id “1,x”'],
  ])('names %s of a link as not applied, until it is closed', async (query, words) => {
    fakeServer({ rows: { studios: studios(), territories: lands() } });
    const user = renderApp(`/studios?sort=-name&${query}`);
    const note = await screen.findByText(/^Not applied: /);
    expect(note.textContent).toContain(
      `Not applied: ${words}. The list has no such filter, or it cannot have this value.`,
    );
    expect(await screen.findByText('Northwind Freight')).toBeTruthy();
    await user.click(within(note.closest<HTMLElement>('[role=alert]')!).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByText(/^Not applied/)).toBeNull());
    expect(search()).toEqual({ sort: '-name' });
  });

  it('shows cards if chosen, and remembers the choice for this screen', async () => {
    fakeServer({ rows: { studios: studios(), territories: lands() } });
    const user = renderApp('/studios');
    await row(/Northwind/);
    await user.click(screen.getByRole('button', { name: 'Cards' }));
    await waitFor(() => expect(screen.queryByRole('grid')).toBeNull());
    const heading = await screen.findByRole('heading', { level: 2, name: 'Northwind Freight' });
    const card = heading.closest('article')!;
    expect(within(card).getByText('Norway')).toBeTruthy();
    expect(within(card).getByRole('link', { name: '1 film' }).getAttribute('href')).toBe('/films?studio_id=1');
    expect(screen.getByText('No films')).toBeTruthy();
    expect(localStorage.getItem('listView.7.studios')).toBe('cards');
    expect(search()).toEqual({ view: 'cards' });
  });

  it('is always cards on a phone', async () => {
    onPhone();
    fakeServer({ rows: { territories: territories(2) } });
    renderApp('/territories');
    expect(await screen.findByRole('link', { name: 'Territory 01' })).toBeTruthy();
    expect(screen.queryByRole('grid')).toBeNull();
    expect(screen.queryByRole('link', { name: 'Add Territory' })).toBeNull();
  });

  it.each([
    ['nothing', { recordTitle: '{code}' }, { code: null }, '#1'],
    ['an address, which is no link of its own there', { recordTitle: '{email}' }, {}, 'ops@northwind.test'],
    ['several fields, the first of them empty', { recordTitle: '{code} {name}' }, { code: '' }, 'Northwind Freight'],
  ])('links to a record that is called by %s', async (_, change, values, name) => {
    const definitions = fixtureDefinitions((source) => (source.name === 'studios' ? { ...source, ...change } : source));
    fakeServer({ definitions, rows: { studios: [{ ...studios()[0]!, ...values }], territories: lands() } });
    renderApp('/studios');
    await row(/Norway/);
    const links = [...document.querySelectorAll('a.title-link')];
    expect(links.map(({ textContent }) => textContent)).toEqual([name]);
    expect(links[0]!.querySelector('a')).toBeNull();
  });

  it('opens a row with Enter, and by a click where the definition says so', async () => {
    fakeServer({ rows: { territories: territories(2) } });
    const user = renderApp('/territories');
    const cell = within(await row(/Territory 02/)).getByText('2');
    await user.click(cell);
    await waitFor(() => expect(window.location.pathname).toBe('/territories/2'));
  });

  it('refetches the list when the server reports a change', async () => {
    const server = fakeServer({ rows: { territories: territories(2) } });
    renderApp('/territories');
    await row(/Territory 02/);
    server.rows.territories!.push({ id: 3, name: 'Territory 03' });
    server.publish({ resource: 'territories', id: 3, event: 'created' });
    await row(/Territory 03/);
  });
});
