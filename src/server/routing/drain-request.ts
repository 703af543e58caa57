import type { IncomingMessage } from 'node:http';
import { isFragmented } from '../limits/size-limits';

// Enough for an accidental upload; larger or slower ones are cut off.
const maxBytes = 64 * 1024 * 1024;
const maxDuration = 10_000;
/** Milliseconds without data after which the client is expected to read the response. */
const idleTimeout = 500;

/**
 * Reads and discards the rest of a body: many clients that are cut off while sending never read the response. A body
 * that announces more than the limit is not read at all.
 */
export function drainRequest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.readableEnded || request.destroyed) return Promise.resolve();
  if (Number(request.headers['content-length']) > maxBytes) return Promise.resolve();
  return new Promise((resolve) => {
    let [bytes, pieces] = [0, 0];
    const finish = () => {
      clearTimeout(limit);
      clearTimeout(idleTimer);
      request.off('data', count).pause();
      resolve();
    };
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      idleTimer.refresh();
      if (bytes > maxBytes || isFragmented(++pieces, bytes)) finish();
    };
    const limit = setTimeout(finish, maxDuration);
    const idleTimer = setTimeout(finish, idleTimeout);
    request.once('end', finish).once('close', finish).once('error', finish);
    request.unpipe().on('data', count).resume();
  });
}
