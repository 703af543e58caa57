import { parentPort, workerData } from 'node:worker_threads';
import { identityOf, resultOf, UnreadableResults, type ParsedTest } from './parsed-test';
import { FileTaker, type FileLimits, type SentFile, type TakenFile, type TakenStep } from './take-files';
import { formatNames, readResultFile, type FormatName } from './read-file';

/** The input of the thread: the files of an upload. */
export interface ReaderInput {
  readonly files: readonly { readonly name: string; readonly path: string }[];
  /** What the reports may name by its path. */
  readonly attachments: readonly SentFile[];
  /** The beginning of the paths of files that are taken out of the reports. */
  readonly prefix: string;
  readonly limits: FileLimits;
}

/** What a file has. */
export interface FileFacts {
  readonly name: string;
  readonly format: string;
  readonly tests: number;
  readonly attempts: number;
}

/**
 * The answer to each message: the next tests as JSON for the database, or the end. Files are not trusted, so they are read
 * in a thread with limits on memory and time.
 */
export type ReaderAnswer =
  | ResultBatch
  | { readonly files: readonly FileFacts[] }
  | { readonly refused: { readonly file: string; readonly line: number | null; readonly message: string } };

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

async function* answers({ files, attachments, prefix, limits }: ReaderInput): AsyncGenerator<ReaderAnswer> {
  const taker = new FileTaker(prefix, attachments, limits);
  const facts: FileFacts[] = [];
  let ordinal = 0;
  const orders = new Map<string, number>();
  let batch: object[] = [];
  for (const { name, path } of files) {
    let format: FormatName | undefined;
    let [tests, attempts] = [0, 0];
    try {
      for await (const test of readResultFile(path, (found) => (format = found))) {
        tests++;
        attempts += test.attempts.length;
        const own = await taker.take(++ordinal, test.name, test.attempts);
        batch.push({ ordinal, ...toRow({ ...test, attempts: own }, orders) });
        if (batch.length < batchSize && taker.waiting < maxWaitingFiles) continue;
        yield { batch: JSON.stringify(batch), ...taker.fetch() };
        batch = [];
      }
    } catch (error) {
      if (!(error instanceof UnreadableResults)) throw error;
      yield { refused: { file: name, line: error.line ?? null, message: error.message } };
      return;
    }
    if (tests === 0) {
      yield { refused: { file: name, line: null, message: 'The file has no test.' } };
      return;
    }
    facts.push({ name, format: formatNames[format!], tests, attempts });
  }
  if (batch.length > 0) yield { batch: JSON.stringify(batch), ...taker.fetch() };
  yield { files: facts };
}

/** A test as the database takes it. The same test again in one upload is another one, told apart by its order. */
function toRow(test: ParsedTest, orders: Map<string, number>): object {
  const key = identityOf(test);
  const order = (orders.get(key) ?? 0) + 1;
  orders.set(key, order);
  const { attempts, ...facts } = test;
  return {
    ...facts,
    name: order === 1 ? test.name : `${test.name} (${order})`,
    identity: order === 1 ? key : identityOf(test, order),
    result: resultOf(attempts),
    attempts,
  };
}

const all = answers(workerData as ReaderInput);
parentPort!.on('message', () => {
  void all.next().then(
    ({ value }) => parentPort!.postMessage(value),
    (error: unknown) => {
      // Ends the thread: whoever waits for the answer learns that it failed.
      throw error;
    },
  );
});
