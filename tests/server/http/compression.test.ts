import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { registerDefinitions } from '../../../src/server/http/definitions-route';
import { buildApp } from '../../../src/server/http/app';
import { startProgram, type TestProgram } from '../accounts/session/program';

let started: TestProgram;
let app: Awaited<ReturnType<typeof buildApp>>;
const code = '// another line\n'.repeat(500);
const metas = (name: string, title: string, policy: string) =>
  `<meta name="application-name" content="${title}" /><meta name="product" content="${name}" />` +
  `<meta name="password-policy" content="${policy}" />`;
const appFolder = mkdtempSync(join(tmpdir(), 'assay-app-'));

beforeAll(async () => {
  mkdirSync(join(appFolder, 'static'));
  writeFileSync(join(appFolder, 'index.html'), `<!doctype html><title>Assay</title>${metas('qa', 'Assay', 'rule')}`);
  writeFileSync(join(appFolder, 'static/app-1.js'), '// a line\n'.repeat(500));
  // As the build puts them there.
  writeFileSync(join(appFolder, 'static/app-2.js'), code);
  writeFileSync(join(appFolder, 'static/app-2.js.br'), brotliCompressSync(code));
  started = await startProgram();
  app = await buildApp(started.program, { appFolder, routes: [registerDefinitions] });
});
afterAll(async () => {
  await app.close();
  await started.close();
  rmSync(appFolder, { recursive: true });
});

test.each([
  ['/static/app-1.js', 'gzip'],
  ['/api/definitions', 'gzip'],
  ['/', undefined],
  ['/shots/7', undefined],
  ['/api/studios', undefined],
  ['/api/studios/1', undefined],
])('%s travels as %s to who takes gzip', async (url, encoding) => {
  const headers = { authorization: `Bearer ${await started.signIn('owner')}`, 'accept-encoding': 'gzip' };
  const answer = await app.inject({ url, headers });
  expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, encoding]);
});

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['identity', undefined],
])('what the build has compressed travels to who takes %s as it is: %s', async (accepted, encoding) => {
  const answer = await app.inject({ url: '/static/app-2.js', headers: { 'accept-encoding': accepted } });
  expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, encoding]);
  expect(answer.headers['content-type']).toContain('javascript');
  expect(answer.headers.vary).toContain('ccept-');
  expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  if (encoding === 'br') expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(code);
});

test('the page names the product that runs, whatever its title, and the policy of passwords', async () => {
  const product = { ...started.program.product, name: 'fish-and-chips', title: 'Fish & "Chips" <$1>' };
  const settings = { ...started.program.settings, passwordPolicy: 'strong' as const };
  const other = await buildApp({ ...started.program, product, settings }, { appFolder });
  const { body, headers } = await other.inject('/shots/7');
  await other.close();
  const title = 'Fish &amp; &quot;Chips&quot; &lt;$1&gt;';
  expect(body).toBe(`<!doctype html><title>${title}</title>${metas('fish-and-chips', title, 'strong')}`);
  expect(headers['cache-control']).toBe('no-cache');
});
