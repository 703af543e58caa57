// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import { sendFormsByFetch } from '../support/formRequests';
import { renderApp } from '../support/renderApp';
import { chooseAction } from './chooseAction';
import { pantry, sent, servePantry, stored } from './pantry';

const definitions = pantry(
  { state: {}, reason: {} },
  {
    list: { columns: ['name', 'state'], actions: ['edit', 'open'] },
    requests: {
      open: { label: 'Open it', sets: { state: 'open' }, where: { state: 'closed' }, toast: 'Opened.' },
      empty: { label: 'Empty', sets: { state: 'empty' }, confirm: 'Really?' },
      break: { label: 'Break', sets: { state: 'broken' }, asks: ['reason'] },
      sell: { label: 'Sell', sets: { state: 'sold' }, levels: [5] },
    },
  },
);
const closed = { ...stored, state: 'closed', reason: null };
const saved = (state: string) => () => ({ status: 200, body: { ...closed, state } });
const serve = (rows: object[] = [closed]) =>
  servePantry({
    definitions,
    rows: { jars: rows as { id: number }[] },
    answers: {
      'PATCH /jars-open/7': saved('open'),
      'PATCH /jars-open/8': saved('open'),
      'PATCH /jars-empty/7': saved('empty'),
      'PATCH /jars-break/7': saved('broken'),
    },
  });
const patches = (server: ReturnType<typeof serve>) =>
  server.calls.filter(({ method }) => method === 'PATCH').map(({ path, body }) => [path, body]);

test('a request with fixed values is made with one click on the form; others are not offered', async () => {
  const server = serve();
  const user = renderApp('/jars/7');
  await chooseAction(user, 'Open it');
  expect(await screen.findByText('Opened.')).toBeTruthy();
  expect(patches(server)).toEqual([['/jars-open/7', {}]]);
  await user.click(screen.getByRole('button', { name: /^More actions for/ }));
  expect(screen.queryByRole('menuitem', { name: 'Sell' })).toBeNull();
  expect(sent(server, 'PUT')).toEqual([]);
});

test('a request whose condition does not hold is offered neither on the form nor on the row', async () => {
  serve([{ ...closed, state: 'open' }]);
  const user = renderApp('/jars');
  await screen.findByText('Pepper', { selector: '.MuiDataGrid-row *' });
  expect(screen.queryByRole('button', { name: 'Open it Pepper' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Edit Pepper' }));
  expect(await screen.findByRole('button', { name: 'Empty' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Open it' })).toBeNull();
});

test('a request with a question is confirmed first', async () => {
  const server = serve();
  const user = renderApp('/jars/7');
  await chooseAction(user, 'Empty');
  const dialog = await screen.findByRole('alertdialog', { name: 'Empty' });
  expect(within(dialog).getByText('Really?')).toBeTruthy();
  expect(patches(server)).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Empty' }));
  await waitFor(() => expect(patches(server)).toEqual([['/jars-empty/7', {}]]));
});

test('a request asks for the values that it needs, and is not sent without them', async () => {
  const server = serve();
  const user = renderApp('/jars/7');
  await chooseAction(user, 'Break');
  const dialog = await screen.findByRole('dialog', { name: 'Break' });
  await user.click(await within(dialog).findByRole('button', { name: 'Break' }));
  expect(await within(dialog).findByText('Reason is required.')).toBeTruthy();
  expect(patches(server)).toEqual([]);
  await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'It fell.');
  await user.click(within(dialog).getByRole('button', { name: 'Break' }));
  await waitFor(() =>
    expect(patches(server)).toEqual([['/jars-break/7', { reason: 'It fell.', updated_at: stored.updated_at }]]),
  );
});

test('the selection bar makes a request on every selected record for which it is possible', async () => {
  const server = serve([
    closed,
    { ...closed, id: 8, name: 'Salt' },
    { ...closed, id: 9, name: 'Sugar', state: 'open' },
  ]);
  const user = renderApp('/jars');
  await screen.findByText('Sugar', { selector: '.MuiDataGrid-row *' });
  await user.click(screen.getByLabelText('Select all rows'));
  const bar = await screen.findByRole('region', { name: 'Selection' });
  expect(within(bar).queryByRole('button', { name: 'Sell' })).toBeNull();
  await user.click(within(bar).getByRole('button', { name: 'Open it' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Open it: 2 jars' });
  expect(within(dialog).getByText('This is not possible for 1 of the selected; they stay as they are.')).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Open it' }));
  expect(await screen.findByText('Opened.')).toBeTruthy();
  expect(
    patches(server)
      .map(([path]) => path)
      .sort(),
  ).toEqual(['/jars-open/7', '/jars-open/8']);
});

test('a request that adds a record takes its files: uploaded for that record, and a picture in the form', async () => {
  sendFormsByFetch();
  const notes = normalise({
    name: 'notes',
    labels: { one: 'Note', many: 'Notes' },
    fields: {
      text: { type: 'text' },
      jar_id: { type: 'relation', to: 'jars' },
      photo: { type: 'image' },
      papers: { type: 'files' },
    },
  });
  const adds = { resource: 'notes', relation: 'jar_id', fields: ['text', 'papers', 'photo'] };
  const jars = pantry(
    {},
    {
      list: { columns: ['name'], actions: ['edit', 'note'] },
      requests: { note: { label: 'Add a note', adds, toast: 'Noted.' } },
    },
  );
  const paper = { name: 'paper.png', size: 3, type: 'image/png', url: '/api/files/k.png?expires=1' };
  const server = servePantry({
    definitions: [...jars, notes],
    answers: {
      'POST /notes/files': () => ({ status: 201, body: { data: paper } }),
      'PATCH /jars-note/7': () => ({ status: 200, body: stored }),
    },
  });
  const user = renderApp('/jars');
  await screen.findByText('Pepper', { selector: '.MuiDataGrid-row *' });
  await user.click(screen.getByRole('button', { name: 'Add a note Pepper' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(await within(dialog).findByRole('textbox', { name: 'Text' }), 'It leaks');
  const png = () => new File([new Uint8Array([137, 80, 78])], 'paper.png', { type: 'image/png' });
  await user.upload(await within(dialog).findByLabelText('Papers'), png());
  await within(dialog).findByText('paper.png');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await screen.findByText('Noted.');
  const calls = server.calls.filter(({ method }) => method !== 'GET');
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /notes/files', 'PATCH /jars-note/7']);
  expect(calls[0]!.query).toEqual({ field: 'papers' });
  expect(calls[1]!.body).toMatchObject({ text: 'It leaks', papers: [paper], photo: null });

  // A picture comes with the form, and the files beside it as JSON.
  await user.upload(await within(dialog).findByLabelText('Papers'), png());
  await within(dialog).findByText('paper.png');
  await user.upload(await within(dialog).findByLabelText('Photo'), png());
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.calls.filter(({ method }) => method === 'PATCH')).toHaveLength(2));
  const { body } = server.calls.filter(({ method }) => method === 'PATCH')[1]! as { body: Record<string, unknown> };
  expect(body.photo).toBeInstanceOf(File);
  expect(JSON.parse(body.papers as string)).toEqual([paper]);
});
