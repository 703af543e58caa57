import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { buildName, removeUnusedBuilds, root } from '../../scripts/build-stale.mjs';

// The builds with the code of a product outside the repository go with its folder.

const folder = mkdtempSync(join(tmpdir(), 'assay-builds-'));
const name = buildName(folder);
const output = join(root, 'dist', `server-${name}`);
const notes = join(root, 'dist/products', name);

afterEach(() => {
  for (const path of [folder, output, notes]) rmSync(path, { recursive: true, force: true });
});

test('builds of a product are kept while its folder has code or a program runs them, and are removed then', async () => {
  writeFileSync(join(folder, 'index.ts'), 'export const product = {};');
  mkdirSync(output, { recursive: true });
  writeFileSync(join(output, 'main-server.js'), '');
  const script = `
    import { useBuilds } from ${JSON.stringify(join(root, 'scripts/build-stale.mjs'))};
    useBuilds(${JSON.stringify(folder)});
    console.log('used');
    process.stdin.resume();`;
  const program = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(program, 'exit');
  await once(program.stdout, 'data');
  removeUnusedBuilds();
  expect(existsSync(output)).toBe(true);
  rmSync(folder, { recursive: true });
  removeUnusedBuilds();
  expect(existsSync(output)).toBe(true);
  // Killed, it cannot say that it has ended.
  program.kill('SIGKILL');
  await ended;
  removeUnusedBuilds();
  expect([existsSync(output), existsSync(notes)]).toEqual([false, false]);
});
