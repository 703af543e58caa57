// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { fakeServer, type Call, type FakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import { valueIn } from './inputs';
// Loads lazy code in advance.
import '../../../src/app/record/RecordPalette';
import '../../../src/app/list/bulk/SelectionBar';
import '../../../src/app/list/cards/Cards';
import '../../../src/app/list/inline/CellEditor';

// Wherever records are chosen by typing, Enter and Tab come before the server has answered what was typed.

type User = ReturnType<typeof userEvent.setup>;

const urgencies: Source = { name: 'urgencies', labels: { one: 'Urgency', many: 'Urgencies' }, fields: { name: {} } };
const chores: Source = {
  name: 'chores',
  labels: { one: 'Chore', many: 'Chores' },
  fields: {
    name: { required: true },
    urgency_id: { type: 'relation', to: 'urgencies', embed: 'urgency', label: 'Urgency' },
    past_ids: { type: 'relations', to: 'urgencies', embed: 'past', label: 'Past urgencies' },
    steps: {
      type: 'rows',
      label: 'Steps',
      fields: {
        action: { type: 'text' },
        step_urgency_id: { type: 'relation', to: 'urgencies', embed: 'step_urgency', label: 'Urgency' },
        minutes: { type: 'number' },
      },
    },
  },
  list: {
    columns: ['name', 'urgency_id'],
    views: ['list', 'cards'],
    filters: { urgency_id: {} },
    bulkEdit: ['urgency_id'],
    inlineEdit: ['urgency_id'],
  },
};

const low = { id: 4, name: 'Low' };
const urgent = { id: 1, name: 'Urgent' };
const version = '2026-11-20T10:00:00.000Z';

function hold() {
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  return { released, release: () => release() };
}

/** A server whose answers about typed urgencies, or about a chore's own values, come when they are released. */
function serveLate({ late = (call: Call) => call.query.q !== undefined && call.query.id === undefined } = {}) {
  const { released, release } = hold();
  const offer = async (call: Call) => {
    if (late(call)) await released;
    const ids = call.query.id?.split(',');
    // Urgent is on no first page.
    const isFirstPage = call.query.q === undefined && ids === undefined;
    const data = [{ id: 5, name: 'Unclear' }, ...(isFirstPage ? [] : [urgent]), low]
      .filter(({ id }) => ids === undefined || ids.includes(String(id)))
      .filter(({ name }) => name.toLowerCase().includes((call.query.q ?? '').toLowerCase()))
      .map(({ id, name }) => ({ id, title: name }));
    return { status: 200, body: { data } };
  };
  const chore = (id: number) => ({
    ...{ id, name: `Chore ${id}`, urgency_id: low.id, urgency: low, past_ids: [], past: [], updated_at: version },
    steps: [{ id: id * 10, action: 'Sweep', step_urgency_id: low.id, step_urgency: low, minutes: 5 }],
  });
  const server = fakeServer({
    definitions: [urgencies, chores].map((one) => normalise(one)),
    rows: { chores: [chore(1), chore(2)], urgencies: [] },
    answers: Object.fromEntries(
      ['chores/choices/urgency_id', 'chores/choices/past_ids', 'chores/choices/steps.step_urgency_id'].map((path) => [
        `GET /${path}`,
        offer,
      ]),
    ),
  });
  server.options.answers!['GET /urgencies/choices'] = offer;
  return { server, release };
}

const puts = ({ calls }: FakeServer) => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
const lists = ({ calls }: FakeServer) => calls.filter(({ path, query }) => path === '/chores' && query.filter);
const none = '“xyz” is none of the choices: choose one, or empty the box.';

async function tick(user: User, id: number) {
  const row = (await screen.findByText(`Chore ${id}`, { selector: '.MuiDataGrid-row *' })).closest('.MuiDataGrid-row')!;
  await user.click(row.querySelector('input[type=checkbox]')!);
}

interface Opened {
  /** The box in which choices are typed. */
  box: HTMLElement;
  /** Saves or applies. */
  submit: () => Promise<void>;
  /** How often something was saved or applied. */
  count: () => number;
  /** Expects that the typed urgency is what was saved or applied. */
  expectUrgent: () => Promise<unknown>;
}

/** The forms in which a typed choice is submitted with others. */
const forms: Readonly<Record<string, (user: User, server: FakeServer) => Promise<Opened>>> = {
  'several choices of a form': async (user, server) => ({
    box: await screen.findByRole('combobox', { name: 'Past urgencies' }),
    submit: () => user.click(screen.getByRole('button', { name: 'Save' })),
    count: () => puts(server).length,
    expectUrgent: () => waitFor(() => expect(puts(server)[0]).toMatchObject({ past_ids: [urgent.id] })),
  }),
  'the rows of a form': async (user, server) => {
    await user.click(await screen.findByRole('button', { name: 'Urgency, row 1' }));
    return {
      box: await screen.findByRole('combobox', { name: 'Urgency, row 1' }),
      submit: () => user.click(screen.getByRole('button', { name: 'Save' })),
      count: () => puts(server).length,
      expectUrgent: () =>
        waitFor(() => expect(puts(server)[0]).toMatchObject({ steps: [{ step_urgency_id: urgent.id }] })),
    };
  },
  'the filters': async (user, server) => {
    await user.click(await screen.findByLabelText('Filters'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Filters' }));
    const before = lists(server).length;
    return {
      box: dialog.getByRole('combobox', { name: 'Urgency' }),
      submit: () => user.click(dialog.getByText('Apply')),
      count: () => lists(server).length - before,
      expectUrgent: () =>
        waitFor(() => expect(lists(server).map(({ query }) => query.filter)).toContain('{"urgency_id":1}')),
    };
  },
  'the bulk edit': async (user, server) => {
    await tick(user, 1);
    await tick(user, 2);
    await user.click(within(await screen.findByRole('region', { name: 'Selection' })).getByText('Set urgency'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit 2 chores' }));
    return {
      box: dialog.getByRole('combobox', { name: 'Urgency' }),
      submit: () => user.click(dialog.getByText('Save')),
      count: () => puts(server).length,
      expectUrgent: () => waitFor(() => expect(puts(server)).toEqual([{ urgency_id: 1 }, { urgency_id: 1 }])),
    };
  },
};
const addressOf = (form: string) => (form.endsWith('of a form') ? '/chores/1' : '/chores');

describe.each(Object.entries(forms))('%s', (form, open) => {
  const begin = async () => {
    const { server, release } = serveLate();
    const user = renderApp(addressOf(form));
    const opened = await open(user, server);
    await user.click(opened.box);
    await screen.findByRole('option', { name: 'Low' });
    return { ...opened, user, release };
  };

  test('chooses by Enter the choice that the server answers later, and submits nothing before', async () => {
    const { user, box, submit, count, expectUrgent, release } = await begin();
    await user.keyboard('gent{Enter}{Enter}');
    expect(count()).toBe(0);
    release();
    await waitFor(() =>
      expect(valueIn(box) === 'Urgent' || screen.queryByText('Urgent', { selector: '.MuiChip-label' })).toBeTruthy(),
    );
    expect(count()).toBe(0);
    await submit();
    await expectUrgent();
  });

  test('looks for the typed text when the box is left by Tab, and submits nothing before', async () => {
    const { user, submit, count, expectUrgent, release } = await begin();
    await user.keyboard('gen{Tab}');
    expect(await screen.findByText(/Looking for “gen”…/)).toBeTruthy();
    await submit();
    expect(count()).toBe(0);
    release();
    await waitFor(() => expect(screen.queryByText(/Looking for “gen”…/)).toBeNull());
    await submit();
    await expectUrgent();
  });

  test('says at Tab that nothing matches, and neither submits nor loses the text', async () => {
    const { user, box, submit, count, release } = await begin();
    release();
    await user.keyboard('xyz');
    await screen.findByText('Nothing matches “xyz”');
    await user.keyboard('{Tab}');
    expect(await screen.findByText(new RegExp(none))).toBeTruthy();
    await submit();
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(count()).toBe(0);
    expect(valueIn(box)).toBe('xyz');
  });

  test('is not submitted by Ctrl+Enter with the earlier choice', async () => {
    const { user, box, count } = await begin();
    await user.keyboard('gent{Control>}{Enter}{/Control}');
    expect(count()).toBe(0);
    expect(valueIn(box)).toBe('gent');
  });
});

test('Ctrl+S saves no form whose typed choice is unknown, and says so', async () => {
  const { server } = serveLate();
  const user = renderApp('/chores/1');
  const box = await screen.findByRole('combobox', { name: 'Urgency' });
  await user.clear(box);
  await user.type(box, 'gent{Control>}s{/Control}');
  expect(await screen.findByText('Choose one of the choices for what was typed, or empty the box.')).toBeTruthy();
  expect(puts(server)).toEqual([]);
  expect(valueIn(box)).toBe('gent');
});

test('a row keeps the box of a typed choice when another cell is clicked', async () => {
  const { server, release } = serveLate();
  const user = renderApp('/chores/1');
  await user.click(await screen.findByRole('button', { name: 'Urgency, row 1' }));
  const box = await screen.findByRole('combobox', { name: 'Urgency, row 1' });
  await user.clear(box);
  await user.type(box, 'gen');
  await user.click(screen.getByRole('button', { name: 'Action, row 1' }));
  expect(await screen.findByText('Row 1, Urgency: Looking for “gen”…')).toBeTruthy();
  expect(valueIn(box)).toBe('gen');
  release();
  await waitFor(() => expect(valueIn(box)).toBe('Urgent'));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(puts(server)[0]).toMatchObject({ steps: [{ step_urgency_id: urgent.id }] }));
});

/** The lists of choices that are stored as soon as one is chosen. */
const places: Readonly<Record<string, (user: User) => Promise<HTMLElement>>> = {
  'a cell': async (user) => {
    await screen.findByText('Chore 1', { selector: '.MuiDataGrid-row *' });
    const cell = document.querySelector<HTMLElement>('[role=gridcell][data-field=urgency_id]')!;
    await user.dblClick(cell);
    return within(await screen.findByRole('dialog', { name: /^Urgency of/ })).getByRole('combobox');
  },
  'the palette': async (user) => {
    const title = await screen.findByText('Chore 1', { selector: '[data-card] h2 a' });
    title.focus();
    await user.keyboard('{Control>}k{/Control}');
    await user.keyboard('{ArrowRight}');
    await user.click(await screen.findByRole('option', { name: /Set urgency/i }));
    return screen.findByRole('combobox', { name: /^Find urgency/ });
  },
};

describe.each(Object.entries(places))('%s', (place, open) => {
  const address = place === 'a cell' ? '/chores' : '/chores?view=cards';

  test('stores by Enter the choice that the server answers later, and nothing before', async () => {
    const { server, release } = serveLate();
    const user = renderApp(address);
    const box = await open(user);
    await screen.findByRole('option', { name: /Low/ });
    await user.type(box, 'gent{Enter}');
    expect(puts(server)).toEqual([]);
    release();
    await waitFor(() => expect(puts(server)).toEqual([{ urgency_id: urgent.id }]));
  });

  test('does not clear the value by Enter while its choices are on their way', async () => {
    const { server, release } = serveLate({ late: () => true });
    const user = renderApp(address);
    await user.type(await open(user), '{Enter}');
    release();
    await waitFor(() => expect(screen.queryByRole('option', { name: /Unclear/ }) ?? puts(server)[0]).toBeTruthy());
    expect(puts(server)).not.toContainEqual({ urgency_id: null });
  });
});

test('a cell does not clear its value by Enter while the record that its choices depend on is on its way', async () => {
  const { server, release } = serveLate({ late: () => false });
  const [, stored] = server.rows.chores!;
  const record = hold();
  server.options.answers!['GET /chores/2'] = () =>
    record.released.then(() => ({ status: 200, body: { data: stored } }));
  const user = renderApp('/chores');
  await user.type(await places['a cell']!(user), '{Enter}');
  release();
  record.release();
  await screen.findByRole('option', { name: /Unclear/ });
  expect(puts(server)).toEqual([]);
});

test('a cell takes by Tab the one match, or says that there is none', async () => {
  const { server, release } = serveLate();
  const user = renderApp('/chores');
  const box = await places['a cell']!(user);
  await user.type(box, 'xyz{Tab}');
  expect(await screen.findByText('Looking for “xyz”…')).toBeTruthy();
  release();
  expect(await screen.findByText(none)).toBeTruthy();
  expect(valueIn(box)).toBe('xyz');
  await user.clear(box);
  await user.type(box, 'gen{Tab}');
  await waitFor(() => expect(puts(server)).toEqual([{ urgency_id: urgent.id }]));
});
