import { startDatabase } from '../database';
import { watchHealth } from '../health';
import { countsOf, startLoad } from '../load';
import type { Proof, ProofStep } from '../proof';
import { pause, startServer, fetchToken, type ProofServer } from '../server';

const people = [
  'owner@demo.test',
  'manager@demo.test',
  'developer@demo.test',
  'qa@demo.test',
  'admin@demo.test',
  'owner@harbour.test',
];
const paths = [
  '/clients?range=[0,14]',
  '/tasks?range=[0,14]',
  '/test-cases?range=[0,14]',
  '/projects?range=[0,14]',
  '/dashboard',
  '/me',
];

/** Milliseconds: of responses, and of health, which is measured on a busy machine too. */
const answeredWithin = 6_000;
const healthWithin = 3_000;

/**
 * Many more connections than slots, each repeating immediately: accepted requests are served in time, all others get
 * 503 with Retry-After, and health has priority.
 */
export const overload: ProofStep = {
  title: 'more connections than can be served, without a pause',
  minutes: 3,
  async run(proof) {
    const database = await startDatabase(proof);
    const server = await startServer(proof, { env: { DATABASE_URL: database.url } });
    const tokens: string[] = [];
    for (const email of people) tokens.push(await fetchToken(server.address, email));
    const figures: string[] = [];
    for (const connections of proof.quick ? [400] : [400, 1_500]) {
      figures.push(await press(proof, server, tokens, connections, proof.quick ? 4_000 : 25_000));
    }
    return figures.join('; ');
  },
};

async function press(
  proof: Proof,
  server: ProofServer,
  tokens: readonly string[],
  connections: number,
  duration: number,
): Promise<string> {
  const health = watchHealth(server, 100);
  const load = await startLoad(proof, { address: server.address, paths, tokens, connections });
  await pause(duration);
  const result = await load.stop();
  const { slowest } = await health.stop();
  if (result.failures.length > 0)
    throw new Error(`${connections} connections: ${countsOf(result)}; ${result.failures[0]}`);
  if (result.p99 > answeredWithin)
    throw new Error(`${connections} connections: 1 of 100 answers takes ${result.p99} ms or more`);
  if (slowest > healthWithin) throw new Error(`${connections} connections: health takes ${slowest} ms`);
  await health.stop();
  await pause(1_000);
  const after = await fetch(`${server.address}/api/health/ready`);
  if (after.status !== 200) throw new Error(`not ready after the load of ${connections} connections`);
  return `${connections} connections: ${countsOf(result)}, half of the answers within ${result.half} ms, 99 % within ${result.p99} ms, health within ${slowest} ms`;
}
