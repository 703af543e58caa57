// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

// Recipes whose rows are their own steps, and those of basics that many recipes have in common.
const columns = { action: { type: 'text', required: true }, minutes: { type: 'number', integer: true } } as const;
const basics: Source = {
  name: 'basics',
  labels: { one: 'Basic', many: 'Basics' },
  fields: {
    name: { type: 'text', required: true },
    steps: { type: 'rows', fields: columns },
    part_of: { type: 'inverse', source: 'recipes.steps.basic_id', label: 'Part Of' },
  },
};
const recipes: Source = {
  name: 'recipes',
  labels: { one: 'Recipe', many: 'Recipes' },
  fields: {
    name: { type: 'text', required: true },
    steps: {
      type: 'rows',
      maxItems: 6,
      insertedRows: 'basic_id.steps',
      fields: { ...columns, basic_id: { type: 'relation', to: 'basics', embed: 'basic', label: 'Basic' } },
    },
  },
};

const dough = [
  { id: 31, action: 'Mix', minutes: 5 },
  { id: 32, action: 'Rest', minutes: 30 },
];
const own = (id: number, action: string, minutes: number | null = null) => ({ id, action, minutes, basic_id: null });
const inserted = (id: number) => ({
  id,
  action: null,
  minutes: null,
  basic_id: 3,
  basic: { id: 3, name: 'Dough' },
  inserted: dough,
});

/** The form of a recipe with these steps. */
async function open(steps: readonly object[]) {
  const server = fakeServer({
    definitions: [basics, recipes].map((one) => normalise(one)),
    rows: {
      recipes: [{ id: 7, name: 'Pie', steps, updated_at: '2026-11-20T10:00:00.000Z' }],
      basics: [{ id: 3, name: 'Dough', steps: dough, part_of_count: 4 }],
    },
    answers: {
      'GET /recipes/choices/steps.basic_id': { status: 200, body: { data: [{ id: 3, title: 'Dough' }] } },
    },
  });
  const user = renderApp('/recipes/7');
  await screen.findByRole('button', { name: 'Add row' });
  /** Saves, and answers with the sent steps: their action, or the basic that they insert. */
  const save = async () => {
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const call = await waitFor(() => {
      const found = server.calls.find(({ method, path }) => method === 'PUT' && path === '/recipes/7');
      expect(found).toBeDefined();
      return found!;
    });
    const sent = (call.body as { steps: { action: string | null; minutes: unknown; basic_id: unknown }[] }).steps;
    return sent.map(({ action, minutes, basic_id: basic }) => (basic ? `basic ${String(basic)}` : [action, minutes]));
  };
  return { server, user, save };
}

const shown = (name: string) => screen.getByRole('button', { name });
const cell = (name: string) => screen.findByRole('textbox', { name });
const hasFocus = (element: HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element));

test('Tab goes through the cells, Enter down the column, and in the last row Enter adds one', async () => {
  const { user, save } = await open([own(1, 'Peel', 2), own(2, 'Bake', 40)]);
  await user.click(shown('Action, row 1'));
  await hasFocus(await cell('Action, row 1'));
  await user.tab();
  await hasFocus(await cell('Minutes, row 1'));
  await user.tab();
  await hasFocus(await cell('Action, row 2'));
  await user.tab({ shift: true });
  await hasFocus(await cell('Minutes, row 1'));
  await user.keyboard('{Enter}');
  await hasFocus(await cell('Minutes, row 2'));
  await user.keyboard('{Enter}');
  await hasFocus(await cell('Action, row 3'));
  await user.keyboard('Cool{Tab}15');
  expect(await save()).toEqual([
    ['Peel', 2],
    ['Bake', 40],
    ['Cool', 15],
  ]);
});

test('Alt with an arrow moves the row, Ctrl+D copies it, Ctrl+Z takes both back, and the cell keeps the focus', async () => {
  const { user, save } = await open([own(1, 'Peel'), own(2, 'Cut'), own(3, 'Bake')]);
  await user.click(shown('Action, row 2'));
  await hasFocus(await cell('Action, row 2'));
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await hasFocus(await cell('Action, row 1'));
  expect(await screen.findByText('Row 2 is now row 1.')).toBeTruthy();
  await user.keyboard('{Control>}d{/Control}');
  await hasFocus(await cell('Action, row 2'));
  expect(shown('Action, row 1').textContent).toBe('Cut');
  await user.keyboard('{Control>}zz{/Control}');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Action, row 4' })).toBeNull());
  expect(shown('Action, row 1').textContent).toBe('Peel');
  await user.keyboard('{Control>}yy{/Control}{Alt>}{ArrowDown}{/Alt}');
  expect((await save()).map((one) => one[0])).toEqual(['Cut', 'Peel', 'Cut', 'Bake']);
});

test('each row has buttons that copy and remove it, which the arrows reach; Delete there removes it too', async () => {
  const { user, save } = await open([own(1, 'Peel'), own(2, 'Cut', 3), own(3, 'Bake')]);
  await user.click(shown('Minutes, row 2'));
  await hasFocus(await cell('Minutes, row 2'));
  await user.keyboard('{ArrowRight}');
  await hasFocus(shown('Copy row 2'));
  await user.keyboard('{ArrowLeft}');
  await hasFocus(await cell('Minutes, row 2'));
  await user.keyboard('{ArrowRight}{Enter}');
  await hasFocus(shown('Move row 3'));
  expect(shown('Minutes, row 3').textContent).toBe('3');
  await user.click(shown('Remove row 1'));
  await hasFocus(shown('Move row 1'));
  await user.keyboard('{Delete}');
  expect((await screen.findAllByText('One row was removed.')).length).toBe(1);
  expect(await save()).toEqual([
    ['Cut', 3],
    ['Bake', null],
  ]);
});

test('a range of a sheet fills the rows from the cell on and adds what is missing, up to the limit', async () => {
  const { user, save } = await open([own(1, 'Peel', 2), own(2, 'Bake', 40)]);
  await user.click(shown('Action, row 2'));
  await hasFocus(await cell('Action, row 2'));
  await user.paste('Cut\t3\r\n"Mix ""well"""\t\r\nFill\t4\r\nBake\t35\r\nCool\t15\r\nEat\t5\r\n');
  expect(await screen.findByText(/at most 6 rows: 1 of the pasted ones/)).toBeTruthy();
  expect(shown('Copy row 1').hasAttribute('disabled')).toBe(true);
  expect(await save()).toEqual([
    ['Peel', 2],
    ['Cut', 3],
    ['Mix "well"', null],
    ['Fill', 4],
    ['Bake', 35],
    ['Cool', 15],
  ]);
});

test('an inserted row says where it is used, unfolds and folds, and detached its rows belong to the record', async () => {
  const { user, save } = await open([inserted(1), own(2, 'Bake')]);
  expect(await screen.findByText('used in 4 recipes')).toBeTruthy();
  const fold = shown('Unfold the basic of row 1');
  fold.focus();
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Rest')).toBeTruthy();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByText('Rest')).toBeNull());
  // The cells around it are reached past it, and it is moved as any other.
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await hasFocus(await screen.findByRole('button', { name: 'Unfold the basic of row 2' }));
  await user.keyboard('{ArrowUp}');
  await hasFocus(await cell('Action, row 1'));
  await user.keyboard('{Enter}');
  await hasFocus(shown('Unfold the basic of row 2'));
  await user.click(shown('Detach'));
  expect(await screen.findByText('2 rows belong to this record now.')).toBeTruthy();
  expect(await save()).toEqual([
    ['Bake', null],
    ['Mix', 5],
    ['Rest', 30],
  ]);
});

test('the rows of a record are inserted by a search, below the chosen row', async () => {
  const { user, save } = await open([own(1, 'Peel'), own(2, 'Bake')]);
  await user.click(screen.getByRole('checkbox', { name: 'Choose row 1' }));
  await user.click(shown('Insert basic'));
  const search = await screen.findByRole('combobox', { name: 'Basic' });
  await user.type(search, 'dou');
  await user.click(await screen.findByRole('option', { name: /Dough/ }));
  await hasFocus(await screen.findByRole('button', { name: 'Unfold the basic of row 2' }));
  expect(await save()).toEqual([['Peel', null], 'basic 3', ['Bake', null]]);
});

test('chosen rows that follow each other become a record, which stands in their place', async () => {
  const { server, user, save } = await open([own(1, 'Mix', 5), own(2, 'Rest', 30), own(3, 'Bake')]);
  await user.click(screen.getByRole('checkbox', { name: 'Choose row 1' }));
  await user.click(screen.getByRole('checkbox', { name: 'Choose row 3' }));
  expect(screen.queryByRole('button', { name: 'Make basic' })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'Choose row 3' }));
  await user.click(screen.getByRole('checkbox', { name: 'Choose row 2' }));
  await user.click(shown('Make basic'));
  const dialog = within(await screen.findByRole('dialog'));
  expect((await dialog.findByRole('button', { name: 'Action, row 2' })).textContent).toBe('Rest');
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Short crust');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByRole('button', { name: 'Unfold the basic of row 1' });
  const made = server.calls.find(({ method, path }) => method === 'POST' && path === '/basics');
  expect(made?.body).toMatchObject({
    name: 'Short crust',
    steps: [
      { action: 'Mix', minutes: 5 },
      { action: 'Rest', minutes: 30 },
    ],
  });
  expect(await save()).toEqual(['basic 2', ['Bake', null]]);
});
