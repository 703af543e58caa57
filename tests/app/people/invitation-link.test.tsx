import { expect, test } from 'vitest';
import { dataProvider } from '../../../src/app/admin/dataProvider';
import { fakeServer } from '../support/fakeServer';

// The calls of the specification that name the address where an account is set up.

test('a new user is sent with the address where the account is set up, other records are not', async () => {
  const server = fakeServer({ rows: { users: [], films: [] } });
  await dataProvider.create('users', { data: { first_name: 'Nia' } });
  await dataProvider.create('films', { data: { name: 'Cargo' } });
  expect(server.calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { first_name: 'Nia', invitationLink: `${window.location.origin}/auth/setup-account` },
    { name: 'Cargo' },
  ]);
});
