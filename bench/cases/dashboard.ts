import { compareWithFloor } from '../against-floor';
import type { BenchmarkCase } from '../case';
import type { BenchProgram } from '../program';
import { say } from '../send-request';
import type { BenchDatabase } from '../stage';
import { growTasks } from '../tasks';

const TURNS = 25;
const sizes = [10_000, 100_000, 1_000_000] as const;

/**
 * The dashboard on the large demo compared with the bare SQL of its figures, and its cost right after a write, when all
 * figures are counted again: there, and while the tasks of a company grow a hundredfold.
 */
export const dashboard: BenchmarkCase = async ({ demo, site, logFile }) => {
  const demoDatabase = await demo();
  const outcome = await compareWithFloor({
    database: demoDatabase,
    logFile,
    title: 'dashboard',
    target: 0.8,
    paths: ['/api/dashboard'],
    floorPaths: ['/dashboard'],
    marker: 'no such word',
    keep: 'all',
    forget: () => write(demoDatabase.program),
    floorOf: (statements) => statements.filter(({ text }) => text.includes('filter (where')),
  });
  const findings = [{ title: 'dashboard after a write', figures: await anew(demoDatabase) }];
  const smallSite = await site('small');
  for (const size of sizes) {
    await growTasks(smallSite.client, size);
    findings.push({ title: `the same, ${size.toLocaleString('en')} tasks`, figures: await anew(smallSite) });
  }
  return [outcome, ...findings];
};

/** Alternates writes and reads. */
async function anew({ program }: BenchDatabase): Promise<string> {
  const took: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    await write(program);
    const startTime = performance.now();
    await say(program, '/dashboard');
    took.push(performance.now() - startTime);
  }
  took.sort((a, b) => a - b);
  return `${took[Math.floor(TURNS / 2)]!.toFixed(0)} ms p50, ${took[TURNS - 1]!.toFixed(0)} ms at most, one at a time`;
}

/** Changes a task, a test case and a project: invalidates all counts. */
async function write(program: BenchProgram): Promise<void> {
  for (const resource of ['tasks', 'test-cases', 'projects']) {
    const answer = await say<Record<string, unknown> | unknown[]>(program, `/${resource}?range=[0,0]`);
    const [first] = (Array.isArray(answer) ? answer : Object.values(answer)[0]) as { id: number; name: string }[];
    await say(program, `/${resource}/${first!.id}`, {
      name: `${first!.name.replace(/ !+$/, '')} ${'!'.repeat(1 + (Date.now() % 5))}`,
    });
  }
}
