import { afterAll, beforeAll, expect, test } from 'vitest';
import { csv, send } from '../imports/files';
import { codeIn } from './mailbox';
import { startPosting, type Posting } from './posting';

let started: Posting;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  started = await startPosting();
  for (const account of ['admin', 'owner', 'qa', 'developer']) tokens[account] = await started.signIn(account);
});
afterAll(() => started?.close());

const call = (method: string, path: string, as: string, body?: unknown) =>
  started.call(method, path, { token: tokens[as], body });

test('changing the password in the profile sends a mail, without a code', async () => {
  const { id } = (await call('GET', '/me', 'qa')).body.data.user;
  const password = 'Changed@1234';
  const sent = {
    change_password: true,
    current_password: 'Demo@1234',
    new_password: password,
    confirm_password: password,
  };
  expect((await call('PUT', `/profile/${id}`, 'qa', sent)).status).toBe(200);
  const mail = await started.office.next();
  expect([mail.to, mail.headers.subject]).toEqual([['qa@demo.test'], 'Your Assay password was changed']);
  expect(mail.html).toContain('href="https://assay.example.com/auth/forgot-password"');
  expect(mail.text).toContain('Choose a new password: https://assay.example.com/auth/forgot-password');
  expect(mail.text + mail.html).not.toMatch(/verification_code|Changed@1234|\{\{/);
});

test('imported users are invited by mail, each with a code for the account; rejected rows are not', async () => {
  const people = csv([
    ['First Name', 'Last Name', 'Email', 'Role'],
    ['Ina', 'Import', 'ina@import.test', 'QA'],
    ['Ove', 'Nowhere', 'ove@import.test', 'No such role'],
    ['Ida', 'Import', 'ida@import.test', 'Developer'],
  ]);
  const answer = await send(started, tokens.owner!, '/users/import', people, {}, 'people.csv');
  expect([answer.headers['x-imported'], answer.headers['x-failed']]).toEqual(['2', '1']);
  const mails = [await started.office.next(), await started.office.next()];
  expect(mails.flatMap(({ to }) => to).sort()).toEqual(['ida@import.test', 'ina@import.test']);
  for (const mail of mails) {
    expect(mail.headers.subject).toBe('You are invited to join Atlas Pictures on Assay');
    const code = codeIn(mail);
    expect(mail.html).toContain(`https://assay.example.com/auth/setup-account?verification_code=${code}`);
    const password = 'First@1234';
    const set = { verification_code: code, new_password: password, confirm_password: password, setup_account: 1 };
    expect((await started.call('POST', '/reset-password', { body: set })).body.status).toBe(true);
    const { body } = await started.call('POST', '/login', { body: { email: mail.to[0], password } });
    expect(body.status).toBe(true);
  }
});

test('a preview of users invites nobody, and an announcement is only shown in the program', async () => {
  const before = started.office.received.length;
  const people = csv([
    ['First Name', 'Last Name', 'Email', 'Role'],
    ['Eva', 'Preview', 'eva@import.test', 'QA'],
  ]);
  const { body } = await send(started, tokens.owner!, '/users/import?preview=1', people, {}, 'people.csv');
  expect(body.ready).toBe(1);
  const told = await call('POST', '/notifications', 'owner', { title: 'Fire drill', content: 'At noon.' });
  expect(told.status).toBe(201);
  const { data } = (await call('GET', '/notifications', 'developer')).body;
  expect(data[0]).toMatchObject({ title: 'Fire drill', content: 'At noon.', isRead: false });
  await started.call('POST', '/forgot-password', { body: { email: 'developer@demo.test' } });
  expect((await started.office.next()).headers.subject).toBe('Reset your Assay password');
  expect(started.office.received.length).toBe(before + 1);
});

test('the author of a ticket gets a mail about the reply, with a link to it', async () => {
  const raised = await call('POST', '/complaints', 'developer', {
    type: 'issue',
    urgency_id: 2,
    description: 'It hangs.',
  });
  expect(raised.status).toBe(201);
  const { id } = raised.body;
  const answer = { status: 'answered', answer: 'Fixed.' };
  expect((await call('PUT', `/complaints/${id}`, 'admin', answer)).status).toBe(200);
  const mail = await started.office.next();
  expect([mail.to, mail.headers.subject]).toEqual([['developer@demo.test'], 'Your complaint has been answered']);
  expect(mail.text).toContain(`https://assay.example.com/complaints/${id}`);
});
