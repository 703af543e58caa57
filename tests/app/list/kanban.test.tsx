// @module-tag slow
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { shortDay } from '../../../src/engine/formats/dates';
import { lateText } from '../../../src/app/list/kanban/BoardCard';
import { withMoves } from '../../../src/app/list/kanban/withMoves';
import { normalise } from '../../../src/engine/normalise/normalise';
import { sourceOf } from '../../support/definitions';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import '../../../src/app/list/bulk/SelectionBar';
import '../../../src/app/list/kanban/Board';

const statuses = ['Not Started', 'In Progress', 'Completed', 'Cancelled'];
const ids: Record<string, number> = { 'Not Started': 1, 'In Progress': 2, Completed: 3, Cancelled: 4 };
const choices = {
  'GET /shots/choices/status_id': { status: 200, body: { data: statuses.map((title) => ({ id: ids[title], title })) } },
};
const shot = (id: number, name: string, status: string, more: object = {}) => ({
  id,
  name,
  status_id: ids[status],
  shotstatus: { id: ids[status], option_name: status },
  site_id: 1,
  created_by: 7,
  film_id: 3,
  film: { id: 3, name: 'Checkout' },
  ...more,
});
const shots = () => [
  shot(1, 'Charge once', 'Not Started', {
    urgency_id: 1,
    urgency: { id: 1, option_name: 'Urgent' },
    operator_id: 9,
    operator: { id: 9, name: 'Grace Hopper' },
  }),
  shot(2, 'Refund', 'In Progress', {
    is_late: true,
    ends_on: '2020-01-05',
    screenings_count: 4004,
    shifts_count: 2,
    shifts_sum: '2002.15',
  }),
  shot(3, 'Sign in', 'Completed'),
  shot(4, 'Sign out', 'Completed'),
];
// By selectors, not by roles: jsdom takes long to find a role among many cards.
const column = (name: string) => screen.findByLabelText(name, { selector: 'section' });
const cards = async (name: string) =>
  [...(await column(name)).querySelectorAll('.board-card[aria-label]')].map((card) => card.getAttribute('aria-label'));
const countOf = async (name: string) => (await column(name)).querySelector('.board-count')!.textContent;
const item = (label: string) => screen.findByText(label, { selector: '[role=menuitem]' });
const open = (path = '/shots?view=kanban') => renderApp(path);

async function moveTo(user: ReturnType<typeof open>, name: string, target: string) {
  await user.click(await screen.findByLabelText(`More actions for ${name}`));
  await user.click(await item(`Move to ${target}`));
  const title = await screen.findByText(`Move to ${target}?`);
  return title.closest<HTMLElement>('[role=dialog]')!;
}

describe('a board', () => {
  it('has its columns in the order of their resource, with true counts, and is remembered', async () => {
    fakeServer({ rows: { shots: shots() }, answers: choices });
    const user = open();
    await user.click(await screen.findByTitle('Kanban Board'));
    await column('Not Started');
    const names = [...document.querySelectorAll('.board-column h2')].map((heading) => heading.textContent);
    expect(names).toEqual(['Not Started', 'In Progress', 'Completed', 'Cancelled']);
    await waitFor(async () => expect(await cards('Completed')).toEqual(['Sign out', 'Sign in']));
    expect([await countOf('Not Started'), await countOf('Completed'), await countOf('Cancelled')]).toEqual([
      '1',
      '2',
      '0',
    ]);
    expect(localStorage.getItem('listView.7.shots')).toBe('kanban');
    const late = within(await column('In Progress'));
    expect(late.getByText(/^\d,\d{3} days late$/)).toBeTruthy();
    expect(late.getByTitle('4,004 Screenings')).toBeTruthy();
    expect(late.getByTitle('2 Shifts: 2,002h 15m').textContent).toBe('2,002h 15m Shifts');
    const first = within(await column('Not Started'));
    expect(first.getByText('Urgent')).toBeTruthy();
    expect(first.getByTitle('Grace Hopper')).toBeTruthy();
    expect(document.querySelector('.list-foot')).toBeNull();
  });

  it('is a list again after Back, as the address says, and a board after Forward', async () => {
    fakeServer({ rows: { shots: shots() }, answers: choices });
    const user = open('/shots?view=list');
    await user.click(await screen.findByTitle('Kanban Board'));
    await column('Not Started');
    act(() => window.history.back());
    await waitFor(() => expect(document.querySelector('.board-column')).toBeNull());
    await screen.findByText('Charge once', { selector: '.MuiDataGrid-row *' });
    act(() => window.history.forward());
    await column('Not Started');
  });

  it('is left by Back also from an address without a view', async () => {
    localStorage.setItem('listView.7.shots', 'list');
    fakeServer({ rows: { shots: shots() }, answers: choices });
    const user = open('/shots');
    await user.click(await screen.findByTitle('Kanban Board'));
    await column('Not Started');
    act(() => window.history.back());
    await waitFor(() => expect(document.querySelector('.board-column')).toBeNull());
    await screen.findByText('Charge once', { selector: '.MuiDataGrid-row *' });
  });

  it('shows the columns that a filter leaves, under the active search', async () => {
    const server = fakeServer({ rows: { shots: shots() }, answers: choices });
    open('/shots?view=kanban&status_id=2,3&q=sign');
    await waitFor(async () => expect(await cards('Completed')).toHaveLength(2));
    expect(screen.queryByLabelText('Not Started', { selector: 'section' })).toBeNull();
    expect(await countOf('In Progress')).toBe('0');
    expect(server.calls.some(({ query }) => query.filter === JSON.stringify({ status_id: 3, q: 'sign' }))).toBe(true);
  });

  it('loads a window of each column, and the next when asked', async () => {
    const many = Array.from({ length: 35 }, (_, index) => shot(index + 1, `Shot ${index + 1}`, 'Not Started'));
    const server = fakeServer({ rows: { shots: many }, answers: choices });
    open();
    const more = await screen.findByText('Show 5 more');
    expect([await countOf('Not Started'), (await cards('Not Started')).filter(Boolean).length]).toEqual(['35', 30]);
    fireEvent.click(more);
    await waitFor(async () => expect((await cards('Not Started')).filter(Boolean)).toHaveLength(35));
    expect(server.calls.some(({ query }) => query.range === '[30,59]')).toBe(true);
  });
});

describe('a move', () => {
  it('shows at once, asks for the comment, and is sent as the definition’s request', async () => {
    const server = fakeServer({
      rows: { shots: shots() },
      answers: { ...choices, 'PATCH /shot/1': { status: 200, body: { data: {} } } },
    });
    const user = open();
    const dialog = within(await moveTo(user, 'Charge once', 'Completed'));
    expect(await screen.findAllByText('Charge once', { selector: '.board-column[data-done] a' })).toHaveLength(1);
    await user.click(dialog.getByText('Save'));
    expect(dialog.getByRole('alert').textContent).toContain('Comments is required.');
    expect(server.calls.some(({ method }) => method === 'PATCH')).toBe(false);
    fireEvent.change(dialog.getByLabelText(/^Comments/), { target: { value: 'Done today' } });
    server.rows.shots![0]!.status_id = 3;
    await user.click(dialog.getByText('Save'));
    expect(await screen.findByText('Saved Successfully')).toBeTruthy();
    const sent = server.calls.find(({ method }) => method === 'PATCH');
    expect(sent).toMatchObject({ path: '/shot/1', body: { status_id: 3, comments: 'Done today' } });
    await waitFor(async () => expect(await countOf('Completed')).toBe('3'));
    expect([await countOf('Not Started'), await cards('Not Started')]).toEqual(['0', []]);
  });

  it('is reverted with the server’s message if it is rejected', async () => {
    const message = 'This shot is locked.';
    fakeServer({
      rows: { shots: shots() },
      answers: { ...choices, 'PATCH /shot/1': { status: 403, body: { message } } },
    });
    const user = open();
    const dialog = within(await moveTo(user, 'Charge once', 'In Progress'));
    const box = dialog.getByLabelText(/^Comments/);
    fireEvent.change(box, { target: { value: 'Go' } });
    fireEvent.keyDown(box, { key: 'Enter', ctrlKey: true });
    expect(await screen.findByText(message)).toBeTruthy();
    await waitFor(async () => expect(await cards('Not Started')).toEqual(['Charge once']));
  });

  it('is reverted if the dialog is cancelled, and says so', async () => {
    const server = fakeServer({ rows: { shots: shots() }, answers: choices });
    const user = open();
    const dialog = within(await moveTo(user, 'Charge once', 'In Progress'));
    await user.click(dialog.getByText('Cancel'));
    expect(await screen.findByText('Not moved: Charge once stays in Not Started.')).toBeTruthy();
    await waitFor(async () => expect(await cards('Not Started')).toEqual(['Charge once']));
    expect(server.calls.some(({ method }) => method === 'PATCH')).toBe(false);
  });

  it('is not possible for users who may not set the field, and the board says why', async () => {
    fakeServer({ level: 6, rows: { shots: shots() }, answers: choices });
    const user = open();
    expect((await screen.findByText(/^You cannot move/)).textContent).toMatch(
      /^You cannot move these shots: .*neither status nor assignee\.$/,
    );
    expect(document.querySelector('[data-rfd-drag-handle-draggable-id]')).toBeNull();
    await user.click(screen.getByLabelText('More actions for Charge once'));
    await item('Edit');
    expect(screen.queryByText(/^Move to/)).toBeNull();
  });
});

describe('a board of states', () => {
  const crates = normalise(
    sourceOf(
      'crates',
      {
        name: {},
        reason: {},
        state: {
          type: 'select',
          options: ['packed', 'sent', 'lost'].map((value) => ({ value, label: value })),
          initial: 'packed',
          transitions: [
            { from: 'packed', to: 'sent' },
            { from: 'sent', to: 'lost', requiredFields: ['reason'] },
          ],
        },
      },
      { scope: 'company', list: { views: ['kanban', 'list'], kanban: { column: 'state' } } },
    ),
  );
  const pots = normalise(
    sourceOf(
      'pots',
      { name: {}, place: { type: 'select', options: ['a', 'b'].map((value) => ({ value, label: value })) } },
      { scope: 'company', list: { views: ['kanban', 'list'], kanban: { column: 'place' } } },
    ),
  );
  const crate = (id: number, state: string) => ({ id, name: `Crate ${id}`, state, site_id: 1, created_by: 7 });
  const begin = () =>
    fakeServer({
      definitions: [...fixtureDefinitions(), crates],
      rows: { crates: [crate(1, 'packed'), crate(2, 'sent')] },
    });

  it('offers the moves that are allowed alone, and stores them as edits', async () => {
    const server = begin();
    const user = open('/crates?view=kanban');
    await user.click(await screen.findByLabelText('More actions for Crate 1'));
    await item('Move to sent');
    expect(screen.queryByText('Move to lost')).toBeNull();
    await user.click(await item('Move to sent'));
    await waitFor(() =>
      expect(server.calls.find(({ method }) => method === 'PUT')).toMatchObject({
        path: '/crates/1',
        body: { state: 'sent' },
      }),
    );
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keeps the question of one move while another one is refused, and asks what that one lacks afterwards', async () => {
    let refuse = (_: { status: number; body: unknown }) => {};
    const server = fakeServer({
      definitions: [...fixtureDefinitions(), crates],
      rows: { crates: [crate(1, 'packed'), crate(2, 'sent'), crate(3, 'packed')] },
      answers: {
        'PUT /crates/1': () => new Promise((resolve) => (refuse = resolve)),
      },
    });
    const user = open('/crates?view=kanban');
    await user.click(await screen.findByLabelText('More actions for Crate 1'));
    await user.click(await item('Move to sent'));
    await waitFor(() => expect(server.calls.some(({ path }) => path === '/crates/1')).toBe(true));
    const dialog = within(await moveTo(user, 'Crate 2', 'lost'));
    fireEvent.change(dialog.getByLabelText(/^Reason/), { target: { value: 'Storm' } });
    refuse({ status: 422, body: { message: 'Unprocessable', errors: { name: 'Name is too short.' } } });
    await waitFor(() => expect(server.calls.filter(({ path }) => path === '/crates/1')).toHaveLength(1));
    expect((dialog.getByLabelText(/^Reason/) as HTMLTextAreaElement).value).toBe('Storm');
    expect(screen.getAllByRole('dialog', { hidden: false })).toHaveLength(1);
    await user.click(dialog.getByText('Save'));
    const next = within((await screen.findByText('Move to sent?')).closest<HTMLElement>('[role=dialog]')!);
    expect(next.getByText('Crate 1')).toBeTruthy();
    expect(next.getByRole('alert').textContent).toContain('Name is too short.');
    await user.click(next.getByText('Cancel'));
    await waitFor(async () => expect(await cards('packed')).toEqual(['Crate 3', 'Crate 1']));
    const stored = server.calls.find(({ method, path }) => method === 'PUT' && path === '/crates/2');
    expect(stored).toMatchObject({ body: { reason: 'Storm' } });
  });

  it('sends two moves of one record in their order', async () => {
    const answers: (() => void)[] = [];
    const server = fakeServer({
      definitions: [...fixtureDefinitions(), pots],
      rows: { pots: [{ id: 1, name: 'Pot', place: 'a', site_id: 1, created_by: 7 }] },
      answers: {
        'PUT /pots/1': () =>
          new Promise((resolve) => answers.push(() => resolve({ status: 200, body: { data: { id: 1 } } }))),
      },
    });
    const user = open('/pots?view=kanban');
    const move = async (target: string) => {
      await user.click(await screen.findByLabelText('More actions for Pot'));
      await user.click(await item(`Move to ${target}`));
    };
    await move('b');
    await waitFor(() => expect(answers).toHaveLength(1));
    await move('None');
    expect(await cards('None')).toEqual(['Pot']);
    const sent = () => server.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
    expect(sent()).toEqual([{ place: 'b' }]);
    answers[0]!();
    await waitFor(() => expect(sent()).toEqual([{ place: 'b' }, { place: null }]));
    answers[1]!();
  });

  it('shows records without a value of the column’s field in a column of their own', async () => {
    fakeServer({
      definitions: [...fixtureDefinitions(), pots],
      rows: { pots: [{ id: 1, name: 'Pot', place: null, site_id: 1, created_by: 7 }] },
    });
    open('/pots?view=kanban');
    await waitFor(async () => expect(await cards('None')).toEqual(['Pot']));
    expect(await countOf('None')).toBe('1');
  });

  it('asks for what a move needs', async () => {
    const server = begin();
    const user = open('/crates?view=kanban');
    const dialog = within(await moveTo(user, 'Crate 2', 'lost'));
    await user.click(dialog.getByText('Save'));
    expect(dialog.getByRole('alert').textContent).toContain('Reason is required.');
    fireEvent.change(dialog.getByLabelText(/^Reason/), { target: { value: 'Storm' } });
    await user.click(dialog.getByText('Save'));
    await waitFor(() =>
      expect(server.calls.find(({ method }) => method === 'PUT')).toMatchObject({
        path: '/crates/2',
        body: { state: 'lost', reason: 'Storm' },
      }),
    );
  });

  it('adds new records only to the column that they begin in', async () => {
    begin();
    open('/crates?view=kanban');
    await screen.findByLabelText('Add crates to packed');
    expect(screen.queryByLabelText('Add crates to sent')).toBeNull();
  });
});

describe('a board that is put in order by hand', () => {
  const jars = normalise(
    sourceOf(
      'jars',
      {
        key: { type: 'sequence', format: 'J-{n}' },
        name: {},
        shelf: { type: 'select', options: ['a', 'b'].map((value) => ({ value, label: value })), initial: 'a' },
        place: { type: 'number', secret: true },
      },
      {
        scope: 'company',
        list: { views: ['kanban', 'list'], kanban: { column: 'shelf', order: 'place' }, bulkEdit: ['name'] },
      },
    ),
  );
  const jar = (id: number, name: string) => ({
    ...{ id, key: `J-${id}`, name, shelf: 'a', place: id, site_id: 1, created_by: 7 },
    updated_at: '2026-01-02T00:00:00.000Z',
  });
  const begin = () =>
    fakeServer({
      definitions: [...fixtureDefinitions(), jars],
      rows: { jars: [jar(1, 'Plums'), jar(2, 'Pears'), jar(3, 'Figs')] },
      answers: {
        'PUT /jars/1': ({ query }) => {
          server.rows.jars![0]!.place = query.after === '0' ? 0 : Number(query.after) + 0.5;
          return { status: 200, body: { updated_at: '2026-01-03T00:00:00.000Z' } };
        },
      },
    });
  let server: ReturnType<typeof fakeServer>;
  const focusOn = async (name: string) =>
    act(() => waitFor(() => document.querySelector<HTMLElement>(`.board-card[aria-label="${name}"]`)!.focus()));
  const press = (key: string, held: object = {}) => fireEvent.keyDown(document.activeElement!, { key, ...held });

  it('asks for its own order, and shows the key before the name', async () => {
    server = begin();
    open('/jars?view=kanban');
    await waitFor(async () => expect(await cards('a')).toEqual(['Plums', 'Pears', 'Figs']));
    expect(server.lastList('jars')!.sort).toEqual(['place', 'ASC']);
    const lists = server.calls.filter(({ path, query }) => path === '/jars' && query.sort?.includes('place'));
    expect(lists[0]!.query).toMatchObject({ sort_by: '-id' });
    expect(screen.getByText('J-1').nextElementSibling).toBeTruthy();
  });

  it('moves a card within its column by keys, says where it is, and takes it back', async () => {
    server = begin();
    const user = open('/jars?view=kanban');
    await waitFor(async () => expect(await cards('a')).toHaveLength(3));
    await focusOn('Plums');
    press('J', { shiftKey: true });
    expect(await cards('a')).toEqual(['Pears', 'Plums', 'Figs']);
    await screen.findByText('Plums is number 2 in a');
    const puts = () => server.calls.filter(({ method }) => method === 'PUT');
    expect(puts()[0]).toMatchObject({ path: '/jars/1', query: { after: '2', sort_by: '-id' }, body: {} });
    await user.click(screen.getByText('Undo'));
    await waitFor(() =>
      expect(puts()[1]).toMatchObject({ query: { after: '0' }, body: { updated_at: '2026-01-03T00:00:00.000Z' } }),
    );
    await screen.findByText('Plums is where it was again');
    await waitFor(async () => expect(await cards('a')).toEqual(['Plums', 'Pears', 'Figs']));
  });

  it('sends a move below a card once that card is where it was put', async () => {
    const steps: string[] = [];
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    server = fakeServer({
      definitions: [...fixtureDefinitions(), jars],
      rows: { jars: [jar(1, 'Plums'), jar(2, 'Pears'), jar(3, 'Figs')] },
      answers: {
        'PUT /jars/1': async () => {
          await gate;
          steps.push('first stored');
          server.rows.jars![0]!.place = 2.5;
          return { status: 200, body: {} };
        },
        'PUT /jars/2': ({ query }) => {
          steps.push(`second after ${query.after}`);
          server.rows.jars![1]!.place = 2.7;
          return { status: 200, body: {} };
        },
      },
    });
    open('/jars?view=kanban');
    await waitFor(async () => expect(await cards('a')).toHaveLength(3));
    await focusOn('Plums');
    press('J', { shiftKey: true });
    expect(await cards('a')).toEqual(['Pears', 'Plums', 'Figs']);
    await focusOn('Pears');
    press('J', { shiftKey: true });
    expect(await cards('a')).toEqual(['Plums', 'Pears', 'Figs']);
    release();
    await screen.findByText('Pears is number 2 in a');
    expect(steps).toEqual(['first stored', 'second after 1']);
  });

  it('does not move the first card up', async () => {
    server = begin();
    open('/jars?view=kanban');
    await waitFor(async () => expect(await cards('a')).toHaveLength(3));
    await focusOn('Plums');
    press('K', { shiftKey: true });
    expect(server.calls.some(({ method }) => method === 'PUT')).toBe(false);
  });

  it('puts a card that comes from another column first', async () => {
    server = begin();
    const user = open('/jars?view=kanban');
    await user.click(await screen.findByLabelText('More actions for Plums'));
    await user.click(await item('Move to b'));
    await waitFor(() =>
      expect(server.calls.find(({ method }) => method === 'PUT')).toMatchObject({
        query: { after: '0' },
        body: { shelf: 'b' },
      }),
    );
  });

  it('has its cards selected as rows are, by keys, boxes and clicks with Ctrl and Shift', async () => {
    server = begin();
    const user = open('/jars?view=kanban');
    await waitFor(async () => expect(await cards('a')).toHaveLength(3));
    const selectedNames = () =>
      [...document.querySelectorAll('.board-card[data-selected]')].map((card) => card.getAttribute('aria-label'));
    await focusOn('Plums');
    press('x');
    await waitFor(() => expect(selectedNames()).toEqual(['Plums']));
    await focusOn('Figs');
    press('X', { shiftKey: true });
    await waitFor(() => expect(selectedNames()).toEqual(['Plums', 'Pears', 'Figs']));
    expect((await screen.findByLabelText('Selection')).textContent).toContain('3 selected');
    await user.click(screen.getByLabelText('Select Pears'));
    await waitFor(() => expect(selectedNames()).toEqual(['Plums', 'Figs']));
    // The browser marks text at the press of the button unless it is prevented.
    const pears = screen.getByLabelText('Pears', { selector: '.board-card' });
    expect(fireEvent.mouseDown(pears, { shiftKey: true })).toBe(false);
    fireEvent.click(document.querySelector('.board-card[aria-label="Figs"]')!, { ctrlKey: true });
    await waitFor(() => expect(selectedNames()).toEqual(['Plums']));
    expect(window.location.pathname).toBe('/jars');
    await user.click(screen.getByLabelText('Clear selection'));
    await waitFor(() => expect(selectedNames()).toEqual([]));
  });
});

describe('pending moves', () => {
  const from = { id: 1, title: 'A' };
  const to = { id: 2, title: 'B' };
  const [one, two] = [{ id: 1 }, { id: 2 }];
  const move = { record: one, from, to, index: 0, inputs: [] };
  const kanban = { column: 'status_id' } as never;
  const loaded = (a: object[], b: object[]) =>
    new Map([
      [1, { records: a as never, total: a.length, error: null }],
      [2, { records: b as never, total: b.length, error: null }],
    ]);
  const shown = (a: object[], b: object[]) =>
    withMoves([from, to], loaded(a, b), [move], kanban).map(({ records, total }) => [
      records?.map(({ id }) => id),
      total,
    ]);

  it('are shown where they were dropped, before and after the lists refresh', () => {
    expect(shown([one], [two])).toEqual([
      [[], 0],
      [[1, 2], 2],
    ]);
    expect(shown([], [one, two])).toEqual([
      [[], 0],
      [[1, 2], 2],
    ]);
  });
});

describe('days', () => {
  it.each([
    ['2026-11-30', '30 Nov'],
    ['2027-01-02', '2 Jan 2027'],
  ])('%s is %s', (day, text) => expect(shortDay(day, '2026-11-21')).toBe(text));

  it.each([
    ['2026-11-20', '1 day late'],
    ['2026-11-18', '3 days late'],
    [null, 'Late'],
  ])('due %s: %s', (day, text) => expect(lateText(day, '2026-11-21')).toBe(text));
});
