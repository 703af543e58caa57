import { expect, test, type Page } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../../src/server/database/embedded/free-port';
import { shownShop } from '../support/extending-blocks';

// A product in a folder outside the repository, with code for server and browser: that of docs/extending.md, as written there.

/** Two builds come before the start. */
test.setTimeout(300_000);

const email = 'admin@shop.test';
const password = 'Steel-Harbour-42';

let folder: string;
let origin: string;
let program: ChildProcess;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-outside-'));
  for (const { file, code } of shownShop()) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
  origin = `http://127.0.0.1:${await freePort()}`;
  program = spawn(process.execPath, ['scripts/start.mjs', '--product', join(folder, 'shop')], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PORT: new URL(origin).port,
      HOST: '127.0.0.1',
      PUBLIC_URL: origin,
      DATA_DIR: join(folder, 'data'),
      DEMO: '0',
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [program.stdout!, program.stderr!]) stream.on('data', (chunk) => (output += String(chunk)));
  const state = async () => {
    if (program.exitCode !== null) return output;
    return (await fetch(`${origin}/api/health`).catch(() => undefined))?.ok ? 'ready' : 'starting';
  };
  await expect.poll(async () => (await state()) !== 'starting', { timeout: 240_000 }).toBe(true);
  expect(await state()).toBe('ready');
});

test.afterAll(async () => {
  const ended = new Promise((done) => program.once('exit', done));
  if (program.exitCode === null) {
    program.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
  // The builds are named after the product and its folder.
  for (const name of readdirSync('dist'))
    if (/^(app|server)-shop-/.test(name)) rmSync(join('dist', name), { recursive: true });
});

async function signIn(page: Page): Promise<void> {
  await page.goto(`${origin}/auth/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).not.toHaveURL(/login/);
}

test('the code of a product outside the repository runs in server and browser', async ({ page }) => {
  const send = async (path: string, body: object, token?: string) => {
    const response = await fetch(`${origin}/api/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const { token } = (await send('login', { email, password })).body as { token: string };
  const create = (values: object) => send('reviews', values, token);
  expect(await create({ name: 'Good', stars: 4 })).toMatchObject({ status: 201, body: { stars: 4, place: 1 } });
  expect(await create({ name: 'Better', stars: 5 })).toMatchObject({ status: 201, body: { stars: 5, place: 2 } });
  expect(await create({ name: 'Too much', stars: 6 })).toMatchObject({ status: 422 });
  expect(JSON.stringify(await create({ name: 'nothing' }))).toContain('Say more.');

  await signIn(page);
  await page.goto(`${origin}/reviews`);
  await expect(page.getByRole('grid').getByRole('img', { name: '5 stars' })).toHaveText('★★★★★');
});
