// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

// The settings of single sign-on: what is trusted is shown, saved, and refused in words.

const provider = {
  name: 'Harbour',
  issuer: 'https://login.harbour.test',
  client_id: 'assay',
  has_secret: true,
  trusts_second_factor: false,
  trusts_addresses: false,
  new_people_role: null,
  local_closed: false,
};
const settings = (change: object = {}) => ({
  company: { id: 1, name: 'Harbour' },
  redirect_uri: 'https://assay.test/auth/single-sign-on',
  provider: { ...provider, ...change },
  domains: [],
  joined: 3,
  elsewhere: 0,
  may_close: false,
  recovery_codes_left: 8,
  choices: [{ id: 5, role_name: 'QA' }],
});
type Answers = NonNullable<NonNullable<Parameters<typeof fakeServer>[0]>['answers']>;

async function open(answers: Answers = {}) {
  const server = fakeServer({
    answers: { 'GET /single-sign-on': { status: 200, body: { data: settings() } }, ...answers },
  });
  const user = renderApp('/single-sign-on');
  const form = within(await screen.findByRole('form', { name: 'Provider' }));
  return { server, user, form };
}
const trust = { name: /^Trust addresses of your domains/ };

it('the form of a provider shows whether its addresses are trusted', async () => {
  const { form } = await open({
    'GET /single-sign-on': { status: 200, body: { data: settings({ trusts_addresses: true }) } },
  });
  expect(form.getByRole<HTMLInputElement>('checkbox', trust).checked).toBe(true);
  expect(form.getByRole<HTMLInputElement>('checkbox', { name: /second factor/ }).checked).toBe(false);
});

it('the form of a provider saves that addresses are trusted, and keeps the stored secret', async () => {
  const { server, user, form } = await open({
    'PUT /single-sign-on': ({ body }) => ({ status: 200, body: { data: settings(body as object) } }),
  });
  await user.click(form.getByRole('checkbox', trust));
  await user.click(form.getByRole('button', { name: 'Save' }));
  await screen.findByText('The provider is connected. Test it by signing in in another window.');
  const sent = server.calls.find(({ method }) => method === 'PUT')!.body;
  expect(sent).toMatchObject({ trusts_addresses: true, trusts_second_factor: false, issuer: provider.issuer });
  expect(sent).not.toHaveProperty('client_secret');
  const saved = within(await screen.findByRole('form', { name: 'Provider' }));
  expect(saved.getByRole<HTMLInputElement>('checkbox', trust).checked).toBe(true);
});

it('the form of a provider shows an error at its field, and any other as a message; the choice stays', async () => {
  const refusals = [
    { status: 422, body: { message: 'No.', errors: { issuer: 'Issuer does not answer as a provider.' } } },
    { status: 409, body: { message: 'Verify a domain first.' } },
  ];
  const { user, form } = await open({ 'PUT /single-sign-on': () => refusals.shift()! });
  await user.click(form.getByRole('checkbox', trust));
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText('Issuer does not answer as a provider.')).toBeTruthy();
  expect(form.getByRole<HTMLInputElement>('checkbox', trust).checked).toBe(true);
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Verify a domain first.')).toBeTruthy();
  expect(form.queryByText('Issuer does not answer as a provider.')).toBeNull();
});

it('the form of a provider names missing values before it sends any', async () => {
  const { server, user, form } = await open();
  await user.clear(form.getByRole('textbox', { name: 'Issuer' }));
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(form.getByText('Issuer is required.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(form.getByRole('textbox', { name: 'Issuer' })));
  expect(server.calls.some(({ method }) => method === 'PUT')).toBe(false);
});
