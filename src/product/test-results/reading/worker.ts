import { parentPort, workerData } from 'node:worker_threads';
import { expandFile, type ReportFile } from './expand-files';
import { allureKey, allureResultsIn, isAllureContainer, readAllure, readAllureContainer } from './json-reports';
import { numberedTest } from './numbered-test';
import { formerIdentityOf, identityOf, resultOf, UnreadableResults, type ParsedTest } from './parsed-test';
import { FileTaker, type FileLimits, type SentFile, type TakenFile, type TakenStep } from './take-files';
import { formatNames, readResultFile, type FormatName } from './read-file';
import { getOrThrow, requireValue } from '../../../engine/values/lookups';

/** The input of the thread: the files of an upload. */
export interface ReaderInput {
  readonly files: readonly { readonly name: string; readonly path: string }[];
  /** The files that the reports may name by their paths. */
  readonly attachments: readonly SentFile[];
  /** The beginning of the paths of files that are taken out of the reports. */
  readonly prefix: string;
  readonly limits: FileLimits;
}

/** The facts of a file that was read. */
export interface FileFacts {
  readonly name: string;
  readonly format: string;
  readonly tests: number;
  readonly attempts: number;
  /** Why nothing of it is stored: it cannot be read. */
  readonly problem?: string;
}

/** The numbers of tests, from the first one to the last one. */
export type TestRange = readonly [first: number, last: number];

/**
 * The answer to each message: the next tests as JSON for the database, or the end. Files are not trusted, so they are read
 * in a thread with limits on memory and time.
 */
export type ReaderAnswer =
  | ResultBatch
  | {
      readonly files: readonly FileFacts[];
      /** Tests of files that turned out to be unreadable behind them: they do not count. */
      readonly dropped: readonly TestRange[];
    }
  | { readonly refused: Refusal };

/** Tests, and the files that came with them. */
export interface ResultBatch {
  /** JSON in one line. */
  readonly batch: string;
  readonly files: readonly TakenFile[];
  readonly steps: readonly TakenStep[];
  /** Why files were left out, in sentences. */
  readonly leftOut: readonly string[];
}

/** Tests that are stored together, and files that wait on the disk meanwhile. */
const batchSize = 500;
const maxWaitingFiles = 100;

interface Refusal {
  readonly file: string;
  readonly line: number | null;
  readonly message: string;
}

/** A file that cannot be read, said in one sentence. */
const problemOf = ({ line, message }: Pick<Refusal, 'line' | 'message'>): string =>
  line === null ? message : `Line ${line}: ${message}`;

async function* answers({ files, attachments, prefix, limits }: ReaderInput): AsyncGenerator<ReaderAnswer> {
  const taker = new FileTaker(prefix, attachments, limits);
  const facts: FileFacts[] = [];
  const droppedRanges: TestRange[] = [];
  const results: { readonly file: string; readonly result: unknown }[] = [];
  const numbering = new Numbering();
  let firstRefusal: Refusal | undefined;
  let ordinal = 0;
  let batch: { ordinal: number; isRepeatable: boolean }[] = [];

  const add = async function* (test: ParsedTest, isRepeatable = false): AsyncGenerator<ResultBatch> {
    const takenAttempts = await taker.take(++ordinal, test.name, test.attempts);
    batch.push({ ordinal, isRepeatable, ...numbering.toRow({ ...test, attempts: takenAttempts }) });
    if (batch.length < batchSize && taker.waiting < maxWaitingFiles) return;
    yield { batch: JSON.stringify(batch), ...taker.fetch() };
    batch = [];
  };
  const refuse = (file: string, error: unknown, format?: FormatName) => {
    if (!(error instanceof UnreadableResults)) throw error;
    const refusal = { file, line: error.line ?? null, message: error.message };
    firstRefusal ??= refusal;
    facts.push({
      name: file,
      format: format ? formatNames[format] : 'unknown',
      tests: 0,
      attempts: 0,
      problem: problemOf(refusal),
    });
  };
  const read = async function* ({ name, path }: ReportFile): AsyncGenerator<ResultBatch> {
    let format: FormatName | undefined;
    let [tests, attempts] = [0, 0];
    const first = ordinal + 1;
    numbering.begin();
    const keptCount = results.length;
    try {
      for await (const test of readResultFile(
        path,
        (foundFormat) => (format = foundFormat),
        (result) => results.push({ file: name, result }),
      )) {
        tests++;
        attempts += test.attempts.length;
        yield* add(test);
      }
    } catch (error) {
      refuse(name, error, format);
      numbering.undo();
      batch = batch.filter((row) => row.ordinal < first);
      if (ordinal >= first) droppedRanges.push([first, ordinal]);
      return;
    }
    if (results.length === keptCount)
      facts.push({ name, format: formatNames[requireValue(format, `the format of ${name}`)], tests, attempts });
  };

  for (const [index, file] of files.entries()) {
    try {
      for await (const report of expandFile(file, `${prefix}-r${index}`)) yield* read(report);
    } catch (error) {
      refuse(file.name, error);
    }
  }
  for (const test of readAllure(results.map(({ result }) => result))) yield* add(test, true);
  const keys = new Set<string>();
  const byUuid = allureResultsIn(results.map(({ result }) => result));
  for (const { file, result } of results) {
    if (isAllureContainer(result)) {
      const { length } = readAllureContainer(result, byUuid);
      facts.push({ name: file, format: formatNames.allure, tests: length, attempts: length });
      continue;
    }
    const key = allureKey(result);
    const isNew = key === undefined || !keys.has(key);
    if (key !== undefined) keys.add(key);
    facts.push({ name: file, format: formatNames.allure, tests: isNew ? 1 : 0, attempts: 1 });
  }
  if (!facts.some(({ tests }) => tests > 0)) {
    const [empty] = facts;
    const message = results.some(({ result }) => isAllureContainer(result))
      ? 'This is a container of Allure. Send the files *-result.json with it.'
      : 'The file has no test.';
    yield { refused: firstRefusal ?? { file: empty?.name ?? 'file', line: null, message } };
    return;
  }
  if (batch.length > 0 || taker.waiting > 0) yield { batch: JSON.stringify(batch), ...taker.fetch() };
  yield { files: facts, dropped: droppedRanges };
}

/** Tells tests of one upload apart that are the same otherwise: they are numbered in their order. */
class Numbering {
  private readonly orders = new Map<string, number>();
  private latest: string[] = [];

  /** Begins a file, whose numbers `undo` takes back. */
  begin(): void {
    this.latest = [];
  }

  undo(): void {
    for (const key of this.latest) this.orders.set(key, getOrThrow(this.orders, key) - 1);
  }

  /** A test as the database takes it. */
  toRow(test: ParsedTest): object {
    const order = this.next(identityOf(test));
    const formerOrder = this.next(formerIdentityOf(test));
    return { ...numberedTest(test, order, formerOrder), result: resultOf(test.attempts), attempts: test.attempts };
  }

  private next(key: string): number {
    const order = (this.orders.get(key) ?? 0) + 1;
    this.orders.set(key, order);
    this.latest.push(key);
    return order;
  }
}

const allAnswers = answers(workerData as ReaderInput);
const port = requireValue(parentPort, 'the port of this thread');
port.on('message', () => {
  void allAnswers.next().then(
    ({ value }) => port.postMessage(value),
    (error: unknown) => {
      // Ends the thread: whoever waits for the answer learns that it failed.
      throw error;
    },
  );
});
