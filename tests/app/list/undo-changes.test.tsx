// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import { sourceOf } from '../../support/definitions';
import { fakeServer, fixtureDefinitions, type FakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
// Loads lazy code in advance.
import '../../../src/app/list/kanban/Board';
import '../../../src/app/list/inline/CellEditor';
import '../../../src/app/list/bulk/BulkDialog';
import '../../../src/app/record/RecordPalette';

type User = ReturnType<typeof userEvent.setup>;

/** Both ways to take a change back. */
const ways: Readonly<Record<string, (user: User) => Promise<void>>> = {
  'the button': async (user) => user.click(await screen.findByText('Undo', { selector: 'button' })),
  'Ctrl+Z': async (user) => {
    await screen.findByText('Undo', { selector: 'button' });
    await user.keyboard('{Control>}z{/Control}');
  },
};
const eachWay = Object.entries(ways);

const puts = ({ calls }: FakeServer) =>
  calls.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path, body]);
const version = '2026-01-01T00:00:00.000Z';

describe('a board move', () => {
  const crates = normalise(
    sourceOf(
      'crates',
      {
        name: {},
        state: {
          type: 'select',
          options: ['packed', 'sent', 'lost'].map((value) => ({ value, label: value })),
          initial: 'packed',
          transitions: [
            { from: 'packed', to: 'sent' },
            { from: 'sent', to: ['packed', 'lost'] },
          ],
        },
      },
      { scope: 'company', list: { views: ['kanban', 'list'], kanban: { column: 'state' } } },
    ),
  );
  const column = (name: string) => screen.findByLabelText(name, { selector: 'section' });
  const cardsOf = async (name: string) =>
    [...(await column(name)).querySelectorAll('.board-card[aria-label]')].map((card) =>
      card.getAttribute('aria-label'),
    );
  const begin = (state: string) => {
    const server = fakeServer({
      definitions: [...fixtureDefinitions(), crates],
      rows: { crates: [{ id: 1, name: 'Crate 1', state, site_id: 1, created_by: 7, updated_at: version }] },
    });
    return { server, user: renderApp('/crates?view=kanban') };
  };
  const move = async (user: User, to: string) => {
    await user.click(await screen.findByLabelText('More actions for Crate 1'));
    await user.click(await screen.findByText(`Move to ${to}`, { selector: '[role=menuitem]' }));
  };

  it.each(eachWay)('is taken back by %s, once, and not over a later change', async (_, takeBack) => {
    const { server, user } = begin('packed');
    await move(user, 'sent');
    await takeBack(user);
    expect(await screen.findByText('Crate 1 is in packed again')).toBeTruthy();
    await waitFor(async () => expect(await cardsOf('packed')).toEqual(['Crate 1']));
    await user.keyboard('{Control>}z{/Control}');
    expect(puts(server)).toEqual([
      ['/crates/1', { state: 'sent' }],
      ['/crates/1', { state: 'packed', updated_at: version }],
    ]);
  });

  it('that does not lead back offers no Undo', async () => {
    const { server, user } = begin('sent');
    await move(user, 'lost');
    expect(await screen.findByText('Updated Successfully')).toBeTruthy();
    await waitFor(async () => expect(await cardsOf('lost')).toEqual(['Crate 1']));
    expect(screen.queryByText('Undo', { selector: 'button' })).toBeNull();
    await user.keyboard('{Control>}z{/Control}');
    expect(puts(server)).toEqual([['/crates/1', { state: 'lost' }]]);
  });

  it('whose comment is asked for before it is sent is final, as its request is', async () => {
    const shot = { id: 1, name: 'Charge once', status_id: 1, shotstatus: { id: 1, option_name: 'Not Started' } };
    const choices = [
      { id: 1, title: 'Not Started' },
      { id: 3, title: 'Completed' },
    ];
    const server = fakeServer({
      rows: { shots: [{ ...shot, site_id: 1, created_by: 7, film_id: 3, updated_at: version }] },
      answers: {
        'GET /shots/choices/status_id': { status: 200, body: { data: choices } },
        'PATCH /shot/1': { status: 200, body: { data: { updated_at: version } } },
      },
    });
    const user = renderApp('/shots?view=kanban');
    await user.click(await screen.findByLabelText('More actions for Charge once'));
    await user.click(await screen.findByText('Move to Completed', { selector: '[role=menuitem]' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Move to Completed?' }));
    await user.type(dialog.getByLabelText(/^Comments/), 'Done');
    await user.click(dialog.getByText('Save'));
    expect(await screen.findByText('Saved Successfully')).toBeTruthy();
    expect(screen.queryByText('Undo', { selector: 'button' })).toBeNull();
    await user.keyboard('{Control>}z{/Control}');
    expect(server.calls.filter(({ method }) => method === 'PUT' || method === 'PATCH')).toHaveLength(1);
  });
});

describe('an assignment', () => {
  const ada = { id: 7, name: 'Ada King' };
  const grace = { id: 9, name: 'Grace Hopper' };
  const begin = (path: string) => {
    const shot = (id: number, name: string) => ({
      ...{ id, name, status_id: 1, shotstatus: { id: 1, option_name: 'Not Started' }, film_id: 3, site_id: 1 },
      ...{ created_by: 7, operator_id: ada.id, operator: ada, updated_at: `2026-01-0${id}T00:00:00.000Z` },
    });
    const server = fakeServer({
      definitions: fixtureDefinitions((source) =>
        source.name === 'shots'
          ? { ...source, list: { ...source.list, bulkEdit: ['operator_id'], inlineEdit: ['operator_id'] } }
          : source,
      ),
      rows: { shots: [shot(1, 'Charge once'), shot(2, 'Refund')] },
      answers: {
        'GET /shots/choices/status_id': { status: 200, body: { data: [{ id: 1, title: 'Not Started' }] } },
        'GET /shots/choices/operator_id': {
          status: 200,
          body: { data: [ada, grace].map(({ id, name }) => ({ id, title: name })) },
        },
      },
    });
    return { server, user: renderApp(path) };
  };
  const isStored = (server: FakeServer, ...ids: number[]) =>
    waitFor(() => expect(server.rows.shots!.map(({ operator_id }) => operator_id)).toEqual(ids));
  /** Refund is listed first. */
  const takenBack = [
    ['/shots/2', { operator_id: 9 }],
    ['/shots/2', { operator_id: 7, updated_at: '2026-01-02T00:00:00.000Z' }],
  ];

  it.each(eachWay)('by its key in a list is taken back by %s', async (_, takeBack) => {
    const { server, user } = begin('/shots?view=list&sort=-name');
    await screen.findByText('Refund', { selector: '.MuiDataGrid-row *' });
    await user.keyboard('ja');
    const editor = within(await screen.findByRole('dialog', { name: /of Refund$/ }));
    await user.click(await editor.findByRole('option', { name: /Grace Hopper/ }));
    await isStored(server, 7, 9);
    await takeBack(user);
    await isStored(server, 7, 7);
    expect(puts(server)).toEqual(takenBack);
    await user.keyboard('{Control>}z{/Control}');
    expect(puts(server)).toHaveLength(2);
  });

  it.each(eachWay)('in the palette of a card is taken back by %s', async (_, takeBack) => {
    const { server, user } = begin('/shots?view=kanban');
    const title = await screen.findByText('Refund', { selector: '[data-card] h3 a' });
    title.focus();
    await user.keyboard('a');
    await user.click(await screen.findByRole('option', { name: /Grace Hopper/ }));
    await isStored(server, 7, 9);
    await takeBack(user);
    await isStored(server, 7, 7);
    expect(puts(server)).toEqual(takenBack);
  });

  it.each(eachWay)('of selected records is taken back by %s, each to whom it had', async (_, takeBack) => {
    const { server, user } = begin('/shots?view=list');
    server.rows.shots![0]!.operator_id = null;
    server.rows.shots![0]!.operator = null;
    for (const name of ['Charge once', 'Refund']) {
      const row = (await screen.findByText(name, { selector: '.MuiDataGrid-row *' })).closest('.MuiDataGrid-row')!;
      await user.click(row.querySelector('input[type=checkbox]')!);
    }
    await user.click(within(await screen.findByRole('region', { name: 'Selection' })).getByText('Assign'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit 2 shots' }));
    await user.click(dialog.getByRole('combobox'));
    await user.click(await screen.findByRole('option', { name: /Grace Hopper/ }));
    await user.click(dialog.getByText('Save'));
    await isStored(server, 9, 9);
    await takeBack(user);
    expect(await screen.findByText('2 changed back')).toBeTruthy();
    expect(server.rows.shots!.map(({ operator_id }) => operator_id)).toEqual([null, 7]);
  });
});

describe('related records of several at once', () => {
  it.each(eachWay)('are taken back by %s: each record has those that it had', async (_, takeBack) => {
    const [ada, grace] = [
      { id: 7, name: 'Ada King' },
      { id: 9, name: 'Grace Hopper' },
    ];
    const film = (id: number, user_ids: readonly number[]) => ({
      ...{ id, name: `Film ${id}`, user_ids, stage_id: 1, stage: { id: 1, option_name: 'Started' } },
      ...{ archive: false, site_id: 1, updated_at: `2026-01-0${id}T00:00:00.000Z` },
    });
    const server = fakeServer({
      definitions: fixtureDefinitions((source) =>
        source.name === 'films' ? { ...source, list: { ...source.list, bulkEdit: ['user_ids'] } } : source,
      ),
      rows: { films: [film(1, []), film(2, [7, 9])] },
      answers: {
        'GET /films/choices/user_ids': {
          status: 200,
          body: { data: [ada, grace].map(({ id, name }) => ({ id, title: name })) },
        },
      },
    });
    const user = renderApp('/films');
    for (const name of ['Film 1', 'Film 2']) {
      const row = (await screen.findByText(name, { selector: '.MuiDataGrid-row *' })).closest('.MuiDataGrid-row')!;
      await user.click(row.querySelector('input[type=checkbox]')!);
    }
    await user.click(within(await screen.findByRole('region', { name: 'Selection' })).getByText('Assign'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit 2 films' }));
    await user.click(dialog.getByRole('combobox'));
    await user.click(await screen.findByRole('option', { name: /Grace Hopper/ }));
    await user.click(dialog.getByText('Save'));
    await waitFor(() => expect(server.rows.films!.map((one) => one.user_ids)).toEqual([[9], [9]]));
    await takeBack(user);
    expect(await screen.findByText('2 changed back')).toBeTruthy();
    expect(server.rows.films!.map((one) => one.user_ids)).toEqual([[], [7, 9]]);
    const sent = puts(server).map(([, body]) => body as { updated_at?: string });
    expect(
      sent
        .slice(2)
        .map(({ updated_at }) => updated_at)
        .toSorted(),
    ).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']);
  });
});
