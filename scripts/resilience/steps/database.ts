import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabaseProxy, type ConnectionCut, type DatabaseProxy } from '../../../tests/support/database-proxy';
import { startDatabase, type RunningDatabase } from '../database';
import { watchHealth, type HealthWatch } from '../health';
import type { StepContext, ResilienceStep } from '../step';
import { callServer, pause, signIn, startServer, type RunningServer } from '../server';
import { startWriters, describeWriters, type Writers } from '../writers';

/** A fault of the database while eight writers write. */
interface Fault {
  readonly name: string;
  /** Milliseconds until readiness must be 503; undefined if it must stay 200. */
  readonly unreadyWithin?: number;
  begin(): unknown;
  /** Undefined: it passes by itself. */
  end?(): unknown;
}

interface Ground {
  readonly database: RunningDatabase;
  readonly proxy: DatabaseProxy;
  readonly server: RunningServer;
  readonly writers: Writers;
  readonly health: HealthWatch;
}

/** A probe's response is cached for a second; a missing response counts after two. */
const noticed = 2_500;
const frozenNoticed = 3_500;
const backWithin = 15_000;

/**
 * Database failures one after the other while writers write: every response is true, readiness is correct, liveness
 * always responds, and the program continues without a restart.
 */
export const databaseFailures: ResilienceStep = {
  title: 'faults of the database while eight write',
  minutes: 4,
  async run(context) {
    const database = await startDatabase(context);
    const proxy = await openDatabaseProxy(database.url);
    context.addCleanup(() => proxy.close());
    const server = await startServer(context, { env: { DATABASE_URL: proxy.url } });
    const writers = await startWriters(await signIn(server.address));
    const health = watchHealth(server);
    const ground = { database, proxy, server, writers, health };
    let [slowestNotice, slowestReturn] = [0, 0];
    const faults = faultsOf(ground).filter(
      ({ name }) => !context.quick || ['killed', 'frozen', 'terminated'].includes(name),
    );
    for (const fault of faults) {
      const { notice, back } = await suffer(ground, fault, context.quick ? 500 : 4_000);
      slowestNotice = Math.max(slowestNotice, notice);
      slowestReturn = Math.max(slowestReturn, back);
    }
    const cuts = await cutCommits(ground, context.quick ? 1 : 4);
    const { slowest, checkCount } = await health.stop();
    const writes = await writers.stop(database);
    if (server.process.exitCode !== null) throw new Error('the program has ended');
    const embedded = context.quick ? '' : `; ${await killEmbedded(context)}`;
    return `${faults.length} faults and ${cuts} cuts at the commit; ${describeWriters(writes)}; not ready after ${slowestNotice.toFixed(0)} ms at most, writing again ${slowestReturn.toFixed(0)} ms after the end; liveness within ${slowest} ms (${checkCount} asked)${embedded}`;
  },
};

function faultsOf({ database, server }: Ground): Fault[] {
  let holder: pg.Client | undefined;
  const settings = async (text: string) => {
    await database.query(`alter system ${text}`);
    await database.query('select pg_reload_conf()');
  };
  return [
    { name: 'stopped', unreadyWithin: noticed, begin: () => database.stop(), end: () => database.start() },
    { name: 'killed', unreadyWithin: noticed, begin: () => database.kill(), end: () => database.start() },
    { name: 'frozen', unreadyWithin: frozenNoticed, begin: () => database.freeze(), end: () => database.thaw() },
    {
      name: 'restarted',
      async begin() {
        await database.stop();
        await database.start();
      },
    },
    {
      name: 'read-only',
      unreadyWithin: noticed,
      begin: () => settings('set default_transaction_read_only = on'),
      end: () => settings('reset default_transaction_read_only'),
    },
    {
      name: 'terminated',
      async begin() {
        for (let round = 0; round < 5; round++) {
          await database.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
          );
          await pause(200);
        }
      },
    },
    {
      name: 'a table is locked',
      async begin() {
        holder = new pg.Client(database.url);
        await holder.connect();
        await holder.query('begin; lock table public.priorities in access exclusive mode');
        const owner = await signIn(server.address);
        for (let round = 0; round < 10; round++) {
          const { status } = await owner('GET', '/clients?range=[0,14]');
          if (status !== 200) throw new Error(`a list beside a locked table answers ${status}`);
        }
        if ((await callServer(server.address, 'GET', '/health/ready')).status !== 200)
          throw new Error('not ready for a lock');
      },
      end: () => holder!.end(),
    },
  ];
}

/** Milliseconds until readiness changed, and from the end of the failure until a write was acknowledged. */
async function suffer(
  { writers, health }: Ground,
  fault: Fault,
  hold: number,
): Promise<{ notice: number; back: number }> {
  try {
    const startTime = performance.now();
    await fault.begin();
    let notice = 0;
    if (fault.unreadyWithin !== undefined) {
      await health.waitUntil(false, fault.unreadyWithin);
      notice = performance.now() - startTime;
      await pause(hold);
    }
    await fault.end?.();
    const endTime = performance.now();
    await Promise.all([health.waitUntil(true, backWithin), writers.untilAcknowledged(backWithin)]);
    return { notice, back: performance.now() - endTime };
  } catch (error) {
    throw new Error(`${fault.name}: ${(error as Error).message}`, { cause: error });
  }
}

/** A single statement, which commits by itself if its call has no key, and the commits of both kinds of writes. */
const connectionCuts: readonly (Omit<ConnectionCut, 'when'> & { readonly isCommit: boolean })[] = [
  { at: /insert into "public"."priorities"/i, isCommit: false },
  { at: /^commit/i, after: /insert into "public"."priorities"/i, isCommit: true },
  { at: /^commit/i, after: /task_comments/i, isCommit: true },
];

/** Cuts connections at the commit: on its way there, on its way back, and in the response. Returns how many. */
async function cutCommits({ proxy, writers }: Ground, rounds: number): Promise<number> {
  let cuts = 0;
  for (let round = 0; round < rounds; round++) {
    for (const connectionCut of connectionCuts) {
      for (const moment of ['before', 'after', 'terminated'] as const) {
        const knownUnknowns = writers.unknown();
        await Promise.race([
          proxy.cut({ ...connectionCut, when: moment }),
          pause(10_000).then(() => Promise.reject(new Error(`nothing to cut at ${connectionCut.at}`))),
        ]);
        cuts++;
        for (
          const limit = Date.now() + 10_000;
          connectionCut.isCommit && writers.unknown() === knownUnknowns;
          await pause(10)
        ) {
          if (Date.now() > limit) throw new Error(`a cut ${moment} ${connectionCut.at} was not said to be unknown`);
        }
      }
    }
  }
  return cuts;
}

/** The postmaster of an embedded database is killed: it is restarted, and the program continues. */
async function killEmbedded(context: StepContext): Promise<string> {
  const server = await startServer(context);
  const owner = await signIn(server.address);
  const health = watchHealth(server);
  const [first] = readFileSync(join(server.dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(first), 'SIGKILL');
  await health.waitUntil(false, noticed);
  const back = await health.waitUntil(true, backWithin);
  const { status } = await owner('POST', '/priorities', { option_name: 'After the end of PostgreSQL' });
  await health.stop();
  if (status !== 201) throw new Error(`a write after the restart of the embedded database answers ${status}`);
  return `embedded database killed: ready again after ${back.toFixed(0)} ms`;
}
