import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createVerifier, hashPassword, verifyPassword } from '../../../../src/server/secrets/passwords';
import { startProgram, type TestProgram } from './program';

let started: TestProgram;
beforeAll(async () => {
  started = await startProgram();
});
afterAll(() => started.close());

const password = 'Demo@1234';
const login = (body: unknown, ip?: string) => started.call('POST', '/login', { body, ip });

describe('POST login', () => {
  test.each([
    ['admin', 1, 'Administrator', null, 'Amara Okafor'],
    ['owner', 2, 'Company Owner', 1, 'Olivia Berg'],
    ['manager', 3, 'Manager', 1, 'Mateo Vidal'],
    ['developer', 4, 'Developer', 1, 'Dina Haddad'],
    ['qa', 5, 'QA', 1, 'Quentin Marsh'],
    ['external', 6, 'External User', 1, 'Elif Demir'],
  ])('%s signs in', async (account, role, role_name, site_id, name) => {
    const { status, body } = await login({ email: `${account}@demo.test`, password, authenticateUrl: 1 });
    expect(status).toBe(200);
    const [first_name, last_name] = name.split(' ');
    expect(body).toEqual({
      status: true,
      message: 'Login Successfully!',
      token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      user: {
        id: expect.any(Number),
        name,
        first_name,
        last_name,
        email: `${account}@demo.test`,
        role_id: role,
        site_id,
      },
      role: { id: role, role_name, level: role },
      totalStudios: expect.any(Number),
      totalFilms: expect.any(Number),
    });
  });

  test('the totals cover the own company, including the archive, as far as listing is granted', async () => {
    const totals = async (email: string) => {
      const { body } = await login({ email, password });
      return [body.totalStudios, body.totalFilms];
    };
    expect(await totals('owner@demo.test')).toEqual([5, 9]);
    expect(await totals('owner@harbour.test')).toEqual([1, 1]);
    expect(await totals('admin@demo.test')).toEqual([6, 10]);
    expect(await totals('external@demo.test')).toEqual([0, 2]);
  });

  test('the email address is case-insensitive and trimmed', async () => {
    expect((await login({ email: '  Owner@DEMO.test ', password })).body.status).toBe(true);
  });

  test('a wrong password and an unknown address get the same response', async () => {
    const wrong = await login({ email: 'qa@demo.test', password: 'Wrong@1234' });
    const unknown = await login({ email: 'nobody@demo.test', password: 'Wrong@1234' });
    expect(wrong.status).toBe(200);
    expect(wrong.body).toEqual({ status: false, message: expect.stringContaining('wrong') });
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
  });

  const rule = 'Password:8+ chars,1 upper,1 lower,1 digit,1 special.';
  test.each<[string, unknown, Record<string, string>]>([
    ['nothing', {}, { email: 'Email is required.', password: 'Password is required.' }],
    ['nulls', { email: null, password: null }, { email: 'Email is required.', password: 'Password is required.' }],
    ['empty texts', { email: ' ', password: '' }, { email: 'Email is required.', password: 'Password is required.' }],
    ['no password', { email: 'qa@demo.test' }, { password: 'Password is required.' }],
    ['a number', { email: 5, password }, { email: 'Email must be text.' }],
    ['a list', { email: 'qa@demo.test', password: [password] }, { password: 'Password must be text.' }],
    ['no address', { email: 'qa', password }, { email: 'Email must be an email address such as name@example.com.' }],
    ['a short password', { email: 'qa@demo.test', password: 'demo123' }, { password: rule }],
    ['a NUL', { email: 'qa@demo.test', password: 'Demo@1234\0' }, { password: rule }],
    [
      'an unknown field',
      { email: 'qa@demo.test', password, remember: true },
      { remember: 'Unknown property remember.' },
    ],
  ])('%s is refused with the fields', async (_, body, errors) => {
    const answer = await login(body);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ message: expect.any(String), code: 'VALIDATION_FAILED', errors });
  });

  test.each([[[]], [['x']], ['text'], [7]])('the body %j is not an object', async (body) => {
    const payload = JSON.stringify(body);
    const headers = { 'content-type': 'application/json' };
    const answer = await started.app.inject({ method: 'POST', url: '/api/login', payload, headers });
    expect(answer.statusCode).toBe(400);
  });

  test.each([
    ['inactive', 2],
    ['suspended', 3],
    ['invited', 4],
  ])('an %s user does not sign in', async (_, status_id) => {
    const { kysely } = started.test.database;
    const set = (status: number) =>
      kysely.updateTable('users').set({ status_id: status }).where('email', '=', 'developer@demo.test').execute();
    await set(status_id);
    const answer = await login({ email: 'developer@demo.test', password });
    await set(1);
    expect([answer.status, answer.body.status]).toEqual([200, false]);
  });

  test('a deleted user cannot sign in', async () => {
    const { kysely } = started.test.database;
    const set = (deleted_at: Date | null) =>
      kysely.updateTable('users').set({ deleted_at }).where('email', '=', 'developer@demo.test').execute();
    await set(new Date());
    const answer = await login({ email: 'developer@demo.test', password });
    await set(null);
    expect(answer.body.status).toBe(false);
  });

  test('after ten failures nobody can sign in to the account from that address for a while', async () => {
    const from = '198.51.100.7';
    const wrong = { email: 'qa@demo.test', password: 'Wrong@1234' };
    for (let i = 0; i < 10; i++) {
      expect((await login(wrong, from)).status).toBe(200);
      // A success between failures is no failure.
      if (i === 4) expect((await login({ email: 'qa@demo.test', password }, from)).body.status).toBe(true);
    }
    const refused = await login({ email: 'QA@demo.test', password }, from);
    expect(refused.status).toBe(429);
    expect(refused.body.message).toMatch(/try again in \d+ minutes/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
    expect((await login({ email: 'qa@demo.test', password }, '198.51.100.8')).body.status).toBe(true);
    expect((await login({ email: 'manager@demo.test', password }, from)).body.status).toBe(true);
  });

  test('an unknown address is limited in the same way', async () => {
    const from = '198.51.100.9';
    const wrong = { email: 'ghost@demo.test', password: 'Wrong@1234' };
    for (let i = 0; i < 10; i++) expect((await login(wrong, from)).status).toBe(200);
    expect((await login(wrong, from)).status).toBe(429);
  });

  test('X-Forwarded-For does not change the address', async () => {
    const wrong = { email: 'forward@demo.test', password: 'Wrong@1234' };
    const send = (i: number) =>
      started.app.inject({
        method: 'POST',
        url: '/api/login',
        payload: wrong,
        headers: { 'x-forwarded-for': `203.0.113.${i}` },
        remoteAddress: '198.51.100.10',
      });
    for (let i = 0; i < 10; i++) expect((await send(i)).statusCode).toBe(200);
    expect((await send(11)).statusCode).toBe(429);
  });
});

describe('passwords', () => {
  test('are stored as argon2id', async () => {
    const hash = await hashPassword(password);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(hash, password)).toBe(true);
    expect(await verifyPassword(hash, `${password} `)).toBe(false);
    expect(await verifyPassword('no hash', password)).toBe(false);
  });

  test('are the same on every keyboard, and compatible with previous versions', async () => {
    const [composed, decomposed] = ['Grüße aus Köln 7', 'Grüße aus Köln 7'.normalize('NFD')];
    expect(await verifyPassword(await hashPassword(decomposed), composed)).toBe(true);
    expect(await verifyPassword(await hash(decomposed), decomposed)).toBe(true);
  });

  test('are never accepted without a hash', async () => {
    const verify = await createVerifier();
    expect(await verify(undefined, password)).toBe(false);
    expect(await verify(null, '')).toBe(false);
    expect(await verify(await hashPassword(password), password)).toBe(true);
  });
});
