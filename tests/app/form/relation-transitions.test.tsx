// @module-tag slow
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Call } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import { chooseAction } from './chooseAction';
import { pantry, sent, servePantry, stored } from './pantry';
import '../../../src/app/list/kanban/Board';

const shelves = ['Upper', 'Lower', 'Floor', 'Bin'].map((name, index) => ({ id: index + 1, name }));
const definitions = pantry(
  {
    shelf_id: {
      type: 'relation',
      to: 'shelves',
      embed: 'shelf',
      label: 'Shelf',
      initial: 'Upper',
      transitions: [
        { from: 'Upper', to: ['Lower', 'Floor'], label: 'Put' },
        { from: 'Upper', to: 'Bin', levels: [5] },
        { from: 'Lower', to: 'Bin', requiredFields: ['website'] },
      ],
    },
  },
  {
    list: {
      columns: ['name', 'shelf_id'],
      views: ['list', 'kanban'],
      kanban: { column: 'shelf_id' },
    },
  },
);

/** As the server offers them: only the states that are asked for. */
const offered = ({ query }: Call) => {
  const states = query.states === undefined ? undefined : (JSON.parse(query.states) as string[]);
  const found = shelves.filter(({ id, name }) =>
    query.id === undefined ? (states?.includes(name) ?? true) : query.id === String(id),
  );
  return { status: 200, body: { data: found.map(({ id, name }) => ({ id, title: name, state: name })) } };
};

const serve = (name: string) => {
  const shelf = shelves.find((one) => one.name === name)!;
  return servePantry({
    definitions,
    rows: { jars: [{ ...stored, shelf_id: shelf.id, shelf, box_id: null, box: null }], shelves },
    answers: {
      'GET /jars/choices/shelf_id': offered,
      'PATCH /jars-shelf-id-floor/7': { status: 200, body: stored },
    },
  });
};
const optionTexts = async () => (await screen.findAllByRole('option')).map(({ textContent }) => textContent);

test.each([
  ['Upper', ['Upper', 'Lower', 'Floor'], ['Put: Floor', 'Put: Lower']],
  ['Lower', ['Lower', 'Bin'], ['Bin']],
  ['Floor', ['Floor'], []],
])('a form offers of the records only those that %s can become, and buttons', async (name, choices, buttons) => {
  serve(name);
  const user = renderApp('/jars/7');
  await user.click(await screen.findByRole('combobox', { name: /^Shelf/ }));
  expect(await optionTexts()).toEqual(choices);
  await user.keyboard('{Escape}');
  // A form loads its actions when its definition has some.
  if (buttons.length > 0) await screen.findAllByRole('button', { name: /^(More actions for|Put|Bin)/ });
  const offered = screen.getAllByRole('button');
  for (const more of screen.queryAllByRole('button', { name: /^More actions for/ })) await user.click(more);
  const actionNames = [...offered, ...screen.queryAllByRole('menuitem')].map((one) => one.textContent);
  expect(actionNames.filter((text) => text && /^(Put|Bin)/.test(text)).sort()).toEqual(buttons);
});

test('a button sends its request', async () => {
  const server = serve('Upper');
  const user = renderApp('/jars/7');
  await chooseAction(user, 'Put: Floor');
  await waitFor(() =>
    expect(server.calls.filter(({ method }) => method === 'PATCH').map(({ path }) => path)).toEqual([
      '/jars-shelf-id-floor/7',
    ]),
  );
});

test('a new record may begin in the initial state only', async () => {
  const server = serve('Upper');
  const user = renderApp('/jars/create');
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Salt');
  await user.click(screen.getByRole('combobox', { name: /^Shelf/ }));
  expect(await optionTexts()).toEqual(['Upper']);
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent(server, 'POST')).toMatchObject([{ name: 'Salt' }]));
});

test('a board moves a card only where a transition leads', async () => {
  const server = serve('Lower');
  const user = renderApp('/jars?view=kanban');
  await user.click(await screen.findByLabelText('More actions for Pepper'));
  const menu = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(menu.filter((text) => text?.startsWith('Move to'))).toEqual(['Move to Bin']);
  await user.click(screen.getByRole('menuitem', { name: 'Move to Bin' }));
  await waitFor(() => expect(sent(server, 'PUT')).toEqual([{ shelf_id: 4 }]));
});
