// `npx tsx bench/replicas.ts`: the throughput of lists of 100,000 test cases with one replica beside that without, by turns in
// the same run. The two database servers have a core each; the programs and the load share that of the replica. Where
// others use these cores too, lists a second say little: therefore also how many the busiest database server carries out in a
// second of its processor.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import pg from 'pg';
import { createScratchFolder } from '../tests/support/scratch-folder';
import { startPrimary } from '../tests/support/replicas';
import { measureLoad } from './load';
import { startProgram, type BenchProgram } from './program';

const count = 100_000;
const turns = 5;
const secondsPerTurn = 8;
const target = 1.6;
const ticksPerSecond = 100;

interface Measurement {
  readonly perSecond: number;
  /** Lists in a second of the processor of the busiest database server. */
  readonly perProcessorSecond: number;
}

function pin(core: number, ids: readonly (number | undefined)[]): void {
  for (const id of ids) spawnSync('taskset', ['-a', '-c', '-p', String(core), String(id)]);
}

/** Seconds of the processor that the processes of a server have used. */
function processorSeconds({ processIds }: { processIds(): readonly number[] }): number {
  const ticks = processIds().map((id) => {
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, tick) => sum + tick, 0) / ticksPerSecond;
}

/** Pages from the first sixth of the list, newest first: they cost the database more than the program. */
const paths = Array.from({ length: 64 }, (_, n) => {
  const offset = n * 256;
  return `/api/test-cases?range=[${offset},${offset + 24}]&sort=["id","DESC"]`;
});

spawnSync(process.execPath, ['scripts/build.mjs', '--stale'], { stdio: 'inherit' });
const primary = await startPrimary();
const folder = createScratchFolder('assay-replicas-');
const programs: BenchProgram[] = [];
const quiet = { SLOW_REQUEST_MS: '0', SLOW_STATEMENT_MS: '0' };
try {
  const plainProgram = await startProgram(primary.url, folder, { env: quiet });
  programs.push(plainProgram);
  const client = new pg.Client(primary.url);
  await client.connect();
  await client.query(
    `insert into public.test_cases (name, project_id, project_module, status_id, site_id, key, expected_result, created_at, updated_at)
     select 'Case ' || n, 1, (select min(id) from public.project_modules where project_id = 1), 1, 1, 'TC-' || (100000 + n),
       'It works', now(), now() from generate_series(1, $1::integer) n`,
    [count],
  );
  await client.query('vacuum analyze public.test_cases');
  await client.end();
  const replica = await primary.addReplica();
  const replicaProgram = await startProgram(primary.url, folder, {
    env: { ...quiet, DATABASE_READ_URL: replica.url },
  });
  programs.push(replicaProgram);
  pin(0, primary.processIds());
  pin(1, [...replica.processIds(), process.pid, ...programs.map((program) => program.process.pid)]);

  const measure = async ({ address, token }: BenchProgram): Promise<Measurement> => {
    const usedBefore = [primary, replica].map(processorSeconds);
    const { perSecond } = await measureLoad({ address, token, paths }, secondsPerTurn);
    const usedSeconds = [primary, replica].map((server, index) => processorSeconds(server) - usedBefore[index]!);
    return { perSecond, perProcessorSecond: (perSecond * secondsPerTurn) / Math.max(...usedSeconds) };
  };
  for (const { address, token } of programs) await measureLoad({ address, token, paths }, 2);
  const measurements: { plain: Measurement[]; replicated: Measurement[] } = { plain: [], replicated: [] };
  for (let turn = 0; turn < turns; turn++) {
    measurements.plain.push(await measure(plainProgram));
    measurements.replicated.push(await measure(replicaProgram));
  }
  const median = (values: readonly number[]) => values.toSorted((left, right) => left - right)[values.length >> 1]!;
  for (const [figure, title] of [
    ['perSecond', 'lists a second'],
    ['perProcessorSecond', 'lists in a second of the processor of the busiest database server'],
  ] as const) {
    const [plainFigure, replicatedFigure] = [measurements.plain, measurements.replicated].map((list) =>
      median(list.map((measurement) => measurement[figure])),
    );
    console.log(
      `${title}: ${plainFigure!.toFixed(1)} without, ${replicatedFigure!.toFixed(1)} with a replica: ${(replicatedFigure! / plainFigure!).toFixed(2)} times (at least ${target})`,
    );
  }
} finally {
  for (const program of programs) await program.stop();
  await primary.close();
  rmSync(folder, { recursive: true, force: true });
}
