// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { Source } from '../../../../src/engine/language/source';
import { entryBufferOf } from '../../../../src/server/security-log/entry-buffer';
import { startIdentityProvider, type IdentityProvider, type ProviderUser } from '../../../support/identity-provider';
import { startNameServer, type NameServer } from '../../../support/name-server';
import { startFixtureProgram, type DemoProgram } from '../../../support/program';
import { browserOf, type Browser } from './browser';

const back = 'http://localhost:3000/auth/single-sign-on';
let started: DemoProgram;
let names: NameServer;
let demo: IdentityProvider;
let harbour: IdentityProvider;
let own: IdentityProvider;

beforeAll(async () => {
  [names, demo, harbour, own] = await Promise.all([
    startNameServer(),
    startIdentityProvider(back),
    startIdentityProvider(back),
    startIdentityProvider(back),
  ]);
  started = await startFixtureProgram({
    env: {
      OIDC_ISSUER: own.issuer,
      OIDC_CLIENT_ID: own.client.client_id,
      OIDC_CLIENT_SECRET: own.client.client_secret,
      OIDC_NAME: 'The Office',
      OIDC_DOMAINS: '*',
      OIDC_PRIVATE_ISSUERS: 'allowed',
      DNS_SERVERS: names.address,
    },
  });
  await connect('owner@demo.test', 'demo.test', demo);
  await connect('owner@harbour.test', 'harbour.test', harbour);
});
afterAll(async () => {
  await started.close();
  await Promise.all([names.stop(), demo.stop(), harbour.stop(), own.stop()]);
});

/** Connects a company's provider and proves its domain, as its owner. */
async function connect(owner: string, domain: string, provider: IdentityProvider): Promise<void> {
  const browser = browserOf(started);
  await browser.byPassword(owner);
  const named = await browser.call('POST', '/single-sign-on/domains', { domain });
  const { id, record } = named.body.data.domains[0];
  names.records.set(record.name, record.value);
  expect((await browser.call('POST', `/single-sign-on/domains/${id}/check`)).status).toBe(200);
  const saved = await browser.call('PUT', '/single-sign-on', {
    name: `${domain} login`,
    issuer: provider.issuer,
    ...provider.client,
  });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
}

const verified = (sub: string, email: string): ProviderUser => ({
  sub,
  email,
  email_verified: true,
  given_name: 'Ada',
  family_name: 'Byron',
});
const idOf = async (email: string) =>
  (
    await started.program.database.kysely
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).id as number;
const set = (email: string, values: object) =>
  started.program.database.kysely.updateTable('users').set(values).where('email', '=', email).execute();

/** What the security log has of an account. */
async function recorded(email: string, event: string): Promise<unknown[]> {
  const { rows } = await sql`select * from assay.security_log where event = ${event} and resource = 'users'
    and record_id = ${String(await idOf(email))} order by id`.execute(started.program.database.kysely);
  return rows;
}

/** Publishes what becomes of the definition that is in force by now. */
async function moduleOf(name: string) {
  const admin = await started.signIn('admin@demo.test');
  const read = async () =>
    (await admin<{ data: { definition: Source; version: number } }>('GET', `/modules/${name}`)).body.data;
  const { definition: first } = await read();
  return async (change: (source: Source) => Source) => {
    const { version } = await read();
    const { status, body } = await admin('PUT', `/modules/${name}`, {
      definition: change(first),
      version,
      confirm: true,
    });
    expect(status, JSON.stringify(body)).toBe(200);
  };
}

describe('signing in through a provider', () => {
  test('of the company: found by the email domain, linked once, then identified by subject', async () => {
    demo.next = verified('m-1', 'manager@demo.test');
    const browser = browserOf(started);
    const signedIn = await browser.throughProvider('somebody@demo.test');
    expect(signedIn).toMatchObject({ status: true, user: { email: 'manager@demo.test' }, expires_in: 900 });
    expect(demo.asked).toMatchObject({
      login_hint: 'somebody@demo.test',
      code_challenge_method: 'S256',
      response_type: 'code',
    });
    expect((await browser.call('GET', '/me')).body.data.user.email).toBe('manager@demo.test');
    demo.next = { sub: 'm-1', email: 'married@elsewhere.test', email_verified: false };
    expect(await browserOf(started).throughProvider('a@demo.test')).toMatchObject({
      status: true,
      user: { email: 'manager@demo.test' },
    });
  });

  test('of the installation, for users with a confirmed address, including the administrator', async () => {
    own.next = verified('o-1', 'QA@demo.test');
    expect(await browserOf(started).throughProvider()).toMatchObject({ user: { email: 'qa@demo.test' } });
    own.next = verified('o-2', 'admin@demo.test');
    expect(await browserOf(started).throughProvider()).toMatchObject({ role: { level: 1 } });
  });

  test('the claim of Microsoft for a verified address is supported', async () => {
    own.next = { sub: 'o-3', email: 'developer@demo.test', xms_edov: true };
    expect(await browserOf(started).throughProvider()).toMatchObject({ user: { email: 'developer@demo.test' } });
  });

  test('an invited user becomes active, and the invitation ends', async () => {
    const owner = await started.signIn('owner@demo.test');
    const person = { first_name: 'In', last_name: 'Vited', email: 'invited@demo.test', role_id: 5, status_id: 4 };
    expect((await owner('POST', '/users', person)).status).toBe(201);
    demo.next = verified('i-1', 'invited@demo.test');
    expect(await browserOf(started).throughProvider('invited@demo.test')).toMatchObject({
      user: { email: 'invited@demo.test' },
    });
    const { rows } = await sql`select 1 from assay.codes where user_id = ${await idOf('invited@demo.test')}`.execute(
      started.program.database.kysely,
    );
    expect(rows).toEqual([]);
    const [last] = (await owner<{ data: object[] }>('GET', `/users/${await idOf('invited@demo.test')}/history`)).body
      .data;
    expect(last).toMatchObject({
      old_values: { status_id: 4 },
      new_values: { status_id: 1 },
      user: { name: 'In Vited' },
    });
    expect(await recorded('invited@demo.test', 'user_changed')).toMatchObject([
      { detail: { status_id: { from: 4, to: 1 } } },
    ]);
  });

  test('a new user is rejected, unless the company chose a role for new users', async () => {
    const owner = browserOf(started);
    await owner.byPassword('owner@harbour.test');
    harbour.next = verified('h-new', 'new@harbour.test');
    const refused = await browserOf(started).throughProvider('new@harbour.test');
    expect(refused).toMatchObject({
      status: false,
      reason: 'no_account',
      message: 'There is no account for new@harbour.test here. Ask your company for an invitation.',
    });
    const base = { name: 'Harbour', issuer: harbour.issuer, client_id: harbour.client.client_id };
    for (const role of [1, 2, 99_999]) {
      expect((await owner.call('PUT', '/single-sign-on', { ...base, new_people_role: role })).status).toBe(422);
    }
    expect((await owner.call('PUT', '/single-sign-on', { ...base, new_people_role: 5 })).status).toBe(200);
    // What makes an account is asked of them as of everybody.
    const publish = await moduleOf('users');
    await publish((source) => ({
      ...source,
      fields: { ...source.fields, phone_number: { ...source.fields.phone_number, required: true } },
    }));
    expect(await browserOf(started).throughProvider('new@harbour.test')).toMatchObject({
      status: false,
      reason: 'incomplete',
      message: expect.stringContaining('Phone Number is required.'),
    });
    await publish((source) => source);
    expect(await browserOf(started).throughProvider('new@harbour.test')).toMatchObject({
      status: true,
      role: { id: 5 },
      user: { first_name: 'Ada', email: 'new@harbour.test' },
    });
    const lines = (await owner.call('GET', `/users/${await idOf('new@harbour.test')}/history`)).body.data;
    expect(lines).toMatchObject([
      { event: 'created', new_values: { email: 'new@harbour.test', role_id: 5 }, user: null },
    ]);
    expect(await recorded('new@harbour.test', 'user_created')).toMatchObject([{ subject: 'Ada Byron', user_id: null }]);
    await set('new@harbour.test', { deleted_at: new Date() });
    for (const sub of ['h-new', 'h-other']) {
      harbour.next = verified(sub, 'new@harbour.test');
      expect(await browserOf(started).throughProvider('new@harbour.test')).toMatchObject({ reason: 'deleted' });
    }
    expect((await owner.call('PUT', '/single-sign-on', base)).status).toBe(200);
  });
});

describe('a user', () => {
  const invite = async (owner: string, email: string) => {
    const person = { first_name: 'In', last_name: 'Vited', email, role_id: 5, status_id: 4 };
    const { status, body } = await (await started.signIn(owner))('POST', '/users', person);
    expect(status, JSON.stringify(body)).toBe(201);
  };

  test('who was deleted and is invited again signs in as the new account', async () => {
    await invite('owner@demo.test', 'back@demo.test');
    demo.next = verified('b-1', 'back@demo.test');
    expect(await browserOf(started).throughProvider('back@demo.test')).toMatchObject({ status: true });
    const first = await idOf('back@demo.test');
    await started.program.database.kysely
      .updateTable('users')
      .set({ deleted_at: new Date() })
      .where('id', '=', first)
      .execute();
    expect(await browserOf(started).throughProvider('back@demo.test')).toMatchObject({ reason: 'deleted' });
    await invite('owner@demo.test', 'back@demo.test');
    for (const times of [1, 2]) {
      const { user } = (await browserOf(started).throughProvider('back@demo.test')) as { user?: { id: number } };
      expect(user?.id, `time ${times}`).toBeGreaterThan(first);
    }
  });

  test('whose address the provider never calls verified signs in where the company trusts its addresses', async () => {
    await invite('owner@harbour.test', 'entra@harbour.test');
    harbour.next = { sub: 'e-1', email: 'entra@harbour.test' };
    expect(await browserOf(started).throughProvider('entra@harbour.test')).toMatchObject({
      reason: 'no_email_verified',
    });
    const owner = browserOf(started);
    await owner.byPassword('owner@harbour.test');
    const base = { name: 'Harbour', issuer: harbour.issuer, client_id: harbour.client.client_id };
    const saved = await owner.call('PUT', '/single-sign-on', { ...base, trusts_addresses: true });
    expect(saved.body.data.provider).toMatchObject({ trusts_addresses: true });
    harbour.next = { sub: 'e-2', email: 'entra@elsewhere.test' };
    expect(await browserOf(started).throughProvider('a@harbour.test')).toMatchObject({ reason: 'other_domain' });
    harbour.next = { sub: 'e-3', email: 'entra@harbour.test', email_verified: false };
    expect(await browserOf(started).throughProvider('a@harbour.test')).toMatchObject({ reason: 'unverified' });
    harbour.next = { sub: 'e-1', email: 'entra@harbour.test' };
    expect(await browserOf(started).throughProvider('a@harbour.test')).toMatchObject({
      user: { email: 'entra@harbour.test' },
    });
    expect((await owner.call('PUT', '/single-sign-on', base)).status).toBe(200);
  });

  test('who has a new identity at the provider signs in once an owner has forgotten the former one, and only that', async () => {
    for (const name of ['one', 'two']) {
      await invite('owner@harbour.test', `${name}@harbour.test`);
      harbour.next = verified(`f-${name}`, `${name}@harbour.test`);
      expect(await browserOf(started).throughProvider('a@harbour.test')).toMatchObject({ status: true });
    }
    harbour.next = verified('f-new', 'one@harbour.test');
    expect(await browserOf(started).throughProvider('a@harbour.test')).toMatchObject({ reason: 'other_identity' });
    const owner = browserOf(started);
    await owner.byPassword('owner@harbour.test');
    const { joined } = (await owner.call('GET', '/single-sign-on')).body.data;
    const forget = (email: string) => owner.call('POST', '/single-sign-on/forget', { email });
    for (const stranger of ['nobody@harbour.test', 'manager@demo.test'])
      expect(await forget(stranger)).toMatchObject({
        status: 422,
        body: { errors: { email: expect.stringContaining('has signed in through the provider') } },
      });
    expect((await forget('One@harbour.test')).body.data.joined).toBe(joined - 1);
    expect(await browserOf(started).throughProvider('a@harbour.test')).toMatchObject({
      user: { email: 'one@harbour.test' },
    });
    harbour.next = verified('f-another', 'two@harbour.test');
    expect(await browserOf(started).throughProvider('a@harbour.test')).toMatchObject({ reason: 'other_identity' });
  });
});

type Refusal = [reason: string, who: ProviderUser | 'cancel', words: RegExp];
const refusals: Refusal[] = [
  ['cancelled', 'cancel', /^You cancelled at demo\.test login\./],
  ['unverified', { ...verified('r-1', 'owner@demo.test'), email_verified: false }, /has not verified owner@demo\.test/],
  ['no_email_verified', { sub: 'r-2', email: 'owner@demo.test' }, /the claim email_verified is missing/],
  ['no_address', { sub: 'r-3' }, /did not return your email address/],
  ['other_domain', verified('r-4', 'owner@harbour.test'), /cannot sign in owner@harbour\.test here/],
  ['other_domain', verified('r-5', 'owner@sub.demo.test'), /cannot sign in/],
  ['no_account', verified('r-6', 'nobody@demo.test'), /no account for nobody@demo\.test/],
  ['suspended', verified('r-7', 'suspended@demo.test'), /account of suspended@demo\.test is not active/],
  ['unconfirmed', verified('r-8', 'unconfirmed@demo.test'), /unconfirmed@demo\.test has not been confirmed/],
  ['deleted', verified('r-9', 'deleted@demo.test'), /account of deleted@demo\.test was deleted/],
  ['other_identity', verified('r-10', 'manager@demo.test'), /can forget the former one/],
];

describe('single sign-on rejects a sign-in', () => {
  beforeAll(async () => {
    const owner = await started.signIn('owner@demo.test');
    for (const name of ['suspended', 'unconfirmed', 'deleted']) {
      const person = { first_name: name, last_name: 'Person', email: `${name}@demo.test`, role_id: 5, status_id: 4 };
      expect((await owner('POST', '/users', person)).status).toBe(201);
    }
    await set('suspended@demo.test', { status_id: 2 });
    await set('unconfirmed@demo.test', { status_id: 1 });
    await set('deleted@demo.test', { deleted_at: new Date() });
  });

  test.each(refusals)('%s: %j', async (reason, who, words) => {
    demo.next = who;
    const browser = browserOf(started);
    const answer = await browser.throughProvider('a@demo.test');
    expect(answer).toMatchObject({ status: false, reason, message: expect.stringMatching(words) });
    expect(browser.token).toBeUndefined();
  });

  test('with an identity of another company, whatever its address', async () => {
    // The same person, with the same subject, at the provider of another company.
    harbour.next = verified('m-1', 'manager@demo.test');
    expect(await browserOf(started).throughProvider('a@harbour.test')).toMatchObject({ reason: 'other_domain' });
    const harbourOwner = verified('h-1', 'owner@harbour.test');
    harbour.next = harbourOwner;
    expect(await browserOf(started).throughProvider('a@harbour.test')).toMatchObject({ user: { site_id: 2 } });
    demo.next = harbourOwner;
    expect(await browserOf(started).throughProvider('a@demo.test')).toMatchObject({ status: false });
  });

  test('with a flow that is replayed, of another browser, unknown, expired, or of another provider', async () => {
    demo.next = verified('m-1', 'manager@demo.test');
    const [browser, other] = [browserOf(started), browserOf(started)];
    const finish = (of: Browser, body: object) => of.call('POST', '/login/single-sign-on/finish', body);
    const first = await browser.toProvider('a@demo.test');
    expect((await finish(other, first)).body).toMatchObject({ reason: 'other_browser' });
    // A second tab shares the cookie, and both come to their end.
    const second = await browser.toProvider('a@demo.test');
    expect((await finish(browser, first)).body.status).toBe(true);
    expect((await finish(browser, first)).body).toMatchObject({ reason: 'replayed' });
    expect((await finish(browser, second)).body.status).toBe(true);
    expect((await finish(browser, { ...first, state: 'x'.repeat(43) })).body).toMatchObject({ reason: 'expired' });

    const late = await browser.toProvider('a@demo.test');
    await sql`update assay.sign_on_flows set expires_at = ${new Date(Date.now() - 1)} where used_at is null`.execute(
      started.program.database.kysely,
    );
    expect((await finish(browser, late)).body).toMatchObject({ reason: 'expired' });
    const mixed = await browser.toProvider('a@demo.test');
    const atOwn = await browser.toProvider();
    expect((await finish(browser, { ...mixed, iss: own.issuer })).body).toMatchObject({ reason: 'wrong_issuer' });
    expect((await finish(browser, { ...atOwn, code: mixed.code })).body).toMatchObject({ status: false });
  });

  test('without a provider for an address', async () => {
    const { body } = await browserOf(started).call('POST', '/login/single-sign-on', { email: 'a@harbour.test' });
    expect(new URL(body.data.url).origin).toBe(harbour.issuer);
    const ways = await browserOf(started).call('POST', '/login/ways', { email: 'nobody@demo.test' });
    expect(ways.body.data).toEqual({
      single_sign_on: true,
      installation: { name: 'The Office' },
      company: { name: 'demo.test login', domain: 'demo.test', closed: false },
      password: true,
      product: { name: 'film', title: 'Assay' },
    });
  });
});

describe('the second step', () => {
  test('is required by Assay, unless the provider is trusted for it', async () => {
    const owner = browserOf(started);
    await owner.byPassword('owner@harbour.test');
    await sql`update roles set second_factor = true where id = 2`.execute(started.program.database.kysely);
    try {
      harbour.next = verified('h-1', 'owner@harbour.test');
      harbour.amr = ['pwd', 'mfa'];
      expect(await browserOf(started).throughProvider('a@harbour.test')).toMatchObject({
        second_factor: { kind: 'setup' },
      });
      const base = { name: 'Harbour', issuer: harbour.issuer, client_id: harbour.client.client_id };
      expect((await owner.call('PUT', '/single-sign-on', { ...base, trusts_second_factor: true })).status).toBe(200);
      expect(await browserOf(started).throughProvider('a@harbour.test')).toMatchObject({ status: true });
      harbour.amr = ['pwd'];
      expect(await browserOf(started).throughProvider('a@harbour.test')).toMatchObject({
        second_factor: { kind: 'setup' },
      });
    } finally {
      harbour.amr = undefined;
      await sql`update roles set second_factor = false where id = 2`.execute(started.program.database.kysely);
    }
  });
});

describe('a proof of identity', () => {
  const prove = async (browser: Browser) => {
    const { body } = await browser.call('POST', '/me/proof/single-sign-on');
    const { followProvider } = await import('../../../support/identity-provider');
    const brought = Object.fromEntries((await followProvider(body.data.url, back)).searchParams);
    return browser.call('POST', '/me/proof/single-sign-on/finish', brought);
  };
  const until = async (browser: Browser) => (await browser.call('GET', '/me/proof')).body.data;

  test('requires a new sign-in at the provider', async () => {
    demo.next = verified('m-1', 'manager@demo.test');
    demo.age = 3600;
    const browser = browserOf(started);
    await browser.throughProvider('a@demo.test');
    expect(await until(browser)).toEqual({
      proven_until: null,
      methods: ['password', 'single_sign_on'],
      provider: 'demo.test login',
    });
    const stale = await prove(browser);
    expect([stale.status, stale.body.message]).toEqual([
      422,
      expect.stringMatching(/did not ask you to sign in again/),
    ]);
    expect(demo.asked).toMatchObject({ prompt: 'login' });
    demo.age = 0;
    demo.next = verified('r-11', 'somebody@demo.test');
    expect((await prove(browser)).body.message).toMatch(/^Somebody else signed in/);
    demo.next = verified('m-1', 'manager@demo.test');
    expect((await prove(browser)).status).toBe(200);
    expect((await until(browser)).proven_until).toEqual(expect.any(String));
  });

  test('of one sign-in does not apply to another', async () => {
    demo.next = verified('m-1', 'manager@demo.test');
    demo.age = 3600;
    const [one, other] = [browserOf(started), browserOf(started)];
    await one.throughProvider('a@demo.test');
    await other.throughProvider('a@demo.test');
    demo.age = 0;
    await prove(one);
    expect([(await until(one)).proven_until, (await until(other)).proven_until]).toEqual([expect.any(String), null]);
  });
});

test('the security log records sign-ins and reasons of failures, without secrets', async () => {
  await entryBufferOf(started.program.database).flush();
  const { rows } = await sql<{
    event: string;
    detail: Record<string, unknown>;
  }>`select event, detail from assay.security_log
    where detail ->> 'method' = 'single sign-on'`.execute(started.program.database.kysely);
  const reasons = new Set(rows.filter(({ event }) => event === 'sign_in_failed').map(({ detail }) => detail.reason));
  expect([...reasons]).toEqual(
    expect.arrayContaining(['cancelled', 'unverified', 'other_domain', 'replayed', 'wrong_issuer']),
  );
  expect(rows.some(({ event }) => event === 'sign_in')).toBe(true);
  const { rows: all } = await sql<{
    text: string;
  }>`select coalesce(string_agg(l::text, ' '), '') as text from assay.security_log l`.execute(
    started.program.database.kysely,
  );
  expect(all[0]!.text).toContain('single_sign_on_changed');
  expect(all[0]!.text).not.toContain('a secret of this client');
});
