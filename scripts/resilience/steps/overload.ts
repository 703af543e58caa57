import { startDatabase } from '../database';
import { watchNewConnections } from '../health';
import { countsOf, startLoad, type LoadOptions } from '../load';
import { watchProcessor } from '../processor';
import type { StepContext, ResilienceStep } from '../step';
import { pause, startServer, fetchToken, type RunningServer } from '../server';

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

/**
 * Milliseconds, on a machine that has nothing else to do: for health on a new connection, for 99 of 100 answered calls,
 * and for 99 of 100 refusals.
 */
const goals = { health: 1_000, answered: 3_000, refused: 1_000 };

type Pressure = Pick<LoadOptions, 'connections' | 'reconnect'>;

interface Figures extends Record<keyof typeof goals, number> {
  /** How much longer everything took because others used the processors too. */
  readonly slowdown: number;
  readonly counts: string;
}

/**
 * Many more connections than slots, each calling again at once: health comes first, on a new connection too, accepted
 * calls are answered in time, and all others get 503 with Retry-After at once. Each is measured several times, and the
 * one in the middle has to meet the goals, in proportion to what other programs left of the processors.
 */
export const overload: ResilienceStep = {
  title: 'more connections than can be served, without a pause',
  minutes: 4,
  async run(context) {
    const database = await startDatabase(context);
    const server = await startServer(context, { env: { DATABASE_URL: database.url } });
    const tokens: string[] = [];
    for (const email of people) tokens.push(await fetchToken(server.address, email));
    const verdicts: string[] = [];
    const pressures: readonly Pressure[] = context.quick
      ? [{ connections: 400 }]
      : [{ connections: 400 }, { connections: 1_500 }, { connections: 1_500, reconnect: true }];
    for (const pressure of pressures) {
      const rounds: Figures[] = [];
      for (let round = 0; round < (context.quick ? 1 : 3); round++) {
        rounds.push(await press(context, server, tokens, pressure, context.quick ? 4_000 : 10_000));
      }
      verdicts.push(judge(describe(pressure), rounds));
    }
    return verdicts.join('; ');
  },
};

const describe = ({ connections, reconnect }: Pressure) =>
  `${connections.toLocaleString('en')} connections${reconnect ? ', a new one for each call' : ''}`;

async function press(
  context: StepContext,
  server: RunningServer,
  tokens: readonly string[],
  pressure: Pressure,
  duration: number,
): Promise<Figures> {
  const health = watchNewConnections(server);
  const load = await startLoad(context, { address: server.address, paths, tokens, ...pressure });
  const slowdown = watchProcessor([server.process.pid!, load.process.pid!, process.pid]);
  await pause(duration);
  const slower = slowdown();
  const [result, { slowest }] = await Promise.all([load.stop(), health.stop()]);
  if (result.failures.length > 0) throw new Error(`${describe(pressure)}: ${countsOf(result)}; ${result.failures[0]}`);
  await pause(1_000);
  const readiness = await fetch(`${server.address}/api/health/ready`);
  if (readiness.status !== 200) throw new Error(`${describe(pressure)}: not ready afterwards`);
  const { p99, refusedWithin } = result;
  return { health: slowest, answered: p99, refused: refusedWithin, slowdown: slower, counts: countsOf(result) };
}

/** The figures of all rounds in words. Throws if the one in the middle misses a goal. */
function judge(title: string, rounds: readonly Figures[]): string {
  const names = Object.keys(goals) as (keyof typeof goals)[];
  const valuesOf = (name: keyof typeof goals) => rounds.map((figures) => figures[name]);
  const words = `${title}: ${rounds.at(-1)!.counts}; health within ${valuesOf('health').join(', ')} ms, 99 % of the answers within ${valuesOf('answered').join(', ')} ms, of the refusals within ${valuesOf('refused').join(', ')} ms, with waits for a processor by ${rounds.map(({ slowdown }) => slowdown.toFixed(1)).join(', ')}`;
  const missedGoals = names.filter(
    (name) => middle(rounds.map((figures) => figures[name] / figures.slowdown)) > goals[name],
  );
  if (missedGoals.length > 0)
    throw new Error(`${words}; more than ${missedGoals.map((name) => `${goals[name]} ms for ${name}`).join(', ')}`);
  return words;
}

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)]!;
}
