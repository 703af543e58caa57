import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeIn } from '../mail/mailbox';
import { startPosting, type Posting } from '../mail/posting';

let started: Posting;
const tokens: Record<string, string> = {};
const ids: Record<string, number> = {};
const right = 'Demo@1234';
beforeAll(async () => {
  started = await startPosting();
  for (const account of ['admin', 'owner', 'manager', 'developer']) {
    tokens[account] = await started.signIn(account);
    ids[account] = (await call('GET', '/me', account)).body.data.user.id as number;
  }
  const grants = ['users.list', 'users.view', 'users.edit', 'users.delete', 'films.list'];
  const role = await call('POST', '/roles', 'owner', { role_name: 'People', level: 3, modulePermission: grants });
  ids.people = await made('people', { role_id: role.body.id ?? role.body.data.id });
  ids.colleague = await made('colleague', { role_id: role.body.id ?? role.body.data.id });
  tokens.people = await started.signIn('people');
});
afterAll(() => started?.close());

const call = (method: string, path: string, as: string, body?: unknown) =>
  started.call(method, path, { token: tokens[as], body });
const put = (as: string, id: number, body: object) => call('PUT', `/users/${id}`, as, body);
async function made(name: string, change: object): Promise<number> {
  const person = { first_name: name, last_name: 'Example', email: `${name}@demo.test`, status_id: 1, password: right };
  const { status, body } = await call('POST', '/users', 'owner', { ...person, ...change });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data.id as number;
}
const addressOf = async (id: number) => (await call('GET', `/users/${id}`, 'owner')).body.data.email as string;

describe('a user with a permission that the actor lacks', () => {
  test.each([
    ['address', { email: 'mine@evil.test' }],
    ['password', { password: 'Mine#Harbour77' }],
    ['status', { status_id: 3 }],
    ['role', { role_id: 6 }],
  ])('keeps the %s', async (_, change) => {
    const { status, body } = await put('people', ids.manager!, change);
    expect([status, body.message]).toEqual([
      403,
      expect.stringMatching(/they have \S+, which you don't have yourself/),
    ]);
    expect((await started.call('GET', '/me', { token: tokens.manager })).status).toBe(200);
  });

  test('cannot be deleted, but can be renamed', async () => {
    expect((await call('DELETE', `/users/${ids.manager}`, 'people')).status).toBe(403);
    expect((await put('people', ids.manager!, { phone_number: '123' })).status).toBe(200);
  });

  test('keeps the address of an invitation', async () => {
    const id = await made('invited', { role_id: 3, status_id: 4, password: null });
    await started.office.next();
    expect((await put('people', id, { email: 'mine@evil.test' })).status).toBe(403);
    expect((await put('owner', id, { email: 'right@demo.test' })).status).toBe(200);
    expect((await started.office.next()).to).toEqual(['right@demo.test']);
  });
});

describe('a password', () => {
  test.each([
    ['owner', 'colleague', 'You cannot set the password of another user: send them a link to choose one.'],
    ['admin', 'owner', 'You cannot set the password of another user: send them a link to choose one.'],
    ['owner', 'owner', 'Change your password in your profile, with your current password.'],
  ])('is not set by %s for %s', async (as, whom, message) => {
    const answer = await put(as, ids[whom]!, { password: 'Mine#Harbour77' });
    expect([answer.status, answer.body.message]).toEqual([403, message]);
  });

  test('is chosen by the user, with a link sent by somebody else', async () => {
    const answer = await call('POST', '/send-reset-link', 'owner', { user_id: ids.colleague });
    expect(answer.body).toEqual({ status: true, message: 'Reset link sent successfully!' });
    const mail = await started.office.next();
    expect(mail.to).toEqual(['colleague@demo.test']);
    const body = {
      verification_code: codeIn(mail),
      new_password: 'Quiet#Harbour7',
      confirm_password: 'Quiet#Harbour7',
    };
    expect((await started.call('POST', '/reset-password', { body })).body.status).toBe(true);
    const told = await started.office.next();
    expect([told.to, told.headers.subject]).toEqual([['colleague@demo.test'], 'Your Assay password was changed']);
  });

  test.each([
    ['developer', 'colleague', 403],
    ['people', 'owner', 403],
    ['people', 'admin', 404],
  ])('no link is sent by %s for %s: %i', async (as, whom, status) => {
    expect((await call('POST', '/send-reset-link', as, { user_id: ids[whom] })).status).toBe(status);
  });
});

describe('an address', () => {
  const confirm = async (verification_code: string) =>
    (await started.call('POST', '/confirm-address', { body: { verification_code } })).body.status as boolean;

  test('changes once the new mailbox confirms it; the old one is notified', async () => {
    const answer = await put('owner', ids.developer!, { email: 'dina@new.test' });
    expect([answer.status, answer.body.data.email]).toEqual([200, 'developer@demo.test']);
    const mail = await started.office.next();
    expect([mail.to, mail.headers.subject]).toEqual([['dina@new.test'], 'Please confirm your new email address']);
    expect(await addressOf(ids.developer!)).toBe('developer@demo.test');
    expect(await confirm(codeIn(mail))).toBe(true);
    expect(await confirm(codeIn(mail))).toBe(false);
    expect(await addressOf(ids.developer!)).toBe('dina@new.test');
    const told = await started.office.next();
    expect([told.to, told.headers.subject]).toEqual([
      ['developer@demo.test'],
      'The email address of your Assay account was changed',
    ]);
    const { body } = await started.call('POST', '/login', { body: { email: 'dina@new.test', password: right } });
    expect(body.status).toBe(true);
  });

  test('of a colleague is refused; one of another company gets the same response, and its owner is notified', async () => {
    const colleague = await put('owner', ids.developer!, { email: 'qa@demo.test' });
    expect([colleague.status, colleague.body.errors]).toEqual([422, { email: 'Email is already taken.' }]);
    const foreign = await put('owner', ids.developer!, { email: 'owner@harbour.test' });
    expect([foreign.status, foreign.body.data.email]).toEqual([200, 'dina@new.test']);
    const told = await started.office.next();
    expect([told.to, told.headers.subject]).toEqual([
      ['owner@harbour.test'],
      'Someone entered your email address in Assay',
    ]);
  });

  test('of an inactive user stays: an invitation is no workaround', async () => {
    expect((await put('owner', ids.colleague!, { status_id: 4 })).status).toBe(200);
    expect((await started.office.next()).to).toEqual(['colleague@demo.test']);
    const { status, body } = await put('owner', ids.colleague!, { email: 'mine@evil.test' });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['email']]);
  });
});
