import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderApp } from '../support/renderApp';
import type { FakeServer } from '../support/fakeServer';
import { describedBy, valueIn } from './inputs';
import { pantry, sent, servePantry } from './pantry';

const shelf = () => screen.findByRole('combobox', { name: 'Shelf' });
const box = () => screen.findByRole('combobox', { name: 'Box' });

async function choose(user: UserEvent, input: HTMLElement, text: string) {
  await user.click(input);
  await user.keyboard(text);
  await user.click(await screen.findByRole('option', { name: text }));
}

const lastAsked = (server: FakeServer, field: string) =>
  server.calls.findLast(({ path }) => path === `/jars/choices/${field}`)?.query;

test('choices are searched on the server, and wait for the field that they depend on', async () => {
  const server = servePantry();
  const user = renderApp('/jars/create');
  expect((await box()).hasAttribute('disabled')).toBe(true);
  expect((await box()).getAttribute('placeholder')).toBe('Choose a shelf first');
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Cumin');
  await choose(user, await shelf(), 'Upper');
  expect((await box()).hasAttribute('disabled')).toBe(false);
  expect(describedBy(await box())).toBe('in Upper');
  await user.click(await box());
  await user.keyboard('spi');
  await waitFor(() => expect(lastAsked(server, 'box_id')).toMatchObject({ shelf_id: '1', q: 'spi' }));
  await user.click(await screen.findByRole('option', { name: 'Spices' }));
  expect(valueIn(await box())).toBe('Spices');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent(server, 'POST')).toEqual([{ name: 'Cumin', shelf_id: 1, box_id: 11 }]));
});

test('Enter takes what was typed, also before the server has answered', async () => {
  servePantry();
  const user = renderApp('/jars/7');
  await user.click(await box());
  await screen.findByRole('option', { name: 'Salt' });
  await user.keyboard('salt{Enter}');
  expect(valueIn(await box())).toBe('Salt');
});

test('a value that the new parent does not allow is cleared, and a note says so', async () => {
  const server = servePantry();
  const user = renderApp('/jars/7');
  expect(valueIn(await box())).toBe('Spices');
  await choose(user, await shelf(), 'Lower');
  expect(await screen.findByText('Cleared: Spices is not in Lower.')).toBeTruthy();
  expect(valueIn(await box())).toBe('');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent(server, 'PUT')[0]).toMatchObject({ shelf_id: 2, box_id: null }));
});

test('a value that the new parent allows too is kept', async () => {
  const server = servePantry();
  const user = renderApp('/jars/7');
  await choose(user, await box(), 'Salt');
  await choose(user, await shelf(), 'Lower');
  await waitFor(() =>
    expect(server.calls.some(({ path, query }) => path === '/jars/choices/box_id' && query.id === '12')).toBe(true),
  );
  await waitFor(async () => expect(valueIn(await box())).toBe('Salt'));
  expect(screen.queryByText(/^Cleared/)).toBeNull();
});

test('without its parent a value is cleared at once', async () => {
  servePantry();
  const user = renderApp('/jars/7');
  await user.clear(await shelf());
  expect(await screen.findByText('Cleared, because Shelf is empty.')).toBeTruthy();
  expect((await box()).hasAttribute('disabled')).toBe(true);
});

test('a default shows the title that the server knows it by', async () => {
  servePantry({ definitions: pantry({ shelf_id: { type: 'relation', to: 'shelves', embed: 'shelf', default: 2 } }) });
  renderApp('/jars/create');
  await waitFor(async () => expect(valueIn(await shelf())).toBe('Lower'));
});

test('whoever belongs to no company chooses one, and everything else from within it', async () => {
  const site = { name: 'sites', labels: { one: 'Site', many: 'Sites' }, scope: 'self' as const, fields: { name: {} } };
  const { normalise } = await import('../../../src/engine/definitions/normalise');
  const server = servePantry({
    level: 1,
    definitions: [...pantry(), normalise(site)],
    answers: {
      'GET /jars/choices/site_id': { status: 200, body: { data: [{ id: 5, title: 'Harbour' }] } },
      'GET /jars/choices/shelf_id': { status: 200, body: { data: [{ id: 1, title: 'Upper' }] } },
    },
  });
  const user = renderApp('/jars/create');
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Cumin');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Company is required.')).toBeTruthy();
  await choose(user, screen.getByRole('combobox', { name: 'Company' }), 'Harbour');
  await choose(user, await shelf(), 'Upper');
  expect(lastAsked(server, 'shelf_id')).toMatchObject({ site_id: '5' });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent(server, 'POST')).toEqual([{ site_id: 5, name: 'Cumin', shelf_id: 1 }]));
});
