import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/** How one execution of a test ended. `broken`: an error outside an assertion. */
export type MachineResult = 'passed' | 'failed' | 'broken' | 'skipped';

/** One execution of a test. */
export interface ParsedAttempt {
  readonly result: MachineResult;
  /** How long it took; null: unknown. */
  readonly seconds: number | null;
  readonly message: string | null;
  readonly details: string | null;
  /** ISO 8601; null: unknown. */
  readonly started_at: string | null;
  /** The files that came with it; left out if there is none. */
  readonly files?: readonly FoundFile[];
  /** The steps that have files. */
  readonly steps?: readonly FoundStep[];
}

/** A file beside a report. */
export interface SourceFile {
  /** Bytes. */
  readonly size: number;
  read(): Promise<Readable>;
}

/** A file that came with an attempt. Its name may be anything, and is only a name. */
export interface FoundFile {
  readonly name: string;
  /** Such as `image/png`, as the report says. */
  readonly type?: string | null;
  /** Its bytes in the report, where it was on the machine that ran the test, or what opens it. */
  readonly content:
    | { readonly base64: string }
    | { readonly path: string }
    | { readonly find: () => SourceFile | undefined };
  /** The number of the step at which it was seen, from 1; none: it belongs to the whole attempt. */
  readonly step?: number;
}

/** A step of an attempt; `index` counts from 1. */
export interface FoundStep {
  readonly index: number;
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'skipped';
}

/** A test of a file with everything that the file says of it; its attempts in their order, at least one. */
export interface ParsedTest {
  readonly name: string;
  /** The class, suite or feature. */
  readonly suite: string | null;
  readonly file: string | null;
  /** What tells executions of the same code apart, such as `chromium`. */
  readonly parameters: string | null;
  /** Set in the test's properties, tags or name; it outlives a new name. */
  readonly explicit_id: string | null;
  readonly attempts: readonly ParsedAttempt[];
}

/** A file is not what it seems to be. The message says what was expected, the line where. */
export class UnreadableResults extends Error {
  constructor(
    message: string,
    readonly line?: number,
  ) {
    super(message);
  }
}

const limits = {
  name: 1000,
  suite: 1000,
  file: 1000,
  parameters: 1000,
  explicit_id: 200,
  message: 2000,
  details: 20_000,
};

/** A text as it can be stored: no longer than its field, without characters that no database takes. */
function cleanText(text: string | null | undefined, kind: keyof typeof limits): string | null {
  if (text === null || text === undefined) return null;
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').trim();
  // The cut may part a pair of surrogates, and no database takes one alone.
  return clean === '' ? null : clean.slice(0, limits[kind]).replace(/\p{Surrogate}/gu, '\ufffd');
}

/** An instant as ISO 8601 in UTC; a text without a zone is in UTC. Null if it is none. */
export function cleanInstant(text: string | number | null | undefined): string | null {
  if (text === null || text === undefined || text === '') return null;
  const isPlain = typeof text === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text);
  const at = new Date(isPlain ? `${text.replace(' ', 'T')}Z` : text);
  const year = at.getUTCFullYear();
  return Number.isNaN(at.getTime()) || year < 1990 || year > 2200 ? null : at.toISOString();
}

/** Seconds from a number or its text, also with commas between thousands; null if it is none, or negative. */
export function cleanSeconds(value: string | number | null | undefined, unit = 1): number | null {
  if (value === null || value === undefined || value === '') return null;
  const number = Number(typeof value === 'string' ? value.replaceAll(',', '') : value) / unit;
  return Number.isFinite(number) && number >= 0 ? Math.min(Math.round(number * 1000) / 1000, 1_000_000) : null;
}

/** An attempt with its texts cleaned. */
export function attemptOf(
  result: MachineResult,
  { seconds, message, details, started_at }: Partial<Omit<ParsedAttempt, 'result'>> = {},
): ParsedAttempt {
  return {
    result,
    seconds: seconds ?? null,
    message: cleanText(firstLines(message ?? details), 'message'),
    details: cleanText(details, 'details'),
    started_at: started_at ?? null,
  };
}

/** The attempt with the files that came with it, and those of its steps that have some. */
export function withFiles(
  attempt: ParsedAttempt,
  files: readonly FoundFile[],
  steps: readonly FoundStep[] = [],
): ParsedAttempt {
  if (files.length === 0) return attempt;
  const withSome = new Set(files.map(({ step }) => step));
  return { ...attempt, files, steps: steps.filter(({ index }) => withSome.has(index)) };
}

const firstLines = (text: string | null | undefined) => text?.trim().split('\n').slice(0, 3).join('\n');

/** Names of properties that hold the id of a test, in the order of their precedence. */
const idProperties = [
  'test_id',
  'testid',
  'test_key',
  'case_id',
  'testcaseid',
  'testrail_id',
  'qase_id',
  'as_id',
  'allure_id',
];
/** The key of a test case, in a name or a tag. */
const keyInText = /(?:^|[\s[(@#:])(TC-\d{1,9})(?=$|[\s\])(:,.])/i;

/** The id of a test in its properties, else the key of a test case in its tags or its name. */
export function explicitId(
  properties: Iterable<readonly [name: string, value: string]>,
  ...texts: readonly (string | null | undefined)[]
): string | null {
  const found = new Map([...properties].map(([name, value]) => [name.toLowerCase().replaceAll(/[\s.-]/g, '_'), value]));
  for (const name of idProperties) {
    const value = cleanText(found.get(name), 'explicit_id');
    if (value !== null) return value;
  }
  for (const text of texts) {
    const key = text ? keyInText.exec(text)?.[1] : undefined;
    if (key) return key.toUpperCase();
  }
  return null;
}

/** Splits `name[parameters]`, as pytest and JUnit 5 write the name of a test with parameters. */
export function splitParameters(name: string): { name: string; parameters: string | null } {
  const found = /^(.+?)\s*\[([^[\]]*(?:\[[^[\]]*\][^[\]]*)*)\]$/s.exec(name);
  const parameters = found?.[2];
  // A key in brackets is an id, not a parameter.
  if (!found || parameters === undefined || parameters === '' || /^TC-\d+$/i.test(parameters))
    return { name, parameters: null };
  return { name: found[1]!, parameters };
}

/** A test with its texts cleaned. */
export function testOf(
  test: Omit<ParsedTest, 'suite' | 'file' | 'parameters' | 'explicit_id'> & Partial<ParsedTest>,
): ParsedTest {
  return {
    name: cleanText(test.name, 'name') ?? '(no name)',
    suite: cleanText(test.suite, 'suite'),
    file: cleanText(test.file?.replaceAll('\\', '/').replace(/^\.\//, ''), 'file'),
    parameters: cleanText(test.parameters, 'parameters'),
    explicit_id: cleanText(test.explicit_id, 'explicit_id'),
    attempts: test.attempts,
  };
}

/**
 * What tells one test from another, wherever it runs: its explicit id, else where it is in the code; and its parameters.
 * `order` counts tests of one upload that have the same otherwise, from 1.
 */
export function identityOf(
  { explicit_id, file, suite, name, parameters }: Omit<ParsedTest, 'attempts'>,
  order = 1,
): string {
  const own = explicit_id === null ? [file, suite, name] : [explicit_id];
  return createHash('sha256')
    .update(JSON.stringify([...own, parameters, ...(order > 1 ? [order] : [])]))
    .digest('hex');
}

/** The result of a test in a run by its attempts: passed after a failure is flaky. */
export function resultOf(attempts: readonly ParsedAttempt[]): MachineResult | 'flaky' {
  const last = attempts.at(-1)!.result;
  const hasFailed = attempts.some(({ result }) => result === 'failed' || result === 'broken');
  return last === 'passed' && hasFailed ? 'flaky' : last;
}
