// @module-tag slow
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { FieldSource } from '../../../src/engine/language/source';
import { renderApp } from '../support/renderApp';
import { valueIn } from './inputs';
import { pantry, reader, sent, servePantry, stored } from './pantry';

const name = () => screen.findByRole('textbox', { name: 'Name' });

test('without permission the form can be read but not changed, and says so', async () => {
  servePantry({ level: 4, permissions: reader });
  renderApp('/jars/7');
  expect((await name()).hasAttribute('readonly')).toBe(true);
  expect(screen.getByText('You may read this record but not change it.')).toBeTruthy();
  expect(valueIn(screen.getByRole('textbox', { name: 'Shelf' }))).toBe('Upper');
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Jar Pepper');
});

test('without permission creating a record is denied with the reason', async () => {
  servePantry({ level: 4, permissions: reader });
  renderApp('/jars/create');
  expect(await screen.findByText("You don't have permission to create Jars.")).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

test('view is read-only for everybody, and links to the edit form for users who may change the record', async () => {
  servePantry();
  const user = renderApp('/jars/7/view');
  expect((await name()).hasAttribute('readonly')).toBe(true);
  expect(screen.queryByText('You may read this record but not change it.')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' }).hasAttribute('readonly')).toBe(false));
  expect(window.location.pathname).toBe('/jars/7');
});

test('view without permission to edit says so, without a link', async () => {
  servePantry({ level: 4, permissions: reader });
  renderApp('/jars/7/view');
  expect((await name()).hasAttribute('readonly')).toBe(true);
  expect(screen.getByText('You may read this record but not change it.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
});

test.each(['/jars/create', '/jars/7'])(
  'a field that the user may neither read nor write is no part of the form at %s',
  async (path) => {
    const levels = [4 as const];
    const rules = [
      { levels, action: ['list' as const, 'view' as const], fields: ['name', 'shelf_id', 'box_id'] },
      { levels, action: ['create' as const, 'edit' as const], fields: ['name'] },
    ];
    servePantry({ level: 4, definitions: pantry({}, { rules }) });
    renderApp(path);
    await name();
    expect(screen.getByText('Shelf')).toBeTruthy();
    expect(screen.queryByText('Website')).toBeNull();
  },
);

test('a field denied by a rule is read-only with a lock, and a row rule can make the whole form read-only', async () => {
  const rules = [
    { levels: [4 as const], action: 'edit' as const, where: { created_by: '$actor.id' }, fields: ['name'] },
  ];
  const rows = { jars: [{ ...stored, box_id: null, box: null }] };
  const server = servePantry({ level: 4, definitions: pantry({}, { rules }), rows });
  const user = renderApp('/jars/7');
  await user.type(await name(), '!');
  expect(screen.getByRole('textbox', { name: 'Website' }).hasAttribute('readonly')).toBe(true);
  expect(document.querySelectorAll('.field-lock')).toHaveLength(3);
  expect(screen.getAllByText('cannot be changed')).toHaveLength(3);
  // A read-only input has no placeholder.
  expect(document.querySelectorAll('input[readonly][placeholder]')).toHaveLength(0);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent(server, 'PUT')).toEqual([{ name: 'Pepper!', updated_at: stored.updated_at }]));
});

test("a row rule makes another user's record read-only", async () => {
  const rules = [{ levels: [4 as const], action: 'edit' as const, where: { created_by: '$actor.id' } }];
  const rows = { jars: [{ ...stored, created_by: 99 }] };
  servePantry({ level: 4, definitions: pantry({}, { rules }), rows });
  renderApp('/jars/7');
  expect((await name()).hasAttribute('readonly')).toBe(true);
});

test('an archived record is not changed', async () => {
  const rows = { jars: [{ ...stored, archive: true }] };
  servePantry({ definitions: pantry({}, { archive: true }), rows });
  renderApp('/jars/7');
  expect(await screen.findByText('This jar is archived. Unarchive it to change it.')).toBeTruthy();
});

test('fields are visible, required and locked while their conditions hold; hidden ones are not sent', async () => {
  const server = servePantry({
    definitions: pantry({
      full: { type: 'boolean' },
      weight: { type: 'number', min: 1, max: 50, visible: { full: true }, required: { full: true } },
      seal: { readOnly: { full: true } },
    }),
    rows: { jars: [] },
  });
  const user = renderApp('/jars/create');
  await user.type(await name(), 'Cumin');
  expect(screen.queryByRole('textbox', { name: 'Weight' })).toBeNull();
  expect(screen.getByRole('textbox', { name: 'Seal' }).hasAttribute('readonly')).toBe(false);
  await user.click(screen.getByRole('switch', { name: 'Full' }));
  const weight = await screen.findByRole('textbox', { name: 'Weight' });
  expect(weight.getAttribute('aria-required')).toBe('true');
  expect(screen.getByRole('textbox', { name: 'Seal' }).hasAttribute('readonly')).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Weight is required.')).toBeTruthy();
  await user.type(weight, '51,5');
  expect(screen.getByText('Weight must be at most 50.')).toBeTruthy();
  await user.click(screen.getByRole('switch', { name: 'Full' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent(server, 'POST')).toEqual([{ name: 'Cumin', full: false }]));
});

test('values of the chosen record decide on fields too; those that cannot be read are left to the server', async () => {
  const server = servePantry({
    definitions: pantry({
      weight: { type: 'number', visible: { 'shelf_id.name': 'Upper' }, required: { 'shelf_id.name': 'Upper' } },
      seal: { required: { 'box_id.shelf_id.name': 'Upper' } },
      lid: { visible: { 'box_id.shelf_id.name': 'Lower' }, required: { 'box_id.shelf_id.name': 'Lower' } },
    }),
    rows: {
      jars: [{ ...stored }],
      shelves: [
        { id: 1, name: 'Upper' },
        { id: 2, name: 'Lower' },
      ],
      boxes: [{ id: 12, name: 'Salt', shelf_id: 1 }],
    },
    answers: { 'GET /boxes/11': { status: 403, body: { message: 'No.' } } },
  });
  const user = renderApp('/jars/7');
  const isRequired = (label: string) =>
    screen.getByRole('textbox', { name: label }).getAttribute('aria-required') === 'true';
  await screen.findByRole('textbox', { name: 'Weight' });
  await waitFor(() => expect(isRequired('Weight')).toBe(true));
  expect(isRequired('Lid')).toBe(false);
  expect(isRequired('Seal')).toBe(false);
  const choose = async (field: string, text: string) => {
    await user.click(await screen.findByRole('combobox', { name: field }));
    await user.keyboard(text);
    await user.click(await screen.findByRole('option', { name: text }));
  };
  await choose('Box', 'Salt');
  await waitFor(() => expect(isRequired('Seal')).toBe(true));
  expect(screen.queryByRole('textbox', { name: 'Lid' })).toBeNull();
  await choose('Shelf', 'Lower');
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Weight' })).toBeNull());
  // What is shown is asked again when the stream of events was opened again, and never in another way.
  const asked = server.calls.filter(({ path }) => path === '/shelves/2').map(({ query }) => query.fields);
  expect([...new Set(asked)]).toEqual(['id,name']);
});

test('defaults come from the definition, the actor and the day', async () => {
  const today = new Date();
  const two = (number: number) => String(number).padStart(2, '0');
  const iso = `${today.getFullYear()}-${two(today.getMonth() + 1)}-${two(today.getDate())}`;
  const definitions = pantry({
    size: { default: 'small' },
    keeper: { type: 'number', integer: true, default: '$actor.id' },
    filled_on: { type: 'date', default: '$today' },
  });
  const server = servePantry({ definitions });
  const user = renderApp('/jars/create');
  await user.type(await name(), 'Cumin{Enter}');
  await waitFor(() =>
    expect(sent(server, 'POST')).toEqual([{ name: 'Cumin', size: 'small', keeper: 7, filled_on: iso }]),
  );
});

test('a rule of the definition shows its message at its field, and goes once it is obeyed', async () => {
  const message = 'A full jar has a weight.';
  const definitions = pantry(
    { full: { type: 'boolean' }, weight: { type: 'number' } },
    { validate: [{ condition: { weight: { $gt: 0 } }, where: { full: true }, field: 'weight', message }] },
  );
  const server = servePantry({ definitions, rows: { jars: [] } });
  const user = renderApp('/jars/create');
  await user.type(await name(), 'Cumin');
  await user.click(screen.getByRole('switch', { name: /Full/ }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(sent(server, 'POST')).toEqual([]);
  await user.type(screen.getByRole('textbox', { name: 'Weight' }), '2');
  await waitFor(() => expect(screen.queryByText(message)).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent(server, 'POST')).toMatchObject([{ name: 'Cumin', full: true, weight: 2 }]));
});

test('a lookup follows its relation before the record is saved, through several relations and over what is computed', async () => {
  const fields: Record<string, FieldSource> = {
    shelf_name: { type: 'lookup', source: 'shelf_id.name' },
    upstairs: { type: 'lookup', source: 'box_id.shelf_id.name', label: 'Shelf of the Box' },
    place: { type: 'text', computed: { $concat: ['On ', '$record.shelf_name'] } },
  };
  const sections = [{ label: 'Jar', fields: ['name', 'shelf_id', 'box_id', ...Object.keys(fields)] }];
  const definitions = pantry(fields, { form: { sections } });
  const jars = [{ ...stored, shelf_name: 'Upper', upstairs: 'Upper', place: 'On Upper' }];
  const shelves = [
    { id: 1, name: 'Upper' },
    { id: 2, name: 'Lower' },
  ];
  const boxes = [{ id: 12, name: 'Salt', shelf_id: 2, shelf: shelves[1] }];
  const server = servePantry({ definitions, rows: { jars, shelves, boxes } });
  const user = renderApp('/jars/7');
  await name();
  const shown = async (label: string) => valueIn(await screen.findByRole('textbox', { name: label }));
  expect(await shown('Shelf Name')).toBe('Upper');
  const callOf = ({ method, path, query }: (typeof server.calls)[number]) => JSON.stringify([method, path, query]);
  const before = new Set(server.calls.map(callOf));
  await user.type(await name(), '!');
  expect(server.calls.map(callOf).filter((call) => !before.has(call))).toEqual([]);

  await user.click(screen.getByRole('combobox', { name: 'Shelf' }));
  await user.click(await screen.findByRole('option', { name: 'Lower' }));
  await waitFor(async () => expect(await shown('Shelf Name')).toBe('Lower'));
  await waitFor(async () => expect(await shown('Place')).toBe('On Lower'));
  await user.click(screen.getByRole('combobox', { name: 'Box' }));
  await user.click(await screen.findByRole('option', { name: 'Salt' }));
  await waitFor(async () => expect(await shown('Shelf of the Box')).toBe('Lower'));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent(server, 'PUT')).toHaveLength(1));
  expect(sent(server, 'PUT')[0]).not.toHaveProperty('shelf_name');
});

test('a rollup over rows, and fields computed from it, follow the rows before the record is saved', async () => {
  const fields: Record<string, FieldSource> = {
    spoons: {
      type: 'rows',
      fields: { grams: { type: 'number' }, kind: { type: 'text' }, spare: { type: 'boolean' } },
    },
    weight: { type: 'rollup', source: 'spoons', aggregate: 'sum', field: 'grams', where: { spare: { $ne: true } } },
    last_kind: { type: 'rollup', source: 'spoons', aggregate: 'latest', field: 'kind' },
    sent_weight: { type: 'number', computed: { $add: ['$record.weight', 100] } },
  };
  const sections = [{ label: 'Jar', fields: ['name', ...Object.keys(fields)] }];
  const definitions = pantry(fields, { form: { sections } });
  const spoons = [
    { id: 1, grams: 0.1, kind: 'Tea', spare: null },
    { id: 2, grams: 0.2, kind: 'Soup', spare: null },
    { id: 3, grams: 50, kind: 'Wood', spare: true },
  ];
  const jars = [{ ...stored, spoons, weight: 0.3, last_kind: 'Wood', sent_weight: 100.3 }];
  const server = servePantry({ definitions, rows: { jars } });
  const user = renderApp('/jars/7');
  await name();
  const shown = (label: string) => valueIn(screen.getByRole('textbox', { name: label }));
  expect(shown('Weight')).toBe('0.3');
  await user.click(await screen.findByRole('button', { name: 'Grams, row 2' }));
  await user.clear(screen.getByRole('textbox', { name: 'Grams, row 2' }));
  await user.type(screen.getByRole('textbox', { name: 'Grams, row 2' }), '7');
  await waitFor(() => expect(shown('Weight')).toBe('7.1'));
  expect(shown('Sent Weight')).toBe('107.1');
  await user.click(screen.getByRole('checkbox', { name: 'Choose row 3' }));
  await user.click(screen.getByRole('button', { name: 'Remove the chosen row' }));
  await waitFor(() => expect(shown('Last Kind')).toBe('Soup'));
  expect(shown('Weight')).toBe('7.1');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent(server, 'PUT')).toHaveLength(1));
  expect(Object.keys(sent(server, 'PUT')[0] as object)).not.toEqual(expect.arrayContaining(['weight']));
});
