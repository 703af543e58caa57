import { startDatabase } from '../database';
import { countsOf, startLoad } from '../load';
import type { ProofStep } from '../proof';
import { fetchToken, pause, startServer } from '../server';

const people = ['owner@demo.test', 'manager@demo.test', 'qa@demo.test', 'admin@demo.test'];
/** Searches that nobody made before: each has a page and a total of its own. */
const paths = ['clients', 'tasks', 'test-cases', 'projects'].map((name) => `/${name}?range=[0,14]&q=*`);

/**
 * Megabytes: after the last rush, and what caches may have added at rest; of more than that a quarter has to be free
 * again.
 */
const most = 400;
const cached = 75;
const freedShare = 0.25;
/** Milliseconds until then. */
const idleLimit = 60_000;

/** Rushes of searches, one after another: memory stays within its limit, and falls again. */
export const rushes: ProofStep = {
  title: 'the memory after rushes of searches that nobody made before',
  minutes: 5,
  async run(proof) {
    const [rounds, duration] = proof.quick ? [3, 3_000] : [9, 15_000];
    const database = await startDatabase(proof);
    const server = await startServer(proof, { env: { DATABASE_URL: database.url } });
    const tokens: string[] = [];
    for (const email of people) tokens.push(await fetchToken(server.address, email));
    const before = server.memory().now;
    const seen: number[] = [];
    let answered = 0;
    for (let round = 0; round < rounds; round++) {
      const load = await startLoad(proof, { address: server.address, paths, tokens, connections: 200 });
      await pause(duration);
      const result = await load.stop();
      if (result.failures.length > 0) throw new Error(`${countsOf(result)}; ${result.failures[0]}`);
      answered += result.statuses[200] ?? 0;
      seen.push(server.memory().now);
    }
    const words = `${rounds} rushes with ${answered.toLocaleString('en')} searches: ${before} MB before, ${seen.join(', ')} MB after each`;
    const after = seen.at(-1)!;
    if (after > most) throw new Error(`${words}: more than ${most}`);
    const goal = Math.max(before + cached, after - (after - before) * freedShare);
    for (const since = Date.now(); server.memory().now > goal; await pause(500)) {
      if (Date.now() - since > idleLimit) throw new Error(`${words}, ${server.memory().now} MB after a minute of rest`);
    }
    return `${words}, ${server.memory().now} MB at rest`;
  },
};
