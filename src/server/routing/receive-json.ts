import type { Readable } from 'node:stream';
import { JsonLimitError, JsonScanner, type JsonLimits } from '../../engine/values/bounded-json';
import { BadRequest, TooLarge, TooManyRequests } from '../errors/errors';
import { SlotLimiter } from '../limits/slot-limiter';
import { formatByteSize, fragmentedMessage, isFragmented } from '../limits/size-limits';
import type { WorkAccount } from '../requests/current-request';
import { countWork } from '../requests/work-time';

/** Memory of bodies that are arriving, in bytes: of one sender, and of all together. */
const maxPerSender = 32 * 1024 * 1024;
const maxOfAll = 256 * 1024 * 1024;
/** Parsing more than this at once takes so long that others have a turn in between. */
const longParse = 256 * 1024;

/** Counts the memory of bodies that are arriving, by sender. */
export const createBodyMemory = () => new SlotLimiter<number | string>(maxPerSender, maxOfAll);

export interface JsonReception {
  /** The announced length; NaN for a body in chunks. */
  readonly length: number;
  /** The maximum of bytes, and the error for more. */
  readonly most: number;
  readonly tooLarge: () => Error;
  readonly limits: JsonLimits;
  readonly memory: SlotLimiter<number | string>;
  readonly sender: number | string;
  readonly account: WorkAccount | undefined;
}

/**
 * Receives a JSON text. A text that is too long is refused as soon as it arrives. Throws TooLarge, BadRequest, and TooManyRequests if the sender's other bodies take all of
 * their memory.
 */
export async function receiveJson(body: Readable, reception: JsonReception): Promise<string> {
  const { length, most: maxBytes, tooLarge } = reception;
  if (length > maxBytes) throw tooLarge();
  const text = await collect(body, reception);
  if (text.length > longParse) await nextTurn();
  return text;
}

const tooMuchMessage = `You are sending more than ${formatByteSize(maxPerSender)} at the same time. Please send less at once.`;

function collect(
  body: Readable,
  { length, most: maxBytes, tooLarge, limits, memory, sender, account }: JsonReception,
): Promise<string> {
  const scanner = new JsonScanner(limits);
  let received: Buffer = Buffer.alloc(0);
  let [size, pieces] = [0, 0];
  let release: (() => void) | undefined;

  const grow = (neededBytes: number): void => {
    const larger = Math.min(Math.max(neededBytes, 2 * received.length), maxBytes);
    release?.();
    release = memory.acquire(sender, larger);
    if (!release) throw new TooManyRequests(1, tooMuchMessage);
    const copy = Buffer.allocUnsafe(larger);
    received.copy(copy, 0, 0, size);
    received = copy;
  };
  const add = (chunk: Buffer): void => {
    if (size + chunk.length > maxBytes) throw tooLarge();
    if (isFragmented(++pieces, size)) throw new TooLarge(fragmentedMessage);
    scanner.scan(chunk.toString('latin1'));
    // Most bodies consist of one piece.
    if (size === 0) received = chunk;
    else {
      if (size + chunk.length > received.length) grow(size + chunk.length);
      chunk.copy(received, size);
    }
    size += chunk.length;
  };

  return new Promise((resolve, fail) => {
    const finish = (): void => {
      body.off('data', onData).off('end', onEnd).off('error', onError);
      release?.();
    };
    const refuse = (error: unknown): void => {
      finish();
      fail(error instanceof JsonLimitError ? new TooLarge(`The body ${error.message}.`) : error);
    };
    const onData = (chunk: Buffer): void => {
      countWork(account);
      try {
        add(chunk);
      } catch (error) {
        refuse(error);
      }
    };
    const onEnd = (): void => {
      if (!Number.isNaN(length) && length !== size)
        return refuse(new BadRequest('The body does not match its Content-Length.'));
      const text = received.toString('utf8', 0, size);
      finish();
      resolve(text);
    };
    const onError = () => refuse(new BadRequest('The body is incomplete.'));
    body.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

let turns: Promise<unknown> = Promise.resolve();

/** Resolves in a turn of the event loop of its own. */
function nextTurn(): Promise<unknown> {
  turns = turns.then(() => new Promise((resolve) => setImmediate(resolve)));
  return turns;
}
