// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type userEvent from '@testing-library/user-event';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
// Loads lazy code in advance.
import '../../../src/app/list/bulk/BulkDialog';
import '../../../src/app/list/bulk/SelectionBar';

// What the bar above the footer offers for the selected rows, beside editing and deleting them.

beforeEach(() => {
  URL.createObjectURL = () => 'blob:file';
  URL.revokeObjectURL = () => undefined;
});

type User = ReturnType<typeof userEvent.setup>;

const screening = (id: number) => ({
  id,
  name: `Screening ${id}`,
  film_id: 4,
  film: { id: 4, name: 'Alder' },
  status_id: 1,
  site_id: 1,
  created_by: 7,
  updated_at: '2026-11-20T10:00:00.000Z',
});
const serve = (options: Parameters<typeof fakeServer>[0] = {}) =>
  fakeServer({
    rows: { screenings: [screening(1), screening(2), screening(3)], films: [{ id: 4, name: 'Alder' }] },
    ...options,
  });

async function select(user: User, ...ids: number[]) {
  for (const id of ids) {
    const row = (await screen.findByText(`Screening ${id}`)).closest('.MuiDataGrid-row')!;
    await user.click(row.querySelector('input[type=checkbox]')!);
  }
  return within(await screen.findByRole('region', { name: 'Selection' }));
}

it('the selection bar asks for the state alone, by its button or s, with the focus on its value', async () => {
  const server = serve({
    answers: { 'GET /screenings/choices/status_id': { status: 200, body: { data: [{ id: 2, title: 'Held' }] } } },
  });
  const user = renderApp('/screenings?tab=all');
  const bar = await select(user, 1, 3);
  expect(bar.getByRole('button', { name: 'Set status' })).toBeTruthy();
  await user.keyboard('s');
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit 2 screenings' }));
  expect(dialog.getByRole('combobox', { name: 'Field' }).textContent).toBe('Status');
  const value = dialog.getByRole('combobox', { name: 'New value' });
  await waitFor(() => expect(document.activeElement).toBe(value));
  await user.click(value);
  await user.click(await screen.findByRole('option', { name: /Held/ }));
  await user.click(dialog.getByText('Save'));
  await waitFor(() => expect(server.rows.screenings!.map(({ status_id }) => status_id)).toEqual([2, 1, 2]));
});

it('the selection bar offers the people that all selected records allow, and names the excluded ones', async () => {
  const people: Record<string, object[]> = {
    4: [
      { id: 8, title: 'Ada King' },
      { id: 9, title: 'Grace Hopper' },
    ],
    5: [
      { id: 9, title: 'Grace Hopper' },
      { id: 10, title: 'Alan Turing' },
    ],
  };
  const server = serve({
    definitions: fixtureDefinitions((source) =>
      source.name === 'screenings'
        ? { ...source, list: { ...source.list, bulkEdit: ['operator_id', 'status_id'] } as typeof source.list }
        : source,
    ),
    rows: {
      screenings: [screening(1), { ...screening(2), film_id: 5, film: { id: 5, name: 'Birch' } }, screening(3)],
      films: [],
    },
    answers: {
      'GET /screenings/choices/operator_id': ({ query }) => ({
        status: 200,
        body: { data: people[query.film_id ?? ''] ?? [] },
      }),
    },
  });
  const user = renderApp('/screenings?tab=all');
  const bar = await select(user, 1, 2);
  await user.click(bar.getByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit 2 screenings' }));
  const value = dialog.getByRole('combobox', { name: 'New value' });
  expect(
    await dialog.findByText('Not offered, as not possible for all of the selected: Ada King, Alan Turing.'),
  ).toBeTruthy();
  await user.click(value);
  await waitFor(() =>
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Grace Hopper'),
    ]),
  );
  await user.click(screen.getByRole('option'));
  await user.click(dialog.getByText('Save'));
  await waitFor(() => expect(server.rows.screenings!.map(({ operator_id }) => operator_id)).toEqual([9, 9, undefined]));
});

it('the selection bar offers choices that all selected records allow, and names records without the parent', async () => {
  serve({
    definitions: fixtureDefinitions((source) =>
      source.name === 'screenings'
        ? { ...source, list: { ...source.list, bulkEdit: ['subscene'] } as typeof source.list }
        : source,
    ),
    rows: { screenings: [{ ...screening(1), scene: 6 }, screening(2)], films: [] },
  });
  const user = renderApp('/screenings?tab=all');
  const bar = await select(user, 1, 2);
  await user.click(bar.getByRole('button', { name: 'Set sub scene' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit 2 screenings' }));
  const value = await dialog.findByPlaceholderText('1 of the selected has no scene');
  expect((value as HTMLInputElement).disabled).toBe(true);
});

it('the selection bar copies each record as its form would, says so, and takes the copies back', async () => {
  const server = serve();
  const user = renderApp('/screenings?tab=all');
  const bar = await select(user, 1, 2);
  await user.click(bar.getByRole('button', { name: 'Copy' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Copy 2 screenings?' }));
  await user.click(question.getByText('Copy'));
  const undo = await screen.findByRole('button', { name: 'Undo' });
  const posts = server.calls.filter(({ method, path }) => method === 'POST' && path === '/screenings');
  expect(posts.map(({ body }) => body)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'Screening 1 - Copy' }),
      expect.objectContaining({ name: 'Screening 2 - Copy' }),
    ]),
  );
  for (const { body } of posts) for (const own of ['id', 'updated_at', 'film']) expect(body).not.toHaveProperty(own);
  expect(server.rows.screenings).toHaveLength(5);
  await user.click(undo);
  await waitFor(() => expect(server.rows.screenings).toHaveLength(3));
  expect(server.rows.screenings!.map(({ name }) => name)).toEqual(['Screening 1', 'Screening 2', 'Screening 3']);
});

it('a record that cannot be copied is named with the reason', async () => {
  serve({
    answers: { 'POST /screenings': { status: 422, body: { message: 'Invalid.', errors: { name: 'Taken.' } } } },
  });
  const user = renderApp('/screenings?tab=all');
  const bar = await select(user, 1);
  await user.click(bar.getByRole('button', { name: 'Copy' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByText('Copy'));
  const result = within(await screen.findByRole('dialog', { name: '0 of 1 screening copied' }));
  expect(result.getByRole('listitem').textContent).toBe('Screening 1Taken.');
});

it('the selection bar downloads the selected records alone, within the filters of the list', async () => {
  const server = serve();
  const user = renderApp('/screenings?tab=all&q=Screening');
  const bar = await select(user, 1, 3);
  await user.click(bar.getByRole('button', { name: 'Download' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Download CSV' }));
  await waitFor(() => {
    const sent = server.calls.find(({ query }) => query.format === 'csv');
    const { q, id } = JSON.parse(sent?.query.filter ?? '{}') as { q?: string; id?: number[] };
    expect([q, id?.toSorted()]).toEqual(['Screening', [1, 3]]);
  });
});
