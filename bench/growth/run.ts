// `npm run growth`: the same operations at 100,000, 1,000,000 and 5,000,000 test cases, in a temporary folder that is
// removed afterwards. `npm run growth -- 100000 300000` takes other sizes; about 4 GB of disk for each million.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../src/server/database/embedded/start-embedded';
import { valueTypes } from '../../src/server/database/value-parsers';
import { startProgram } from '../program';
import { fillDatabase } from './fill';
import { measure, signInAll, type OperationTiming } from './measure';
import { operations } from './operations';
import { printGrowth, printSizes, type Size } from './table';

const sizes = process.argv.slice(2).map(Number);
if (sizes.some((size) => !Number.isInteger(size) || size < 10_000)) {
  console.error('Sizes are numbers of test cases, each at least 10000, as in: npm run growth -- 100000 1000000');
  process.exit(1);
}
if (sizes.length === 0) sizes.push(100_000, 1_000_000, 5_000_000);

const { status } = spawnSync(process.execPath, ['scripts/build.mjs', '--stale'], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
const folder = mkdtempSync(join(tmpdir(), 'assay-growth-'));
const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void close().then(() => process.exit(1)));
const measuredSizes: Size[] = [];
try {
  const log = { info: () => undefined, warn: console.warn, error: console.error };
  const embedded = await startEmbedded({ dataDir: folder, log });
  undo.push(() => embedded.stop());
  // The demo data, the template for all others.
  await (await startProgram(embedded.url, join(folder, 'program'))).stop();
  for (const size of sizes.sort((left, right) => left - right)) measuredSizes.push(await measureAt(embedded.url, size));
} finally {
  if (measuredSizes.length > 0) {
    printGrowth(measuredSizes);
    printSizes(measuredSizes);
  }
  await close();
}

async function close(): Promise<void> {
  while (undo.length > 0) await undo.pop()!();
}

async function measureAt(url: string, size: number): Promise<Size> {
  const startTime = Date.now();
  await fillDatabase(url, size);
  const fillSeconds = (Date.now() - startTime) / 1000;
  console.log(`${size.toLocaleString('en')} test cases are there after ${fillSeconds.toFixed(0)} s`);
  const program = await startProgram(url, join(folder, 'program'));
  const client = new pg.Client({ connectionString: url, types: valueTypes });
  await client.connect();
  try {
    const idleMemory = memoryOf(program.process.pid!);
    const tokens = await signInAll(program.address);
    const { rows } = await client.query<{ total: number; project: number; middle: number }>(
      `with mine as (select site_id from users where email = 'owner@demo.test'),
         one as (select id, project_id from test_cases where site_id = (select site_id from mine)
           and id >= (select max(id) / 2 from test_cases) order by id limit 1)
       select (select count(*)::integer from test_cases where site_id = (select site_id from mine)) as total,
         one.project_id as project, one.id as middle from one`,
    );
    const target = { ...rows[0]!, turn: 0 };
    const bench = { address: program.address, client, url, logFile: join(folder, 'pg.log'), tokens, at: target };
    const measured = new Map<string, OperationTiming | string>();
    for (const operation of operations) {
      const outcome = await measure(bench, operation).catch((error: Error) => error.message);
      measured.set(operation.title, outcome);
      const words =
        typeof outcome === 'string'
          ? outcome
          : `${outcome.median.toFixed(1)} ms, floor ${outcome.floor.toFixed(1)} ms, ${outcome.statements} statements`;
      console.log(`  ${operation.title}: ${words}`);
    }
    const { rows: bytes } = await client.query<Size['tables'][number]>(
      `select oid::regclass::text as name, pg_table_size(oid)::float8 as rows, pg_indexes_size(oid)::float8 as indexes
       from pg_class where oid in ('test_cases'::regclass, 'tasks'::regclass, 'assay.history'::regclass) order by 1`,
    );
    return { size, fillSeconds, measured, tables: bytes, idleMemory, busyMemory: memoryOf(program.process.pid!) };
  } finally {
    await client.end();
    await program.stop();
  }
}

/** The memory of a process in bytes; 0 if the system does not report it. */
function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
