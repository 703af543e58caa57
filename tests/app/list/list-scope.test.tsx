// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { ResourceRecord } from '../../../src/engine/definitions/definition';
import { saveViewing } from '../../../src/app/session/viewedUser';
import { fakeServer, fixtureDefinitions, type Call } from '../support/fakeServer';
import { onPhone, renderApp } from '../support/renderApp';

const definitions = fixtureDefinitions((source) =>
  source.name === 'films' && source.menu
    ? {
        ...source,
        fields: { ...source.fields, origin_id: { type: 'relation', to: 'films', label: 'Made again from' } },
        menu: {
          ...source.menu,
          switcher: {
            short: 'code',
            counts: [{ source: 'shots.film_id', where: { status_id: 2 }, one: 'open shot', many: 'open shots' }],
          },
        },
      }
    : source.name === 'scenes'
      ? { ...source, form: { ...source.form, redirects: [{ mode: 'create', to: '/scenes/create' }] } }
      : source,
);
const films = () => [
  { id: 4, name: 'Cargo', code: 'CAR', archive: false, site_id: 1 },
  { id: 5, name: 'Delta', code: 'DEL', archive: false, site_id: 1 },
  { id: 6, name: 'Eclipse', code: 'ECL', archive: true, site_id: 1 },
];
const shots = () => [
  { id: 11, name: 'Harbour at night', film_id: 4, status_id: 2, site_id: 1 },
  { id: 12, name: 'River from above', film_id: 5, status_id: 2, site_id: 1 },
];
const key = 'assay.scope.7.1';
const storedScope = () => JSON.parse(localStorage.getItem(key) ?? 'null') as { id: number } | null;
/** The film is chosen on this device. */
const inFilm = (id: number) =>
  localStorage.setItem(
    key,
    JSON.stringify({ resource: 'films', id, title: 'Cargo', short: 'CAR', embed: { id, name: 'Cargo' } }),
  );
const start = (path: string, answers = {}, prepare = () => {}, storedFilms: ResourceRecord[] = films()) => {
  const server = fakeServer({ definitions, rows: { films: storedFilms, shots: shots(), shifts: [] }, answers });
  prepare();
  return { server, user: renderApp(path) };
};
const row = (name: RegExp) => screen.findByText(name, { selector: '.MuiDataGrid-row *' });
const switcher = async () => (await screen.findByText('Film', { selector: '.side-switcher small' })).closest('button')!;

describe('lists narrowed to one record', () => {
  it.each([
    ['by a relation', '/shots', 'shots', { film_id: 4 }],
    ['with the filters of the address', '/shots?status_id=2&q=at', 'shots', { film_id: 4, status_id: 2, q: 'at' }],
    ['by a parameter where there is no relation', '/shifts', 'shifts', { film_id: 4 }],
    ['within a tab', '/screenings?tab=closed', 'screenings', { film_id: 4, status: 'close' }],
    ['but not beside a filter of the address about the same', '/shots?film_id=5', 'shots', { film_id: 5 }],
    ['but not beside a filter about a record of one of them', '/shots?scene_id=9', 'shots', { scene_id: 9 }],
    ['beside a filter about a person', '/shots?operator_id=3', 'shots', { film_id: 4, operator_id: 3 }],
    ['but not if their records do not refer to it', '/studios', 'studios', {}],
    ['but not the list of these records', '/films', 'films', {}],
  ])('%s: %s', async (_title, path, resource, filter) => {
    inFilm(4);
    const { server } = start(path);
    await waitFor(() => expect(server.lastList(resource)?.filter).toEqual(filter));
    expect(`?${new URLSearchParams(window.location.search).toString()}`).toBe(path.split(/(?=\?)/)[1] ?? '?');
  });

  it('follow the switcher, which a key opens and which is searched and chosen from by keys', async () => {
    const groups = [{ group: { film_id: 4 }, count: 3 }];
    const { server, user } = start('/shots', { 'GET /shots/aggregate': { status: 200, body: { data: groups } } });
    await row(/River/);
    await user.keyboard('p');
    const search = await screen.findByRole('combobox', { name: 'Find a film' });
    await waitFor(() =>
      expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
        expect.stringMatching(/^All films/),
        expect.stringMatching(/^CARCargo3 open shots/),
        expect.stringMatching(/^DELDeltano open shots/),
      ]),
    );
    expect(server.calls.filter(({ path }) => path === '/shots/aggregate').map(({ query }) => query)).toEqual([
      { group: 'film_id', take: 'count', filter: '{"film_id":[4,5]}', where: '{"status_id":2}' },
    ]);
    expect(document.activeElement).toBe(search);
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(screen.queryByText(/River/)).toBeNull());
    expect(server.lastList('shots')?.filter).toEqual({ film_id: 4 });
    expect((await switcher()).getAttribute('aria-label')).toBe('Film: Cargo');
    expect(storedScope()?.id).toBe(4);
    expect(window.location.search).toBe('');
    await user.click(await switcher());
    await user.click(await screen.findByRole('option', { name: /^All films/ }));
    await row(/River/);
    expect(storedScope()).toBeNull();
    expect(document.activeElement).toBe(await switcher());
  });

  it('lose a filter about the same that was set for the list when another record is chosen', async () => {
    const { server, user } = start('/shots?film_id=5&status_id=2');
    await waitFor(() => expect(server.lastList('shots')?.filter).toEqual({ film_id: 5, status_id: 2 }));
    await user.click(await switcher());
    await user.click(await screen.findByRole('option', { name: /^Cargo/ }));
    await waitFor(() => expect(server.lastList('shots')?.filter).toEqual({ film_id: 4, status_id: 2 }));
    expect(window.location.search).toBe('?status_id=2');
  });

  it.each([
    ['lose it also in an address that is sorted', '/shots?film_id=5&sort=-name', 4],
    ['keep it in a saved view', '/shots?film_id=5&view=12&sort=-name', 5],
  ])('%s', async (_title, path, film) => {
    const { server, user } = start(path);
    await waitFor(() => expect(server.lastList('shots')?.filter).toEqual({ film_id: 5 }));
    await user.click(await switcher());
    await user.click(await screen.findByRole('option', { name: /^Cargo/ }));
    await waitFor(() => expect(storedScope()?.id).toBe(4));
    await waitFor(() => expect(server.lastList('shots')?.filter).toEqual({ film_id: film }));
    expect(new URLSearchParams(window.location.search).get('film_id')).toBe(film === 5 ? '5' : null);
  });

  it('lose it also if the record is chosen from the page of one of them', async () => {
    const { server, user } = start('/shots?film_id=5&sort=-name');
    await user.click(await row(/River/));
    await waitFor(() => expect(window.location.pathname).toBe('/shots/12'));
    await user.click(await switcher());
    await user.click(await screen.findByRole('option', { name: /^Cargo/ }));
    await user.click(await screen.findByRole('link', { name: 'Shots' }));
    await row(/Harbour/);
    expect(server.lastList('shots')?.filter).toEqual({ film_id: 4 });
    expect(window.location.search).toBe('?sort=-name');
  });

  it('follow what another window chooses, in all their parts', async () => {
    inFilm(5);
    const { server } = start('/shots');
    await row(/River/);
    localStorage.removeItem(key);
    window.dispatchEvent(new StorageEvent('storage', { key, newValue: null, storageArea: localStorage }));
    await row(/Harbour/);
    expect(server.lastList('shots')?.filter).toEqual({});
    expect((await switcher()).getAttribute('aria-label')).toBe('Film: All films');
  });

  it.each(['null', '{', '[]', '{"resource":"films"}', '7'])('are all shown where %s is stored', async (text) => {
    localStorage.setItem(key, text);
    start('/shots');
    await row(/River/);
    expect((await switcher()).getAttribute('aria-label')).toBe('Film: All films');
  });

  it('are those of a viewed person, whatever the viewer has chosen, and the choice stays', async () => {
    inFilm(99);
    const role = { id: 3, role_name: 'Member', level: 3 };
    const viewed = {
      ...{ user: { id: 8, name: 'Bo', role_id: 3, site_id: 1 }, role, totalClients: 1, totalProjects: 1 },
      permissions: { films: ['list', 'view'], shots: ['list', 'view'] },
    };
    const { server } = start('/shots', { 'GET /view-as': { status: 200, body: { data: viewed } } }, () =>
      saveViewing({ as: 'user 8', name: 'Bo', role: 'Member', level: 3 }),
    );
    await row(/River/);
    expect(server.lastList('shots')?.filter).toEqual({});
    expect(screen.queryByRole('button', { name: /^Film: / })).toBeNull();
    expect(storedScope()?.id).toBe(99);
  });

  it('wait by Enter for the records of the typed text', async () => {
    let release = () => {};
    const released = new Promise<void>((done) => (release = done));
    const { user } = start('/shots', {
      'GET /films': async ({ query }: Call) => {
        const { q = '' } = JSON.parse(query.filter ?? '{}') as { q?: string };
        if (q !== '') await released;
        const data = films().filter(({ name, archive }) => (q === '' ? !archive : name.toLowerCase().includes(q)));
        return { status: 200, headers: { 'Content-Range': 'items 0-1/2' }, body: { data } };
      },
    });
    await row(/River/);
    await user.keyboard('p');
    await screen.findByRole('option', { name: /^Cargo/ });
    await user.keyboard('del{Enter}');
    await waitFor(() => expect(storedScope()?.id).toBe(5));
    await user.keyboard('p');
    await screen.findByRole('option', { name: /^Cargo/ });
    await user.keyboard('ecl{Enter}');
    expect(storedScope()?.id).toBe(5);
    release();
    await waitFor(() => expect(storedScope()?.id).toBe(6));
  });

  it('offer the chosen record and those chosen lately also where there are many others', async () => {
    inFilm(99);
    localStorage.setItem('assay.scope.recent.7.1', '[98]');
    const many = Array.from({ length: 100 }, (_, index) => ({
      ...{ id: index + 1, name: `Film ${String(index).padStart(3, '0')}`, code: null, archive: false, site_id: 1 },
    }));
    const { user } = start('/shots', {}, () => {}, many);
    await user.click(await switcher());
    await screen.findByRole('option', { name: /^Film 097/ });
    const chosenOption = await screen.findByRole('option', { name: /^Film 098/ });
    expect(chosenOption.getAttribute('aria-selected')).toBe('true');
    expect(screen.getAllByRole('option')).toHaveLength(1 + 50 + 2);
  });

  it('say so where they are empty, and offer all records', async () => {
    inFilm(4);
    const { server, user } = start('/shots?q=River');
    await screen.findByText(/Only those of Cargo are shown\. In all films: 1\./);
    await user.click(screen.getByRole('button', { name: 'All films' }));
    await row(/River/);
    expect(server.lastList('shots')?.filter).toEqual({ q: 'River' });
  });

  it.each([
    ['is archived', 6],
    ['is hidden or deleted', 99],
  ])('show everything once the record %s', async (_title, id) => {
    inFilm(id);
    start('/shots');
    await row(/River/);
    await waitFor(() => expect(storedScope()).toBeNull());
    expect((await switcher()).getAttribute('aria-label')).toBe('Film: All films');
  });

  it('are selected as they are shown, until another record is chosen', async () => {
    inFilm(4);
    const { user } = start('/shots');
    await row(/Harbour/);
    await user.click(document.querySelector('.MuiDataGrid-columnHeaderCheckbox input')!);
    await screen.findByText('1 selected');
    await user.click(await switcher());
    await user.click(await screen.findByRole('option', { name: /^All films/ }));
    await row(/River/);
    expect(screen.queryByText('1 selected')).toBeNull();
  });

  it('are downloaded as they are shown', async () => {
    inFilm(4);
    URL.createObjectURL = vi.fn(() => 'blob:here');
    URL.revokeObjectURL = vi.fn();
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    const file = { status: 200, headers: { 'Content-Disposition': 'attachment; filename="shots.xlsx"' } };
    const { server, user } = start('/shots', { 'GET /shots-export': file });
    await row(/Harbour/);
    await user.click(await screen.findByRole('button', { name: 'Download Excel' }));
    await waitFor(() =>
      expect(server.calls.find(({ path }) => path === '/shots-export')?.query.filter).toBe('{"film_id":4}'),
    );
  });

  it('fill the relation of a new record', async () => {
    inFilm(4);
    start('/shots/create');
    const film = await screen.findByRole<HTMLInputElement>('combobox', { name: /^Film/ });
    await waitFor(() => expect(film.value).toBe('Cargo'));
  });

  it('fill it again where the form of a new record stays open', async () => {
    inFilm(4);
    const { server, user } = start('/scenes/create');
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Harbour');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(server.calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ name: 'Harbour', film_id: 4 }),
    );
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Name/ }).value).toBe(''));
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: /^Film/ }).value).toBe('Cargo');
  });

  it('leave the relation of a new record to the filter of the list', async () => {
    inFilm(4);
    const { user } = start('/shots?film_id=5', {
      'GET /shots/choices/film_id': { status: 200, body: { data: [{ id: 5, title: 'Delta' }] } },
    });
    await row(/River/);
    await user.click(screen.getByRole('link', { name: 'Add Shot' }));
    const film = await screen.findByRole<HTMLInputElement>('combobox', { name: /^Film/ });
    await waitFor(() => expect(film.value).toBe('Delta'));
  });

  it('count the values of a filter as in the list that they lead to', async () => {
    inFilm(4);
    const { server, user } = start('/shots', { 'GET /shots/aggregate': { status: 200, body: { data: [] } } });
    await row(/Harbour/);
    const counted = async (field: string) => {
      await user.keyboard('f');
      await user.type(await screen.findByRole('combobox', { name: 'Filter by' }), `${field}{Enter}`);
      await screen.findByRole('combobox', { name: `Values of ${field}` });
      await user.keyboard('{Escape}');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    };
    await counted('Film');
    await counted('Urgency');
    const aggregates = server.calls.filter(({ path }) => path === '/shots/aggregate').map(({ query }) => query);
    expect(aggregates).toEqual([
      { group: 'film_id', filter: '{}' },
      { group: 'urgency_id', filter: '{"film_id":4}' },
    ]);
  });

  it('say so on a phone, where the drawer closes after a choice', async () => {
    onPhone();
    inFilm(4);
    const { server, user } = start('/shots');
    await user.click(await screen.findByRole('button', { name: 'Show all films' }));
    await waitFor(() => expect(server.lastList('shots')?.filter).toEqual({}));
    expect(screen.queryByRole('button', { name: 'Show all films' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Menu' }));
    const inDrawer = () => document.querySelector('.MuiDrawer-paper .side-switcher');
    await waitFor(() => expect(inDrawer()).toBeTruthy());
    await user.click(inDrawer()!);
    await user.click(await screen.findByRole('option', { name: /^Delta/ }));
    await screen.findByText('Delta', { selector: '.filter-chip b' });
    await waitFor(() => expect(inDrawer()).toBeNull());
  });

  it('narrow what the palette finds, until it searches everywhere', async () => {
    inFilm(4);
    const { server, user } = start('/shots');
    await row(/Harbour/);
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await within(await screen.findByRole('dialog')).findByRole('combobox'), 'at');
    await waitFor(() => expect(server.calls.find(({ path }) => path === '/search')?.query.scope).toBe('films:4'));
    await user.click(await screen.findByRole('option', { name: /^Search everywhere.*Only in Cargo/ }));
    await waitFor(() => expect(server.calls.findLast(({ path }) => path === '/search')?.query.scope).toBeUndefined());
  });
});
