import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { inject } from 'vitest';
import { buildApp } from '../../../../src/server/http/app';
import type { Product, Program } from '../../../../src/server/program';
import { readSettings } from '../../../../src/server/settings/settings';
import { startProgram as start } from '../../../../src/server/start-program';
import { product as fixture } from '../../../fixtures/product';
import { createTestDatabase, type TestDatabase } from '../../../support/database';

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
  // oxlint-disable-next-line typescript/no-explicit-any
  call<T = any>(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; ip?: string },
  ): Promise<Answer<T>>;
  /** Signs a demo account in and answers the token. */
  signIn(account: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts a program with the settings of an environment; on demo data unless it says otherwise. The database is a copy of
 * `template`: by default one on which such a program has started before, with the fixture product.
 */
export async function startProgram(
  env: Record<string, string> = { DEMO: '1' },
  template = inject(env.DEMO === '1' ? 'fixture' : 'fixtureBare'),
  product: Product = fixture,
): Promise<TestProgram> {
  const test = await createTestDatabase(template);
  const { program, stop } = await start(readSettings({ DATABASE_URL: test.url, ...env }), {
    product,
    log: pino({ level: 'silent' }),
  });
  const app = await buildApp(program, { appFolder: 'none' });

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
      await stop();
      await test.close();
    },
  };
}
