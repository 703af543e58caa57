import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { startDatabase, type RunningDatabase } from '../database';
import { openEventStream } from '../events';
import { startPgBouncer } from '../pgbouncer';
import type { StepContext, ResilienceStep } from '../step';
import { isInstalled } from '../proxies';
import { callServer, pause, signIn, startServer, type ServerClient } from '../server';
import { demoPassword } from '../../../src/product/demo/accounts';

/** Connections of PgBouncer to the database, fewer than one Assay opens by itself. */
const size = 8;

/**
 * Two servers behind PgBouncer in transaction mode: reads, writes, events between servers, a published definition and a
 * backup work, and a restart of PgBouncer is detected. Session mode works as well, with as many connections as servers
 * open.
 */
export const pooler: ResilienceStep = {
  title: 'two servers behind PgBouncer',
  minutes: 5,
  impossible: () => (isInstalled('pgbouncer') ? undefined : 'pgbouncer is not installed'),
  async run(context) {
    const database = await startDatabase(context);
    // The demo data, followed by sessions behind a pooler.
    await (await startServer(context, { env: { DATABASE_URL: database.url } })).stop();
    const { username } = new URL(database.url);
    for (const setting of [
      "timezone = 'UTC'",
      "statement_timeout = '10s'",
      "lock_timeout = '3s'",
      "idle_in_transaction_session_timeout = '60s'",
    ]) {
      await database.query(`alter role "${username}" set ${setting}`);
    }
    const transactions = await behind(context, database, 'transaction', size);
    const sessions = await behind(context, database, 'session', 60);
    return `by the transaction, over ${size} connections: ${transactions}; by the session: ${sessions}`;
  },
};

async function behind(
  context: StepContext,
  database: RunningDatabase,
  mode: 'session' | 'transaction',
  connections: number,
): Promise<string> {
  const bouncer = await startPgBouncer(context, database.url, mode, connections);
  const env = { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: database.url };
  const servers = [await startServer(context, { env }), await startServer(context, { env })] as const;
  const clients = [await signIn(servers[0].address), await signIn(servers[1].address)] as const;

  const { body } = await callServer<{ token: string }>(servers[1].address, 'POST', '/login', {
    email: 'owner@demo.test',
    password: demoPassword,
  });
  const events = await openEventStream(context, servers[1].address, body.token);
  const name = `Pooled ${randomUUID()}`;
  await expectStatus(clients[0], 'POST', '/priorities', { option_name: name }, 201);
  for (let tries = 0; events.count('priorities') === 0; tries++) {
    if (tries > 100) throw new Error('an event of the other server did not come within 5 s');
    await pause(50);
  }
  await checkPublication(await signIn(servers[0].address, 'admin@demo.test'), clients[1], mode);
  const counts = await load(clients, context.quick ? 2_000 : 10_000);
  await backup(context, env, mode);
  const readyAfter = await interrupted(bouncer, servers[0].address, clients[0]);
  for (const server of servers) {
    const code = await server.stop();
    if (code !== 0) throw new Error(`${mode}: a server ended with ${code}`);
  }
  await bouncer.stop();
  return `${counts} calls, 0 failed, ready again ${readyAfter} ms after PgBouncer was`;
}

/** A field published on one server is a column that the other one stores. */
async function checkPublication(publisher: ServerClient, reader: ServerClient, mode: string): Promise<void> {
  const field = `pooled_by_${mode}`;
  const { body } = await publisher<{ data: { version: number; definition: { fields: object } } }>(
    'GET',
    '/modules/clients',
  );
  const { definition, version } = body.data;
  const newDefinition = { ...definition, fields: { ...definition.fields, [field]: {} } };
  await expectStatus(publisher, 'PUT', '/modules/clients', { definition: newDefinition, version }, 200);
  for (const limit = Date.now() + 5_000; ; await pause(50)) {
    const { body: rows } = await reader<Record<string, unknown>[]>('GET', '/clients?range=[0,0]');
    if (rows[0] && field in rows[0]) return;
    if (Date.now() > limit) throw new Error('a publication did not reach the other server within 5 s');
  }
}

async function expectStatus(
  client: ServerClient,
  method: string,
  path: string,
  body: unknown,
  status: number,
): Promise<void> {
  const answer = await client(method, path, body);
  if (answer.status !== status)
    throw new Error(`${method} ${path} answers ${answer.status}: ${JSON.stringify(answer.body)}`);
}

/** 16 connections that read and write without a pause. */
async function load(clients: readonly ServerClient[], milliseconds: number): Promise<number> {
  const deadline = Date.now() + milliseconds;
  let answerCount = 0;
  await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      const client = clients[index % clients.length]!;
      for (let turn = index; Date.now() < deadline; turn++, answerCount++) {
        if (turn % 4 === 0)
          await expectStatus(client, 'POST', '/priorities', { option_name: `Pooled ${randomUUID()}` }, 201);
        else if (turn % 4 === 1) await expectStatus(client, 'GET', '/dashboard', undefined, 200);
        else await expectStatus(client, 'GET', '/test-cases?range=[0,14]&q=login', undefined, 200);
      }
    }),
  );
  return answerCount;
}

function backup(context: StepContext, env: Readonly<Record<string, string>>, mode: string): void {
  const file = join(context.folder, `${mode}.backup`);
  const { status, stderr } = spawnSync(process.execPath, ['scripts/backup.mjs', 'backup', file], {
    env: { ...process.env, ...env, NODE_ENV: 'production', DATA_DIR: context.folder },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`a backup ends with ${status}: ${stderr.slice(-300)}`);
}

/** Kills PgBouncer and restarts it. Returns the milliseconds until the program is ready and writes. */
async function interrupted(
  bouncer: { stop(): Promise<void>; start(): Promise<void> },
  address: string,
  client: ServerClient,
): Promise<number> {
  await bouncer.stop();
  for (const limit = Date.now() + 10_000; ; await pause(100)) {
    if ((await callServer(address, 'GET', '/health/ready')).status === 503) break;
    if (Date.now() > limit) throw new Error('a PgBouncer that is gone is not noticed');
  }
  await bouncer.start();
  const startTime = Date.now();
  for (const limit = Date.now() + 10_000; Date.now() < limit; await pause(100)) {
    if ((await callServer(address, 'GET', '/health/ready')).status !== 200) continue;
    await expectStatus(client, 'POST', '/priorities', { option_name: `Pooled ${randomUUID()}` }, 201);
    return Date.now() - startTime;
  }
  throw new Error('the program does not find PgBouncer again');
}
