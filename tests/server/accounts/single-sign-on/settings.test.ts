// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { startIdentityProvider, type IdentityProvider } from '../../../support/identity-provider';
import { startNameServer, type NameServer } from '../../../support/name-server';
import { password } from '../../../support/accounts';
import { createMailComposer } from '../../../../src/server/accounts/mails/mails';
import { startFixtureProgram, type DemoProgram } from '../../../support/program';
import { browserOf, type Browser } from './browser';

const back = 'http://localhost:3000/auth/single-sign-on';
let started: DemoProgram;
let names: NameServer;
let provider: IdentityProvider;
let owner: Browser;

beforeAll(async () => {
  [names, provider] = await Promise.all([startNameServer(), startIdentityProvider(back)]);
  started = await startFixtureProgram({ env: { OIDC_PRIVATE_ISSUERS: 'allowed', DNS_SERVERS: names.address } });
  owner = await as('owner@demo.test');
});
afterAll(async () => {
  await started.close();
  await Promise.all([names.stop(), provider.stop()]);
});

async function as(email: string): Promise<Browser> {
  const browser = browserOf(started);
  expect(await browser.byPassword(email)).toMatchObject({ status: true });
  return browser;
}

const kysely = () => started.program.database.kysely;
const base = () => ({ name: 'Demo login', issuer: provider.issuer, ...provider.client });
const signsIn = (sub: string, email: string) => (provider.next = { sub, email, email_verified: true });

describe('a domain', () => {
  test('is verified by its TXT record, by only one company', async () => {
    const named = await owner.call('POST', '/single-sign-on/domains', { domain: ' Demo.Test ' });
    expect(named.status).toBe(201);
    const [{ id, domain, record, proven_at }] = named.body.data.domains;
    expect([domain, record, proven_at]).toEqual([
      'demo.test',
      { name: '_assay.demo.test', type: 'TXT', value: expect.stringMatching(/^assay-verification=[\w-]{43}$/) },
      null,
    ]);
    const check = (browser: Browser, one: number, query = '') =>
      browser.call('POST', `/single-sign-on/domains/${one}/check${query}`);
    expect((await check(owner, id)).body.message).toMatch(/^There is no TXT record named _assay\.demo\.test yet/);
    names.records.set(record.name, 'assay-verification=of-somebody-else');
    expect((await check(owner, id)).body.message).toMatch(/has another value\. It must be assay-verification=/);
    names.records.set(record.name, record.value);
    expect((await check(owner, id)).body.data.domains[0]).toMatchObject({
      proven_by: 'dns',
      proven_at: expect.any(String),
    });

    const harbour = await as('owner@harbour.test');
    const theirs = (await harbour.call('POST', '/single-sign-on/domains', { domain: 'demo.test' })).body.data
      .domains[0];
    expect(theirs.record.value).not.toBe(record.value);
    names.records.set(record.name, theirs.record.value);
    const refused = await check(harbour, theirs.id);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringMatching(/^Another company has already verified/),
    ]);
    // Nobody reaches the domains of another company, and only an administrator says of which company.
    expect((await harbour.call('DELETE', `/single-sign-on/domains/${id}`)).status).toBe(404);
    expect((await harbour.call('GET', '/single-sign-on?site_id=1')).status).toBe(404);
    const admin = await as('admin@demo.test');
    expect((await admin.call('GET', '/single-sign-on')).status).toBe(400);
    const port = (await harbour.call('POST', '/single-sign-on/domains', { domain: 'harbour.test' })).body.data
      .domains[1];
    expect((await check(admin, port.id, '?site_id=2')).body.data.domains[1]).toMatchObject({
      proven_by: 'administrator',
    });
    const all = await admin.call('GET', '/single-sign-on/companies');
    expect(all.body.data).toEqual([
      expect.objectContaining({ id: 1, local_closed: false }),
      expect.objectContaining({ id: 2, provider: null }),
    ]);
  });

  test.each(['demo', '127.0.0.1', 'a b.test', 'https://demo.test', 'demo.test.', '*.test', ''])(
    '%j is none',
    async (domain) => {
      expect((await owner.call('POST', '/single-sign-on/domains', { domain })).status).toBe(422);
    },
  );
});

describe('a provider', () => {
  test('is connected once it responds, and its secret is never returned', async () => {
    const saved = await owner.call('PUT', '/single-sign-on', base());
    expect(saved.body.data.provider).toEqual({
      name: 'Demo login',
      issuer: provider.issuer,
      client_id: 'assay',
      has_secret: true,
      trusts_second_factor: false,
      trusts_addresses: false,
      new_people_role: null,
      local_closed: false,
    });
    const { rows } = await sql<{ text: string }>`select p::text as text from assay.identity_providers p`.execute(
      kysely(),
    );
    expect(rows[0]!.text).not.toContain(provider.client.client_secret);
    // A secret that is left out stays; it is not sent to another issuer.
    const { client_secret: _, ...without } = base();
    expect(
      (await owner.call('PUT', '/single-sign-on', { ...without, name: 'Demo Login' })).body.data.provider,
    ).toMatchObject({ name: 'Demo Login', has_secret: true });
    const other = await startIdentityProvider(back);
    const moved = await owner.call('PUT', '/single-sign-on', { ...without, issuer: other.issuer });
    expect(moved.body.errors).toEqual({
      client_secret: 'Enter the secret again: the stored one belongs to another issuer or client ID.',
    });
    await other.stop();
  });

  test.each([
    ['http://login.example.com', /must begin with https/],
    ['ftp://login.example.com', /must begin with https/],
    ['login', /must be a URL without user, query or #/],
    ['https://u:p@login.example.com', /must be a URL without user/],
    ['http://127.0.0.1:9', /is not responding/],
  ])('is not at %s', async (issuer, words) => {
    const { status, body } = await owner.call('PUT', '/single-sign-on', { ...base(), issuer });
    expect([status, body.errors.issuer]).toEqual([422, expect.stringMatching(words)]);
  });

  test('cannot be at a private address, unless the installation allows it', async () => {
    const strict = await startFixtureProgram();
    try {
      const browser = browserOf(strict);
      await browser.byPassword('owner@demo.test');
      for (const issuer of [
        'http://127.0.0.1:80',
        'https://127.0.0.1',
        'https://[::1]',
        'https://10.0.0.1',
        'https://169.254.169.254',
        'https://[::ffff:10.0.0.1]',
        'https://0x7f.1',
        'https://localhost',
      ]) {
        const { body } = await browser.call('PUT', '/single-sign-on', { ...base(), issuer });
        expect(body.errors?.issuer, issuer).toMatch(/must be public|must begin with https/);
      }
    } finally {
      await strict.close();
    }
  });

  test.each(['manager', 'developer', 'qa', 'external'])('cannot be seen or changed by a %s', async (account) => {
    const browser = await as(`${account}@demo.test`);
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', base()],
      ['DELETE', ''],
      ['GET', '/companies'],
      ['PUT', '/local-sign-in', { closed: true }],
      ['POST', '/domains', { domain: 'x.test' }],
    ] as const) {
      expect((await browser.call(method, `/single-sign-on${path}`, body)).status, `${method} ${path}`).toBe(403);
    }
  });

  test('can be changed only after a proof of identity', async () => {
    const browser = await as('owner@demo.test');
    await sql`update assay.tokens set proven_at = ${new Date(Date.now() - 11 * 60_000)}`.execute(kysely());
    const { accessCacheOf } = await import('../../../../src/server/accounts/session/access-cache');
    accessCacheOf(started.program.database).clear();
    const { status, body } = await browser.call('PUT', '/single-sign-on', base());
    expect([status, body.code]).toEqual([403, 'PROOF_REQUIRED']);
    owner = await as('owner@demo.test');
  });
});

describe('passwords', () => {
  const close = (browser: Browser, closed = true) => browser.call('PUT', '/single-sign-on/local-sign-in', { closed });

  test('can be disabled by an owner who signed in through the provider, and nobody is locked out', async () => {
    const early = await close(owner);
    expect([early.status, early.body.message]).toEqual([
      409,
      expect.stringMatching(/^Sign in through .* yourself first/),
    ]);
    const manager = await as('manager@demo.test');
    const reset = (await owner.call('POST', '/forgot-password', { email: 'qa@demo.test' })).body;
    expect(reset.status).toBe(true);
    signsIn('owner', 'owner@demo.test');
    const chief = browserOf(started);
    expect(await chief.throughProvider('owner@demo.test')).toMatchObject({ status: true });
    expect((await close(chief)).body.data.provider.local_closed).toBe(true);

    // What began by password ends, what began at the provider goes on.
    expect((await manager.call('GET', '/me')).status).toBe(401);
    expect((await chief.call('GET', '/me')).status).toBe(200);
    const words = 'This address does not use passwords or passkeys: continue with Demo Login.';
    const login = (email: string, more = {}) => browserOf(started).call('POST', '/login', { email, password, ...more });
    for (const email of ['manager@demo.test', 'nobody@demo.test']) {
      expect((await login(email)).body).toEqual({ status: false, message: words });
      expect((await login(email, { password: 'Wrong@1234' })).body).toEqual({ status: false, message: words });
      expect((await chief.call('POST', '/forgot-password', { email })).body).toEqual({ status: false, message: words });
    }
    expect((await login('owner@harbour.test')).body.status).toBe(true);
    expect((await chief.call('POST', '/send-reset-link', { user_id: 3 })).body).toMatchObject({
      status: false,
      message: 'This user signs in through Demo Login and has no password.',
    });
    const proof = (await chief.call('GET', '/me/proof')).body.data;
    expect([proof.methods, proof.provider]).toEqual([['single_sign_on'], 'Demo Login']);
    expect((await chief.call('POST', '/me/proof', { password })).status).toBe(422);
    const ways = (await browserOf(started).call('POST', '/login/ways', { email: 'x@demo.test' })).body.data;
    expect(ways).toMatchObject({ company: { name: 'Demo Login', closed: true }, password: false });
    // Another provider could not be tried by anybody, and would lock everybody out.
    expect((await chief.call('PUT', '/single-sign-on', { ...base(), client_id: 'other' })).status).toBe(409);
  });

  test('still let owners sign in with an additional recovery code, once each, and nobody else', async () => {
    const { issueRecoveryCodes } = await import('../../../../src/server/accounts/second-factor/recovery-codes');
    const codesOf = (id: number) =>
      started.program.database.transaction((trx) => issueRecoveryCodes(started.program, trx, id));
    const [own, others] = [await codesOf(2), await codesOf(3)];
    const enter = async (email: string, recovery_code: string, more = {}) =>
      (await browserOf(started).call('POST', '/login', { email, password, recovery_code, ...more })).body;
    expect(await enter('owner@demo.test', own[0]!, { password: 'Wrong@1234' })).toMatchObject({ status: false });
    expect(await enter('owner@demo.test', 'aaaaa-aaaaa')).toMatchObject({
      status: false,
      message: expect.stringMatching(/recovery code is wrong/),
    });
    expect(await enter('manager@demo.test', others[0]!)).toMatchObject({ status: false });
    expect(await enter('owner@demo.test', own[0]!)).toMatchObject({ status: true, user: { id: 2 } });
    expect(await enter('owner@demo.test', own[0]!)).toMatchObject({ status: false });
  });

  test('can be enabled again by an administrator of the installation', async () => {
    const admin = await as('admin@demo.test');
    const opened = await admin.call('PUT', '/single-sign-on/local-sign-in?site_id=1', { closed: false });
    expect(opened.body.data.provider.local_closed).toBe(false);
    await as('manager@demo.test');
    const again = await admin.call('PUT', '/single-sign-on/local-sign-in?site_id=1', { closed: true });
    expect(again.status).toBe(409);
  });

  test('users are linked again after their identities were deleted', async () => {
    signsIn('moved', 'owner@demo.test');
    expect(await browserOf(started).throughProvider('a@demo.test')).toMatchObject({ reason: 'other_identity' });
    const chief = await as('owner@demo.test');
    expect((await chief.call('POST', '/single-sign-on/forget')).body.data.joined).toBe(0);
    expect(await browserOf(started).throughProvider('a@demo.test')).toMatchObject({ status: true });
  });

  test('are enabled again without a provider', async () => {
    const removed = await (await as('owner@demo.test')).call('DELETE', '/single-sign-on');
    expect([removed.status, removed.body.data.provider, removed.body.data.domains.length]).toEqual([200, null, 1]);
    const begun = await browserOf(started).call('POST', '/login/single-sign-on', { email: 'a@demo.test' });
    expect(begun.body).toEqual({
      status: false,
      message: 'No single sign-on is set up for demo.test. Sign in with your password.',
    });
  });
});

test('passwords of the whole installation are disabled and enabled by its settings', async () => {
  const env = {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'assay',
    OIDC_CLIENT_SECRET: provider.client.client_secret,
    OIDC_DOMAINS: 'demo.test',
    OIDC_NAME: 'The Office',
    LOCAL_SIGN_IN: 'closed',
  };
  const closed = await startFixtureProgram({ env });
  try {
    const browser = browserOf(closed);
    const words = 'This address does not use passwords or passkeys: continue with The Office.';
    expect(await browser.byPassword('admin@demo.test')).toEqual({ status: false, message: words });
    const person = {
      first_name: 'New',
      last_name: 'Comer',
      site_name: 'Newcomers',
      email: 'new@comer.test',
      password: 'Correct-Horse-9',
    };
    expect((await browser.call('POST', '/register', person)).body.status).toBe(false);
    expect((await browser.call('POST', '/login/ways', {})).body.data).toMatchObject({
      installation: { name: 'The Office' },
      password: false,
    });
    signsIn('admin', 'admin@demo.test');
    expect(await browser.throughProvider()).toMatchObject({ status: true, role: { level: 1 } });
    const invited = {
      first_name: 'In',
      last_name: 'Vited',
      email: 'in@demo.test',
      role_id: 5,
      status_id: 4,
      site_id: 1,
    };
    const { status, body } = await browser.call('POST', '/users', invited);
    expect(status, JSON.stringify(body)).toBe(201);
    const compose = createMailComposer(closed.program);
    const mail = await compose({ occasion: 'account_setup', about: { user_id: body.data.id }, attempts: 0 });
    expect(mail).toMatchObject({ html: expect.stringContaining('continue with The Office') });
    expect(JSON.stringify(mail)).not.toMatch(/password to get started|setup-account/);
  } finally {
    await closed.close();
  }
});
