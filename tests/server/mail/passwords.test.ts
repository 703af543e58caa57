import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeIn } from './mailbox';
import { startPosting, type Posting } from './posting';

let started: Posting;
let address = 0;
beforeAll(async () => {
  started = await startPosting();
});
afterAll(() => started.close());

const from = () => `192.0.2.${++address}`;
const forgot = (email: string, ip = from()) =>
  started.call('POST', '/forgot-password', {
    body: { email, resetPasswordLink: 'https://evil.example/auth/reset-password', authenticateUrl: 1 },
    ip,
  });
const reset = (verification_code: string, password = 'Fresh@1234', change: object = {}, ip = from()) =>
  started.call('POST', '/reset-password', {
    body: { verification_code, new_password: password, confirm_password: password, authenticateUrl: 1, ...change },
    ip,
  });
const signIn = async (email: string, password: string) =>
  (await started.call('POST', '/login', { body: { email, password }, ip: from() })).body as {
    status: boolean;
    token: string;
  };
const alive = async (token: string) => (await started.call('GET', '/me', { token })).status === 200;
const expire = (ago: number) =>
  started.program.database.kysely
    .withSchema('assay')
    .updateTable('codes')
    .set({ expires_at: new Date(Date.now() - ago) })
    .execute();
const wrong = { status: false, message: expect.stringContaining('code is wrong') };
const sent = {
  status: true,
  message: 'Email sent successfully! Please check your mail box to reset your password.',
};

describe('a forgotten password', () => {
  test('is replaced with the code from a mail, which ends every sign-in', async () => {
    const { token } = await signIn('qa@demo.test', 'Demo@1234');
    expect((await forgot('QA@demo.test')).body).toEqual(sent);
    const mail = await started.office.next();
    expect([mail.from, mail.to]).toEqual(['post@assay.example.com', ['qa@demo.test']]);
    expect(mail.headers).toMatchObject({
      from: 'Assay <post@assay.example.com>',
      to: 'Quentin Marsh <qa@demo.test>',
      subject: 'Reset your Assay password',
    });
    const code = codeIn(mail);
    expect(code).toMatch(/^[A-Za-z0-9]{20,}$/);
    const link = `https://assay.example.com/auth/reset-password?verification_code=${code}`;
    expect(mail.html).toContain(`href="${link}"`);
    expect(mail.html).toContain(`<code>${code}</code>`);
    expect(mail.text).toContain(`Choose a new password: ${link}`);
    expect(mail.text + mail.html).not.toContain('evil.example');
    expect((await reset(code)).body).toEqual({
      status: true,
      message: 'Password reset successfully! Please login with new password.',
    });
    expect(await alive(token)).toBe(false);
    expect((await signIn('qa@demo.test', 'Demo@1234')).status).toBe(false);
    expect((await signIn('qa@demo.test', 'Fresh@1234')).status).toBe(true);
    expect((await reset(code, 'Again@1234')).body).toEqual(wrong);
    const told = await started.office.next();
    expect([told.to, told.headers.subject]).toEqual([['qa@demo.test'], 'Your Assay password was changed']);
  });

  test('neither code nor mail is stored in the database', async () => {
    await started.stopSender();
    await forgot('developer@demo.test');
    const { kysely } = started.program.database;
    const mails = await kysely.withSchema('assay').selectFrom('mails').selectAll().execute();
    expect(mails.map(({ about }) => about)).toEqual([{ email: 'developer@demo.test' }]);
    await started.restartSender();
    const code = codeIn(await started.office.next());
    const codes = await kysely.withSchema('assay').selectFrom('codes').selectAll().execute();
    expect(JSON.stringify(codes)).not.toContain(code);
    expect(codes.map(({ hash }) => (hash as Buffer).length)).toContain(32);
  });

  test('a newer code replaces the older one', async () => {
    await forgot('manager@demo.test');
    const older = codeIn(await started.office.next());
    await forgot('manager@demo.test');
    const newer = codeIn(await started.office.next());
    expect((await reset(older)).body).toEqual(wrong);
    expect((await reset(newer)).body.status).toBe(true);
    await started.office.next();
  });

  test('a code is valid for an hour', async () => {
    await forgot('external@demo.test');
    const code = codeIn(await started.office.next());
    const { kysely } = started.program.database;
    const row = await kysely
      .withSchema('assay')
      .selectFrom('codes')
      .select('expires_at')
      .orderBy('expires_at', 'desc')
      .executeTakeFirst();
    expect(Date.parse(row!.expires_at as string) - Date.now()).toBeGreaterThan(59 * 60_000);
    expect(Date.parse(row!.expires_at as string) - Date.now()).toBeLessThanOrEqual(60 * 60_000);
    const owner = () => started.call('POST', '/code-owner', { body: { verification_code: code }, ip: from() });
    expect((await owner()).body).toEqual({
      data: { name: expect.any(String), email: expect.stringContaining('@demo.test') },
    });
    await expire(1000);
    expect((await owner()).body).toEqual({ data: null });
    expect((await reset(code)).body).toEqual({
      status: false,
      message: 'This link has expired: it was valid for one hour. Request a new one with “Forgot Password?”.',
    });
    expect((await reset('nobodysCode', 'Fresh@1234', { setup_account: 1 })).body.message).toMatch(
      /ask the person who invited you/,
    );
  });

  test('the code of a user who was suspended in the meantime is invalid', async () => {
    await forgot('external@demo.test');
    const code = codeIn(await started.office.next());
    const token = (await signIn('owner@demo.test', 'Demo@1234')).token;
    const { kysely } = started.program.database;
    const { id } = await kysely
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'external@demo.test')
      .executeTakeFirstOrThrow();
    expect((await started.call('PUT', `/users/${id}`, { token, body: { status_id: 3 } })).status).toBe(200);
    expect((await reset(code)).body).toEqual(wrong);
    await started.call('PUT', `/users/${id}`, { token, body: { status_id: 1 } });
    expect((await reset(code)).body).toEqual(wrong);
  });

  test('an address without an account gets the same response, before any mail is sent, and no mail', async () => {
    await started.stopSender();
    const before = started.office.received.length;
    const unknown = await forgot('nobody@nowhere.test');
    const known = await forgot('owner@harbour.test');
    expect([known.status, known.body]).toEqual([200, sent]);
    const { date: _, 'x-request-id': __, ...headers } = known.headers;
    expect(unknown).toEqual({
      ...known,
      headers: { ...headers, 'x-request-id': unknown.headers['x-request-id'], date: unknown.headers.date },
    });
    expect(started.office.received.length).toBe(before);
    await started.restartSender();
    // Sent in the order in which they were asked for: were there one for nobody, it would come first.
    expect((await started.office.next()).to).toEqual(['owner@harbour.test']);
    expect(started.office.received.length).toBe(before + 1);
  });

  test.each<[string, object, Record<string, string>]>([
    ['two passwords', { confirm_password: 'Other@1234' }, { confirm_password: 'The two passwords do not match.' }],
    [
      'a weak password',
      { new_password: 'weak', confirm_password: 'weak' },
      {
        new_password: 'Password:8+ chars,1 upper,1 lower,1 digit,1 special.',
        confirm_password: 'Password:8+ chars,1 upper,1 lower,1 digit,1 special.',
      },
    ],
    [
      'a code with other signs',
      { verification_code: 'a-b' },
      { verification_code: 'Only letters and digits are allowed.' },
    ],
    ['no code', { verification_code: '' }, { verification_code: 'Verification Code is required.' }],
    ['an unknown field', { user_id: 1 }, { user_id: 'Unknown property user_id.' }],
  ])('%s: refused on the field', async (_, change, errors) => {
    const { status, body } = await reset('abcdefghijklmnopqrst', 'Fresh@1234', change);
    expect([status, body.errors]).toEqual([422, errors]);
  });
});

describe('limits', () => {
  test('30 reset attempts an hour from an address', async () => {
    const ip = '203.0.113.9';
    for (let i = 0; i < 30; i++)
      expect((await reset('abcdefghijklmnopqrst', 'Fresh@1234', {}, ip)).body).toEqual(wrong);
    const refused = await reset('abcdefghijklmnopqrst', 'Fresh@1234', {}, ip);
    expect([refused.status, Number(refused.headers['retry-after']) > 3000]).toEqual([429, true]);
  });

  test.each(['admin@demo.test', 'nobody-else@nowhere.test'])(
    'a code for %s can be requested five times an hour',
    async (email) => {
      for (let i = 0; i < 5; i++) expect((await forgot(email)).body).toEqual(sent);
      expect((await forgot(email.toUpperCase())).status).toBe(429);
    },
  );
});
