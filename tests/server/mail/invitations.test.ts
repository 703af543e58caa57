// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeIn } from './mailbox';
import { startPosting, type Posting } from './posting';

let started: Posting;
const tokens: Record<string, string> = {};
let made = 0;
beforeAll(async () => {
  started = await startPosting();
  for (const account of ['admin', 'owner', 'manager', 'qa']) tokens[account] = await started.signIn(account);
  tokens.harbour = await started.signIn('owner@harbour.test');
});
afterAll(() => started.close());

const call = (method: string, path: string, as: string, body?: unknown) =>
  started.call(method, path, { token: tokens[as], body });
const invite = async (as: string, change: object = {}) => {
  const person = { first_name: 'Nia', last_name: 'Larsen', email: `invited${++made}@demo.test`, role_id: 4 };
  const { status, body } = await call('POST', '/users', as, {
    ...person,
    ...change,
    invitationLink: 'https://evil.example',
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data as { id: number; email: string; status_id: number };
};
const resend = (as: string, user_id: unknown) =>
  call('POST', '/resend-invitation', as, { user_id, invitationLink: 'x' });
const setUp = (verification_code: string, password = 'First@1234') =>
  started.call('POST', '/reset-password', {
    body: { verification_code, new_password: password, confirm_password: password, setup_account: 1 },
  });
const queries = () => started.program.database.kysely;

describe('a new user', () => {
  test('is invited by mail, chooses a password, and is active', async () => {
    const user = await invite('owner');
    expect(user.status_id).toBe(4);
    const mail = await started.office.next();
    expect([mail.to, mail.headers.subject]).toEqual([[user.email], 'You are invited to join Atlas Pictures on Assay']);
    const code = codeIn(mail);
    expect(mail.text).toContain(`https://assay.example.com/auth/setup-account?verification_code=${code}`);
    expect((await setUp(code)).body.status).toBe(true);
    const { body } = await started.call('POST', '/login', { body: { email: user.email, password: 'First@1234' } });
    expect(body.status).toBe(true);
    expect((await call('GET', `/users/${user.id}`, 'owner')).body.data.user_status.id).toBe(1);
    const history = await call('GET', `/users/${user.id}/history`, 'owner');
    expect(history.body.data[0]).toMatchObject({ old_values: { status_id: 4 }, new_values: { status_id: 1 } });
    expect((await setUp(code)).body.status).toBe(false);
  });

  test('who is active from the start gets no mail', async () => {
    const before = started.office.received.length;
    await invite('owner', { status_id: 1, password: 'Demo@1234' });
    const user = await invite('owner');
    expect((await started.office.next()).to).toEqual([user.email]);
    expect(started.office.received.length).toBe(before + 1);
  });

  test('whose address is corrected gets the invitation there; the code in the old mailbox is invalid', async () => {
    const user = await invite('owner');
    const old = codeIn(await started.office.next());
    const email = `mended${made}@demo.test`;
    expect((await call('PUT', `/users/${user.id}`, 'owner', { email })).status).toBe(200);
    const mail = await started.office.next();
    expect(mail.to).toEqual([email]);
    expect((await setUp(old)).body.status).toBe(false);
    expect((await setUp(codeIn(mail))).body.status).toBe(true);
  });

  test('who was deleted in the meantime has no access', async () => {
    const user = await invite('owner');
    const code = codeIn(await started.office.next());
    await call('DELETE', `/users/${user.id}`, 'owner');
    expect((await setUp(code)).body.status).toBe(false);
  });

  test('has seven days', async () => {
    const user = await invite('owner');
    const code = codeIn(await started.office.next());
    const codes = queries().withSchema('assay');
    const row = await codes.selectFrom('codes').select('expires_at').where('user_id', '=', user.id).executeTakeFirst();
    const days = (Date.parse(row!.expires_at as string) - Date.now()) / 86_400_000;
    expect(days > 6.99 && days <= 7).toBe(true);
    await codes
      .updateTable('codes')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('user_id', '=', user.id)
      .execute();
    expect((await setUp(code)).body.status).toBe(false);
  });
});

describe('POST resend-invitation', () => {
  test('sends a newer one, which replaces the older one', async () => {
    const user = await invite('owner');
    const older = codeIn(await started.office.next());
    expect((await resend('owner', user.id)).body).toEqual({
      status: true,
      message: 'Invitation request sent successfully!',
    });
    const newer = codeIn(await started.office.next());
    expect((await setUp(older)).body.status).toBe(false);
    expect((await setUp(newer)).body.status).toBe(true);
    expect((await resend('owner', user.id)).body).toEqual({
      status: false,
      message: 'This user has no open invitation.',
    });
  });

  test.each<[string, (id: number) => unknown, number]>([
    ['manager', (id) => id, 403],
    ['qa', (id) => id, 403],
    ['harbour', (id) => id, 404],
    ['owner', () => 999_999, 404],
    ['owner', () => 'x', 422],
    ['owner', () => undefined, 422],
    ['owner', () => ({ id: 1 }), 422],
  ])('by %s: %o is refused with %i', async (as, which, status) => {
    const { id } = await queries()
      .selectFrom('users')
      .select('id')
      .where('status_id', '=', 4)
      .executeTakeFirstOrThrow();
    expect((await resend(as, which(id as number))).status).toBe(status);
  });

  test('a mailbox gets at most five mails with codes an hour', async () => {
    const user = await invite('owner');
    for (let i = 0; i < 4; i++) expect((await resend('owner', user.id)).body.status).toBe(true);
    const { status, body } = await resend('owner', user.id);
    expect([status, body.message]).toEqual([429, expect.stringContaining('Several emails have already')]);
    for (let i = 0; i < 5; i++) await started.office.next();
  });
});

test('a domain in other letters is invited in those of mail servers, and signs in as it is written', async () => {
  const user = await invite('owner', { email: 'Nia@M\u00dcller.example' });
  expect(user.email).toBe('Nia@xn--mller-kva.example');
  const mail = await started.office.next();
  expect((await setUp(codeIn(mail))).body.status).toBe(true);
  const credentials = { email: 'nia@mu\u0308ller.example', password: 'First@1234' };
  expect((await started.call('POST', '/login', { body: credentials })).body.status).toBe(true);
});

test('of two companies that invite an address, the second link says what is the case', async () => {
  const email = `both${++made}@demo.test`;
  await invite('owner', { email });
  const first = codeIn(await started.office.next());
  await invite('harbour', { email, role_id: 5 });
  const second = codeIn(await started.office.next());
  expect((await setUp(first)).body.status).toBe(true);
  for (const times of [1, 2])
    expect((await setUp(second)).body, `time ${times}`).toEqual({
      status: false,
      message: expect.stringMatching(
        /^both\d+@demo\.test already has an account in another company, so the invitation of .+ cannot be accepted with it\. Sign in with that account/,
      ),
    });
});

test('a company can send 200 invitations a day', async () => {
  const { site_id } = await queries()
    .selectFrom('users')
    .select('site_id')
    .where('email', '=', 'owner@harbour.test')
    .executeTakeFirstOrThrow();
  const at = new Date(Date.now() - 23 * 3_600_000);
  const key = `invitation ${String(site_id)}`;
  await queries().withSchema('assay').deleteFrom('attempts').where('key', '=', key).execute();
  const rows = Array.from({ length: 199 }, () => ({ key, at }));
  await queries().withSchema('assay').insertInto('attempts').values(rows).execute();
  await invite('harbour');
  await started.office.next();
  const refused = await call('POST', '/users', 'harbour', {
    first_name: 'A',
    last_name: 'B',
    email: 'over@harbour.test',
    role_id: 4,
  });
  expect([refused.status, refused.body.message]).toEqual([
    429,
    'A company may send 200 invitations a day. Please try again in 60 minutes.',
  ]);
  const found = await queries().selectFrom('users').select('id').where('email', '=', 'over@harbour.test').execute();
  expect(found).toEqual([]);
});

describe('a company whose owner has not confirmed the address', () => {
  const founder = {
    first_name: 'Ada',
    last_name: 'Novak',
    site_name: 'Novak <b>Testing</b>',
    email: 'ada@novak.test',
    password: 'Quiet#Harbour7',
  };

  test('sends its waiting invitations only after the confirmation', async () => {
    const { body } = await started.call('POST', '/register', { body: founder });
    tokens.ada = body.token as string;
    const mail = await started.office.next();
    expect([mail.to, mail.headers.subject]).toEqual([['ada@novak.test'], 'Please confirm your email address']);
    expect(mail.html).toContain('Novak &lt;b&gt;Testing&lt;/b&gt;');
    expect(mail.text).toContain('Novak <b>Testing</b>');
    const user = await invite('ada');
    expect((await resend('ada', user.id)).body).toEqual({
      status: false,
      message: expect.stringContaining('confirm your email address'),
    });
    const me = async () =>
      (await started.call('GET', '/me', { token: tokens.ada })).body.data.user.confirmed as boolean;
    expect(await me()).toBe(false);
    expect((await started.call('POST', '/resend-confirmation', { token: tokens.ada })).body.status).toBe(true);
    const again = await started.office.next();
    expect(again.to).toEqual(['ada@novak.test']);
    const confirm = (verification_code: string) =>
      started.call('POST', '/confirm-address', { body: { verification_code } });
    expect((await confirm(codeIn(mail))).body.status).toBe(false);
    expect((await setUp(codeIn(again))).body.status).toBe(false);
    expect((await confirm(codeIn(again))).body).toEqual({
      status: true,
      message: 'Your email address is confirmed. Thank you!',
    });
    expect(await me()).toBe(true);
    expect((await started.call('POST', '/resend-confirmation', { token: tokens.ada })).body).toEqual({
      status: false,
      message: 'Your email address is already confirmed.',
    });
    expect((await started.office.next()).to).toEqual([user.email]);
    expect((await resend('ada', user.id)).body.status).toBe(true);
    expect((await started.office.next()).to).toEqual([user.email]);
  });

  test('can be invited by the installation', async () => {
    const { body } = await call('POST', '/sites', 'admin', {
      ...{ name: 'New Company', address: 'Elbe 1', city: 'Hamburg', post_code: '20095', state: 'Hamburg' },
      ...{ country: 'Germany', description: 'Films' },
    });
    const owner = await invite('admin', { role_id: 2, site_id: body.data.id });
    const mail = await started.office.next();
    expect(mail.to).toEqual([owner.email]);
    expect((await setUp(codeIn(mail))).body.status).toBe(true);
    tokens.fresh = (
      await started.call('POST', '/login', { body: { email: owner.email, password: 'First@1234' } })
    ).body.token;
    const user = await invite('fresh');
    expect((await started.office.next()).to).toEqual([user.email]);
  });
});

describe('an address of a user in another company', () => {
  test('gets the same response as a free one; its owner is notified, and the invitation is invalid', async () => {
    await queries().withSchema('assay').deleteFrom('attempts').where('key', '=', 'invitation 2').execute();
    const [taken, free] = await Promise.all([
      call('POST', '/users', 'harbour', {
        first_name: 'Nia',
        last_name: 'Larsen',
        role_id: 4,
        email: 'OWNER@demo.test',
      }),
      call('POST', '/users', 'harbour', {
        first_name: 'Nia',
        last_name: 'Larsen',
        role_id: 4,
        email: 'free@harbour.test',
      }),
    ]);
    expect([taken.status, free.status]).toEqual([201, 201]);
    expect(Object.keys(taken.body.data)).toEqual(Object.keys(free.body.data));
    const mails = [await started.office.next(), await started.office.next()];
    const told = mails.find(({ to }) => to[0] === 'owner@demo.test')!;
    expect([told.headers.subject, told.text]).toEqual([
      'Someone entered your email address in Assay',
      expect.not.stringMatching(/verification_code|Harbour|Nia/),
    ]);
    expect(mails.map(({ headers }) => headers.subject)).toContain('You are invited to join Harbour Films on Assay');
  });

  test('is rejected within the company, and for an administrator, who sees every company', async () => {
    const person = { first_name: 'Nia', last_name: 'Larsen', role_id: 4, status_id: 1, password: 'Demo@1234' };
    const refusal = {
      message: expect.anything(),
      code: 'VALIDATION_FAILED',
      errors: { email: 'Email is already taken.' },
    };
    const within = await call('POST', '/users', 'harbour', { ...person, email: 'Owner@harbour.test' });
    const across = await call('POST', '/users', 'admin', { ...person, email: 'owner@demo.test', site_id: 2 });
    expect([within.body, across.body]).toEqual([refusal, refusal]);
  });
});
