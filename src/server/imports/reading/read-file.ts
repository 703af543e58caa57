import { Unavailable } from '../../errors/errors';
import { startThread } from '../../threads/start-thread';
import { UnreadableFile, type SheetFile } from './sheet-file';
import type { Reading } from './worker';

/** Megabytes that reading a file may take, and milliseconds. */
const memory = 512;
const patience = 30_000;
/** Each holds a thread. */
const mostAtOnce = 2;
let open = 0;

const tooMuch = 'The file takes too much to read. Remove what is not needed, or import it in parts.';

/**
 * Reads a spreadsheet or text with delimiters in a thread of its own. Throws UnreadableFile, in words for the user, also
 * where it takes too long or too much memory, and Unavailable while others are being read.
 */
export async function readFile(bytes: Uint8Array): Promise<SheetFile> {
  if (open >= mostAtOnce) throw new Unavailable('Other files are being read. Please try again in a moment.');
  open++;
  try {
    const reading = await read(bytes);
    if ('message' in reading) throw new UnreadableFile(reading.message);
    return reading.file;
  } finally {
    open--;
  }
}

function read(bytes: Uint8Array): Promise<Reading> {
  const worker = startThread('import-worker', new URL('./worker.ts', import.meta.url), {
    workerData: Uint8Array.from(bytes),
    resourceLimits: { maxOldGenerationSizeMb: memory },
  });
  return new Promise<Reading>((done) => {
    const timer = setTimeout(() => end({ message: tooMuch }), patience);
    const end = (reading: Reading) => {
      clearTimeout(timer);
      void worker.terminate();
      done(reading);
    };
    worker.once('message', end);
    worker.once('error', () => end({ message: tooMuch }));
    worker.once('messageerror', () => end({ message: tooMuch }));
    worker.once('exit', () => end({ message: tooMuch }));
  });
}
