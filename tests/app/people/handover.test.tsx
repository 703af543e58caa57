// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
// Loads lazy code in advance.
import '../../../src/app/actions/handover/AssignedRecords';
import '../../../src/app/actions/handover/HandoverDialog';
import '../../../src/app/actions/handover/UnchangedDialog';
import '../../../src/app/list/bulk/SelectionBar';

// Before people are deleted, the question says what is assigned to them, and offers to hand it over.

const person = (id: number, first_name: string) => ({
  id,
  first_name,
  last_name: 'Larsen',
  name: `${first_name} Larsen`,
  email: `${first_name}@demo.test`,
  role_id: 4,
  role: { id: 4, role_name: 'Developer', level: 4 },
  status_id: 1,
  user_status: { id: 1, option_name: 'Active' },
  site_id: 1,
});
const people = () => [person(21, 'Nia'), person(22, 'Otto'), person(23, 'Pia')];
const work = (resources: object[], others = false) => ({ status: 200, body: { data: { resources, others } } });
const most = [
  { resource: 'shots', count: 1054 },
  { resource: 'screenings', count: 1 },
];
/** Shots are of two films, whose teams differ; screenings can be operated by nobody here. */
const teams: Record<string, object[]> = {
  4: [
    { id: 21, title: 'Nia Larsen' },
    { id: 22, title: 'Otto Larsen' },
  ],
  5: [
    { id: 21, title: 'Nia Larsen' },
    { id: 23, title: 'Pia Larsen' },
  ],
};
const choosable: Answers = {
  'GET /shots/aggregate': { status: 200, body: { data: [4, 5, null].map((film_id) => ({ group: { film_id } })) } },
  'GET /shots/choices/operator_id': ({ query }) => ({ status: 200, body: { data: teams[query.film_id!] } }),
  'GET /screenings/aggregate': { status: 200, body: { data: [{ group: { film_id: 4 } }] } },
  'GET /screenings/choices/operator_id': { status: 403, body: { message: 'No.' } },
};
type Answers = NonNullable<NonNullable<Parameters<typeof fakeServer>[0]>['answers']>;

async function askFor(name: string, answers: Answers) {
  const server = fakeServer({
    rows: { users: [...people(), person(24, 'Rolf')] },
    answers: { ...choosable, ...answers },
  });
  const user = renderApp('/users');
  await screen.findByText(`${name} Larsen`, { selector: '.MuiDataGrid-row *' });
  await user.click(screen.getByLabelText(`More actions for ${name} Larsen`));
  const items = within(await screen.findByRole('menu')).getAllByRole('menuitem');
  await user.click(items.find((item) => item.textContent === 'Delete')!);
  const dialog = within(await screen.findByRole('alertdialog'));
  return { server, user, dialog };
}
const deletions = ({ calls }: ReturnType<typeof fakeServer>) => calls.filter(({ method }) => method === 'DELETE');

it('the question before a deletion stays, and names assigned records beside it', async () => {
  const { dialog, server } = await askFor('Nia', { 'GET /users/assignments': work(most, true) });
  expect(dialog.getByText('Are you sure you want to delete?')).toBeTruthy();
  await dialog.findByText(/^1,054 shots, 1 screening and others that you do not see are assigned to this user\.$/);
  expect(server.calls.find(({ path }) => path === '/users/assignments')!.query).toEqual({ id: '21' });
});

it('a person without assigned records is deleted as before', async () => {
  const { dialog, user, server } = await askFor('Nia', { 'GET /users/assignments': work([]) });
  await waitFor(() => expect(server.calls.some(({ path }) => path === '/users/assignments')).toBe(true));
  expect(dialog.queryByLabelText('Hand over to another user')).toBeNull();
  await user.click(dialog.getByText('Delete'));
  await screen.findByText('Deleted Successfully');
  expect(deletions(server)).toMatchObject([{ path: '/users/21', query: {} }]);
});

it('assigned records are handed over to a person who may have them, and those that stay are named', async () => {
  const record = { resource: 'shots', id: 9, title: 'Harbour at dawn', message: 'Only your own shots.' };
  const handover = { changed: 1054, unchanged: { count: 2, records: [record] }, others: false };
  const { dialog, user, server } = await askFor('Nia', {
    'GET /users/assignments': work(most),
    'DELETE /users/21': { status: 200, body: { data: person(21, 'Nia'), handover } },
  });
  await user.click(await dialog.findByRole('combobox', { name: 'Hand over to another user' }));
  const options = await screen.findAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Otto Larsen'),
    expect.stringContaining('Pia Larsen'),
  ]);
  const asked = server.calls.find(({ path }) => path === '/shots/aggregate')!.query;
  expect(JSON.parse(asked.filter!)).toEqual({ operator_id: [21] });
  await user.click(options.find(({ textContent }) => textContent!.includes('Pia'))!);
  await user.click(dialog.getByText('Delete'));
  const result = within(await screen.findByRole('dialog', { name: '2 records were not handed over' }));
  expect(result.getByRole('link', { name: 'Harbour at dawn' }).getAttribute('href')).toBe('/shots/9');
  expect(result.getByText(/Only your own shots\./)).toBeTruthy();
  expect(result.getByText('And 1 more.')).toBeTruthy();
  expect(deletions(server)).toMatchObject([{ path: '/users/21', query: { successor: '23' } }]);
});

it('assigned records of several people are counted together, and handed over', async () => {
  const handover = { changed: 1, unchanged: { count: 0, records: [] }, others: false };
  const answer = { status: 200, body: { data: {}, handover } };
  const server = fakeServer({
    rows: { users: people() },
    answers: {
      ...choosable,
      'GET /users/assignments': work([{ resource: 'shots', count: 3 }]),
      'DELETE /users/21': answer,
      'DELETE /users/22': answer,
    },
  });
  const user = renderApp('/users');
  for (const name of ['Nia', 'Otto']) {
    const row = (await screen.findByText(`${name} Larsen`)).closest('.MuiDataGrid-row')!;
    await user.click(row.querySelector('input[type=checkbox]')!);
  }
  const bar = within(await screen.findByRole('region', { name: 'Selection' }));
  await user.click(bar.getByRole('button', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await dialog.findByText('3 shots are assigned to these users.');
  await user.click(dialog.getByRole('combobox', { name: 'Hand over to another user' }));
  await user.click((await screen.findAllByRole('option')).find(({ textContent }) => textContent!.includes('Pia'))!);
  await user.click(dialog.getByText('Delete'));
  await waitFor(() => expect(deletions(server)).toHaveLength(2));
  expect(deletions(server).map(({ path, query }) => [path, query])).toEqual([
    ['/users/21', { successor: '23' }],
    ['/users/22', { successor: '23' }],
  ]);
});
