import pg from 'pg';
import { valueTypes } from '../../src/server/database/value-parsers';
import { demoPassword } from '../../src/product/demo/accounts';
import { captureStatements, type LoggedStatement } from '../statement-log';
import { benchUsers, type BenchUser, type Operation, type OperationContext } from './operations';

/** The time of one operation at one size. Milliseconds, one request at a time. */
export interface OperationTiming {
  readonly median: number;
  readonly p95: number;
  /** The same statements without the program, prepared, on one connection, alternating with the program. */
  readonly floor: number;
  readonly statements: number;
}

const mostTurns = 25;
const fewestTurns = 5;
/** Milliseconds for the turns of one operation, beyond the fewest. */
const patience = 8_000;

/** A program under measurement. */
export interface MeasureContext {
  readonly address: string;
  readonly client: pg.Client;
  readonly logFile: string;
  readonly url: string;
  readonly tokens: Readonly<Record<BenchUser, string>>;
  readonly at: OperationContext;
}

/** Signs in all users of the operations. */
export async function signInAll(address: string): Promise<MeasureContext['tokens']> {
  const tokens = {} as Record<BenchUser, string>;
  for (const [name, email] of Object.entries(benchUsers)) {
    const answer = await fetch(`${address}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: demoPassword }),
    });
    if (!answer.ok) throw new Error(`${email} does not sign in: ${await answer.text()}`);
    tokens[name as BenchUser] = ((await answer.json()) as { token: string }).token;
  }
  return tokens;
}

/** Measures the program and its bare statements in turns. */
export async function measure(bench: MeasureContext, operation: Operation): Promise<OperationTiming> {
  const prepare = async () => {
    if (operation.afterWrite) await write(bench, operation.as);
  };
  const statements = await statementsOfOne(bench, prepare, operation);
  const floor = await openFloor(bench.url, statements);
  const ours: number[] = [];
  const floorTimes: number[] = [];
  try {
    const startTime = performance.now();
    for (let turn = 0; turn < mostTurns; turn++) {
      if (turn >= fewestTurns && performance.now() - startTime > patience) break;
      await prepare();
      ours.push(await measureTime(() => ask(bench, operation)));
      floorTimes.push(await measureTime(floor.run));
    }
  } finally {
    await floor.close();
  }
  return {
    median: quantile(ours, 0.5),
    p95: quantile(ours, 0.95),
    floor: quantile(floorTimes, 0.5),
    statements: statements.length,
  };
}

const mark = `select 'measured from here'`;

/**
 * The statements of an operation, without its preparation. Measured twice, because other statements of the program may
 * interfere.
 */
async function statementsOfOne(
  { url, client, logFile, ...bench }: MeasureContext,
  prepare: () => Promise<void>,
  operation: Operation,
): Promise<readonly LoggedStatement[]> {
  const marker = new pg.Client({ connectionString: url, application_name: 'assay' });
  await marker.connect();
  try {
    const capture = async () => {
      const loggedStatements = await captureStatements(client, logFile, async () => {
        await prepare();
        await marker.query(mark);
        await ask({ url, client, logFile, ...bench }, operation);
      });
      return loggedStatements.slice(loggedStatements.findIndex(({ text }) => text === mark) + 1);
    };
    const [first, second] = [await capture(), await capture()];
    const statements = second.length < first.length ? second : first;
    // A download runs in its own transaction, with a cursor, for as long as it is read.
    return operation.headersOnly ? statements.filter(({ text }) => text.startsWith('select count(*)')) : statements;
  } finally {
    await marker.end();
  }
}

let turns = 0;

async function ask({ address, tokens, at: target }: MeasureContext, operation: Operation): Promise<void> {
  const operationTarget = { ...target, turn: ++turns };
  await Promise.all(
    operation.paths(operationTarget).map(async (path) => {
      const stop = new AbortController();
      const answer = await fetch(`${address}/api${path}`, {
        method: operation.method ?? 'GET',
        headers: {
          authorization: `Bearer ${tokens[operation.as]}`,
          ...(operation.body && { 'content-type': 'application/json' }),
        },
        ...(operation.body && { body: JSON.stringify(operation.body(operationTarget)) }),
        signal: stop.signal,
      });
      if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
      if (operation.headersOnly) stop.abort();
      else await answer.arrayBuffer();
    }),
  );
}

/** Changes a test case and a task of the user's company, so that counts are not cached. */
async function write({ address, tokens }: MeasureContext, user: BenchUser): Promise<void> {
  const headers = { authorization: `Bearer ${tokens[user]}`, 'content-type': 'application/json' };
  for (const resource of ['test-cases', 'tasks']) {
    const page = await fetch(`${address}/api/${resource}?range=[0,0]`, { headers });
    const { data } = (await page.json()) as { data: { id: number }[] };
    const answer = await fetch(`${address}/api/${resource}/${data[0]!.id}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ name: `Written ${++turns}` }),
    });
    if (!answer.ok) throw new Error(`${resource} cannot be written: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}

/** A connection for preparing and repeating statements. */
async function openFloor(url: string, statements: readonly LoggedStatement[]) {
  const client = new pg.Client({ connectionString: url, types: valueTypes });
  await client.connect();
  return {
    async run() {
      for (const [index, { text, values }] of statements.entries()) {
        if (values.length === 0) await client.query(text);
        else await client.query({ name: `s${index}`, text, values: [...values] });
      }
    },
    close: () => client.end(),
  };
}

async function measureTime(run: () => Promise<unknown>): Promise<number> {
  const startTime = performance.now();
  await run();
  return performance.now() - startTime;
}

function quantile(values: readonly number[], share: number): number {
  const sortedValues = [...values].sort((left, right) => left - right);
  return sortedValues[Math.min(sortedValues.length - 1, Math.floor(sortedValues.length * share))]!;
}
