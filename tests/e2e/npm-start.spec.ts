import { expect, test } from '@playwright/test';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/server/database/embedded/free-port';

test('a signal to `npm start` ends the server and its database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-npm-'));
  const health = `http://127.0.0.1:${await freePort()}/api/health`;
  const npm = spawn('npm', ['start'], {
    env: { ...process.env, NODE_ENV: 'production', PORT: new URL(health).port, DATA_DIR: folder, DEMO: '0' },
    stdio: 'ignore',
  });
  const answers = async () => (await fetch(health).catch(() => undefined))?.ok ?? false;
  const database = join(folder, 'pg', 'postmaster.pid');
  await expect.poll(answers, { timeout: 60_000 }).toBe(true);
  expect(existsSync(database)).toBe(true);
  npm.kill('SIGTERM');
  await expect.poll(answers, { timeout: 20_000 }).toBe(false);
  await expect.poll(() => existsSync(database), { timeout: 20_000 }).toBe(false);
  rmSync(folder, { recursive: true });
});

test('`npm run dev` serves the documentation beside the application', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-dev-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const npm = spawn(process.execPath, ['scripts/dev.mjs'], {
    env: { ...process.env, NODE_ENV: '', PORT: new URL(url).port, DATA_DIR: folder, DEMO: '0' },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => npm.once('exit', resolve));
  const read = async (path: string) => {
    const response = await fetch(`${url}${path}`).catch(() => undefined);
    return response?.ok ? response.text() : '';
  };
  await expect.poll(() => read('/docs'), { timeout: 90_000 }).toMatch(/<title>Assay.+s documentation/);
  expect(await read('/llms.txt')).toMatch(/^# Assay/);
  expect(await read('/')).toContain('/@vite/client');
  npm.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true });
});
