import { readFileSync, readdirSync } from 'node:fs';
import Fastify, { type FastifyInstance } from 'fastify';
import pino from 'pino';
import { normalise } from '../../../src/engine/definitions/normalise';
import { createRegistry } from '../../../src/engine/definitions/registry';
import type { Source } from '../../../src/engine/definitions/source';
import { hooks } from '../../../src/server/domain/hooks';
import { prepareData } from '../../../src/server/domain/first-start';
import { HttpError, Invalid } from '../../../src/server/http/errors';
import type { Program } from '../../../src/server/program';
import { registerSessionRoutes } from '../../../src/server/session/routes';
import { readSettings } from '../../../src/server/settings/settings';
import { sync } from '../../../src/server/sync/sync';
import { createTestDatabase, type TestDatabase } from '../../support/database';

/** An answer as a client reads it. */
export interface Answer<T = Record<string, never>> {
  readonly status: number;
  readonly body: T;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A whole program on a database of its own, called without a network. */
export interface TestProgram {
  readonly program: Program;
  readonly app: FastifyInstance;
  readonly test: TestDatabase;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  call<T = any>(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; ip?: string },
  ): Promise<Answer<T>>;
  /** Signs a demo account in and answers the token. */
  signIn(account: string): Promise<string>;
  close(): Promise<void>;
}

const folder = new URL('../../../resources/', import.meta.url);
const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as unknown;

/** Starts a program with the settings of an environment; on demo data unless it says otherwise. */
export async function startProgram(env: Record<string, string> = { DEMO: '1' }): Promise<TestProgram> {
  const test = await createTestDatabase();
  const sources = readdirSync(folder).filter((file) => file.endsWith('.json')).map((file) => read(file) as Source); // prettier-ignore
  const registry = createRegistry(sources.map(normalise));
  await sync(test.database, registry);
  for (const definition of registry.definitions.values()) {
    const roles = read('rows/roles.json') as { id: number; level: 1 | 2 | 3 | 4 | 5 | 6 }[];
    const grants = roles.flatMap(({ id, level }) =>
      definition.grants[level].map((action) => ({ role_id: id, module: definition.name, action })),
    );
    await test.database.kysely.withSchema('assay').insertInto('grants').values(grants).execute();
    if (definition.rows) {
      const rows = read(`rows/${definition.rows.file}`) as Record<string, unknown>[];
      await test.database.kysely.insertInto(definition.table).values(rows).execute();
    }
  }
  const program = {
    settings: readSettings({ DATABASE_URL: test.url, ...env }),
    database: test.database,
    definitions: { registry: () => registry },
    live: { publish: () => undefined },
    hooks,
    log: pino({ level: 'silent' }),
  } as unknown as Program;
  await prepareData(program);

  const app = Fastify();
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof HttpError)) throw error;
    const errors = error instanceof Invalid ? { errors: error.errors } : {};
    return reply
      .code(error.status)
      .headers(error.headers)
      .send({ message: error.message, ...errors });
  });
  await app.register(async (api) => registerSessionRoutes(api, program), { prefix: '/api' });
  await app.ready();

  const call: TestProgram['call'] = async (method, path, { token, body, ip } = {}) => {
    const answer = await app.inject({
      method: method as 'GET',
      url: `/api${path}`,
      headers: { 'user-agent': 'Test browser', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { payload: body as object }),
      ...(ip && { remoteAddress: ip }),
    });
    const received = answer.body === '' ? undefined : answer.json();
    return { status: answer.statusCode, body: received, headers: answer.headers };
  };
  return {
    program,
    app,
    test,
    call,
    signIn: async (account) => {
      const email = account.includes('@') ? account : `${account}@demo.test`;
      const { body } = await call('POST', '/login', { body: { email, password: 'Demo@1234' } });
      if (!body.token) throw new Error(`${email} does not sign in: ${JSON.stringify(body)}`);
      return body.token as string;
    },
    close: async () => {
      await app.close();
      await test.close();
    },
  };
}
