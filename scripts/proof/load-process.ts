// The process behind `startLoad`: calls until it is told to stop, and answers what became of the calls.
import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { LoadOptions, LoadResult } from './load';

const { address, paths, tokens, connections, pause } = JSON.parse(process.argv[2]!) as LoadOptions;
const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
const statuses: Record<string, number> = {};
const times: number[] = [];
const failures: string[] = [];
let turn = 0;
let over = false;

const all = Array.from({ length: connections }, async (_, index) => {
  while (!over) {
    await ask(index);
    if (pause) await wait(pause);
  }
});
process.send!('started');
process.once('message', () => void report());

async function report(): Promise<void> {
  over = true;
  await Promise.race([Promise.all(all), wait(15_000)]);
  times.sort((one, other) => one - other);
  const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  const result: LoadResult = { statuses, half: at(0.5), p99: at(0.99), slowest: at(1), failures };
  process.send!(result, () => process.exit(0));
}

function ask(index: number): Promise<void> {
  const path = paths[turn++ % paths.length]!;
  const authorization = `Bearer ${tokens[index % tokens.length]}`;
  const since = performance.now();
  return new Promise((done) => {
    const note = (status: number, failure?: string) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (failure !== undefined && failures.length < 10) failures.push(`${path}: ${failure}`);
      done();
    };
    get(`${address}/api${path}`, { agent, headers: { authorization } }, (answer) => {
      const status = answer.statusCode!;
      let text = '';
      answer.on('error', (error) => note(0, error.message));
      answer.setEncoding('utf8').on('data', (part: string) => {
        if (status !== 200 && text.length < 200) text += part;
      });
      answer.on('end', () => {
        if (status === 200) times.push(performance.now() - since);
        const expected = status === 200 || (status === 503 && answer.headers['retry-after'] !== undefined);
        note(status, expected ? undefined : `${status} ${text}`);
      });
    }).on('error', (error: NodeJS.ErrnoException) => note(0, error.code ?? error.message));
  });
}
