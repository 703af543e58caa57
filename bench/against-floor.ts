import type { BenchmarkResult } from './case';
import { startFloor, type FloorOptions } from './floor';
import { interleave } from './interleave';
import { bodyText, type LoadRequests } from './load';
import { captureStatements, type LoggedStatement } from './statement-log';
import type { BenchDatabase } from './stage';

/** How a measurement is compared with its floor. */
export interface Comparison {
  readonly database: BenchDatabase;
  /** PostgreSQL's own log. */
  readonly logFile: string;
  readonly title: string;
  readonly target: number;
  /** Paths of the program; the floor repeats the statements of the first one. */
  readonly paths: readonly string[];
  /** As `Requests` has it, to both. */
  readonly body?: unknown;
  readonly method?: 'PUT';
  /** To the floor. */
  readonly floorPaths: readonly string[];
  readonly marker: string;
  readonly keep: FloorOptions['keep'];
  /** Clears the program's caches, so that all its statements are visible. */
  readonly forget?: () => Promise<void>;
  /** Selects the statements that the floor runs; default: all. */
  readonly floorOf?: (statements: readonly LoggedStatement[]) => readonly LoggedStatement[];
  /** The path whose statements the floor repeats, if it is not one of `paths`. */
  readonly floorAsks?: string;
}

/** Measures the program and a bare route that runs the statements the program ran, in turns. */
export async function compareWithFloor(comparison: Comparison): Promise<BenchmarkResult> {
  const { database, logFile, title, target, paths, body, method, floorPaths, marker, keep } = comparison;
  const { forget, floorOf = (statements) => statements, floorAsks } = comparison;
  const { address, token } = database.program;
  const ours: LoadRequests = { address, token, paths, body, method };
  const allStatements = await captureStatements(database.client, logFile, async () => {
    await forget?.();
    await askOnce(ours);
  });
  const floorCalls =
    floorAsks === undefined
      ? allStatements
      : await captureStatements(database.client, logFile, () => askOnce({ ...ours, paths: [floorAsks] }));
  const statements = floorOf(floorCalls);
  if (statements.length === 0) throw new Error(`${title}: the program ran no statement.`);
  if (process.env.BENCH_SQL)
    console.log(allStatements.map(({ text, values }) => `${text}\n  ${JSON.stringify(values)}`).join('\n'));
  const floor = await startFloor({ url: database.url, statements, marker, keep });
  try {
    const baseline: LoadRequests = { address: floor.address, paths: floorPaths, body, method };
    await askOnce(baseline);
    const { a, b, ratio } = await interleave(ours, baseline);
    const count = forget ? 'remembered' : allStatements.length;
    const notes = [`statements a request: ${count}; the floor: ${statements.length}`];
    return { title, ours: a, comparison: 'floor', baseline: b, ratio, target, notes };
  } finally {
    await floor.stop();
  }
}

async function askOnce({ address, token, paths, body, method = 'POST' }: LoadRequests): Promise<void> {
  const answer = await fetch(`${address}${paths[0]}`, {
    method: body === undefined ? 'GET' : method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: bodyText(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${paths[0]} answers ${answer.status}: ${text}`);
}
