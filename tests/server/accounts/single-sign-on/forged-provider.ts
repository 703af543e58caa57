import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A provider that answers wrongly: what it publishes, and what its tokens say, is up to a test. */
export interface ForgedProvider {
  readonly issuer: string;
  /** What is published differs by this. */
  metadata: Record<string, unknown>;
  /** The claims of the next tokens differ by this, from those that were asked for. */
  claims: Record<string, unknown>;
  /** Takes the place of the answer to a code. */
  token: ((response: ServerResponse) => void) | undefined;
  /** The answer of its userinfo endpoint. */
  userinfo: Record<string, unknown>;
  /** Signs with a key that it does not publish. */
  otherKey: boolean;
  /** The nonce of the way that a browser takes, by the address that it is sent to. */
  follow(address: string): { state: string; code: string };
  stop(): Promise<void>;
}

const keys = [generateKeyPairSync('rsa', { modulusLength: 2048 }), generateKeyPairSync('rsa', { modulusLength: 2048 })];

/** Starts one on loopback. */
export async function startForgedProvider(): Promise<ForgedProvider> {
  let nonce = '';
  const json = (response: ServerResponse, body: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const server = createServer((request, response) => {
    const { issuer } = forged;
    if (request.url === '/.well-known/openid-configuration') {
      return json(response, {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/userinfo`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...forged.metadata,
      });
    }
    if (request.url === '/keys')
      return json(response, {
        keys: [{ ...keys[0]!.publicKey.export({ format: 'jwk' }), kid: 'a', alg: 'RS256', use: 'sig' }],
      });
    if (request.url === '/userinfo') return json(response, { sub: forged.claims.sub ?? 'forged', ...forged.userinfo });
    if (forged.token) return forged.token(response);
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: 'assay',
      sub: 'forged',
      iat: now,
      exp: now + 300,
      nonce,
      email: 'qa@demo.test',
      email_verified: true,
      ...forged.claims,
    };
    return json(response, {
      access_token: 'a',
      token_type: 'Bearer',
      expires_in: 60,
      id_token: signed(claims, forged.otherKey ? 1 : 0),
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const forged: ForgedProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    metadata: {},
    claims: {},
    token: undefined,
    userinfo: {},
    otherKey: false,
    follow(address) {
      const asked = new URL(address).searchParams;
      nonce = asked.get('nonce')!;
      return { state: asked.get('state')!, code: 'a-code' };
    },
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return forged;
}

function signed(claims: object, key: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'RS256', kid: 'a' })}.${part(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(keys[key]!.privateKey, 'base64url')}`;
}
