import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineCall } from '../../../src/server/routing/define-call';
import { buildApp } from '../../../src/server/http/app';
import { readTrustProxy } from '../../../src/server/settings/trust-proxy';
import { startFixtureProgram, type DemoProgram } from '../../support/program';

const probe = defineCall({ id: 'probe', tag: '', summary: '', scope: 'public', answer: Type.Object({}) });

let started: DemoProgram;
beforeAll(async () => {
  started = await startFixtureProgram();
});
afterAll(() => started.close());

/** What an app with a setting makes of a request from a peer. */
async function seen(TRUST_PROXY: string | undefined, peer: string, headers: Record<string, string>) {
  const settings = { ...started.program.settings, trustProxy: readTrustProxy({ TRUST_PROXY }) };
  const app = await buildApp(
    { ...started.program, settings },
    {
      appFolder: 'none',
      routes: [(api) => void api.get('/probe', probe, async ({ ip, protocol, host }) => ({ ip, protocol, host }))],
    },
  );
  try {
    const answer = await app.inject({
      url: '/api/probe',
      remoteAddress: peer,
      headers: { host: 'inside', ...headers },
    });
    const { ip, protocol, host } = answer.json<Record<string, string>>();
    return [ip, protocol, host];
  } finally {
    await app.close();
  }
}

const proxied = {
  'x-forwarded-for': '6.6.6.6, 203.0.113.9',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'assay.example.com',
};
const through = ['203.0.113.9', 'https', 'assay.example.com'];

test.each<[string, string | undefined, string, string[]]>([
  ['is ignored by default', undefined, '10.0.0.5', ['10.0.0.5', 'http', 'inside']],
  ['is believed from a proxy by its address', '10.0.0.5', '10.0.0.5', through],
  ['is believed from a proxy of a network', '192.168.1.1, 10.0.0.0/8', '10.0.0.5', through],
  ['is believed from a proxy with an IPv4 address in IPv6', '10.0.0.0/8', '::ffff:10.0.0.5', through],
  ['is ignored from anybody else', '10.0.0.5', '10.0.0.6', ['10.0.0.6', 'http', 'inside']],
  ['is believed for one hop', '1', '10.0.0.5', through],
  ['is believed for two hops', '2', '10.0.0.5', ['6.6.6.6', 'https', 'assay.example.com']],
])('X-Forwarded-* %s (%s)', async (_, setting, peer, expected) => {
  expect(await seen(setting, peer, proxied)).toEqual(expected);
});
