// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Level } from '../../../src/engine/definitions/definition';
import { fakeServer, fixtureDefinitions, type FakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
// Loads lazy code in advance.
import '../../../src/app/list/kanban/Board';
import '../../../src/app/list/OtherView';
import '../../../src/app/list/inline/CellEditor';
import '../../../src/app/admin/RecordPalette';

const ada = { id: 7, name: 'Ada King' };
const grace = { id: 9, name: 'Grace Hopper' };
const dates = { start: 'starts_on', end: 'ends_on', person: 'operator_id', colour: 'urgency_id' };

/** One shot of Ada's, with days in March 2026 or without any. */
function begin(view: string, { level, days = true }: { level?: Level; days?: boolean } = {}) {
  const server = fakeServer({
    ...(level !== undefined && { level }),
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
              inlineEdit: ['operator_id', 'urgency_id'],
            },
          }
        : source,
    ),
    rows: {
      shots: [
        {
          ...{ id: 1, name: 'Refund', status_id: 1, shotstatus: { id: 1, option_name: 'Not Started' }, film_id: 3 },
          ...{ site_id: 1, created_by: 7, operator_id: ada.id, operator: ada, updated_at: '2026-01-02T00:00:00.000Z' },
          ...{ urgency_id: 1, urgency: { id: 1, option_name: 'Urgent' } },
          ...(days ? { starts_on: '2026-03-03', ends_on: '2026-03-12' } : { starts_on: null, ends_on: null }),
        },
      ],
    },
    answers: {
      'GET /shots/choices/status_id': { status: 200, body: { data: [{ id: 1, title: 'Not Started' }] } },
      'GET /shots/choices/operator_id': {
        status: 200,
        body: { data: [ada, grace].map(({ id, name }) => ({ id, title: name })) },
      },
    },
  });
  // As the real server, it answers with the person beside the id.
  server.options.answers!['PUT /shots/1'] = ({ body }) => {
    const { operator_id } = body as { operator_id: number };
    Object.assign(server.rows.shots![0]!, { operator_id, operator: operator_id === 9 ? grace : ada });
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

describe('whose a record is', () => {
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

  it.each(each)('is plain text on %s for who may not write it', async (_, { view, within: place, days }) => {
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

  it('is set by its key on a bar that has the focus', async () => {
    const { server, user } = begin('calendar');
    const bar = await waitFor(() => document.querySelector<HTMLElement>('[data-bar]') ?? expect.fail('no bar'));
    bar.focus();
    await user.keyboard('a');
    await user.click(await screen.findByRole('option', { name: /Grace Hopper/ }));
    await waitFor(() => expect(server.rows.shots![0]!.operator_id).toBe(9));
    await says('[data-bar]', 'Grace Hopper');
  });
});

it('a value of a card that is no field to edit opens its record', async () => {
  const { user } = begin('gallery');
  await user.click(await screen.findByText('Not Started', { selector: 'article *' }));
  await waitFor(() => expect(path()).not.toBe('/shots'));
});
