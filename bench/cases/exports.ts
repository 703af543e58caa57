import { once } from 'node:events';
import { join } from 'node:path';
import type { BenchmarkCase } from '../case';
import { startProgram, type BenchProgram } from '../program';

const LONGEST_STALL = 100;
const MOST_MEMORY = 300;

/** The report of the watched program: its longest stall in milliseconds and its peak memory in megabytes. */
interface Watched {
  readonly stall: number;
  readonly peak: number;
}

/** Downloads of all test cases of the large demo, from a separate, monitored program. */
export const exports: BenchmarkCase = async ({ demo, folder }) => {
  const { url } = await demo();
  const findings = [];
  for (const format of ['xlsx', 'csv']) {
    const program = await startProgram(url, join(folder, `exports-${format}`), { preload: './bench/loop-watch.mjs' });
    try {
      await ask(program, 'reset');
      const { rows, bytes, seconds } = await download(program, `test-cases-export?format=${format}&sort_by=name`);
      const { stall, peak } = await ask(program, 'tell');
      findings.push({
        title: `${format} of ${rows.toLocaleString('en')} test cases`,
        figures:
          `${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s; ` +
          `largest stall ${stall.toFixed(0)} ms (below ${LONGEST_STALL}), ` +
          `memory at its most ${peak.toFixed(0)} MB (below ${MOST_MEMORY})`,
        isReached: stall < LONGEST_STALL && peak < MOST_MEMORY,
      });
    } finally {
      await program.stop();
    }
  }
  return findings;
};

async function ask({ process }: BenchProgram, question: 'reset' | 'tell'): Promise<Watched> {
  process.send(question);
  return (await once(process, 'message'))[0] as Watched;
}

async function download({ address, token }: BenchProgram, path: string) {
  const startTime = performance.now();
  const answer = await fetch(`${address}/api/${path}`, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
  });
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
  let bytes = 0;
  for await (const chunk of answer.body!) bytes += (chunk as Uint8Array).length;
  return { rows: Number(answer.headers.get('x-total')), bytes, seconds: (performance.now() - startTime) / 1000 };
}
