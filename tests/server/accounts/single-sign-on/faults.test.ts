// @module-tag slow
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFixtureProgram, type DemoProgram } from '../../../support/program';
import { browserOf } from './browser';
import { startForgedProvider, type ForgedProvider } from './forged-provider';

let started: DemoProgram;
let forged: ForgedProvider;

beforeAll(async () => {
  forged = await startForgedProvider();
  const env = {
    OIDC_ISSUER: forged.issuer,
    OIDC_CLIENT_ID: 'assay',
    OIDC_CLIENT_SECRET: 'wrong?',
    OIDC_NAME: 'Forge',
    OIDC_DOMAINS: 'demo.test',
  };
  started = await startFixtureProgram({ env });
});
afterAll(async () => {
  await started.close();
  await forged.stop();
});
beforeEach(() => Object.assign(forged, { metadata: {}, claims: {}, userinfo: {}, token: undefined, otherKey: false }));

/** Goes there and comes back, as a browser would; the answer. */
async function signIn(more: object = {}, demo = started) {
  const browser = browserOf(demo);
  const begun = await browser.call('POST', '/login/single-sign-on', {});
  if (!begun.body.data) return begun.body;
  const brought = { ...forged.follow(begun.body.data.url), ...more };
  return (await browser.call('POST', '/login/single-sign-on/finish', brought)).body;
}

const refuse = (status: number, error: string) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
const now = Math.floor(Date.now() / 1000);

type Fault = [what: string, change: Partial<ForgedProvider>, reason: string, words: RegExp];
const faults: Fault[] = [
  ['another issuer', { claims: { iss: 'https://evil.test' } }, 'wrong_issuer', /another issuer than Forge/],
  ['another audience', { claims: { aud: 'somebody' } }, 'wrong_audience', /meant for another application/],
  [
    'several audiences',
    { claims: { aud: ['assay', 'other'], azp: 'other' } },
    'wrong_audience',
    /meant for another application/,
  ],
  ['another nonce', { claims: { nonce: 'of another sign-in' } }, 'bad_token', /could not be verified/],
  ['no nonce', { claims: { nonce: undefined } }, 'bad_token', /could not be verified/],
  ['another key', { otherKey: true }, 'bad_token', /could not be verified/],
  [
    'a clock that is behind',
    { claims: { iat: now - 900, exp: now - 600 } },
    'clock',
    /clocks .* differ by more than 60 seconds/,
  ],
  ['a clock that is ahead', { claims: { nbf: now + 600 } }, 'clock', /clocks .* differ/],
  ['a wrong secret', { token: refuse(401, 'invalid_client') }, 'wrong_secret', /client ID or secret is wrong/],
  ['a code that was used', { token: refuse(400, 'invalid_grant') }, 'code_refused', /already used or has expired/],
  [
    'an error of its own',
    { token: (response) => response.writeHead(500).end('broken') },
    'unreachable',
    /is not responding/,
  ],
  [
    'no JSON',
    { token: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>') },
    'unreachable',
    /is not responding/,
  ],
  [
    'more than can be',
    { token: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(2 ** 21)) },
    'unreachable',
    /is not responding/,
  ],
  ['a connection cut', { token: (response) => response.destroy() }, 'unreachable', /is not responding/],
  [
    'an address that it says it has not verified',
    { claims: { sub: 'a', email_verified: 'false' } },
    'unverified',
    /has not verified qa@demo\.test/,
  ],
  [
    'an address of which it never says whether it is verified',
    { claims: { sub: 'a', email_verified: undefined } },
    'no_email_verified',
    /the claim email_verified is missing/,
  ],
  [
    'a verified address that is another one',
    {
      claims: { sub: 'a', email_verified: undefined },
      userinfo: { email: 'owner@demo.test', email_verified: true },
    },
    'no_email_verified',
    /the claim email_verified is missing/,
  ],
  ['silence', { token: () => undefined }, 'unreachable', /is not responding/],
  [
    'an address of another domain',
    { claims: { sub: 'b', email: 'owner@harbour.test' } },
    'other_domain',
    /another domain/,
  ],
  [
    'no address',
    { claims: { sub: 'c', email: 'Somebody <a@demo.test>' } },
    'no_address',
    /did not return your email address/,
  ],
];

describe('an address is verified', () => {
  test.each<[string, Partial<ForgedProvider>]>([
    ['where that is a text', { claims: { sub: 'd', email: 'developer@demo.test', email_verified: 'true' } }],
    [
      'where only userinfo says so',
      {
        claims: { sub: 'e', email: 'manager@demo.test', email_verified: undefined },
        userinfo: { email: 'Manager@demo.test', email_verified: true },
      },
    ],
  ])('%s', async (_, change) => {
    Object.assign(forged, change);
    expect(await signIn()).toMatchObject({ status: true, user: { email: change.claims!.email } });
  });
});

describe('a provider that responds with', () => {
  test.each(faults)('%s', async (_, change, reason, words) => {
    Object.assign(forged, change);
    expect(await signIn()).toEqual({ status: false, reason, message: expect.stringMatching(words) });
    // Nothing of it stays: the next sign-in is whole again.
    Object.assign(forged, { claims: {}, userinfo: {}, token: undefined, otherKey: false });
    expect(await signIn()).toMatchObject({ status: true, user: { email: 'qa@demo.test' } });
  });

  test.each([
    [{ error: 'access_denied' }, 'cancelled', /^You cancelled at Forge/],
    [{ error: 'temporarily_unavailable' }, 'unreachable', /is not responding/],
    [
      { error: 'invalid_scope', error_description: 'Not <b>this</b> scope' },
      'provider_error',
      /^Forge refused to sign you in: Not b this b scope|Not  b this/,
    ],
  ])('%j in the place of a code', async (error, reason, words) => {
    expect(await signIn({ code: undefined, ...error })).toMatchObject({
      reason,
      message: expect.stringMatching(words),
    });
  });
});

test('a provider with unusable metadata, or that is not reachable', async () => {
  const other = await startForgedProvider();
  const env = { OIDC_ISSUER: other.issuer, OIDC_CLIENT_ID: 'assay', OIDC_NAME: 'Other', OIDC_DOMAINS: '*' };
  const demo = await startFixtureProgram({ env });
  const begin = async () => (await browserOf(demo).call('POST', '/login/single-sign-on', {})).body;
  try {
    other.metadata = { issuer: 'https://evil.test' };
    expect(await begin()).toMatchObject({ status: false, reason: 'wrong_issuer' });
    other.metadata = { authorization_endpoint: undefined };
    expect(await begin()).toMatchObject({ status: false, reason: 'not_a_provider' });
    other.metadata = { authorization_endpoint: 'javascript:alert(1)' };
    expect(await begin()).toMatchObject({ status: false, reason: 'not_a_provider' });
    await other.stop();
    expect(await begin()).toMatchObject({
      status: false,
      reason: 'unreachable',
      message: 'Other is not responding. Please try again in a moment; if this continues, contact your administrator.',
    });
  } finally {
    await demo.close();
  }
});

describe('an installation that trusts the addresses of its provider', () => {
  let trusting: DemoProgram;
  beforeAll(async () => {
    const env = {
      OIDC_ISSUER: forged.issuer,
      OIDC_CLIENT_ID: 'assay',
      OIDC_DOMAINS: 'demo.test',
      OIDC_ADDRESSES: 'trust',
    };
    trusting = await startFixtureProgram({ env });
  });
  afterAll(() => trusting?.close());

  test.each<[string, object, object]>([
    [
      'signs in whose address is of its domains and is not said to be verified',
      { sub: 't-1', email: 'qa@demo.test', email_verified: undefined },
      { status: true, user: { email: 'qa@demo.test' } },
    ],
    [
      'refuses an address that the provider has not verified',
      { sub: 't-2', email: 'developer@demo.test', email_verified: false },
      { status: false, reason: 'unverified' },
    ],
    [
      'refuses an address of another domain',
      { sub: 't-3', email: 'owner@harbour.test', email_verified: undefined },
      { status: false, reason: 'other_domain' },
    ],
  ])('%s', async (_, claims, answer) => {
    Object.assign(forged, { claims });
    expect(await signIn({}, trusting)).toMatchObject(answer);
  });
});
