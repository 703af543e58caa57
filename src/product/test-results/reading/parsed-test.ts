import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { toPlainText } from '../../../engine/formats/clean-text';
import { itemAt } from '../../../engine/values/lookups';

/** How one execution of a test ended. `broken`: an error outside an assertion. */
export type MachineResult = 'passed' | 'failed' | 'broken' | 'skipped';

/** One execution of a test. */
export interface ParsedAttempt {
  readonly result: MachineResult;
  /** How long it took; null: unknown. */
  readonly seconds: number | null;
  readonly message: string | null;
  readonly details: string | null;
  /** The end of what the test printed, of attempts that did not pass. */
  readonly output: string | null;
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

/** A test of a file with everything that the file says of it; its attempts in their order: none if it did not run. */
export interface ParsedTest {
  readonly name: string;
  /** The class, suite or feature. */
  readonly suite: string | null;
  /** The suites around it from outside in, as far as the format says. */
  readonly path: string | null;
  readonly file: string | null;
  /** The parameters that distinguish executions of the same code, such as `chromium`. */
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
  path: 2000,
  file: 1000,
  parameters: 1000,
  explicit_id: 200,
  message: 2000,
  details: 20_000,
};
/** How many characters of what a test printed are kept: the last ones. */
const maxOutput = 20_000;
/** Texts that tell tests apart: where one is cut, its hash stays. */
const identifying: ReadonlySet<string> = new Set(['name', 'suite', 'path', 'file', 'parameters', 'explicit_id']);

/** Stands where characters were left out of a text. */
export const omissionMark = (count: number): string =>
  `\n[… ${count.toLocaleString('en')} characters were left out here …]\n`;

/** A text as it can be stored: no longer than its field, plain, and with a mark where it was cut. */
export function cleanText(text: string | null | undefined, kind: keyof typeof limits): string | null {
  if (text === null || text === undefined) return null;
  const clean = toPlainText(text).trim();
  if (clean === '') return null;
  const maxLength = limits[kind];
  if (clean.length <= maxLength) return clean;
  const mark = identifying.has(kind)
    ? `… #${createHash('sha256').update(clean).digest('hex').slice(0, 8)}`
    : omissionMark(clean.length - maxLength).trimEnd();
  // The cut may part a pair of surrogates, and no database takes one alone.
  return toPlainText(clean.slice(0, maxLength - mark.length)) + mark;
}

/** The end of what a test printed, to both of its streams; null for nothing. */
export function outputOf(...streams: readonly (string | null | undefined)[]): string | null {
  const texts = streams.map((stream) => toPlainText(stream ?? '').trim()).filter((text) => text !== '');
  if (texts.length === 0) return null;
  const joinedText = texts.join('\n\n');
  if (joinedText.length <= maxOutput) return joinedText;
  // Of two long streams, each keeps its end.
  const maxLength = Math.floor(maxOutput / texts.length);
  const spare = texts.reduce((sum, text) => sum + Math.max(0, maxLength - text.length), 0);
  return toPlainText(texts.map((text) => lastOf(text, maxLength + spare)).join('\n\n'));
}

const lastOf = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${omissionMark(text.length - maxLength).trimStart()}${text.slice(-maxLength)}`;

/** An instant as ISO 8601 in UTC; a text without a zone is in UTC. Null if it is none. */
export function cleanInstant(text: string | number | null | undefined): string | null {
  if (text === null || text === undefined || text === '') return null;
  const isPlain = typeof text === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text);
  const instant = new Date(isPlain ? `${text.replace(' ', 'T')}Z` : text);
  const year = instant.getUTCFullYear();
  return Number.isNaN(instant.getTime()) || year < 1990 || year > 2200 ? null : instant.toISOString();
}

/**
 * Seconds from a number or its text, with a point or a comma before the fraction, and separators between thousands; null
 * if it is none, or negative.
 */
export function cleanSeconds(value: string | number | null | undefined, unit = 1): number | null {
  if (value === null || value === undefined || value === '') return null;
  const number = Number(typeof value === 'string' ? withPoint(value.trim()) : value) / unit;
  return Number.isFinite(number) && number >= 0 ? Math.min(Math.round(number * 1000) / 1000, 1_000_000) : null;
}

/**
 * A number with a point before its fraction. The last of two different separators is that of the fraction; one that occurs
 * several times parts thousands; a comma alone stands before a fraction, as in many languages.
 */
function withPoint(text: string): string {
  const [comma, point] = [text.lastIndexOf(','), text.lastIndexOf('.')];
  if (comma < 0) return text;
  if (point >= 0) return comma < point ? text.replaceAll(',', '') : text.replaceAll('.', '').replace(',', '.');
  return text.indexOf(',') === comma ? text.replace(',', '.') : text.replaceAll(',', '');
}

/** The facts of a report about an attempt; several messages are those of several failures. */
export interface AttemptFacts extends Partial<Omit<ParsedAttempt, 'result' | 'message'>> {
  readonly message?: string | readonly string[] | null;
}

/** An attempt with its texts cleaned. Its output is kept unless it passed. */
export function attemptOf(
  result: MachineResult,
  { seconds, message, details, output, started_at }: AttemptFacts = {},
): ParsedAttempt {
  const messages = typeof message === 'string' ? [message] : (message ?? [details ?? '']);
  const detailText = details?.trim() ? details : messages.some(isLong) ? messages.join('\n\n') : null;
  return {
    result,
    seconds: seconds ?? null,
    message: cleanText(messages.map(firstLines).join('\n'), 'message'),
    details: cleanText(detailText, 'details'),
    output: result === 'failed' || result === 'broken' ? outputOf(output) : null,
    started_at: started_at ?? null,
  };
}

/** How many lines of a message are shown as such; the details have all of them. */
const shownLines = 3;
const linesOf = (text: string) => text.trim().split('\n');
const isLong = (text: string) => linesOf(text).length > shownLines;
const firstLines = (text: string) => linesOf(text).slice(0, shownLines).join('\n') + (isLong(text) ? ' …' : '');

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
  const propertiesByName = new Map(
    [...properties].map(([name, value]) => [name.toLowerCase().replaceAll(/[\s.-]/g, '_'), value]),
  );
  for (const name of idProperties) {
    const value = cleanText(propertiesByName.get(name), 'explicit_id');
    if (value !== null) return value;
  }
  for (const text of texts) {
    const key = text ? keyInText.exec(text)?.[1] : undefined;
    if (key) return key.toUpperCase();
  }
  return null;
}

/** The id of a test case or an issue in some tool, such as `TC-7`, `C1050397`, `SHOP-12` and `#12`: no parameter. */
const idInBrackets = /^(?:[Tt][Cc]-\d+|[A-Z][A-Z\d]{1,9}-\d+|C\d+|[A-Z]{1,3}\d{3,}|[#@]\d+)$/;

/** Splits `name[parameters]`, as pytest and JUnit 5 write the name of a test with parameters. */
export function splitParameters(name: string): { name: string; parameters: string | null } {
  const nameMatch = /^(.+?)\s*\[([^[\]]*(?:\[[^[\]]*\][^[\]]*)*)\]$/s.exec(name);
  const parameters = nameMatch?.[2];
  if (!nameMatch || parameters === undefined || parameters === '' || idInBrackets.test(parameters))
    return { name, parameters: null };
  return { name: itemAt(nameMatch, 1), parameters };
}

/** A test with its texts cleaned. */
export function testOf(
  test: Omit<ParsedTest, 'suite' | 'path' | 'file' | 'parameters' | 'explicit_id'> & Partial<ParsedTest>,
): ParsedTest {
  return {
    name: cleanText(test.name, 'name') ?? '(no name)',
    suite: cleanText(test.suite, 'suite') ?? cleanText(test.path, 'suite'),
    path: cleanText(test.path, 'path'),
    file: cleanText(test.file?.replaceAll('\\', '/').replace(/^\.\//, ''), 'file'),
    parameters: cleanText(test.parameters, 'parameters'),
    explicit_id: cleanText(test.explicit_id, 'explicit_id'),
    attempts: test.attempts,
  };
}

/**
 * The identity of a test, independent of where it runs: its explicit id, else where it is in the code; and its parameters.
 * `order` counts tests of one upload that have the same otherwise, from 1.
 */
export function identityOf(
  { explicit_id, file, path, suite, name, parameters }: Omit<ParsedTest, 'attempts'>,
  order = 1,
): string {
  const identityParts = explicit_id === null ? [file, path, suite, name] : [explicit_id];
  return hashOf(['2', ...identityParts, parameters, ...(order > 1 ? [order] : [])]);
}

/** Stands between the names of suites within each other. */
export const suiteSeparator = ' > ';

/** The identity that earlier versions gave a test, which knew the class or the innermost suite only. */
export function formerIdentityOf(
  { explicit_id, file, path, suite, name, parameters }: Omit<ParsedTest, 'attempts'>,
  order = 1,
): string {
  const identityParts =
    explicit_id === null
      ? [file, suite !== null && suite === path ? suite.split(suiteSeparator).at(-1) : suite, name]
      : [explicit_id];
  return hashOf([...identityParts, parameters, ...(order > 1 ? [order] : [])]);
}

const hashOf = (parts: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** The results from the worst to the best. */
const severity: readonly MachineResult[] = ['failed', 'broken', 'skipped', 'passed'];

/** The worst of some results, of which there is at least one. */
export const worstOf = (results: readonly MachineResult[]): MachineResult =>
  severity.find((result) => results.includes(result)) ?? 'passed';

/** The result of a test in a run by its attempts: passed after a failure is flaky; none without an attempt. */
export function resultOf(attempts: readonly ParsedAttempt[]): MachineResult | 'flaky' | 'not_run' {
  const last = attempts.at(-1)?.result;
  const hasFailed = attempts.some(({ result }) => result === 'failed' || result === 'broken');
  return last === undefined ? 'not_run' : last === 'passed' && hasFailed ? 'flaky' : last;
}
