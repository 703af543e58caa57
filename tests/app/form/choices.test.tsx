// @module-tag slow
import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { renderApp } from '../support/renderApp';
import type { Call, FakeServer } from '../support/fakeServer';
import { describedBy, valueIn } from './inputs';
import { pantry, sent, servePantry, stored } from './pantry';

const shelf = () => screen.findByRole('combobox', { name: 'Shelf' });
const box = () => screen.findByRole('combobox', { name: 'Box' });

async function choose(user: UserEvent, input: HTMLElement, text: string) {
  await user.click(input);
  await user.keyboard(text);
  await user.click(await screen.findByRole('option', { name: text }));
}

const lastAsked = (server: FakeServer, field: string) =>
  server.calls.findLast(({ path }) => path === `/jars/choices/${field}`)?.query;

test('choices are searched on the server, and require the field that they depend on', async () => {
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

test('Enter selects the choice whose title is typed, even before the server has responded', async () => {
  servePantry();
  const user = renderApp('/jars/7');
  await user.click(await box());
  await screen.findByRole('option', { name: 'Salt' });
  await user.keyboard('salt{Enter}');
  expect(valueIn(await box())).toBe('Salt');
});

describe('typed text that is no choice yet', () => {
  /** A form to which boxes are told when they are released. */
  function openWithSlowSearch() {
    const server = servePantry();
    const answer = globalThis.fetch;
    let release = () => {};
    const released = new Promise<void>((done) => (release = done));
    vi.stubGlobal('fetch', async (...[url, options]: Parameters<typeof fetch>) => {
      if (/choices\/box_id(?!.*[?&]id=)/.test(String(url))) await released;
      return answer(url, options);
    });
    return { server, user: renderApp('/jars/7'), release };
  }

  test('is chosen when the answer comes after Enter, which does not submit the form before', async () => {
    const { server, user, release } = openWithSlowSearch();
    await user.click(await box());
    await user.keyboard('alt{Enter}');
    expect(sent(server, 'PUT')).toEqual([]);
    release();
    await waitFor(async () => expect(valueIn(await box())).toBe('Salt'));
    expect(sent(server, 'PUT')).toEqual([]);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(sent(server, 'PUT')[0]).toMatchObject({ box_id: 12 }));
  });

  test('keeps the form from being saved until its choice is known', async () => {
    const { server, user, release } = openWithSlowSearch();
    await user.click(await box());
    await user.keyboard('salt{Tab}');
    expect(await screen.findByText('Looking for “salt”…')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(sent(server, 'PUT')).toEqual([]);
    release();
    await waitFor(async () => expect(valueIn(await box())).toBe('Salt'));
    await waitFor(() => expect(screen.queryByText('Looking for “salt”…')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent(server, 'PUT')[0]).toMatchObject({ box_id: 12 }));
  });

  test.each([
    ['pepper', '“pepper” is none of the choices: choose one, or empty the box.'],
    ['s', 'Several choices match “s”: choose one, or empty the box.'],
  ])('is refused when the box is left: %s', async (text, message) => {
    const server = servePantry();
    const user = renderApp('/jars/7');
    await user.click(await box());
    await user.keyboard(`${text}{Tab}`);
    expect(await screen.findByText(message)).toBeTruthy();
    expect(valueIn(await box())).toBe(text);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(sent(server, 'PUT')).toEqual([]);
    await user.clear(await box());
    expect(screen.queryByText(message)).toBeNull();
  });

  test('becomes the only choice that it matches', async () => {
    servePantry();
    const user = renderApp('/jars/7');
    await user.click(await box());
    await user.keyboard('al{Tab}');
    await waitFor(async () => expect(valueIn(await box())).toBe('Salt'));
  });
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

test('a value is cleared at once when its parent is cleared', async () => {
  servePantry();
  const user = renderApp('/jars/7');
  await user.clear(await shelf());
  expect(await screen.findByText('Cleared, because Shelf is empty.')).toBeTruthy();
  expect((await box()).hasAttribute('disabled')).toBe(true);
});

test('a default shows the title that the server has', async () => {
  servePantry({ definitions: pantry({ shelf_id: { type: 'relation', to: 'shelves', embed: 'shelf', default: 2 } }) });
  renderApp('/jars/create');
  await waitFor(async () => expect(valueIn(await shelf())).toBe('Lower'));
});

test('a user without a company chooses one, and all other choices are limited to it', async () => {
  const site = { name: 'sites', labels: { one: 'Site', many: 'Sites' }, scope: 'self' as const, fields: { name: {} } };
  const { normalise } = await import('../../../src/engine/normalise/normalise');
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

const near = {
  'GET /jars/choices/box_id': (call: Call) => ({
    status: 200,
    body: {
      data: call.query.q
        ? [{ id: 12, title: 'Salt' }]
        : [
            { id: 13, title: 'Tea', near: 'yours' },
            { id: 14, title: 'Rice', detail: 'Upper · #14', near: 'recent' },
            { id: 11, title: 'Spices' },
            { id: 15, title: 'rice', detail: 'Lower · #15' },
          ],
    },
  }),
};

test('near choices have headings, equal titles show a detail, and picked ones become recent', async () => {
  localStorage.setItem('assay.chosen.7.boxes', '[14,3]');
  const server = servePantry({ answers: near });
  const user = renderApp('/jars/7');
  await user.click(await box());
  await screen.findByRole('option', { name: 'Tea' });
  expect(lastAsked(server, 'box_id')).toMatchObject({ shelf_id: '1', near: '14,3' });
  const listbox = screen.getByRole('listbox');
  expect(listbox.textContent).toBe('Your boxesTeaRecentRice Upper · #14Other boxesSpicesrice Lower · #15');
  expect(screen.getAllByRole('option').map((one) => one.textContent)).toEqual([
    'Tea',
    'Rice Upper · #14',
    'Spices',
    'rice Lower · #15',
  ]);
  // The keys walk past headings.
  await user.keyboard('{ArrowDown}{Enter}');
  expect(valueIn(await box())).toBe('rice');
  expect((await box()).title).toBe('rice · Lower · #15');
  expect(localStorage.getItem('assay.chosen.7.boxes')).toBe('[15,14,3]');
  await user.keyboard('sa');
  await screen.findByRole('option', { name: 'Salt' });
  expect(lastAsked(server, 'box_id')).not.toHaveProperty('near');
  expect(screen.getByRole('listbox').textContent).toBe('Salt');
});

test('chosen records with equal titles show their detail in a tooltip', async () => {
  const boxes = [
    { id: 11, name: 'Spices' },
    { id: 12, name: 'Spices' },
    { id: 13, name: 'Tea' },
  ];
  const field = { type: 'relations', to: 'boxes', embed: 'more' } as const;
  const server = servePantry({
    definitions: pantry({ more_ids: field }),
    rows: { jars: [{ ...stored, more_ids: [11, 12, 13], more: boxes }] },
    answers: {
      'GET /jars/choices/more_ids': ({ query }: Call) => ({
        status: 200,
        body: {
          data: String(query.id)
            .split(',')
            .map((id) => ({ id: Number(id), title: 'Spices', detail: `#${id}` })),
        },
      }),
    },
  });
  renderApp('/jars/7');
  await waitFor(() => expect(document.querySelectorAll('.choice-tag[title]')).toHaveLength(2));
  expect([...document.querySelectorAll('.choice-tag')].map((one) => one.getAttribute('title'))).toEqual([
    'Spices · #11',
    'Spices · #12',
    null,
  ]);
  expect(lastAsked(server, 'more_ids')).toMatchObject({ id: '11,12' });
});
