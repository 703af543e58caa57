import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SoftAuthenticator, type Origin } from '../../../support/authenticator';
import { startProgram, type TestProgram } from './program';

let started: TestProgram;
let home: Origin;
beforeAll(async () => {
  started = await startProgram({ DEMO: '1', PUBLIC_URL: 'https://assay.example.com' });
  home = { origin: 'https://assay.example.com', rpId: 'assay.example.com' };
});
afterAll(() => started.close());

const kysely = () => started.program.database.kysely;
const post = (path: string, body: object = {}, token?: string) => started.call('POST', path, { body, token });

beforeEach(async () => {
  for (const table of ['passkeys', 'challenges', 'attempts', 'recovery_codes'])
    await sql`delete from ${sql.id('assay', table)}`.execute(kysely());
});

/** A passkey of an account, whose counter stands at 5. */
async function enrolled(account: string): Promise<{ key: SoftAuthenticator; token: string }> {
  const token = await started.signIn(account);
  const { body } = await post('/me/passkeys/options', {}, token);
  const key = new SoftAuthenticator();
  const added = await post(
    '/me/passkeys',
    { name: 'Key', passkey: key.register(body.data.challenge, { ...home, counter: 5 }) },
    token,
  );
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  return { key, token };
}

const challengeOf = async () => (await post('/login/passkey/options')).body.data.challenge as string;
const enter = async (passkey: unknown) => (await post('/login/passkey', { passkey })).body;
const counter = async () =>
  Number((await sql<{ counter: string }>`select counter from assay.passkeys`.execute(kysely())).rows[0]!.counter);

test('a passkey alone signs in, and its counter is stored', async () => {
  const { key } = await enrolled('qa');
  const body = await enter(key.sign(await challengeOf(), { ...home, counter: 6 }));
  expect([body.status, body.user.id, await counter()]).toEqual([true, 5, 6]);
});

describe('a passkey is rejected, with nothing stored', () => {
  type Forge = (key: SoftAuthenticator, token: string) => Promise<unknown>;
  const at =
    (place: Partial<Origin>): Forge =>
    async (key) =>
      key.sign(await challengeOf(), { ...home, counter: 6, ...place });
  test.each<[string, Forge]>([
    ['a counter that goes backwards: the key was copied', at({ counter: 4 })],
    ['a counter that stands still', at({ counter: 5 })],
    ['a counter that was forgotten', at({ counter: 0 })],
    ['another origin', at({ origin: 'https://assay.example.com.evil.test' })],
    ['another port', at({ origin: 'https://assay.example.com:8443' })],
    ['no encryption', at({ origin: 'http://assay.example.com' })],
    ['another RP id', at({ rpId: 'evil.test' })],
    ['the RP id of the domain above', at({ rpId: 'example.com' })],
    ['nobody who was verified, without a password', at({ verified: false })],
    ['a challenge that nobody made', async (key) => key.sign('A'.repeat(43), { ...home, counter: 6 })],
    [
      'a challenge that has ended',
      async (key) => {
        const challenge = await challengeOf();
        await sql`update assay.challenges set expires_at = now() - interval '1 second'`.execute(kysely());
        return key.sign(challenge, { ...home, counter: 6 });
      },
    ],
    [
      'a challenge for adding a passkey',
      async (key, token) => {
        return key.sign((await post('/me/passkeys/options', {}, token)).body.data.challenge, { ...home, counter: 6 });
      },
    ],
    [
      'a challenge that was made for somebody who is known',
      async (key, token) => {
        return key.sign((await post('/me/proof/passkey', {}, token)).body.data.challenge, { ...home, counter: 6 });
      },
    ],
    [
      'the signature of another key',
      async (key) => ({
        ...new SoftAuthenticator().sign(await challengeOf(), { ...home, counter: 6 }),
        id: key.id.toString('base64url'),
        rawId: key.id.toString('base64url'),
      }),
    ],
    ['a key that nobody has', async () => new SoftAuthenticator().sign(await challengeOf(), { ...home, counter: 6 })],
  ])('%s', async (_, forge) => {
    const { key, token } = await enrolled('qa');
    const body = await enter(await forge(key, token));
    expect([body.status, body.token, await counter()]).toEqual([false, undefined, 5]);
    // The key itself is as good as before.
    expect((await enter(key.sign(await challengeOf(), { ...home, counter: 6 }))).status).toBe(true);
  });
});

test('a challenge is used once, even concurrently', async () => {
  const { key } = await enrolled('qa');
  const challenge = await challengeOf();
  const both = await Promise.all([6, 7].map((times) => enter(key.sign(challenge, { ...home, counter: times }))));
  expect(both.filter(({ status }) => status)).toHaveLength(1);
  expect((await enter(key.sign(challenge, { ...home, counter: 9 }))).status).toBe(false);
});

test('passkeys without a counter, such as synchronised ones, can sign in repeatedly', async () => {
  const token = await started.signIn('developer');
  const { body } = await post('/me/passkeys/options', {}, token);
  const key = new SoftAuthenticator();
  expect(
    (await post('/me/passkeys', { name: 'Key', passkey: key.register(body.data.challenge, home) }, token)).status,
  ).toBe(201);
  for (let times = 0; times < 2; times++) expect((await enter(key.sign(await challengeOf(), home))).status).toBe(true);
});

describe('a passkey of another user', () => {
  test('is neither a second step nor a proof of identity', async () => {
    const { key: theirs } = await enrolled('developer');
    const { key: own, token } = await enrolled('qa');
    const { body } = await post('/login', { email: 'qa@demo.test', password: 'Demo@1234' });
    const { challenge } = body.second_factor as { challenge: string };
    const options = async () =>
      (await post('/login/second-factor/passkey', { challenge })).body.data.challenge as string;
    const step = async (passkey: unknown) => (await post('/login/second-factor', { challenge, passkey })).body;
    expect((await step(theirs.sign(await options(), { ...home, counter: 6 }))).token).toBeUndefined();
    const proof = async (key: SoftAuthenticator) =>
      post(
        '/me/proof',
        {
          passkey: key.sign((await post('/me/proof/passkey', {}, token)).body.data.challenge, { ...home, counter: 7 }),
        },
        token,
      );
    expect((await proof(theirs)).status).toBe(422);
    expect((await proof(own)).status).toBe(200);
    expect((await step(own.sign(await options(), { ...home, counter: 8 }))).token).toBeTruthy();
  });

  test('cannot be added by a challenge of this user, and each passkey belongs to one user', async () => {
    const { key, token: qa } = await enrolled('qa');
    const developer = await started.signIn('developer');
    const challenge = async (token: string) =>
      (await post('/me/passkeys/options', {}, token)).body.data.challenge as string;
    const add = async (token: string, passkey: unknown) =>
      (await post('/me/passkeys', { name: 'Key', passkey }, token)).status;
    const fresh = new SoftAuthenticator();
    expect(await add(qa, fresh.register(await challenge(developer), home))).toBe(422);
    expect(await add(developer, key.register(await challenge(developer), home))).toBe(422);
    const used = await challenge(qa);
    for (const [place, status] of [
      [{ ...home, origin: 'https://evil.test' }, 422],
      [{ ...home, rpId: 'evil.test' }, 422],
    ] as const) {
      expect(await add(qa, fresh.register(await challenge(qa), place))).toBe(status);
    }
    expect(await add(qa, fresh.register(used, home))).toBe(201);
    expect(await add(qa, new SoftAuthenticator().register(used, home))).toBe(422);
  });
});
