import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { actions } from '../../../src/engine/definitions/definition';
import type { Tile } from '../../../src/engine/pages/tiles';
import { fakeServer, fixtureDefinitions, type Call } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import '../../../src/app/shell/home/HomeRoute';
import '../../../src/app/screens/pages/ChartTile';
import '../../../src/app/screens/pages/PageScreen';

// Pages of tiles: what they show, the keys over their rows, and how they are put together.

const mine: Tile = {
  ...{ id: 'mine', kind: 'list', title: 'Assigned to me', module: 'shots', columns: ['name', 'film_id'], limit: 5 },
  where: { operator_id: '$actor.id', is_late: { $ne: true } },
};
// The fake server compares each filter with the record's value of its name.
const shots = ['Harbour at night', 'Ladder'].map((name, index) => ({
  ...{ id: index + 1, name, film_id: 3, film: { id: 3, name: 'Checkout' } },
  where: JSON.stringify(mine.where),
}));
const films: Tile = { id: 'films', kind: 'number', module: 'films' };
const late: Tile = { id: 'late', kind: 'chart', module: 'shots', chart: 'late' };
const mentions: Tile = { id: 'mentions', kind: 'mentions' };
const mention = {
  ...{ id: 9, title: 'Grace mentioned you', content: 'Can you look?', isRead: false, link: '/shots/2' },
  date: '2026-01-01T00:00:00.000Z',
};
const hidden: Tile = { id: 'x', kind: 'hidden' };

function serve(tiles: readonly Tile[], more: object = {}, options: Parameters<typeof fakeServer>[0] = {}) {
  let version = 1;
  const stamp = () => `2026-01-01T00:00:0${version}.000Z`;
  const page = { id: 4, name: 'This week', audience: 'me', role_id: null, is_home: false, created_by: 7, ...more };
  let now = { ...page, tiles, updated_at: stamp() };
  const server = fakeServer({
    rows: { shots, films: [{ id: 3, name: 'Checkout' }], pages: [] },
    ...options,
    answers: {
      'GET /pages/4': () => ({ status: 200, body: now }),
      'PUT /pages/4': ({ body }: Call) => {
        version++;
        now = { ...now, ...(body as object), updated_at: stamp() };
        return { status: 200, body: now };
      },
      // The fake server knows no conditions.
      'GET /shots': { status: 200, body: { data: shots }, headers: { 'Content-Range': 'shots 0-1/2' } },
      'GET /shots/aggregate': { status: 200, body: { data: [{ group: {}, titles: {}, count: 1204 }] } },
      'GET /notifications': ({ query }: Call) => ({
        status: 200,
        body: { data: query.occasion === 'record_mentioned' ? [mention] : [] },
      }),
      ...options.answers,
    },
  });
  return server;
}

const open = (path = '/pages/4/open') => renderApp(path);
const puts = ({ calls }: ReturnType<typeof serve>) => calls.filter(({ method }) => method === 'PUT');
const order = () => [...document.querySelectorAll('.page-tile h2')].map(({ textContent }) => textContent);
const tilesOf = (call: Call) => (call.body as { tiles: Tile[] }).tiles;

beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
});

describe('a page of tiles', () => {
  it('counts in its charts within the record of the switcher', async () => {
    const inFilms = { switcher: { short: 'code' } };
    const definitions = fixtureDefinitions((source) =>
      source.name === 'films' && source.menu ? { ...source, menu: { ...source.menu, ...inFilms } } : source,
    );
    localStorage.setItem(
      'assay.scope.7.1',
      JSON.stringify({ resource: 'films', id: 3, title: 'Checkout', short: 'C' }),
    );
    const server = serve([late], {}, { definitions });
    open();
    await screen.findByText('1,204');
    const { query } = server.calls.find(({ path }) => path === '/shots/aggregate')!;
    expect(query.filter).toBe('{"film_id":3}');
  });

  it('shows rows, numbers, charts and mentions, and keys lead over the rows of all tiles', async () => {
    const server = serve([mine, films, late, mentions]);
    const user = open();
    const first = await screen.findByRole('link', { name: 'Harbour at night' });
    const tile = first.closest('section')!;
    expect(within(tile).getByRole('heading').textContent).toBe('Assigned to me2');
    const { filter } = server.lastList('shots')!;
    expect(JSON.parse(filter.where as string)).toEqual(mine.where);
    expect(await screen.findByText('1,204')).toBeTruthy();
    const said = await screen.findByText('Can you look?');
    expect(screen.queryByRole('button', { name: 'Move Assigned to me' })).toBeNull();

    const focused = () => document.activeElement?.textContent;
    await user.keyboard('j');
    expect(focused()).toBe('Harbour at night');
    await user.keyboard('jj');
    expect(document.activeElement?.closest('li')?.contains(said)).toBe(true);
    await user.keyboard('jk');
    expect([focused(), document.activeElement?.closest('table') !== null]).toEqual(['Ladder', true]);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(window.location.pathname).toBe('/shots/2'));
    window.history.back();
    await waitFor(() => expect(focused()).toBe('Ladder'));
    expect(window.location.pathname).toBe('/pages/4/open');
  });

  it('shows no tiles of lists that the user may not see, unless it is put together', async () => {
    serve([hidden, films]);
    const user = open();
    await screen.findByRole('heading', { name: /^Films/ });
    expect(order()).toEqual(['Films']);
    await user.click(screen.getByRole('button', { name: 'Change' }));
    expect(order()).toEqual(['Not available to you', 'Films']);
  });

  it('is put together by keys and buttons; each step is stored with its version', async () => {
    const server = serve([mine, films, hidden]);
    const user = open();
    await screen.findByRole('link', { name: 'Harbour at night' });
    await user.keyboard('e');
    const handle = await screen.findByRole('button', { name: 'Move Assigned to me' });
    handle.focus();
    await user.keyboard('{ArrowRight}');
    await waitFor(() => expect(puts(server)).toHaveLength(1));
    expect(puts(server)[0]!.body).toMatchObject({ updated_at: '2026-01-01T00:00:01.000Z' });
    expect(tilesOf(puts(server)[0]!)).toEqual([films, mine, hidden]);
    await waitFor(() => expect(order()[1]).toContain('Assigned to me'));
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Assigned to me');
    await user.keyboard('{ArrowRight}');
    await waitFor(() => expect(order()[2]).toContain('Assigned to me'));
    await user.keyboard('{ArrowRight}');
    expect(puts(server)).toHaveLength(2);

    await user.click(screen.getByRole('button', { name: 'Assigned to me is two columns wide' }));
    await waitFor(() => expect(puts(server)).toHaveLength(3));
    expect(tilesOf(puts(server)[2]!)).toEqual([films, hidden, { ...mine, wide: true }]);
    expect(puts(server)[2]!.body).toMatchObject({ updated_at: '2026-01-01T00:00:03.000Z' });

    await user.click(await screen.findByRole('button', { name: 'Remove Assigned to me' }));
    await waitFor(() => expect(order()).toEqual(['Films', 'Not available to you']));
  });

  it('that another changed meanwhile says so and shows what is stored', async () => {
    const message = 'This Page was changed by somebody else.';
    const server = serve(
      [mine, films],
      {},
      {
        answers: { 'PUT /pages/4': { status: 409, body: { code: 'CONFLICT_STALE', message } } },
      },
    );
    const user = open();
    await screen.findByRole('link', { name: 'Harbour at night' });
    await user.click(screen.getByRole('button', { name: 'Change' }));
    const reads = () => server.calls.filter(({ path, method }) => method === 'GET' && path === '/pages/4').length;
    const before = reads();
    await user.click(screen.getByRole('button', { name: 'Remove Assigned to me' }));
    expect(await screen.findByText(message)).toBeTruthy();
    await waitFor(() => expect(reads()).toBeGreaterThan(before));
    expect(order()[0]).toContain('Assigned to me');
  });

  it('is not changed by users who may only see it', async () => {
    const all = Object.fromEntries(fixtureDefinitions().map(({ name }) => [name, actions]));
    serve(
      [films],
      { audience: 'everyone', created_by: 1 },
      {
        level: 5,
        permissions: { ...all, pages: ['list', 'view', 'create', 'edit', 'delete'] },
      },
    );
    const user = open();
    await screen.findByRole('heading', { name: /^Films/ });
    expect(screen.queryByRole('button', { name: 'Change' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Pages' }));
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
      'Save as new page…',
      'New page…',
    ]);
  });
});

describe('the home page', () => {
  const home = (id: number, audience: string) => ({ id, name: `Of ${audience}`, audience, is_home: true });

  it('is the user’s own before that of the role and of everyone', async () => {
    const { calls } = serve(
      [films],
      { name: 'Of me' },
      {
        rows: { pages: [home(2, 'everyone'), home(4, 'me'), home(3, 'role')], films: [{ id: 3, name: 'Checkout' }] },
      },
    );
    open('/');
    expect(await screen.findByRole('heading', { name: 'Of me' })).toBeTruthy();
    expect(await screen.findByRole('heading', { name: /^Films/ })).toBeTruthy();
    expect(window.location.pathname).toBe('/');
    expect(calls.find(({ path }) => path === '/pages')?.query.filter).toBe('{"is_home":true}');
  });

  it('is that of the product as long as no other is chosen', async () => {
    serve([]);
    open('/');
    expect(await screen.findByText('Welcome, Ada')).toBeTruthy();
  });
});
