import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { sendError } from '../../../src/server/http/error-handler';
import { openTemporaryFiles } from '../../../src/server/files/temporary-files';
import { registerBodyParsers } from '../../../src/server/routing/read-body';

/** Sends too much 20 times, at once and in pieces. A process of its own: within one, nothing is sent while it is answered. */
const client = `
  const pieces = () => new ReadableStream({
    start() { this.left = 100 },
    pull(stream) { this.left-- ? stream.enqueue(new Uint8Array(80_000)) : stream.close() },
  });
  const send = (body) =>
    fetch(process.argv[1], { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' })
      .then(async (answer) => answer.status + ' ' + (await answer.json()).message, (error) => String(error.cause));
  const heard = new Set();
  for (let time = 0; time < 20; time++) heard.add(await send(time % 2 ? 'x'.repeat(8_000_000) : pieces()));
  console.log([...heard].join('\\n'));
`;

test('a client that sends too much receives the error', async () => {
  const app = Fastify({ bodyLimit: 64 * 1024 });
  app.setErrorHandler(sendError);
  registerBodyParsers(app, openTemporaryFiles('none'));
  app.post('/', () => 'taken');
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', client, address]);
  expect((await run).stdout.trim()).toBe('413 This is too large: at most 64 kB can be sent at once.');
  await app.close();
});
