import { readFileSync, statSync } from 'node:fs';
import type pg from 'pg';

/** A statement as PostgreSQL received it; parameters in text. */
export interface LoggedStatement {
  readonly text: string;
  readonly values: readonly (string | null)[];
}

const PREFIX = '<%a> ';
const MOST_TRIES = 100;

/**
 * The statements that a request sends to PostgreSQL, from PostgreSQL's log. The request is repeated first, like
 * everything that is measured, so that cached statements do not count.
 */
export async function captureStatements(
  client: pg.Client,
  logFile: string,
  ask: () => Promise<unknown>,
): Promise<LoggedStatement[]> {
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

/** Connections apply the setting one after the other; partial logs are not used. */
async function untilLogged(logFile: string, ask: () => Promise<unknown>): Promise<void> {
  for (let time = 0, lineCount = 0; time < MOST_TRIES; time++) {
    const start = statSync(logFile).size;
    await ask();
    if (readLog(readFileSync(logFile).subarray(start).toString('utf8')).length > 0) lineCount++;
    if (lineCount === 3) return;
  }
  throw new Error('PostgreSQL logs no statements of the program.');
}

/** An entry starts at a prefix; its further lines are indented with a tab. The details follow as a separate entry. */
function readLog(text: string): LoggedStatement[] {
  const statements: { text: string; values: (string | null)[] }[] = [];
  for (const entry of text.split(/\n(?!\t)/)) {
    const [, name, kind, entryText] = /^<(.*?)> (\w+): {2}([^]*)$/.exec(entry) ?? [];
    if (name !== 'assay' || entryText === undefined) continue;
    const plainText = entryText.replaceAll('\n\t', '\n');
    const statement = /^(?:statement|execute [^:]+): ([^]*)$/.exec(plainText);
    if (kind === 'LOG' && statement) statements.push({ text: statement[1]!, values: [] });
    if (kind === 'DETAIL' && /^parameters: /i.test(plainText))
      statements.at(-1)?.values.push(...readParameters(plainText));
  }
  return statements;
}

function readParameters(text: string): (string | null)[] {
  return Array.from(text.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g), ([, value]) =>
    value === undefined ? null : value.replaceAll("''", "'"),
  );
}
