import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProgram, type TestProgram } from './program';

let started: TestProgram;
let address = 0;
beforeAll(async () => {
  started = await startProgram({ DEMO: '0' });
});
afterAll(() => started.close());

const founder = {
  first_name: 'Ada',
  last_name: 'Novak',
  site_name: 'Novak Testing',
  email: 'ada@novak.test',
  password: 'Quiet#Harbour7',
};
const register = (body: unknown, ip = `192.0.2.${++address}`) => started.call('POST', '/register', { body, ip });
const count = async (table: string) => {
  const rows = await started.test.database.kysely.selectFrom(table).select('id').execute();
  return rows.length;
};

describe('POST register', () => {
  test('creates a company with its owner, who is signed in', async () => {
    const { status, body } = await register({ ...founder, phone_number: '+49 30 123', authenticateUrl: 1 });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: true,
      message: 'Registered Successfully!',
      token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      user: {
        id: expect.any(Number),
        name: 'Ada Novak',
        first_name: 'Ada',
        last_name: 'Novak',
        email: 'ada@novak.test',
        role_id: 2,
        site_id: expect.any(Number),
      },
      role: { id: 2, role_name: 'Company Owner', level: 2 },
      totalStudios: 0,
      totalFilms: 0,
    });
    const me = await started.call('GET', '/me', { token: body.token });
    expect(me.body.data.user).toMatchObject(body.user);
    const { kysely } = started.test.database;
    const site = await kysely.selectFrom('sites').selectAll().where('id', '=', body.user.site_id).executeTakeFirst();
    expect(site).toMatchObject({ name: 'Novak Testing', time_zone: 'UTC', created_by: body.user.id });
    const user = await kysely.selectFrom('users').selectAll().where('id', '=', body.user.id).executeTakeFirst();
    expect(user).toMatchObject({ phone_number: '+49 30 123', status_id: 1 });
    expect(user!.password).toMatch(/^\$argon2id\$/);
  });

  test('the owner signs in later', async () => {
    const { body } = await started.call('POST', '/login', {
      body: { email: founder.email, password: founder.password },
    });
    expect(body.status).toBe(true);
  });

  test('an address with an account gets the same response as a free one, and keeps its owner', async () => {
    const first = await started.call('POST', '/login', { body: { email: founder.email, password: founder.password } });
    const again = { ...founder, email: 'ADA@Novak.test', password: 'Spring#Morning9' };
    const { status, body } = await register(again);
    expect([status, body]).toEqual([
      200,
      {
        ...first.body,
        message: 'Registered Successfully!',
        token: expect.stringMatching(/^[\w-]{43}$/),
        user: { ...first.body.user, id: expect.any(Number), email: 'ADA@Novak.test', site_id: expect.any(Number) },
      },
    ]);
    expect(body.user.site_id).not.toBe(first.body.user.site_id);
    const signIn = async (password: string) =>
      (await started.call('POST', '/login', { body: { email: founder.email, password } })).body;
    expect((await signIn(founder.password)).user.id).toBe(first.body.user.id);
    expect((await signIn(again.password)).user.id).toBe(body.user.id);
  });

  test.each([
    ['a link', { site_name: 'Win at https://evil.example' }, ['site_name']],
    ['an address', { first_name: 'ada@evil.example' }, ['first_name']],
    ['a line break', { last_name: 'Novak\nBcc: x' }, ['last_name']],
  ])('%s is no name', async (_, change, fields) => {
    const { status, body } = await register({ ...founder, email: 'named@novak.test', ...change });
    expect([status, Object.keys(body.errors)]).toEqual([422, fields]);
  });

  const required = {
    first_name: 'First Name is required.',
    last_name: 'Last Name is required.',
    site_name: 'Company Name is required.',
    email: 'Email is required.',
    password: 'Password is required.',
  };
  test.each<[string, object, Record<string, string>]>([
    ['nothing', Object.fromEntries(Object.keys(founder).map((name) => [name, undefined])), required],
    ['blanks', { first_name: '  ', site_name: '' }, { first_name: required.first_name, site_name: required.site_name }],
    [
      'what is not seen',
      { first_name: '\u200b', site_name: '\u00a0\ufeff' },
      { first_name: required.first_name, site_name: required.site_name },
    ],
    [
      'a long number',
      { phone_number: '+49 30 1234567890' },
      { phone_number: 'Phone Number must have at most 15 characters.' },
    ],
    [
      'letters in a number',
      { phone_number: 'call me' },
      { phone_number: 'Phone Number contains characters that are not allowed.' },
    ],
    ['a long name', { site_name: 'x'.repeat(256) }, { site_name: 'Company Name must have at most 255 characters.' }],
    [
      'a weak password',
      { password: 'novak2026' },
      { password: 'Password:8+ chars,1 upper,1 lower,1 digit,1 special.' },
    ],
    ['no address', { email: 'ada at novak' }, { email: 'Email must be an email address such as name@example.com.' }],
    ['an object', { first_name: { $ne: null } }, { first_name: 'First Name must be text.' }],
    ['a NUL', { last_name: 'No\0vak' }, { last_name: 'Last Name contains characters that are not allowed.' }],
    [
      'unknown fields',
      { role_id: 1, level: 1 },
      { role_id: 'Unknown property role_id.', level: 'Unknown property level.' },
    ],
  ])('%s is refused with the fields, and nothing is stored', async (_, change, errors) => {
    const before = await count('sites');
    const { status, body } = await register({ ...founder, email: 'new@novak.test', ...change });
    expect(status).toBe(422);
    expect(body).toEqual({ message: expect.any(String), code: 'VALIDATION_FAILED', errors });
    expect(await count('sites')).toBe(before);
  });

  test.each(['Welcome@1', 'Summer#2025'])('accepts %s, which follows the rule', async (password) => {
    const email = `${password.slice(0, 4)}@novak.test`;
    expect(await register({ ...founder, email, password })).toMatchObject({ status: 200, body: { status: true } });
  });

  test('where strong passwords are required, refuses a short one and accepts a long one without a mix', async () => {
    const strict = await startProgram({ DEMO: '0', PASSWORD_POLICY: 'strong' });
    const answer = (password: string) =>
      strict.call('POST', '/register', { body: { ...founder, password }, ip: '192.0.2.200' });
    const { status, body } = await answer('Summer#2025');
    expect([status, body.errors]).toEqual([422, { password: 'A password must have at least 12 characters.' }]);
    expect((await answer('correct horse battery')).body).toMatchObject({ status: true });
    await strict.close();
  });

  test('allows twenty registrations an hour from an address', async () => {
    const from = '203.0.113.5';
    for (let i = 0; i < 20; i++) {
      expect((await register({ ...founder, email: `many${i}@novak.test` }, from)).body.status).toBe(true);
    }
    const refused = await register({ ...founder, email: 'many20@novak.test' }, from);
    expect(refused.status).toBe(429);
    expect(refused.body.message).toMatch(/try again in \d+ minutes/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
  });
});

test('with REGISTRATION=closed nobody can register', async () => {
  const closed = await startProgram({ DEMO: '0', REGISTRATION: 'closed' });
  const { status, body } = await closed.call('POST', '/register', { body: founder });
  const users = await closed.test.database.kysely.selectFrom('users').select('id').execute();
  await closed.close();
  expect(status).toBe(200);
  expect(body).toEqual({ status: false, message: expect.stringContaining('closed') });
  expect(users).toEqual([]);
});
