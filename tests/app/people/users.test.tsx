// @module-tag slow
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const person = {
  id: 21,
  first_name: 'Nia',
  last_name: 'Larsen',
  name: 'Nia Larsen',
  email: 'nia@demo.test',
  role_id: 4,
  role: { id: 4, role_name: 'Developer', level: 4 },
  status_id: 1,
  user_status: { id: 1, option_name: 'Active' },
  site_id: 1,
};

test.each(['nia@demo.test', 'Developer', 'Active'])('a click on the cell of %s opens the user', async (text) => {
  fakeServer({ rows: { users: [person] } });
  const user = renderApp('/users');
  await user.click(await screen.findByText(text, { selector: '.MuiDataGrid-row *' }));
  await waitFor(() => expect(window.location.pathname).toBe('/users/21'));
});

test('the filters of the users are applied again after a reload', async () => {
  const { lastList } = fakeServer({
    rows: { users: [person, { ...person, id: 22, name: 'Jon Berg', email: 'jon@demo.test', role_id: 3 }] },
    answers: { 'GET /roles/choices': { status: 200, body: { data: [{ id: 4, title: 'Developer' }] } } },
  });
  const user = renderApp('/users');
  await screen.findByText('jon@demo.test', { selector: '.MuiDataGrid-row *' });
  await user.click(screen.getByLabelText('Filters'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Filters' }));
  await user.click(dialog.getByRole('combobox', { name: 'Roles' }));
  await user.click(await screen.findByRole('option', { name: 'Developer' }));
  await user.click(dialog.getByText('Apply'));
  const isFiltered = async () => {
    await waitFor(() => expect(lastList('users')?.filter).toMatchObject({ role_id: 4 }));
    await waitFor(() => expect(screen.queryByText('jon@demo.test', { selector: '.MuiDataGrid-row *' })).toBeNull());
    expect(await screen.findByText('nia@demo.test', { selector: '.MuiDataGrid-row *' })).toBeTruthy();
    expect(screen.getByLabelText('Filters, 1 applied')).toBeTruthy();
  };
  await isFiltered();
  cleanup();
  // A new tab has neither the page's state nor what the tab stored.
  sessionStorage.clear();
  renderApp('/users');
  await isFiltered();
});
