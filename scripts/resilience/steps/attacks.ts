import { neighbour, type Attack, type AttackTarget } from '../attacks/attack';
import {
  deepJson,
  hugeForms,
  manyParts,
  parallelBodies,
  richText,
  slowloris,
  unfinishedUploads,
} from '../attacks/bodies';
import {
  hostilePatterns,
  manyStreams,
  registrations,
  sharedWorkbook,
  unreadDownloads,
  zipBombs,
} from '../attacks/more-attacks';
import { startDatabase, type RunningDatabase } from '../database';
import { countsOf, startLoad } from '../load';
import type { StepContext, ResilienceStep } from '../step';
import { callServer, pause, startServer, fetchToken, type RunningServer } from '../server';

const attacks: readonly Attack[] = [
  parallelBodies,
  hugeForms,
  manyParts,
  sharedWorkbook,
  zipBombs,
  richText,
  hostilePatterns,
  unfinishedUploads,
  unreadDownloads,
  manyStreams,
  slowloris,
  deepJson,
  registrations,
];

/** Milliseconds for 99 of 100 ordinary calls of a neighbour, on a machine that attacks itself. */
const neighbourWithin = 2_500;
/** Megabytes above the previous memory once the attack is over, and at the peak. */
const memoryLeft = 300;
const memoryAtMost = 1_800;
/** V8 may keep the memory of a large heap: then repeated attacks, up to this many, must reach one that adds less. */
const repetitions = 3;
const addedAtMost = 60;
const paths = ['/clients?range=[0,14]', '/tasks?range=[0,14]', '/me'];

/**
 * Every known attack against a fresh program: it stays up, calls of another company stay quick, and its memory is
 * released.
 */
export const knownAttacks: ResilienceStep = {
  title: 'what stopped the program once',
  minutes: 6,
  impossible: () =>
    process.platform === 'linux' ? undefined : 'memory and addresses of this machine are told on Linux alone',
  async run(context) {
    const database = await startDatabase(context);
    const figures: string[] = [];
    const sharedServer = context.quick ? await start(context, database) : undefined;
    for (const attack of attacks) {
      const server = sharedServer ?? (await start(context, database));
      try {
        figures.push(await stand(context, server, database, attack));
      } catch (error) {
        throw new Error(`${attack.name}: ${(error as Error).message}`, { cause: error });
      }
      if (!sharedServer) await server.kill();
    }
    return figures.join('; ');
  },
};

const start = (context: StepContext, database: RunningDatabase) =>
  startServer(context, { env: { DATABASE_URL: database.url, STALLED_AFTER: '5' } });

async function stand(
  context: StepContext,
  server: RunningServer,
  database: RunningDatabase,
  attack: Attack,
): Promise<string> {
  const tokens = new Map<string, string>();
  const target: AttackTarget = {
    context,
    server,
    port: Number(new URL(server.address).port),
    database,
    async token(email) {
      if (!tokens.has(email)) tokens.set(email, await fetchToken(server.address, email));
      return tokens.get(email)!;
    },
  };
  const load = await startLoad(context, {
    address: server.address,
    paths,
    tokens: [await target.token(neighbour)],
    connections: 2,
    pause: 30,
  });
  await pause(500);
  const memoryBefore = server.memory().now;
  const outcome = await attack.run(target);
  const result = await load.stop();
  const { peak: peakMemory } = server.memory();
  if (server.process.exitCode !== null || server.process.signalCode !== null) throw new Error('the program has ended');
  if (result.failures.length > 0 || Object.keys(result.statuses).join() !== '200')
    throw new Error(`a neighbour’s calls: ${countsOf(result)}; ${result.failures[0]}`);
  if (result.p99 > neighbourWithin) throw new Error(`a neighbour’s calls take ${result.p99} ms (1 of 100)`);
  if (peakMemory > memoryAtMost) throw new Error(`it took ${peakMemory} MB`);
  const finalMemory = await memoryAfter(server, memoryBefore, () => attack.run(target));
  return `${attack.name}: ${outcome} (p99 of a neighbour ${result.p99} ms, memory ${memoryBefore}, ${peakMemory} at most, ${finalMemory} MB afterwards)`;
}

/**
 * Megabytes once the attack is over: near the previous value, or no more than after the attack before. Throws if memory
 * grows with each.
 */
async function memoryAfter(
  server: RunningServer,
  memoryBefore: number,
  attack: () => Promise<string>,
): Promise<number> {
  const measurements = [await settledMemory(server, memoryBefore + memoryLeft)];
  while (measurements.at(-1)! > memoryBefore + memoryLeft) {
    if (measurements.length > repetitions)
      throw new Error(`it takes ${measurements.join(', ')} MB after each attack, ${memoryBefore} MB before`);
    await attack();
    measurements.push(await settledMemory(server, measurements.at(-1)!));
    if (measurements.at(-1)! <= measurements.at(-2)! + addedAtMost) break;
  }
  const peakMemory = server.memory().peak;
  if (peakMemory > memoryAtMost) throw new Error(`it took ${peakMemory} MB`);
  return measurements.at(-1)!;
}

/** Megabytes as soon as they are below a bound, or those after twenty seconds. */
async function settledMemory(server: RunningServer, bound: number): Promise<number> {
  for (const limit = Date.now() + 20_000; ; await pause(500)) {
    const { now } = server.memory();
    if (now <= bound || Date.now() > limit) return now;
    // Memory is only collected when some is allocated.
    await callServer(server.address, 'GET', '/openapi.json');
  }
}
