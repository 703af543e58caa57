import { parentPort, workerData } from 'node:worker_threads';
import { identityOf, resultOf, UnreadableResults, type ParsedTest } from './parsed-test';
import { formatNames, readResultFile, type FormatName } from './read-file';

/** The input of the thread: the files of an upload. */
export interface ReaderInput {
  readonly files: readonly { readonly name: string; readonly path: string }[];
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
  | { readonly batch: string }
  | { readonly files: readonly FileFacts[] }
  | { readonly refused: { readonly file: string; readonly line: number | null; readonly message: string } };

/** Tests that are stored together. */
const batchSize = 500;

async function* answers({ files }: ReaderInput): AsyncGenerator<ReaderAnswer> {
  const facts: FileFacts[] = [];
  const orders = new Map<string, number>();
  let batch: object[] = [];
  for (const { name, path } of files) {
    let format: FormatName | undefined;
    let [tests, attempts] = [0, 0];
    try {
      for await (const test of readResultFile(path, (found) => (format = found))) {
        tests++;
        attempts += test.attempts.length;
        batch.push(toRow(test, orders));
        if (batch.length < batchSize) continue;
        yield { batch: JSON.stringify(batch) };
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
  if (batch.length > 0) yield { batch: JSON.stringify(batch) };
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
