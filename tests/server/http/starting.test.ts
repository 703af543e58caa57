import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '../../../src/server/http/app';
import { createListeningServer } from '../../../src/server/http/listening-server';
import { freePort } from '../../../src/server/database/embedded/free-port';
import { startProgram, type TestProgram } from '../accounts/session/program';

let on: TestProgram;
beforeAll(async () => {
  on = await startProgram();
});
afterAll(() => on.close());

it('answers 503 while the routes are being registered, and serves with strict headers once they are', async () => {
  const front = createListeningServer();
  const port = await freePort();
  await front.listen(port, '127.0.0.1');
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/api/health`)).status;
  let meanwhile: number | undefined;
  const app = await buildApp(on.program, {
    appFolder: 'none',
    front,
    routes: [
      async () => {
        meanwhile = await ask();
      },
    ],
  });
  expect(meanwhile).toBe(503);
  front.health.markRunning(async () => undefined);
  expect(await ask()).toBe(200);
  const missing = await fetch(`http://127.0.0.1:${port}/api/nothing/here/at/all`);
  expect(missing.status).toBe(404);
  expect(missing.headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
  expect(missing.headers.get('x-content-type-options')).toBe('nosniff');
  const drained = front.drain(3_000);
  await app.close();
  await drained;
});

it('publishes where to report vulnerabilities', async () => {
  const app = await buildApp(on.program, { appFolder: 'none' });
  const answer = await app.inject('/.well-known/security.txt');
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(answer.body).toMatch(/^Contact: mailto:\S+@\S+\nExpires: \d{4}-\d\d-\d\dT00:00:00.000Z\n/);
  await app.close();
});
