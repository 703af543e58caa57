// @module-tag slow
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Action, Level, ResourceRecord } from '../../../src/engine/definitions/definition';
import { switchSingleKeys } from '../../../src/app/commands/commands';
import { fakeServer, fixtureDefinitions, type FakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
// Loads lazy code in advance.
import '../../../src/app/list/kanban/Board';
import '../../../src/app/list/OtherView';
import '../../../src/app/list/inline/CellEditor';
import '../../../src/app/record/RecordPalette';

const ada = { id: 7, name: 'Ada King' };
const grace = { id: 9, name: 'Grace Hopper' };
const notStarted = { id: 1, option_name: 'Not Started' };
const done = { id: 3, option_name: 'Completed' };
const dates = { start: 'starts_on', end: 'ends_on', person: 'operator_id', colour: 'urgency_id' };

interface Begun {
  level?: Level;
  days?: boolean;
  /** Of shots, and of nothing else. */
  permissions?: readonly Action[];
}

/** One shot of Ada's, with days in March 2026 or without any. */
function begin(view: string, { level, days = true, permissions }: Begun = {}) {
  const server = fakeServer({
    ...(level !== undefined && { level }),
    ...(permissions && { permissions: { shots: permissions } }),
    definitions: fixtureDefinitions((source) =>
      source.name === 'shots'
        ? {
            ...source,
            list: {
              ...source.list,
              views: ['list', 'cards', 'kanban', 'calendar', 'timeline', 'gallery'],
              calendar: dates,
              timeline: dates,
              gallery: { fields: ['status_id', 'operator_id'] },
              inlineEdit: ['operator_id', 'urgency_id', 'status_id'],
            },
          }
        : source,
    ),
    rows: {
      shots: [
        {
          ...{ id: 1, name: 'Refund', status_id: 1, shotstatus: notStarted, film_id: 3 },
          ...{ site_id: 1, created_by: 7, operator_id: ada.id, operator: ada, updated_at: '2026-01-02T00:00:00.000Z' },
          ...{ urgency_id: 1, urgency: { id: 1, option_name: 'Urgent' } },
          ...(days ? { starts_on: '2026-03-03', ends_on: '2026-03-12' } : { starts_on: null, ends_on: null }),
        },
      ],
    },
    answers: {
      'GET /shots/choices/status_id': {
        status: 200,
        body: { data: [notStarted, done].map(({ id, option_name }) => ({ id, title: option_name })) },
      },
      'GET /shots/choices/operator_id': {
        status: 200,
        body: { data: [ada, grace].map(({ id, name }) => ({ id, title: name })) },
      },
    },
  });
  // As the real server, it answers with the person beside the id.
  server.options.answers!['PUT /shots/1'] = ({ body }) => {
    const sent = body as ResourceRecord;
    const operator = sent.operator_id === grace.id ? grace : ada;
    const shotstatus = sent.status_id === done.id ? done : notStarted;
    Object.assign(server.rows.shots![0]!, {
      ...sent,
      ...('operator_id' in sent && { operator }),
      ...('status_id' in sent && { shotstatus }),
    });
    return { status: 200, body: { data: server.rows.shots![0]! } };
  };
  return { server, user: renderApp(`/shots?view=${view}&shown=2026-03-02`) };
}

/** Where a view shows whose a record is. */
const places: Readonly<Record<string, { view: string; within: string; days?: boolean }>> = {
  'a card of a list': { view: 'cards', within: '[data-card]' },
  'a card of a board': { view: 'kanban', within: '[data-card]' },
  'a card of a gallery': { view: 'gallery', within: '[data-card]' },
  'a bar of a calendar': { view: 'calendar', within: '[data-bar]' },
  'a bar of a timeline': { view: 'timeline', within: '[data-bar]' },
  'a record without dates': { view: 'calendar', within: '[data-undated]', days: false },
};
const each = Object.entries(places);

const valueIn = (place: string, field = 'operator_id') =>
  waitFor(() => {
    const found = document.querySelector<HTMLElement>(`${place} [data-field=${field}]`);
    return found ?? expect.fail(`no value of ${field} in ${place}`);
  });
const says = (place: string, who: string) =>
  waitFor(() => expect(document.querySelector(place)!.textContent).toContain(who));
const puts = ({ calls }: FakeServer) => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
const path = () => window.location.pathname;

describe('the assignee on a card', () => {
  it.each(each)('is changed in place on %s, and taken back', async (_, { view, within: place, days }) => {
    const { server, user } = begin(view, { days });
    await user.click(await valueIn(place));
    const editor = within(await screen.findByRole('dialog', { name: /of Refund$/ }));
    await user.click(await editor.findByRole('option', { name: /Grace Hopper/ }));
    await says(place, 'Grace Hopper');
    await waitFor(() => expect(server.rows.shots![0]!.operator_id).toBe(9));
    expect(await screen.findByText(/of Refund set to Grace Hopper$/)).toBeTruthy();
    await user.click(screen.getByText('Undo', { selector: 'button' }));
    await waitFor(() => expect(server.rows.shots![0]!.operator_id).toBe(7));
    await says(place, 'Ada King');
    expect(puts(server)).toEqual([{ operator_id: 9 }, { operator_id: 7, updated_at: '2026-01-02T00:00:00.000Z' }]);
    expect(path()).toBe('/shots');
  });

  it.each(each)('stays on %s when the server refuses, which says why', async (_, { view, within: place, days }) => {
    const { server, user } = begin(view, { days });
    server.options.answers!['PUT /shots/1'] = {
      status: 422,
      body: { code: 'VALIDATION_FAILED', message: 'Refused.', errors: { operator_id: 'She is away.' } },
    };
    await user.click(await valueIn(place));
    const editor = within(await screen.findByRole('dialog', { name: /of Refund$/ }));
    await user.click(await editor.findByRole('option', { name: /Grace Hopper/ }));
    expect(await screen.findByText(/of Refund was not changed: She is away\./)).toBeTruthy();
    await says(place, 'Ada King');
  });

  it.each(each)('is plain text on %s for a user who may not write it', async (_, { view, within: place, days }) => {
    begin(view, { level: 6, days });
    await waitFor(() => expect(document.querySelector(place)?.textContent).toContain('Ada King'));
    expect(document.querySelector(`${place} [data-field=operator_id]`)).toBeNull();
  });

  it.each(each)('stays on %s when its choices are closed by Escape', async (_, { view, within: place, days }) => {
    const { server, user } = begin(view, { days });
    const value = await valueIn(place);
    await user.click(value);
    await screen.findByRole('option', { name: /Grace Hopper/ });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(value);
    expect([path(), puts(server)]).toEqual(['/shots', []]);
  });
});

it('a value of a card that may not be edited opens its record', async () => {
  const { user } = begin('gallery', { level: 6 });
  await user.click(await screen.findByText('Not Started', { selector: 'article *' }));
  await waitFor(() => expect(path()).not.toBe('/shots'));
});

/** Where a record has the focus, by view; a card of a board that cannot be moved has it on its title. */
const focusable: Readonly<Record<string, string>> = {
  calendar: '[data-bar]',
  timeline: '[data-bar]',
  kanban: '[data-card] h3 a',
  gallery: '[data-card] a',
};
async function focusIn(view: string): Promise<HTMLElement> {
  const found = await waitFor(
    () => document.querySelector<HTMLElement>(focusable[view]!) ?? expect.fail(`nothing in focus of ${view}`),
  );
  act(() => found.focus());
  return found;
}
const isNothingOpen = () => {
  expect(document.querySelector('[role=dialog], [role=alertdialog], [role=menu]')).toBeNull();
  expect(path()).toBe('/shots');
};

describe.each(['calendar', 'timeline'])('the keys of a bar of a %s', (view) => {
  it('set the assignee and the state, and open its form', async () => {
    const { server, user } = begin(view);
    await focusIn(view);
    await user.keyboard('a');
    await user.click(await screen.findByRole('option', { name: /Grace Hopper/ }));
    await waitFor(() => expect(server.rows.shots![0]!.operator_id).toBe(grace.id));
    await says('[data-bar]', 'Grace Hopper');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await focusIn(view);
    await user.keyboard('s');
    await user.click(await screen.findByRole('option', { name: /Completed/ }));
    await waitFor(() => expect(server.rows.shots![0]!.status_id).toBe(done.id));
    expect(await screen.findByText('Status of Refund set to Completed')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(screen.getByText('Undo', { selector: 'button' }));
    await waitFor(() => expect(server.rows.shots![0]!.status_id).toBe(notStarted.id));
    await focusIn(view);
    await user.keyboard('e');
    await waitFor(() => expect(path()).toBe('/shots/1'));
  });

  it('do nothing where text is typed, without a bar in focus, and when they are switched off', async () => {
    const { server, user } = begin(view);
    await focusIn(view);
    const search = screen.getByRole<HTMLInputElement>('searchbox');
    await user.click(search);
    await user.keyboard('ase');
    expect(search.value).toBe('ase');
    isNothingOpen();
    await user.clear(search);
    await focusIn(view);
    act(() => (document.activeElement as HTMLElement).blur());
    await user.keyboard('ase');
    isNothingOpen();
    switchSingleKeys(false);
    await focusIn(view);
    await user.keyboard('ase');
    isNothingOpen();
    switchSingleKeys(true);
    await user.keyboard('a');
    expect(await screen.findByRole('option', { name: /Grace Hopper/ })).toBeTruthy();
    expect(puts(server)).toEqual([]);
  });
});

describe.each(Object.keys(focusable))('the keys of a record that may not be changed say why: %s', (view) => {
  it('of a field', async () => {
    const { server, user } = begin(view, { level: 6 });
    await focusIn(view);
    const [key, label] = view === 'timeline' ? ['s', 'Status'] : ['a', 'Operator'];
    await user.keyboard(key);
    expect(await screen.findByText(`You may not change ${label} of Refund.`)).toBeTruthy();
    isNothingOpen();
    expect(puts(server)).toEqual([]);
  });

  it('of the whole record', async () => {
    const { server, user } = begin(view, { level: 4, permissions: ['list', 'view'] });
    await focusIn(view);
    for (const key of ['a', 'e']) {
      await user.keyboard(key);
      expect(
        await screen.findByText('Refund was not changed. You may read this record but not change it.'),
        key,
      ).toBeTruthy();
      isNothingOpen();
    }
    expect(puts(server)).toEqual([]);
  });
});

it('a key that only says why it does nothing is neither in the list of shortcuts nor in the palette', async () => {
  const { user } = begin('calendar', { level: 4, permissions: ['list', 'view'] });
  await focusIn('calendar');
  await user.keyboard('?');
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  const listed = dialog.getAllByRole('definition').map(({ textContent }) => textContent);
  expect(listed).toContain('t');
  expect(listed).not.toContain('a');
  expect(listed).not.toContain('e');
});
