import type { RequestContext } from '../../server/access/request-context';
import { Invalid, Unavailable } from '../../server/errors/errors';
import type { Upload } from '../../server/files/upload';
import { FairSlots } from '../../server/jobs/fair-slots';
import { openThreadChannel } from '../../server/threads/thread-channel';
import { startThread } from '../../server/threads/start-thread';
import type { FileLimits, SentFile } from './reading/take-files';
import type { FileFacts, ReaderAnswer, ReaderInput, ResultBatch, TestRange } from './reading/worker';

/** Memory limit of a thread in megabytes. */
const maxMemory = 512;
/** Timeout for each part of a file in milliseconds. */
const readTimeout = 30_000;
/** How long an upload waits for others, in milliseconds. */
const patience = 120_000;
/** At most two uploads are read at the same time, and one of a company. */
const slots = new FairSlots(2, 1);

/** The facts of an upload's files, and the tests of those that cannot be read to their end. */
export interface FilesRead {
  readonly files: readonly FileFacts[];
  readonly dropped: readonly TestRange[];
}

/** The files of an upload, being read in a thread. Always close it. */
export interface ResultReader {
  /** The tests of all files, in batches; returns what each file has, and which tests do not count. Throws Invalid. */
  batches(): AsyncGenerator<ResultBatch, FilesRead, void>;
  close(): Promise<void>;
}

/**
 * Starts reading the files of an upload, with what their attempts may name by its path. Throws Unavailable if too many
 * others are being read.
 */
export async function openReader(
  { program, actor }: RequestContext,
  uploads: readonly Upload[],
  attachments: readonly SentFile[],
  limits: FileLimits,
): Promise<ResultReader> {
  const leave = await slots.acquire(actor.site_id, AbortSignal.timeout(patience));
  if (!leave) throw new Unavailable('Other results are being read. Please try again in a moment.');
  const files = uploads.map(({ name, path }) => ({ name, path }));
  const prefix = await program.files.temporary.newPath();
  const thread = openThreadChannel(
    startThread('results-worker', new URL('./reading/worker.ts', import.meta.url), {
      workerData: { files, attachments, prefix, limits } satisfies ReaderInput,
      resourceLimits: { maxOldGenerationSizeMb: maxMemory },
    }),
    readTimeout,
  );
  return {
    async *batches() {
      for (;;) {
        const answer = await thread.request<ReaderAnswer>('next').catch((error: Error) => {
          program.log.warn(`Results could not be read: ${error.message}`);
          throw new Invalid({ file: 'The file takes too much time or memory to read. Send it in parts.' });
        });
        if ('refused' in answer) throw refusal(answer.refused);
        if (!('batch' in answer)) return answer;
        yield answer;
      }
    },
    async close() {
      leave();
      await thread.close();
    },
  };
}

function refusal({ file, line, message }: { file: string; line: number | null; message: string }): Invalid {
  return new Invalid({ file: `${file}${line === null ? '' : `, line ${line}`}: ${message}` });
}
