// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { fakeServer, fixtureDefinitions, type FakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

type User = ReturnType<typeof userEvent.setup>;

const names = ['Northwind', 'Alder', 'Old Mill'];
const studios = () =>
  names.map((name, index) => ({ id: index + 1, name, code: `C${index}`, films: [], site_id: 1, territory_id: 1 }));
/** The fixture's definitions, with studios that are deleted and not archived. */
const withStudios = (changes: Partial<Source> = {}) =>
  fixtureDefinitions((source) => (source.name === 'studios' ? { ...source, archive: false, ...changes } : source));
const row = (name: string) => screen.findByText(name, { selector: '.MuiDataGrid-row *' });
const isGone = (name: string) =>
  waitFor(() => expect(screen.queryByText(name, { selector: '.MuiDataGrid-row *' })).toBeNull());
const remove = async (user: User, name: string) => {
  await row(name);
  await user.click(screen.getByLabelText(`More actions for ${name}`));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const question = await screen.findByRole('alertdialog');
  const words = question.textContent;
  await user.click(within(question).getByText('Delete'));
  expect(await screen.findByText('Deleted Successfully')).toBeTruthy();
  return words;
};
const tick = async (user: User, name: string) =>
  user.click((await row(name)).closest('.MuiDataGrid-row')!.querySelector('input[type=checkbox]')!);
const removeChosen = async (user: User, chosen: readonly string[]) => {
  for (const name of chosen) await tick(user, name);
  await user.click(within(await screen.findByRole('region', { name: 'Selection' })).getByText('Delete'));
  await user.click(within(await screen.findByRole('alertdialog')).getByText('Delete'));
};
const restores = ({ calls }: FakeServer) =>
  calls.filter(({ path }) => path.includes('/restore')).map(({ method, path, body }) => [method, path, body]);

test('a deleted record comes back by the toast’s button, and once', async () => {
  const server = fakeServer({ definitions: withStudios(), rows: { studios: studios() } });
  const user = renderApp('/studios');
  expect(await remove(user, 'Alder')).not.toContain('cannot be undone');
  await isGone('Alder');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Studio is back')).toBeTruthy();
  await row('Alder');
  await user.keyboard('{Control>}z{/Control}');
  expect(restores(server)).toEqual([['POST', '/studios/restore', { ids: [2] }]]);
});

test('several deleted records come back together by Ctrl+Z', async () => {
  const server = fakeServer({ definitions: withStudios(), rows: { studios: studios() } });
  const user = renderApp('/studios');
  await removeChosen(user, ['Northwind', 'Old Mill']);
  expect(await screen.findByText('Deleted Successfully')).toBeTruthy();
  await isGone('Northwind');
  await user.keyboard('{Control>}z{/Control}');
  expect(await screen.findByText('2 studios are back')).toBeTruthy();
  await row('Old Mill');
  expect(restores(server)).toEqual([['POST', '/studios/restore', { ids: expect.arrayContaining([1, 3]) as number[] }]]);
});

test('those of several records that could be deleted come back', async () => {
  const server = fakeServer({
    definitions: withStudios(),
    rows: { studios: studios() },
    answers: { 'DELETE /studios/2': { status: 409, body: { message: 'Alder is in use.' } } },
  });
  const user = renderApp('/studios');
  await removeChosen(user, ['Northwind', 'Alder']);
  const summary = await screen.findByRole('dialog', { name: '1 of 2 studios deleted' });
  await user.click(within(summary).getByText('Close'));
  await user.keyboard('{Control>}z{/Control}');
  await row('Northwind');
  expect(restores(server)).toEqual([['POST', '/studios/restore', { ids: [1] }]]);
});

test('several archived records are taken back, each with what was archived with it', async () => {
  const archived = fixtureDefinitions().find(({ name }) => name === 'studios')!;
  expect(archived.archive).not.toBeNull();
  const server = fakeServer({ rows: { studios: studios() } });
  const user = renderApp('/studios');
  await removeChosen(user, ['Northwind', 'Alder']);
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await row('Northwind');
  expect(
    restores(server)
      .map(([, path]) => path)
      .toSorted(),
  ).toEqual(['/studios/restore/1', '/studios/restore/2']);
});

test('a record that cannot come back says why, and stays deleted', async () => {
  const message = 'This studio cannot be brought back: Name is already taken.';
  fakeServer({
    definitions: withStudios(),
    rows: { studios: studios() },
    answers: { 'POST /studios/restore': { status: 409, body: { message, code: 'CONFLICT' } } },
  });
  const user = renderApp('/studios');
  await remove(user, 'Alder');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText(message)).toBeTruthy();
  await isGone('Alder');
});

test('a deletion that is final says so beforehand and offers no Undo', async () => {
  const server = fakeServer({
    definitions: withStudios({ hooks: { beforeDelete: ['guardStudio'] } }),
    rows: { studios: studios() },
  });
  const user = renderApp('/studios');
  expect(await remove(user, 'Alder')).toContain('This cannot be undone.');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  await user.keyboard('{Control>}z{/Control}');
  await removeChosen(user, ['Northwind']);
  await isGone('Northwind');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(restores(server)).toEqual([]);
});

test('one field of several records gets its former values back', async () => {
  const films = [1, 2].map((id) => ({
    ...{ id, name: `Film ${id}`, stage_id: id, updated_at: `2026-01-0${id}T00:00:00.000Z` },
    stage: { id, option_name: id === 1 ? 'Not Started' : 'Started' },
    archive: false,
    site_id: 1,
  }));
  const server = fakeServer({
    rows: { films },
    answers: { 'GET /films/choices/stage_id': { status: 200, body: { data: [{ id: 3, title: 'Completed' }] } } },
  });
  const user = renderApp('/films');
  await tick(user, 'Film 1');
  await tick(user, 'Film 2');
  await user.click(within(await screen.findByRole('region', { name: 'Selection' })).getByText('Edit'));
  const dialog = await screen.findByRole('dialog', { name: 'Edit 2 films' });
  await user.click(within(dialog).getByRole('combobox', { name: 'New value' }));
  await user.click(await screen.findByRole('option', { name: /Completed/ }));
  await user.click(within(dialog).getByText('Save'));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('2 changed back')).toBeTruthy();
  const sent = server.calls.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path, body]);
  expect(sent.slice(2).toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
    ['/films/1', { stage_id: 1, updated_at: '2026-01-01T00:00:00.000Z' }],
    ['/films/2', { stage_id: 2, updated_at: '2026-01-02T00:00:00.000Z' }],
  ]);
});
