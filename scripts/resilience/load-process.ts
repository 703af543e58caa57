// The process behind `startLoad`: calls until it is told to stop, and answers what became of the calls.
import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { LoadOptions, LoadResult } from './load';

const { address, paths, tokens, connections, pause, reconnect } = JSON.parse(process.argv[2]!) as LoadOptions;
const agent = reconnect ? false : new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
const statuses: Record<string, number> = {};
const times: number[] = [];
const refusals: number[] = [];
const failures: string[] = [];
let turn = 0;
let isStopped = false;

const loops = Array.from({ length: connections }, async (_, index) => {
  while (!isStopped) {
    await ask(index);
    if (pause) await wait(pause);
  }
});
process.send!('started');
process.once('message', () => void report());

async function report(): Promise<void> {
  isStopped = true;
  await Promise.race([Promise.all(loops), wait(15_000)]);
  const result: LoadResult = {
    statuses,
    half: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    slowest: percentile(times, 1),
    refusedWithin: percentile(refusals, 0.99),
    failures,
  };
  process.send!(result, () => process.exit(0));
}

/** The milliseconds within which a share of the responses came. */
function percentile(milliseconds: number[], share: number): number {
  milliseconds.sort((left, right) => left - right);
  return Math.round(milliseconds[Math.min(milliseconds.length - 1, Math.floor(milliseconds.length * share))] ?? 0);
}

function ask(index: number): Promise<void> {
  const path = paths[turn++ % paths.length]!.replaceAll('*', () => Math.random().toString(36).slice(2, 10));
  const authorization = `Bearer ${tokens[index % tokens.length]}`;
  const startTime = performance.now();
  return new Promise((resolve) => {
    const note = (status: number, failure?: string) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (failure !== undefined && failures.length < 10) failures.push(`${path}: ${failure}`);
      resolve();
    };
    get(`${address}/api${path}`, { agent, headers: { authorization } }, (answer) => {
      const status = answer.statusCode!;
      let text = '';
      answer.on('error', (error) => note(0, error.message));
      answer.setEncoding('utf8').on('data', (part: string) => {
        if (status !== 200 && text.length < 200) text += part;
      });
      answer.on('end', () => {
        const took = performance.now() - startTime;
        if (status === 200) times.push(took);
        if (status === 503) refusals.push(took);
        const isExpected = status === 200 || (status === 503 && answer.headers['retry-after'] !== undefined);
        note(status, isExpected ? undefined : `${status} ${text}`);
      });
    }).on('error', (error: NodeJS.ErrnoException) => note(0, error.code ?? error.message));
  });
}
