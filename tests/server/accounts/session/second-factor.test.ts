import { generateSync } from 'otplib';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clearAccessCache } from '../../../../src/server/accounts/session/access-cache';
import { startProgram, type TestProgram } from './program';

let started: TestProgram;
const keys = [1, 2].map((fill) => Buffer.alloc(32, fill).toString('base64'));
beforeAll(async () => {
  started = await startProgram({ DEMO: '1', SECRET_KEYS: keys[0]! });
});
afterAll(() => started.close());

const password = 'Demo@1234';
const kysely = () => started.program.database.kysely;
const post = (path: string, body: object, token?: string) => started.call('POST', path, { body, token });
const login = (account: string) => post('/login', { email: `${account}@demo.test`, password });
const codeAt = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });
const idOf = async (account: string) =>
  (
    await kysely()
      .selectFrom('users')
      .select('id')
      .where('email', '=', `${account}@demo.test`)
      .executeTakeFirstOrThrow()
  ).id as number;

/** Nobody has a factor, nothing was tried, and nothing is required. */
beforeEach(async () => {
  for (const table of ['authenticators', 'recovery_codes', 'passkeys', 'challenges', 'trusted_devices', 'attempts']) {
    await sql`delete from ${sql.id('assay', table)}`.execute(kysely());
  }
  await sql`update sites set second_factor = null, second_factor_starts = null`.execute(kysely());
  await sql`update roles set second_factor = null`.execute(kysely());
});

/** Sets an authenticator up, and forgets that a code was used for it. */
async function enrol(account: string): Promise<{ secret: string; codes: string[]; token: string }> {
  const token = await started.signIn(account);
  const { body } = await post('/me/second-factor/totp', {}, token);
  const { secret, uri } = body.data;
  expect(uri).toBe(`otpauth://totp/Assay:${encodeURIComponent(`${account}@demo.test`)}?secret=${secret}&issuer=Assay`);
  const done = await post('/me/second-factor/totp/confirm', { code: codeAt(secret) }, token);
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  await forgetStep(account);
  return { secret, codes: done.body.data.recovery_codes, token };
}

const forgetStep = async (account: string) =>
  sql`update assay.authenticators set last_step = null where user_id = ${await idOf(account)}`.execute(kysely());

async function challenge(account: string): Promise<string> {
  const { body } = await login(account);
  expect(body.token).toBeUndefined();
  return body.second_factor.challenge;
}

describe('an authenticator', () => {
  test('is required once a code of it was entered, and stored encrypted', async () => {
    const token = await started.signIn('qa');
    const { secret } = (await post('/me/second-factor/totp', {}, token)).body.data;
    expect((await login('qa')).body.token).toBeTruthy();
    const wrong = await post('/me/second-factor/totp/confirm', { code: '000000' }, token);
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['code']]);
    const done = await post('/me/second-factor/totp/confirm', { code: codeAt(secret) }, token);
    const codes = done.body.data.recovery_codes as string[];
    expect([codes.length, new Set(codes).size]).toEqual([10, 10]);
    for (const code of codes) expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);

    expect((await login('qa')).body).toEqual({
      status: false,
      message: expect.stringContaining('second step'),
      second_factor: {
        challenge: expect.any(String),
        kind: 'verify',
        methods: ['totp', 'recovery_code'],
        expires_in: 600,
      },
    });
    const rows = [
      await kysely().withSchema('assay').selectFrom('authenticators').selectAll().execute(),
      await kysely().withSchema('assay').selectFrom('recovery_codes').selectAll().execute(),
    ];
    const stored = rows
      .flat()
      .flatMap((row) => Object.values(row))
      .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
      .join();
    for (const text of [secret, ...codes]) expect(stored).not.toContain(text);
    const { data } = (await started.call('GET', '/me/second-factor', { token })).body;
    expect(data).toEqual({
      authenticator_since: expect.any(String),
      recovery_codes_left: 10,
      passkeys: [],
      required: null,
    });
  });

  test.each<[string, number, boolean]>([
    ['now', 0, true],
    ['a step ago', -1, true],
    ['a step ahead', 1, true],
    ['two steps ago', -2, false],
    ['two steps ahead', 2, false],
  ])('its code of %s signs in: %s %s', async (_, steps, good) => {
    const { secret } = await enrol('developer');
    // A step that begins between making the code and sending it would make another one of it.
    const left = 30_000 - (Date.now() % 30_000);
    if (left < 3000) await new Promise((done) => setTimeout(done, left));
    const { status, body } = await post('/login/second-factor', {
      challenge: await challenge('developer'),
      code: codeAt(secret, steps),
    });
    expect([status, body.status, Boolean(body.token)]).toEqual([200, good, good]);
    if (good) expect((await started.call('GET', '/me', { token: body.token })).status).toBe(200);
    else expect(body).toMatchObject({ tries_left: 4, message: expect.stringContaining('four tries are left') });
  });

  test('a code and a challenge are valid only once', async () => {
    const { secret } = await enrol('qa');
    const [first, second] = [await challenge('qa'), await challenge('qa')];
    const code = codeAt(secret);
    const once = await Promise.all([first, first].map((one) => post('/login/second-factor', { challenge: one, code })));
    expect(once.filter(({ body }) => body.token)).toHaveLength(1);
    expect((await post('/login/second-factor', { challenge: second, code })).body.token).toBeUndefined();
    await forgetStep('qa');
    expect((await post('/login/second-factor', { challenge: first, code: codeAt(secret) })).body).toMatchObject({
      status: false,
      tries_left: 0,
    });
  });

  test('five wrong codes end a challenge, ten block further attempts', async () => {
    const { secret } = await enrol('manager');
    for (let round = 0; round < 2; round++) {
      const one = await challenge('manager');
      for (let left = 4; left >= 0; left--) {
        const { body } = await post('/login/second-factor', { challenge: one, code: '000000' });
        expect(body).toMatchObject({ status: false, tries_left: left });
      }
      if (round === 0) {
        const late = await post('/login/second-factor', { challenge: one, code: codeAt(secret) });
        expect(late.body).toMatchObject({ status: false, message: expect.stringContaining('sign in again') });
        await sql`delete from assay.attempts where ctid in (select ctid from assay.attempts where key like 'second step%' order by at desc limit 2)`.execute(
          kysely(),
        );
      }
    }
    const refused = await post('/login/second-factor', { challenge: await challenge('manager'), code: codeAt(secret) });
    expect(refused.status).toBe(429);
  });

  test('a previous key still decrypts, and used secrets are encrypted with the new one', async () => {
    const { secret } = await enrol('qa');
    const stored = async () =>
      (await kysely().withSchema('assay').selectFrom('authenticators').select('secret').executeTakeFirstOrThrow())
        .secret as Buffer;
    const before = await stored();
    const { settings } = started.program;
    settings.secretKeys!.unshift(Buffer.from(keys[1]!, 'base64'));
    const program = { ...started.program, settings: { ...settings } };
    const { useAuthenticator } = await import('../../../../src/server/accounts/second-factor/totp');
    const userId = await idOf('qa');
    const use = (code: string) => program.database.transaction((trx) => useAuthenticator(program, trx, userId, code));
    expect(await use(codeAt(secret))).toBe(true);
    expect((await stored()).subarray(0, 4)).not.toEqual(before.subarray(0, 4));
    settings.secretKeys!.shift();
    const foreign = { ...program, settings: { ...settings, secretKeys: [Buffer.alloc(32, 9)] } };
    await expect(
      program.database.transaction((trx) => useAuthenticator(foreign, trx, userId, '000000')),
    ).rejects.toThrow('SECRET_KEYS');
  });
});

describe('recovery codes', () => {
  test('each signs in once, in any notation; a new set replaces the old one', async () => {
    const { codes, token } = await enrol('qa');
    const use = async (recovery_code: string) =>
      (await post('/login/second-factor', { challenge: await challenge('qa'), recovery_code })).body;
    expect((await use(codes[0]!)).token).toBeTruthy();
    expect((await use(codes[0]!)).token).toBeUndefined();
    expect((await use(` ${codes[1]!.toUpperCase().replace('-', ' ')} `)).token).toBeTruthy();
    expect((await started.call('GET', '/me/second-factor', { token })).body.data.recovery_codes_left).toBe(8);
    const renewed = (await post('/me/recovery-codes', {}, token)).body.data.recovery_codes as string[];
    expect((await use(codes[2]!)).token).toBeUndefined();
    expect((await use(renewed[0]!)).token).toBeTruthy();
  });

  test('there are none without another factor', async () => {
    const token = await started.signIn('qa');
    expect((await post('/me/recovery-codes', {}, token)).status).toBe(409);
  });
});

describe('a trusted device', () => {
  test('skips the second step until the password changes', async () => {
    const { secret, token } = await enrol('qa');
    const one = await started.app.inject({
      method: 'POST',
      url: '/api/login/second-factor',
      payload: { challenge: await challenge('qa'), code: codeAt(secret), trust_device: true },
    });
    const set = String(one.headers['set-cookie']);
    expect(set).toMatch(
      /^assay_device_3000_\d+=[\w-]{43}; Max-Age=2592000; Path=\/api\/login; HttpOnly; SameSite=Strict$/,
    );
    const again = (email = 'qa@demo.test') =>
      started.app.inject({
        method: 'POST',
        url: '/api/login',
        headers: { cookie: set.split(';')[0]! },
        payload: { email, password },
      });
    expect((await again()).json().token).toBeTruthy();
    await enrol('developer');
    expect((await again('developer@demo.test')).json().token).toBeUndefined();
    const { endOtherSignIns } = await import('../../../../src/server/accounts/session/sign-ins');
    await started.program.database.transaction(async (trx) => endOtherSignIns(trx, await idOf('qa'), 0));
    expect((await again()).json().token).toBeUndefined();
    expect(token).toBeTruthy();
  });
});

describe('where a second factor is required', () => {
  const company = (level: number | null, starts: string | null = null) =>
    sql`update sites set second_factor = ${level}, second_factor_starts = ${starts}::date where id = 1`.execute(
      kysely(),
    );

  test.each<[string, () => Promise<unknown>, Record<string, boolean>]>([
    ['of owners', () => company(2), { owner: true, manager: false, qa: false }],
    ['of owners and managers', () => company(3), { owner: true, manager: true, qa: false, external: false }],
    ['of everybody', () => company(6), { owner: true, qa: true, external: true, admin: false }],
    ['from tomorrow on', () => company(6, '2999-01-01'), { owner: false, qa: false }],
    ['since yesterday', () => company(6, '2020-01-01'), { owner: true, qa: true }],
    [
      'by a role',
      () => sql`update roles set second_factor = true where id = 5`.execute(kysely()),
      { owner: false, qa: true },
    ],
    [
      'by the role of administrators',
      () => sql`update roles set second_factor = true where id = 1`.execute(kysely()),
      { admin: true, owner: false },
    ],
  ])('%s, who has none sets one up before anything else', async (_, require, expected) => {
    await require();
    for (const [account, asked] of Object.entries(expected)) {
      const { body } = await login(account);
      expect([account, body.second_factor?.kind, Boolean(body.token)]).toEqual([
        account,
        asked ? 'setup' : undefined,
        !asked,
      ]);
    }
  });

  test('setting it up signs in and creates recovery codes; it cannot be removed', async () => {
    await company(6);
    const one = await challenge('qa');
    const { secret } = (await post('/login/second-factor/totp', { challenge: one })).body.data;
    const wrong = await post('/login/second-factor', { challenge: one, code: '000000' });
    expect(wrong.body).toMatchObject({ status: false, tries_left: 4 });
    const { body } = await post('/login/second-factor', { challenge: one, code: codeAt(secret) });
    expect([body.status, body.recovery_codes.length]).toEqual([true, 10]);
    expect((await started.call('DELETE', '/me/second-factor/totp', { token: body.token })).status).toBe(409);
    await company(null);
    expect((await started.call('DELETE', '/me/second-factor/totp', { token: body.token })).status).toBe(200);
    expect((await login('qa')).body.token).toBeTruthy();
  });

  test('a challenge is valid only for its purpose', async () => {
    const { secret } = await enrol('qa');
    const one = await challenge('qa');
    expect((await post('/login/second-factor/totp', { challenge: one })).body.status).toBe(false);
    await company(6);
    const other = await challenge('developer');
    expect((await post('/login/second-factor', { challenge: other, code: codeAt(secret) })).body.token).toBeUndefined();
    for (const made of ['', 'x'.repeat(43)]) {
      const { status, body } = await post('/login/second-factor', { challenge: made, code: '123456' });
      expect([status === 422 || body.status === false, body.token]).toEqual([true, undefined]);
    }
  });
});

describe('changes of a second factor', () => {
  const own: [string, string, object | undefined][] = [
    ['POST', '/me/second-factor/totp', {}],
    ['POST', '/me/second-factor/totp/confirm', { code: '123456' }],
    ['DELETE', '/me/second-factor/totp', undefined],
    ['POST', '/me/recovery-codes', {}],
    ['POST', '/me/passkeys/options', {}],
    ['POST', '/me/passkeys', { name: 'Key', passkey: { id: 'x' } }],
    ['PUT', '/me/passkeys/1', { name: 'Key' }],
    ['DELETE', '/me/passkeys/1', undefined],
  ];
  test.each(own)('%s %s requires a proof of identity', async (method, path, body) => {
    const token = await started.signIn('external');
    const { database } = started.program;
    await database.transaction(async (trx) => {
      await sql`update assay.tokens set proven_at = now() - interval '11 minutes'`.execute(trx);
      await clearAccessCache(database, trx);
    });
    const answer = await started.call(method, path, { token, body });
    expect([answer.status, answer.body.code]).toEqual([403, 'PROOF_REQUIRED']);
  });

  test('an authenticator app can confirm the identity', async () => {
    const { secret, token } = await enrol('qa');
    expect((await started.call('GET', '/me/proof', { token })).body.data.methods).toEqual(['password', 'totp']);
    expect((await post('/me/proof', { code: '000000' }, token)).body.errors).toHaveProperty('code');
    const proven = await post('/me/proof', { code: codeAt(secret) }, token);
    expect(proven.status, JSON.stringify(proven.body)).toBe(200);
    expect((await post('/me/proof', {}, token)).status).toBe(422);
  });

  test.each<[string, string, string, number]>([
    ['an owner resets that of a colleague', 'owner', 'qa', 200],
    ['an administrator resets that of an owner', 'admin', 'owner', 200],
    ['nobody resets that of somebody more powerful', 'manager', 'owner', 403],
    ['who may not edit users resets none', 'developer', 'qa', 403],
    ['nobody resets that of another company', 'owner', 'owner@harbour.test', 404],
  ])('%s', async (_, who, whose, status) => {
    const mine = whose.includes('@') ? undefined : await enrol(whose);
    const email = whose.includes('@') ? whose : `${whose}@demo.test`;
    const user = await kysely().selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
    const { body } = await post('/login', { email: `${who}@demo.test`, password });
    const answer = await post('/reset-second-factor', { user_id: user.id }, body.token);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    if (status !== 200) return;
    expect((await started.call('GET', '/me', { token: mine!.token })).status).toBe(401);
    expect((await login(whose)).body.token).toBeTruthy();
    const mail = await sql<{ occasion: string }>`select occasion from assay.mails order by id desc limit 1`.execute(
      kysely(),
    );
    expect(mail.rows[0]!.occasion).toBe('second_factor_reset');
    const line = await sql<{
      user_id: number;
      record_id: string;
      detail: object;
    }>`select user_id, record_id, detail from assay.security_log where event = 'second_factor_changed' order by id desc limit 1`.execute(
      kysely(),
    );
    expect(line.rows[0]).toEqual({ user_id: await idOf(who), record_id: String(user.id), detail: { change: 'reset' } });
    expect((await post('/reset-second-factor', { user_id: user.id }, body.token)).body.status).toBe(false);
  });
});
