import { startDatabase } from '../database';
import { countsOf, startLoad } from '../load';
import type { ResilienceStep } from '../step';
import { fetchToken, pause, startServer } from '../server';

const people = ['owner@demo.test', 'manager@demo.test', 'qa@demo.test', 'admin@demo.test'];
/** Searches that nobody made before: each has a page and a total of its own. */
const paths = ['clients', 'tasks', 'test-cases', 'projects'].map((name) => `/${name}?range=[0,14]&q=*`);

/**
 * Megabytes: after the last rush, and what caches may have added at rest; of more than that a quarter has to be free
 * again.
 */
const memoryLimit = 400;
const cacheAllowance = 75;
const freedShare = 0.25;
/** Milliseconds until then. */
const idleLimit = 60_000;

/** Rushes of searches, one after another: memory stays within its limit, and falls again. */
export const rushes: ResilienceStep = {
  title: 'the memory after rushes of searches that nobody made before',
  minutes: 5,
  async run(context) {
    const [rounds, duration] = context.quick ? [3, 3_000] : [9, 15_000];
    const database = await startDatabase(context);
    const server = await startServer(context, { env: { DATABASE_URL: database.url } });
    const tokens: string[] = [];
    for (const email of people) tokens.push(await fetchToken(server.address, email));
    const memoryBefore = server.memory().now;
    const measurements: number[] = [];
    let answerCount = 0;
    for (let round = 0; round < rounds; round++) {
      const load = await startLoad(context, { address: server.address, paths, tokens, connections: 200 });
      await pause(duration);
      const result = await load.stop();
      if (result.failures.length > 0) throw new Error(`${countsOf(result)}; ${result.failures[0]}`);
      answerCount += result.statuses[200] ?? 0;
      measurements.push(server.memory().now);
    }
    const words = `${rounds} rushes with ${answerCount.toLocaleString('en')} searches: ${memoryBefore} MB before, ${measurements.join(', ')} MB after each`;
    const memoryAfter = measurements.at(-1)!;
    if (memoryAfter > memoryLimit) throw new Error(`${words}: more than ${memoryLimit}`);
    const goal = Math.max(memoryBefore + cacheAllowance, memoryAfter - (memoryAfter - memoryBefore) * freedShare);
    for (const restStart = Date.now(); server.memory().now > goal; await pause(500)) {
      if (Date.now() - restStart > idleLimit)
        throw new Error(`${words}, ${server.memory().now} MB after a minute of rest`);
    }
    return `${words}, ${server.memory().now} MB at rest`;
  },
};
