import type { FastifyInstance } from 'fastify';
import { inject } from 'vitest';
import { buildApp } from '../../src/server/http/app';
import { registerDefinitions } from '../../src/server/http/definitions-route';
import { registerOpenApi } from '../../src/server/http/openapi/routes';
import type { Program } from '../../src/server/program';
import { accounts as demoAccounts, password } from './accounts';
import { product as fixture } from '../fixtures/product';
import { createTestDatabase, type TestDatabase } from './database';
import { startOnDemo, type DemoOptions } from './demo';

/** The demo accounts, one for each level, and the owner of the second company. */
export const accounts = { ...demoAccounts, harbour: 'owner@harbour.test' } as const;

/** A response as a client gets it. */
export interface ApiResponse<T> {
  readonly status: number;
  readonly body: T;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Calls the API as a user; the body is sent as JSON unless headers say otherwise. */
export type Client = <T = unknown>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ApiResponse<T>>;

/** A user whose grants a test chooses. */
export interface RestrictedUser {
  readonly call: Client;
  /** Replaces their grants, such as `studios.edit`. */
  grant(ids: readonly string[]): Promise<void>;
}

/** A complete program with demo data and its own database, called without a network. */
export interface DemoProgram {
  readonly program: Program;
  readonly app: FastifyInstance;
  call: Client;
  signIn(email: string): Promise<Client>;
  /** A user of the first company who has only the grants given here; no rule of a level restricts them. */
  restricted(): Promise<RestrictedUser>;
  close(): Promise<void>;
}

/** Starts a program on the fixture product, on which the tests of the engine run; otherwise as `startDemoProgram`. */
export async function startFixtureProgram(
  options: DemoOptions & { database?: TestDatabase } = {},
): Promise<DemoProgram> {
  if (options.database || options.folder) return startDemoProgram({ product: fixture, ...options });
  const database = await createTestDatabase(inject('fixture'));
  const started = await startDemoProgram({ product: fixture, ...options, database });
  return {
    ...started,
    async close() {
      await started.close();
      await database.close();
    },
  };
}

/**
 * Starts a program with the definitions of a folder (default: those of the product) and settings from `env`. With a
 * given database, as for several servers or a restart, it does not drop the database at its end.
 */
export async function startDemoProgram({
  database,
  ...options
}: DemoOptions & { database?: TestDatabase } = {}): Promise<DemoProgram> {
  const test = database ?? (await createTestDatabase((options.folder ?? options.product) ? undefined : inject('demo')));
  const { program, stop } = await startOnDemo(test.url, options);
  const app = await buildApp(program, { appFolder: 'none', routes: [registerDefinitions, registerOpenApi] });

  const clientOf =
    (token?: string): Client =>
    async (method, path, body, headers) => {
      const answer = await app.inject({
        method: method as 'GET',
        url: `/api${path}`,
        headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
        ...(body !== undefined && { payload: body as object }),
      });
      const isJson = String(answer.headers['content-type']).includes('json');
      const received: unknown = isJson && answer.body !== '' ? answer.json() : answer.body;
      return { status: answer.statusCode, body: received as never, headers: answer.headers };
    };

  const call = clientOf();
  const signIn: DemoProgram['signIn'] = async (email) => {
    const { body } = await call<{ token?: string }>('POST', '/login', { email, password });
    if (!body.token) throw new Error(`${email} does not sign in: ${JSON.stringify(body)}`);
    return clientOf(body.token);
  };
  return {
    program,
    app,
    call,
    signIn,
    restricted: async () => createRestrictedUser(await signIn(accounts.admin), signIn),
    async close() {
      await app.close();
      await stop();
      if (!database) await test.close();
    },
  };
}

async function createRestrictedUser(admin: Client, signIn: DemoProgram['signIn']): Promise<RestrictedUser> {
  const made = async (path: string, body: object) => {
    const answer = await admin<{ data: { id: number } }>('POST', path, { ...body, site_id: 1 });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body.data.id;
  };
  const role = await made('/roles', { role_name: 'Restricted', level: 3 });
  const email = 'restricted@demo.test';
  const name = { first_name: 'Rita', last_name: 'Restricted' };
  await made('/users', { ...name, email, password, role_id: role, status_id: 1 });
  return {
    call: await signIn(email),
    async grant(ids) {
      const answer = await admin('PUT', `/permissions/${role}`, { modulePermission: ids });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    },
  };
}
