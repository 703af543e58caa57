import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDocumentation } from '../../../scripts/documentation/build.mjs';
import { registerDocumentation } from '../../../src/server/http/documentation';
import { registerSecurity } from '../../../src/server/http/security';
import { readSettings } from '../../../src/server/settings/settings';

const folder = mkdtempSync(join(tmpdir(), 'documentation-'));
let app: FastifyInstance;
beforeAll(async () => {
  buildDocumentation({ source: 'docs', output: folder, version: '0.1.0' });
  app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  await registerSecurity(app, readSettings({}));
  await app.register((pages) => registerDocumentation(pages, folder));
});
afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true });
});

const get = async (url: string) => {
  const { statusCode, headers, body } = await app.inject({ url });
  return {
    status: statusCode,
    type: String(headers['content-type']),
    policy: headers['content-security-policy'],
    body,
  };
};

test.each([
  ['/docs', 200, 'text/html', '<h1 id="assays-documentation">'],
  ['/docs/', 200, 'text/html', 'aria-label="Search the documentation"'],
  ['/docs/operations', 200, 'text/html', 'id="behind-a-proxy"'],
  ['/docs/operations.md', 200, 'text/markdown', '## Behind a proxy'],
  ['/docs/site.js', 200, 'javascript', 'prefers-color-scheme'],
  ['/docs/site.css', 200, 'text/css', "[data-theme='dark']"],
  ['/docs/search.json', 200, 'application/json', '/docs/operations#behind-a-proxy'],
  ['/llms.txt', 200, 'text/plain', '](/docs/operations.md): settings, backup'],
  ['/docs/none', 404, 'text/html', 'There is no such page'],
  ['/docs/../package.json', 404, 'json', 'Not Found'],
  ['/docs/..%2Fpackage.json', 404, 'html', 'There is no such page'],
])('%s is %i, %s, without a sign-in', async (url, status, type, part) => {
  const answer = await get(url);
  expect({ ...answer, body: '' }).toMatchObject({ status, type: expect.stringContaining(type) });
  expect(answer.body).toContain(part);
});

test('a page as Markdown is the file of the repository', async () => {
  expect((await get('/docs/security.md')).body).toBe(readFileSync('docs/security.md', 'utf8'));
});

test('pages have no script, style or handler of their own within them, so that the policy holds', async () => {
  for (const url of ['/docs', '/docs/operations', '/docs/extending', '/docs/none']) {
    const { body, policy } = await get(url);
    expect(policy).toContain("script-src 'self'");
    expect(body.match(/<script(?! src="\/docs\/site\.js")|<style| style=| on\w+="/g), url).toBeNull();
  }
});

test('a page leads to the one before and the one after', async () => {
  const { body } = await get('/docs/scripts');
  expect(body).toContain('<a rel="prev" href="/docs/security">');
  expect(body).toContain('<a rel="next" href="/docs/test-results">');
});

test('links between pages lead to pages of the site, and files outside of it are named without a link', async () => {
  const { body } = await get('/docs/extending');
  expect(body).toContain('href="/docs/ARCHITECTURE"');
  const article = body.slice(body.indexOf('<article>'), body.indexOf('</article>'));
  expect(article.match(/href="(?!\/docs\/|#|https:)[^"]*"|href="[^"]*\.md"/g)).toBeNull();
});
