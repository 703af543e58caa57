import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Configuration } from 'oidc-provider';

/** A user of the provider: `sub` never changes, everything else may. */
export interface ProviderUser {
  sub: string;
  email?: string;
  email_verified?: boolean;
  given_name?: string;
  family_name?: string;
  xms_edov?: boolean;
}

/** A real OpenID Connect provider on loopback that signs in a chosen user without asking. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly client: { client_id: string; client_secret: string };
  /** Sets who signs in next; `cancel`: they cancel. */
  next: ProviderUser | 'cancel';
  /** The authentication methods (amr) that it states. */
  amr: string[] | undefined;
  /** How many seconds ago the user signed in there. */
  age: number;
  /** The parameters of the last authorization request. */
  readonly asked: Record<string, unknown>;
  stop(): Promise<void>;
}

/** Starts a provider that redirects browsers to `redirectUri`. */
export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end();
  const server = createServer((request, response) => handle(request, response));
  await listen(server);
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { client_id: 'assay', client_secret: 'a secret of this client, long enough' };
  const people = new Map<string, ProviderUser>();
  const started: IdentityProvider = {
    issuer,
    client,
    next: 'cancel',
    amr: undefined,
    age: 0,
    asked: {},
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  const provider = new Provider(issuer, configuration(client, redirectUri, people));
  const signIn = async (request: IncomingMessage, response: ServerResponse) => {
    const { params, uid, grantId } = await provider.interactionDetails(request, response);
    Object.assign(started, { asked: params, uid });
    if (started.next === 'cancel') {
      return provider.interactionFinished(request, response, {
        error: 'access_denied',
        error_description: 'The person cancelled.',
      });
    }
    const { sub } = started.next;
    people.set(sub, { ...started.next });
    const grant =
      (grantId && (await provider.Grant.find(grantId))) ||
      new provider.Grant({ accountId: sub, clientId: client.client_id });
    grant.addOIDCScope('openid email profile');
    const ts = Math.floor(Date.now() / 1000) - started.age;
    const login = { accountId: sub, ts, ...(started.amr && { amr: started.amr }) };
    return provider.interactionFinished(request, response, { login, consent: { grantId: await grant.save() } });
  };
  const callback = provider.callback();
  handle = (request, response) => {
    if (!request.url!.startsWith('/interaction/')) return void callback(request, response);
    signIn(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  };
  return started;
}

function configuration(
  client: IdentityProvider['client'],
  redirectUri: string,
  people: Map<string, ProviderUser>,
): Configuration {
  return {
    clients: [
      {
        ...client,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        require_auth_time: true,
      },
    ],
    claims: {
      openid: ['sub', 'amr', 'auth_time', 'xms_edov'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name'],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub)! }) }),
    cookies: { keys: ['a key of this test'] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  };
}

/** Follows the redirects of a provider as a browser does. Returns the address that it redirects back to, with its parameters. */
export async function followProvider(address: string, back: string, cookies = new Map<string, string>()): Promise<URL> {
  let url = new URL(address);
  for (let step = 0; step < 12; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(name!, value!);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
    url = new URL(location, url);
    if (url.href.startsWith(back)) return url;
  }
  throw new Error('The provider led round in circles.');
}

function listen(server: Server): Promise<void> {
  return new Promise((done) => server.listen(0, '127.0.0.1', done));
}
