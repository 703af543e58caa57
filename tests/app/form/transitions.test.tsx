// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '../support/renderApp';
import { chooseAction } from './chooseAction';
import { pantry, sent, servePantry, stored } from './pantry';

const options = ['Fresh', 'Opened', 'Empty', 'Thrown'].map((label) => ({ value: label.toLowerCase(), label }));
const definitions = pantry({
  state: {
    type: 'select',
    options,
    initial: 'fresh',
    transitions: [
      { from: 'fresh', to: 'opened', label: 'Open it' },
      { from: 'fresh', to: 'thrown', levels: [5] },
      { from: 'opened', to: ['empty', 'thrown'], requiredFields: ['reason'] },
    ],
  },
  reason: { visible: { state: { $in: ['empty', 'thrown'] } } },
});

const serve = (state: string) =>
  servePantry({
    definitions,
    rows: { jars: [{ ...stored, state, reason: null }] },
    answers: {
      'PATCH /jars-state-opened/7': { status: 200, body: { ...stored, state: 'opened' } },
      'PATCH /jars-state-empty/7': { status: 200, body: { ...stored, state: 'empty' } },
    },
  });
const patches = (server: ReturnType<typeof serve>) =>
  server.calls.filter(({ method }) => method === 'PATCH').map(({ path, body }) => [path, body]);
const choices = async (user: ReturnType<typeof renderApp>) => {
  await user.click(await screen.findByRole('combobox', { name: /State/ }));
  return (await screen.findAllByRole('option')).map(({ textContent }) => textContent);
};

test.each([
  ['fresh', ['Fresh', 'Opened']],
  ['opened', ['Opened', 'Empty', 'Thrown']],
  ['empty', ['Empty']],
])('a state %s offers only the states that its user can set', async (state, offered) => {
  serve(state);
  expect(await choices(renderApp('/jars/7'))).toEqual(offered);
});

test('a new record has the initial state and no other', async () => {
  const server = serve('fresh');
  const user = renderApp('/jars/create');
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Salt');
  expect(await choices(user)).toEqual(['Fresh']);
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent(server, 'POST')).toMatchObject([{ name: 'Salt', state: 'fresh' }]));
});

test('a form names the fields that a change of state needs before anything is sent', async () => {
  const server = serve('opened');
  const user = renderApp('/jars/7');
  await choices(user);
  await user.click(screen.getByRole('option', { name: 'Empty' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Reason is required to change State to Empty.')).toBeTruthy();
  expect(sent(server, 'PUT')).toEqual([]);
});

test('the next states are offered as buttons, which ask for the fields that they need', async () => {
  const server = serve('opened');
  const user = renderApp('/jars/7');
  await user.click(await screen.findByRole('button', { name: 'Empty' }));
  const dialog = await screen.findByRole('dialog', { name: 'Empty' });
  await user.type(await within(dialog).findByRole('textbox', { name: 'Reason' }), 'Used up.');
  await user.click(within(dialog).getByRole('button', { name: 'Empty' }));
  await waitFor(() => expect(patches(server)).toMatchObject([['/jars-state-empty/7', { reason: 'Used up.' }]]));
  expect(screen.queryByRole('button', { name: 'Open it' })).toBeNull();
});

test('a button of a transition that needs nothing changes the state at once', async () => {
  const server = serve('fresh');
  const user = renderApp('/jars/7');
  await chooseAction(user, 'Open it');
  await waitFor(() => expect(patches(server)).toEqual([['/jars-state-opened/7', {}]]));
  await user.click(screen.getByRole('button', { name: /^More actions for/ }));
  expect(screen.queryByRole('menuitem', { name: 'Thrown' })).toBeNull();
});
