// @module-tag slow
import { screen, waitFor } from '@testing-library/react';
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
