// @module-tag slow
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { fakeServer, type Call } from '../support/fakeServer';
import { onPhone, renderApp } from '../support/renderApp';
// Loads lazy code in advance.
import '../../../src/app/list/filters/QuickFilter';

// Filters that apply at once: by typing, by arrows, and from the chips of those that are set.

const urgencies: Source = { name: 'urgencies', labels: { one: 'Urgency', many: 'Urgencies' }, fields: { name: {} } };
const chores: Source = {
  name: 'chores',
  labels: { one: 'Chore', many: 'Chores' },
  fields: {
    name: { required: true },
    urgency_id: { type: 'relation', to: 'urgencies', embed: 'urgency', label: 'Urgency' },
    room: { type: 'select', options: ['Kitchen', 'Cellar'].map((value) => ({ value, label: value })), label: 'Room' },
    is_done: { type: 'boolean', label: 'Done' },
    due_on: { type: 'date', label: 'Due' },
  },
  list: {
    columns: ['name', 'urgency_id'],
    filters: { urgency_id: {}, room: {}, is_done: {}, due_on: { range: true } },
  },
};

const optionTexts = () => [...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent);
const search = () => Object.fromEntries(new URLSearchParams(window.location.search));

/** Chores, of which two are urgent and one is not; counts come as the server counts them. */
async function openChores(query = '') {
  const server = fakeServer({
    definitions: [normalise(urgencies), normalise(chores)],
    rows: {
      urgencies: [
        { id: 1, name: 'Urgent' },
        { id: 2, name: 'High' },
        { id: 3, name: 'Low' },
      ],
      chores: [
        { id: 1, name: 'Sweep', urgency_id: 1, urgency: { id: 1, name: 'Urgent' } },
        { id: 2, name: 'Sweep', urgency_id: 3, urgency: { id: 3, name: 'Low' }, room: 'Cellar' },
      ],
    },
    answers: {
      'GET /chores/aggregate': ({ query: { group } }: Call) => ({
        status: 200,
        body: {
          data:
            group === 'urgency_id'
              ? [
                  { group: { urgency_id: 1 }, titles: { urgency_id: 'Urgent' }, count: 1204 },
                  { group: { urgency_id: 3 }, titles: { urgency_id: 'Low' }, count: 1 },
                ]
              : [],
        },
      }),
    },
  });
  const user = renderApp(`/chores${query}`);
  await screen.findAllByText('Sweep');
  const counted = () => server.calls.filter(({ path }) => path === '/chores/aggregate').map((call) => call.query);
  return { server, user, counted };
}

describe('the quick filter', () => {
  it.each([
    ['a relation, by Enter', [['urg', 'Urgency'], ['{Enter}', 'Urgent'], ['{Enter}']], { urgency_id: '1' }],
    ['several values', [['urg', 'Urgency'], ['{Enter}', 'Urgent'], ['{Enter}{ArrowDown} ']], { urgency_id: '1,2' }],
    ['no value that is checked twice', [['urg', 'Urgency'], ['{Enter}', 'Urgent'], ['{Enter}{Enter}']], {}],
    [
      'a value after going back',
      [['urg{Enter}{Backspace}roo', 'Room'], ['{Enter}', 'Kitchen'], [' ']],
      { room: 'Kitchen' },
    ],
    ['an option by its own name', [['cell', 'Room: Cellar'], ['{Enter}']], { room: 'Cellar' }],
    ['yes', [['don', 'Done'], ['{Enter}', 'Yes'], ['{Enter}']], { is_done: 'true' }],
    ['no', [['don', 'Done'], ['{Enter}', 'Yes'], ['{ArrowDown} ']], { is_done: 'false' }],
  ] as const)('sets %s by keys alone', async (_, steps, filters) => {
    const { user } = await openChores();
    await user.keyboard('f');
    await screen.findByText('Urgency', { selector: '[role=option] *' });
    for (const [keys, option] of steps) {
      await user.keyboard(keys);
      if (option) await waitFor(() => expect(optionTexts()[0]).toMatch(option));
    }
    await waitFor(() => expect(search()).toEqual(filters));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.querySelector('[role=dialog]')).toBeNull());
  });

  it('counts the values of one filter with one call, within all the others', async () => {
    const { user, counted } = await openChores('?urgency_id=3&room=Cellar');
    await user.keyboard('f');
    await user.keyboard('urg{Enter}');
    await waitFor(() => expect(optionTexts()).toEqual(['Urgent1,204', 'High0', 'Low1']));
    expect(document.querySelector('[role=option][aria-selected=true]')?.textContent).toBe('Low1');
    expect(counted()).toEqual([{ group: 'urgency_id', filter: '{"room":"Cellar"}' }]);
  });

  it('chooses days by their names, and others by typing them', async () => {
    const { user } = await openChores();
    await user.keyboard('f');
    await user.keyboard('due{Enter}');
    const dialog = within((await screen.findByText('Apply')).closest<HTMLElement>('[role=dialog]')!);
    await user.click(await screen.findByText('Before today'));
    await waitFor(() => expect(search()).toEqual({ due_on_to: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }));
    await user.type(dialog.getByLabelText('Due from'), '3-Dec-2020');
    await user.click(dialog.getByText('Apply'));
    await waitFor(() =>
      expect(search()).toEqual({ due_on_from: '2020-12-03', due_on_to: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }),
    );
  });

  it('has the focus in the text of a filter, which opens from a cell of its column', async () => {
    const { user } = await openChores();
    await user.keyboard('f');
    await user.keyboard('name{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name')));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    act(() => document.querySelector<HTMLElement>('[role=gridcell][data-field=name]')!.focus());
    await user.keyboard('f');
    await screen.findByRole('dialog', { name: 'Filter Name' });
  });

  it('waits by Enter for what the server finds, and checks that', async () => {
    const { user } = await openChores();
    await user.keyboard('f');
    await user.keyboard('urg{Enter}');
    await waitFor(() => expect(optionTexts()).toHaveLength(3));
    await user.keyboard('gent{Enter}');
    await waitFor(() => expect(search()).toEqual({ urgency_id: '1' }));
  });

  it('has no button on phones', async () => {
    onPhone();
    await openChores();
    expect(screen.queryByLabelText('Quick filter')).toBeNull();
  });
});

describe('a chip', () => {
  it('opens its values, and has the focus afterwards', async () => {
    const { user } = await openChores('?urgency_id=1');
    await screen.findByText('Urgent', { selector: '.filter-chip b' });
    const chip = document.querySelector('.filter-chip > button')!;
    await user.click(chip);
    await user.click(await screen.findByText('High', { selector: '[role=option] *' }));
    expect(document.querySelector('[role=dialog]')?.getAttribute('aria-label')).toBe('Filter Urgency');
    await waitFor(() => expect(search()).toEqual({ urgency_id: '1,2' }));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(chip));
    expect(chip.textContent).toBe('Urgency: Urgent, High');
  });

  it('leaves the focus to the filters when its last value is given up', async () => {
    const { user } = await openChores('?urgency_id=1');
    await user.click(await screen.findByText('Urgent', { selector: '.filter-chip b' }));
    await user.click(await screen.findByText('Urgent', { selector: '[role=option] *' }));
    await waitFor(() => expect(search()).toEqual({}));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Filters')));
  });
});

test('the dialog shows several values that the quick filter has set', async () => {
  const { user } = await openChores('?urgency_id=1,2');
  await user.click(screen.getByLabelText('Filters, 1 applied'));
  const dialog = within((await screen.findByText('Apply')).closest<HTMLElement>('[role=dialog]')!);
  expect(await dialog.findByText('Urgent', { selector: '.MuiChip-label' })).toBeTruthy();
  expect(dialog.getByText('High', { selector: '.MuiChip-label' })).toBeTruthy();
});
