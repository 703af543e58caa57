import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useRecordContext } from 'react-admin';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { actions } from '../../../src/engine/definitions/definition';
import type { CountedTree, TreeNode } from '../../../src/engine/lists/tree';
import type * as icons from '../../../src/app/icons/Icon';
import { fakeServer, fixtureDefinitions, type Call } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import '../../../src/app/list/tree/TreePane';
import '../../../src/app/list/tree/TreeView';

// A part of a line, with the record that it finds around it.
vi.mock('../../../src/app/icons/Icon', async (original) => {
  const { Icon } = await original<typeof icons>();
  return {
    Icon: (props: Parameters<typeof Icon>[0]) => (
      <span data-record={useRecordContext()?.id}>
        <Icon {...props} />
      </span>
    ),
  };
});

const definitions = () =>
  fixtureDefinitions((source) =>
    source.name === 'shots' ? { ...source, list: { ...source.list, tree: ['subscene_id', 'scene_id'] } } : source,
  );
const node = (id: number, title: string, parent: number | null, count: number, own = count): TreeNode => ({
  id,
  title,
  parent,
  count,
  own,
  of: 'Checkout',
  values: { film_id: 3 },
});
const tree: CountedTree = {
  nodes: [
    node(1, 'Arrival', null, 5, 1),
    node(2, 'Harbour', 1, 3, 1),
    node(3, 'Hall', 1, 1),
    node(4, 'Pier', 2, 2),
    node(5, 'Farewell', null, 0),
  ],
  none: 2,
  total: 7,
};
const shots = [{ id: 1, name: 'Charge once', film_id: 3, film: { id: 3, name: 'Checkout' } }];

/** The server with the tree; `answers` for others. */
function serve(more: Parameters<typeof fakeServer>[0] = {}) {
  let version = 0;
  const stored = () => ({ status: 200, body: { data: { id: 9, updated_at: `2026-01-0${++version}T00:00:00.000Z` } } });
  const { answers, ...others } = more;
  return fakeServer({
    definitions: definitions(),
    rows: { shots: [...shots] },
    answers: {
      'GET /shots/tree': { status: 200, body: { data: tree } },
      ...Object.fromEntries([1, 2, 3, 4, 5, 9].map((id) => [`PUT /scenes/${id}`, stored])),
      'POST /scenes': stored,
      ...answers,
    },
    ...others,
  });
}

const items = () => [...document.querySelectorAll<HTMLElement>('[role=treeitem]')];
const titles = () => items().map((item) => item.querySelector('.tree-title')!.textContent);
const item = (title: string) => items()[titles().indexOf(title)]!;
const focused = () => document.activeElement?.querySelector('.tree-title')?.textContent;
const shown = () => screen.findByRole('tree');
const moving = async () => (await screen.findByText(/Where to put/)).parentElement!;
const sent = (calls: readonly Call[], method: string) =>
  calls.filter((call) => call.method === method && call.path.startsWith('/scenes'));
const filterOf = () => new URLSearchParams(window.location.search).get('tree');

beforeEach(() => localStorage.setItem('listTree.7.shots', 'open'));

describe('the tree beside a list', () => {
  it('is operated by keys, with one tab stop, and the chosen branch is in the address', async () => {
    const server = serve();
    const user = renderApp('/shots?view=list');
    await shown();
    expect(titles()).toEqual(['All Shots', 'Arrival', 'Harbour', 'Pier', 'Hall', 'Farewell', 'No scene']);
    expect(items().map((one) => one.getAttribute('aria-level'))).toEqual(['1', '1', '2', '3', '2', '1', '1']);
    expect(items().filter(({ tabIndex }) => tabIndex === 0)).toEqual([item('All Shots')]);
    expect(item('Arrival').getAttribute('aria-label')).toBe('Arrival, Checkout: 5');
    expect(document.querySelector('.tree-group')).toBeNull();

    item('All Shots').focus();
    const press = async (key: string, title: string) => {
      await user.keyboard(key);
      await waitFor(() => expect(focused()).toBe(title));
    };
    await press('{ArrowDown}', 'Arrival');
    await press('{ArrowLeft}', 'Arrival');
    expect(titles()).toEqual(['All Shots', 'Arrival', 'Farewell', 'No scene']);
    await press('{ArrowDown}', 'Farewell');
    await press('{End}', 'No scene');
    await press('{Home}', 'All Shots');
    await press('{ArrowDown}{ArrowRight}', 'Arrival');
    await press('{ArrowRight}', 'Harbour');
    await press('{ArrowLeft}', 'Harbour');
    await press('{ArrowLeft}', 'Arrival');
    await press('*', 'Arrival');
    await press('h', 'Harbour');
    await press('h', 'Hall');
    // Nothing is below it, and the next line is another one.
    await press('{ArrowRight}', 'Hall');
    await press('{Enter}', 'Hall');
    expect(filterOf()).toBe('3');
    const asked = () => server.calls.filter(({ path }) => path === '/shots').map(({ query }) => query.filter ?? '');
    await waitFor(() => expect(asked().some((filter) => filter.includes('"tree":3'))).toBe(true));
    expect(item('Hall').getAttribute('aria-selected')).toBe('true');
    expect(items().filter(({ tabIndex }) => tabIndex === 0)).toEqual([item('Hall')]);
    // The counts stay those of the list without the branch.
    expect(server.calls.filter(({ path }) => path === '/shots/tree').map(({ query }) => query.filter)).not.toContain(
      '{"tree":3}',
    );

    await user.click(item('No scene'));
    expect(filterOf()).toBe('none');
    expect(await screen.findByText('none')).toBeTruthy();
    window.history.back();
    await waitFor(() => expect(filterOf()).toBe('3'));
    await user.click(item('All Shots'));
    expect(filterOf()).toBeNull();
  });

  it('a line has its record as react-admin’s context', async () => {
    serve();
    renderApp('/shots?view=list');
    await shown();
    const recordOf = (title: string) => item(title).querySelector<HTMLElement>('[data-record]')?.dataset.record;
    expect(['All Shots', 'Arrival', 'Harbour'].map(recordOf)).toEqual([undefined, '1', '2']);
  });

  it('renames and moves with keys, and takes both back', async () => {
    const server = serve();
    const user = renderApp('/shots?view=list');
    await shown();
    item('Hall').focus();
    await user.keyboard('{F2}');
    const input = await screen.findByRole('textbox', { name: 'Title of Hall' });
    await user.keyboard('Lobby{Enter}');
    await waitFor(() =>
      expect(sent(server.calls, 'PUT')[0]).toMatchObject({ path: '/scenes/3', body: { name: 'Lobby' } }),
    );
    expect(input.isConnected).toBe(false);
    await user.click(await screen.findByRole('button', { name: /Undo/ }));
    await waitFor(() =>
      expect(sent(server.calls, 'PUT')[1]).toMatchObject({
        path: '/scenes/3',
        body: { name: 'Hall', updated_at: expect.any(String) as string },
      }),
    );

    item('Harbour').focus();
    await user.keyboard('{Control>}x{/Control}');
    expect((await moving()).textContent).toContain('Where to put Harbour?');
    // Not below itself, and not where it is.
    await user.click(item('Pier'));
    await user.click(item('Arrival'));
    expect(sent(server.calls, 'PUT')).toHaveLength(2);
    item('Farewell').focus();
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(sent(server.calls, 'PUT')[2]).toMatchObject({ path: '/scenes/2', body: { parent_scene: 5 } }),
    );
    expect(filterOf()).toBeNull();
    item('Harbour').focus();
    await user.keyboard('{Control>}x{/Control}');
    await moving();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByText(/Where to put/)).toBeNull());
  });

  it('is changed by menu and by dragging', async () => {
    const server = serve();
    const user = renderApp('/shots?view=list');
    await shown();
    await user.click(within(item('Hall')).getByLabelText('More actions for Hall'));
    await user.click(await screen.findByRole('menuitem', { name: 'Add inside' }));
    await screen.findByRole('textbox', { name: 'Title of a new scene' });
    await user.keyboard('Desk{Enter}');
    await waitFor(() =>
      expect(sent(server.calls, 'POST')[0]!.body).toEqual({ film_id: 3, parent_scene: 3, name: 'Desk' }),
    );
    const dataTransfer = { setData: () => undefined, effectAllowed: '' };
    fireEvent.dragStart(item('Pier'), { dataTransfer });
    fireEvent.dragOver(item('Farewell'), { dataTransfer });
    fireEvent.drop(item('Farewell'), { dataTransfer });
    await waitFor(() =>
      expect(sent(server.calls, 'PUT')[0]).toMatchObject({ path: '/scenes/4', body: { parent_scene: 5 } }),
    );
  });

  it('takes the titles of rows: one, or all that are selected; the move is taken back, and a refusal says why', async () => {
    const rows = [1, 2, 3].map((id) => ({ ...shots[0], id, name: `Shot ${id}`, scene_id: 5, subscene_id: null }));
    const moved = (id: number) => ({
      status: 200,
      body: { data: { ...rows[id - 1], updated_at: `2026-02-0${id}T00:00:00.000Z` } },
    });
    const wrong = {
      status: 422,
      body: { message: 'Some fields are invalid.', errors: { scene_id: 'Of another film.' } },
    };
    const server = serve({
      rows: { shots: rows },
      answers: { 'PUT /shots/1': () => moved(1), 'PUT /shots/2': () => moved(2), 'PUT /shots/3': wrong },
    });
    const user = renderApp('/shots?view=list');
    await shown();
    const dataTransfer = { setData: () => undefined, effectAllowed: '' };
    const drag = (title: string, onto: string) => {
      fireEvent.dragStart(screen.getByRole('link', { name: title }), { dataTransfer });
      const taken = !fireEvent.dragOver(item(onto), { dataTransfer });
      if (taken) fireEvent.drop(item(onto), { dataTransfer });
      fireEvent.dragEnd(document.body, { dataTransfer });
      return taken;
    };
    const put = () => server.calls.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path, body]);
    await screen.findByRole('link', { name: 'Shot 1' });

    expect(drag('Shot 1', 'All Shots')).toBe(false);
    expect(drag('Shot 1', 'Pier')).toBe(true);
    await waitFor(() =>
      expect(put()).toEqual([['/shots/1', expect.objectContaining({ scene_id: 1, subscene_id: 4 })]]),
    );
    await screen.findByText('Shot 1 moved to Pier');
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    const before = { scene_id: 5, subscene_id: null, updated_at: '2026-02-01T00:00:00.000Z' };
    await waitFor(() => expect(put()[1]).toEqual(['/shots/1', expect.objectContaining(before)]));

    for (const id of [2, 3]) {
      await user.click(document.querySelector(`[role=row][data-id="${id}"] input[type=checkbox]`)!);
    }
    expect(drag('Shot 3', 'Arrival')).toBe(true);
    await screen.findByText('Shot 3 was not moved: Of another film.');
    expect(put().slice(2).sort()).toEqual([
      ['/shots/2', expect.objectContaining({ scene_id: 1, subscene_id: null })],
      ['/shots/3', expect.objectContaining({ scene_id: 1, subscene_id: null })],
    ]);
    await screen.findByText('Shot 2 moved to Arrival');
    // Where they are already is no move.
    expect(drag('Shot 1', 'Farewell')).toBe(true);
    expect(put()).toHaveLength(4);
  });

  it('asks in a form for the fields that a record at the top needs beside its title', async () => {
    serve();
    const user = renderApp('/shots?view=list');
    await shown();
    await user.click(screen.getByRole('button', { name: 'Add Scene' }));
    expect(await screen.findByRole('dialog')).toBeTruthy();
  });

  it('shows the reason that a change was refused', async () => {
    const message = 'Scenes can be nested at most 2 levels deep.';
    const refused = { status: 422, body: { message: 'Some fields are invalid.', errors: { parent_scene: message } } };
    serve({ answers: { 'PUT /scenes/5': refused } });
    const user = renderApp('/shots?view=list');
    await shown();
    item('Farewell').focus();
    await user.keyboard('{Control>}x{/Control}');
    await moving();
    await user.click(item('Pier'));
    expect(await screen.findByText(message)).toBeTruthy();
  });

  it('is read-only for users who may not change its records', async () => {
    const everything = Object.fromEntries(definitions().map(({ name }) => [name, actions]));
    serve({ permissions: { ...everything, scenes: ['list', 'view'] } });
    renderApp('/shots?view=list');
    await shown();
    expect(screen.queryByRole('button', { name: /Add Scene|More actions for Hall/ })).toBeNull();
    expect(item('Hall').getAttribute('draggable')).not.toBe('true');
  });

  it('is missing for users who may not list its records', async () => {
    const everything = Object.fromEntries(definitions().map(({ name }) => [name, actions]));
    const server = serve({ permissions: { ...everything, scenes: [] } });
    renderApp('/shots?view=list');
    await screen.findByText('Charge once');
    expect(screen.queryByRole('tree')).toBeNull();
    expect(server.calls.some(({ path }) => path === '/shots/tree')).toBe(false);
  });

  it('is closed at first where there is little space, and says that it is too large', async () => {
    localStorage.removeItem('listTree.7.shots');
    const message = 'These are more than 5000 Scenes, too many for a tree: filter the list by what they belong to.';
    const server = serve({
      answers: { 'GET /shots/tree': { status: 400, body: { message, code: 'TREE_TOO_LARGE' } } },
    });
    const user = renderApp('/shots?view=list');
    await screen.findByText('Charge once');
    const show = await screen.findByRole('button', { name: 'Show Scenes' });
    expect(server.calls.some(({ path }) => path === '/shots/tree')).toBe(false);
    await user.click(show);
    expect(await screen.findByText(message)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Hide Scenes' }));
    expect(localStorage.getItem('listTree.7.shots')).toBe('closed');
  });

  it('groups branches of different records under their titles', async () => {
    const body: { data: CountedTree } = {
      data: { ...tree, nodes: tree.nodes.map((one) => (one.id === 5 ? { ...one, of: 'Epilogue' } : one)) },
    };
    serve({ answers: { 'GET /shots/tree': { status: 200, body } } });
    renderApp('/shots?view=list');
    await shown();
    expect([...document.querySelectorAll('.tree-group')].map(({ textContent }) => textContent)).toEqual([
      'Checkout',
      'Epilogue',
    ]);
  });
});
