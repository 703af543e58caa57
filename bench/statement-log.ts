import { readFileSync, statSync } from 'node:fs';
import type pg from 'pg';

/** A statement as PostgreSQL received it; parameters in text. */
export interface Logged {
  readonly text: string;
  readonly values: readonly (string | null)[];
}

const PREFIX = '<%a> ';
const MOST_TRIES = 100;

/**
 * What a request makes the program say to PostgreSQL, read from PostgreSQL's own log. The request is made a few times
 * before, as everything is that is measured: what is asked once and remembered is not part of it.
 */
export async function statementsOf(client: pg.Client, logFile: string, ask: () => Promise<unknown>): Promise<Logged[]> {
  for (let time = 0; time < 3; time++) await ask();
  await configure(client, [`log_line_prefix = '${PREFIX}'`, `log_statement = 'all'`]);
  try {
    await untilLogged(logFile, ask);
    const start = statSync(logFile).size;
    await ask();
    return readLog(readFileSync(logFile).subarray(start).toString('utf8'));
  } finally {
    await configure(client, []);
  }
}

async function configure(client: pg.Client, settings: readonly string[]): Promise<void> {
  await client.query('alter system reset all');
  for (const setting of settings) await client.query(`alter system set ${setting}`);
  await client.query('select pg_reload_conf()');
}

/** Connections take the setting over one after the other; what is half logged is not used. */
async function untilLogged(logFile: string, ask: () => Promise<unknown>): Promise<void> {
  for (let time = 0, seen = 0; time < MOST_TRIES; time++) {
    const start = statSync(logFile).size;
    await ask();
    if (readLog(readFileSync(logFile).subarray(start).toString('utf8')).length > 0) seen++;
    if (seen === 3) return;
  }
  throw new Error('PostgreSQL logs no statements of the program.');
}

/** An entry begins at a prefix; its further lines are indented by a tab. The details follow as an entry of their own. */
function readLog(text: string): Logged[] {
  const statements: { text: string; values: (string | null)[] }[] = [];
  for (const entry of text.split(/\n(?!\t)/)) {
    const [, name, kind, said] = /^<(.*?)> (\w+): {2}([^]*)$/.exec(entry) ?? [];
    if (name !== 'assay' || said === undefined) continue;
    const plain = said.replaceAll('\n\t', '\n');
    const statement = /^(?:statement|execute [^:]+): ([^]*)$/.exec(plain);
    if (kind === 'LOG' && statement) statements.push({ text: statement[1]!, values: [] });
    if (kind === 'DETAIL' && /^parameters: /i.test(plain)) statements.at(-1)?.values.push(...readParameters(plain));
  }
  return statements;
}

function readParameters(text: string): (string | null)[] {
  return Array.from(text.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g), ([, value]) =>
    value === undefined ? null : value.replaceAll("''", "'"),
  );
}
