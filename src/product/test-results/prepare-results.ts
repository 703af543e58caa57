import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { isFiles } from '../../engine/field-types/files';
import { realUser } from '../../engine/access/actor';
import type { RequestContext } from '../../server/access/request-context';
import { HttpError, Invalid, TooLarge, UnsupportedMediaType } from '../../server/errors/errors';
import type { StoredFile } from '../../server/files/files';
import type { Upload } from '../../server/files/upload';
import { assertAccepted } from '../../server/records/write/input';
import { attempts } from '../test-runs/definitions';
import { openReader } from './open-reader';
import type { SentFile, TakenFile, TakenStep } from './reading/take-files';
import type { FileFacts, TestRange } from './reading/worker';
import { maxEvidenceBytes, maxEvidenceFiles } from './upload-limits';

/** The files of an upload, read: what is stored in one transaction. */
export interface PreparedResults {
  /** The tests as JSON, in batches. */
  batches(): AsyncIterable<string>;
  /** The numbers of tests in them that do not count: the rest of their file cannot be read. */
  readonly dropped: readonly TestRange[];
  readonly facts: readonly FileFacts[];
  /** The files of attempts, which are in the storage; those of a dry run are not. */
  readonly files: readonly AttemptFile[];
  readonly steps: readonly TakenStep[];
  /** Why files were left out, in sentences. */
  readonly leftOut: readonly string[];
  /** Deletes what was stored, unless it is kept, and what was written meanwhile. */
  close(isKept: boolean): Promise<void>;
}

/** A stored file of an attempt. */
export interface AttemptFile extends Pick<TakenFile, 'test' | 'attempt' | 'step'> {
  /** As attempts keep it; without a key in a dry run. */
  readonly file: Omit<StoredFile, 'key'> & { readonly key?: string };
}

/**
 * Reads an upload, and stores the files of its attempts, before the transaction that stores its tests: none waits for the
 * storage. A file that is refused is left out, with the reason. Throws Invalid with file and line, and Unavailable.
 */
export async function prepareResults(
  context: RequestContext,
  uploads: readonly Upload[],
  attachments: readonly SentFile[],
  { company, isDry }: { readonly company: number; readonly isDry: boolean },
): Promise<PreparedResults> {
  const { files: storage } = context.program;
  const field = context.registry.getOrThrow(attempts).fields.evidence;
  if (!field || !isFiles(field)) throw new Error('Attempts have no files.');
  const limits = { ofAttempt: field.maxItems, size: field.maxBytes, files: maxEvidenceFiles, bytes: maxEvidenceBytes };
  const reader = await openReader(context, uploads, attachments, limits);
  const spool = await storage.temporary.newPath();
  const storedFiles: AttemptFile[] = [];
  const steps: TakenStep[] = [];
  const leftOut: string[] = [];
  const close: PreparedResults['close'] = async (isKept) => {
    await rm(spool, { force: true });
    if (!isKept) await storage.remove(storedFiles.flatMap(({ file }) => file.key ?? []));
  };
  const owner = { resource: attempts, field: field.name, person: realUser(context.actor).id, company };
  const names = new Set<string>();
  const storeFile = async ({ path, name, size, isOwn, test, attempt, step }: TakenFile): Promise<void> => {
    const attemptPlace = { test, attempt, step };
    try {
      const upload = await storage.temporary.adopt(distinctName(name, `${test} ${attempt}`, names), path);
      assertAccepted(field, upload);
      if (isDry) storedFiles.push({ ...attemptPlace, file: { name: upload.name, size, type: upload.type } });
      else {
        const { key, type } = await storage.store(upload, upload.type, owner);
        storedFiles.push({ ...attemptPlace, file: { name: upload.name, size, type, key } });
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      leftOut.push(`“${name}”: ${reasonOf(error)}`);
    } finally {
      if (isOwn) await rm(path, { force: true });
    }
  };
  try {
    const writer = await open(spool, 'wx', 0o600);
    try {
      for (const batches = reader.batches(); ;) {
        const { value, done: isDone } = await batches.next();
        if (isDone) {
          const { files: facts, dropped: droppedRanges } = value;
          const counts = ({ test }: { test: number }) =>
            !droppedRanges.some(([first, last]) => test >= first && test <= last);
          await storage.remove(
            storedFiles.filter((attemptFile) => !counts(attemptFile)).flatMap(({ file }) => file.key ?? []),
          );
          const files = storedFiles.filter(counts);
          return {
            batches: () => linesOf(spool),
            dropped: droppedRanges,
            facts,
            files,
            steps: steps.filter(counts),
            leftOut,
            close,
          };
        }
        await writer.write(`${value.batch}\n`);
        steps.push(...value.steps);
        leftOut.push(...value.leftOut);
        for (const file of value.files) await storeFile(file);
      }
    } finally {
      await writer.close();
    }
  } catch (error) {
    await close(false);
    throw error;
  } finally {
    await reader.close();
  }
}

/** Whether a file alone is the reason: it is too large for the quota, or a scanner refuses it. */
const isRefusal = (error: unknown): error is HttpError =>
  error instanceof Invalid || error instanceof TooLarge || error instanceof UnsupportedMediaType;

const reasonOf = (error: HttpError): string =>
  error instanceof Invalid ? (Object.values(error.errors)[0] ?? error.message) : error.message;

/** A name that no other file of the attempt has: steps name theirs. */
function distinctName(name: string, attempt: string, takenNames: Set<string>): string {
  const dot = name.lastIndexOf('.');
  const [start, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let [result, number] = [name, 1];
  while (takenNames.has(`${attempt} ${result.toLowerCase()}`)) result = `${start}-${++number}${end}`;
  takenNames.add(`${attempt} ${result.toLowerCase()}`);
  return result;
}

/** Opened by whoever takes the first line: an open reader drops what comes before somebody waits for it. */
async function* linesOf(path: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity });
}
