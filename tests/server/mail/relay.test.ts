import { afterAll, beforeAll, expect, test } from 'vitest';
import { safeMailName } from '../../../src/server/mail/safe-name';
import { codeIn, type Received } from './mailbox';
import { startPosting, type Posting } from './posting';

let started: Posting;
beforeAll(async () => {
  started = await startPosting();
});
afterAll(() => started?.close());

const founder = {
  first_name: 'Vera',
  last_name: 'Visit evil.example now',
  site_name: 'Prizes: evil.example',
  email: 'victim@elsewhere.test',
  password: 'Quiet#Harbour7',
};
const register = async (change: object = {}) => {
  const { body } = await started.call('POST', '/register', { body: { ...founder, ...change } });
  return body.token as string;
};
/** Sends a mail that certainly comes, and answers what came before it. */
async function receivedUntilNow(): Promise<Received[]> {
  await started.call('POST', '/forgot-password', { body: { email: 'developer@demo.test' } });
  const mails: Received[] = [];
  for (;;) {
    const mail = await started.office.next();
    if (mail.to[0] === 'developer@demo.test') return mails;
    mails.push(mail);
  }
}

test.each([
  ['Ada Novak', 'Ada Novak'],
  ['Visit https://evil.example/x now', 'Visit https evil example/x now'],
  ['www.evil.example', 'www evil example'],
  ['ada@evil.example', 'ada evil example'],
  ['evil。example', 'evil example'],
  ['Ada\r\nBcc: x@y.test', 'Ada Bcc: x y test'],
  ['mailto:x', 'mailto x'],
  ['Ada \u202Egnirts\u202C', 'Ada gnirts'],
  ['J. R. Novak & Sons, Ltd.', 'J. R. Novak & Sons, Ltd.'],
  ['x'.repeat(100), `${'x'.repeat(79)}…`],
])('%j is written as %j', (typed, written) => expect(safeMailName(typed)).toBe(written));

test('a registration sends one mail, without user-supplied links, and nothing else before it is confirmed', async () => {
  const token = await register();
  const [confirmation, ...others] = await receivedUntilNow();
  expect([confirmation!.to, others]).toEqual([['victim@elsewhere.test'], []]);
  expect(confirmation!.text + confirmation!.html).not.toMatch(/evil\.example/);
  expect(confirmation!.text).toContain('Hello Vera Visit evil example now,');

  const template = {
    identifier: 'password_changed',
    subject: 'Buy',
    content: '<p>evil.example</p>',
    cc: 'a@elsewhere.test, b@elsewhere.test',
  };
  const copied = await started.call('POST', '/email-templates', { token, body: template });
  expect([copied.status, Object.keys(copied.body.errors)]).toEqual([422, ['cc']]);
  const { cc: _, ...own } = template;
  expect((await started.call('POST', '/email-templates', { token, body: own })).status).toBe(201);
  const { id } = (await started.call('GET', '/me', { token })).body.data.user as { id: number };
  let password = founder.password;
  for (const next of ['Quiet#Harbour8', 'Quiet#Harbour9']) {
    const body = { change_password: true, current_password: password, new_password: next, confirm_password: next };
    expect((await started.call('PUT', `/profile/${id}`, { token, body })).status).toBe(200);
    password = next;
  }
  const invited = { first_name: 'A', last_name: 'B', email: 'other@elsewhere.test', role_id: 4 };
  expect((await started.call('POST', '/users', { token, body: invited })).status).toBe(201);
  expect((await started.call('POST', '/email-templates/3/test', { token })).status).toBe(409);
  expect(await receivedUntilNow()).toEqual([]);
});

test('once confirmed, a text of the company is sent to its confirmed users, at most five times an hour', async () => {
  const token = await register({ email: 'real@company.test' });
  await started.call('POST', '/confirm-address', { body: { verification_code: codeIn(await started.office.next()) } });
  const { id } = (await started.call('GET', '/me', { token })).body.data.user as { id: number };
  let password = founder.password;
  for (let i = 0; i < 7; i++) {
    const next = `Quiet#Harbour${i}x`;
    const body = { change_password: true, current_password: password, new_password: next, confirm_password: next };
    expect((await started.call('PUT', `/profile/${id}`, { token, body })).status).toBe(200);
    password = next;
  }
  expect((await receivedUntilNow()).map(({ to }) => to)).toEqual(
    Array.from({ length: 5 }, () => ['real@company.test']),
  );
});

test('of several accounts with an address, it belongs to the one that confirms it; the others stay separate', async () => {
  const email = 'shared@claims.test';
  const first = await register({ email, password: 'First#Harbour1' });
  const code = codeIn(await started.office.next());
  const second = await register({ email, password: 'Second#Harbour2' });
  const later = codeIn(await started.office.next());
  const confirm = async (verification_code: string) =>
    (await started.call('POST', '/confirm-address', { body: { verification_code } })).body.status as boolean;
  expect(await confirm(later)).toBe(true);
  expect(await confirm(code)).toBe(false);
  const confirmed = async (token: string) =>
    (await started.call('GET', '/me', { token })).body.data.user.confirmed as boolean;
  expect([await confirmed(first), await confirmed(second)]).toEqual([false, true]);

  // What is asked for the first one from now on reaches whose address it is, without a code.
  expect((await started.call('POST', '/resend-confirmation', { token: first })).body.status).toBe(true);
  const told = await started.office.next();
  expect([told.to, told.headers.subject]).toEqual([[email], 'Someone entered your email address in Assay']);
  expect(told.text).not.toMatch(/verification_code|Prizes/);
});
