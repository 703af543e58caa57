import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A TCP port of 127.0.0.1 that is currently free. Avoids the range for outgoing connections (from 32768 on Linux),
 * since one of those could take the port before the caller listens.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('No free port was found on 127.0.0.1.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
