import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../src/server/database/embedded/free-port';
import type { BenchmarkCase } from '../case';
import { stopProcess } from '../processes';

const ROUNDS = 9;
/** Milliseconds from readiness to the measurement of memory: what begins with readiness counts. */
const SETTLING = 2_000;
/** The longest start, as a multiple of the bare program's, and the most memory after it in MB. */
const TARGETS = { ratio: 3, memory: 180 };

/** Starts of the production build on a database that is up to date, each beside one of a bare Fastify program. */
export const start: BenchmarkCase = async (stage) => {
  const url = await stage.emptyDatabase('start');
  const dataDir = join(stage.folder, 'start');
  const ours = () => measureStart('scripts/start.mjs', { DATABASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  const measureBareStart = () => measureStart('bench/bare-start.mjs', { DATABASE_URL: url });
  // The first start creates the tables, and the second one finds the page cache warm.
  for (let round = 0; round < 2; round++) await ours();
  const rounds: { ours: Start; bare: Start }[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push({ bare: await measureBareStart(), ours: await ours() });
  const time = median(rounds.map((round) => round.ours.time));
  const floor = median(rounds.map((round) => round.bare.time));
  const memory = median(rounds.map((round) => round.ours.memory));
  const ratio = time / floor;
  return [
    {
      title: 'a start that changes nothing, until ready',
      figures: `${time.toFixed(0)} ms, the bare program ${floor.toFixed(0)} ms: ${ratio.toFixed(2)} times (at most ${TARGETS.ratio}; medians of ${ROUNDS})`,
      isReached: ratio <= TARGETS.ratio,
    },
    {
      title: 'memory after a start',
      figures: `${memory.toFixed(0)} MB (median of ${ROUNDS}; at most ${TARGETS.memory}), the bare program ${median(rounds.map((round) => round.bare.memory)).toFixed(0)} MB`,
      isReached: memory <= TARGETS.memory,
    },
  ];
};

interface Start {
  /** Milliseconds until the program answered that it is ready. */
  readonly time: number;
  /** Megabytes of memory after it. */
  readonly memory: number;
}

async function measureStart(script: string, environment: Record<string, string>): Promise<Start> {
  const port = await freePort();
  const startTime = performance.now();
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`${script} does not start.`);
      await wait(5);
    }
    const time = performance.now() - startTime;
    await wait(SETTLING);
    return { time, memory: residentMegabytes(child) };
  } finally {
    await stopProcess(child);
  }
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ port, path: '/api/health', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}

function residentMegabytes({ pid }: ChildProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)]!;
}
