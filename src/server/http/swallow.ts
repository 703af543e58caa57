import type { IncomingMessage } from 'node:http';

// Enough for what somebody sends by mistake; whoever sends more, or slower, is cut off.
const mostBytes = 64 * 1024 * 1024;
const mostTime = 10_000;
/** Milliseconds: who does not send now reads the answer. */
const pause = 500;

/**
 * Reads what is left of a body and forgets it: many clients that are cut off while they send never read the answer. One
 * that says that it is longer than what is read here is not begun.
 */
export function swallow(request: IncomingMessage): Promise<void> {
  if (request.complete || request.readableEnded || request.destroyed) return Promise.resolve();
  if (Number(request.headers['content-length']) > mostBytes) return Promise.resolve();
  return new Promise((done) => {
    let bytes = 0;
    const finish = () => {
      clearTimeout(limit);
      clearTimeout(idle);
      request.off('data', count).pause();
      done();
    };
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      idle.refresh();
      if (bytes > mostBytes) finish();
    };
    const limit = setTimeout(finish, mostTime);
    const idle = setTimeout(finish, pause);
    request.once('end', finish).once('close', finish).once('error', finish);
    request.unpipe().on('data', count).resume();
  });
}
