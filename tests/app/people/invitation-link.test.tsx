// @module-tag slow
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

test('a new user is sent with the address where the account is set up', async () => {
  const server = fakeServer({
    rows: { users: [] },
    answers: {
      'GET /users/choices/role_id': { status: 200, body: { data: [{ id: 4, title: 'Developer' }] } },
      'GET /users/choices/status_id': { status: 200, body: { data: [{ id: 4, title: 'Invited' }] } },
    },
  });
  const user = renderApp('/users/create');
  for (const [label, text] of [
    ['First Name', 'Nia'],
    ['Last Name', 'Larsen'],
    ['Email', 'nia@demo.test'],
  ] as const)
    await user.type(await screen.findByRole('textbox', { name: label }), text);
  await user.click(screen.getByRole('combobox', { name: 'Role' }));
  await user.click(await screen.findByRole('option', { name: 'Developer' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.calls.some(({ method, path }) => method === 'POST' && path === '/users')).toBe(true),
  );
  expect(server.calls.find(({ method }) => method === 'POST')!.body).toMatchObject({
    email: 'nia@demo.test',
    role_id: 4,
    invitationLink: `${window.location.origin}/auth/setup-account`,
  });
});
