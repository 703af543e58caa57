// `npm run backup -- FILE` and `npm run restore -- FILE`: runs the built program, which is there where
// the development packages are not. Builds it only where there is none: a running server reads its build.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build-stale.mjs';

const program = join(root, 'dist/server/backup.js');
if (!existsSync(program) && existsSync(join(root, 'node_modules/vite'))) {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--stale'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(1);
}
if (!existsSync(program)) {
  console.error('No build found: run npm run build first');
  process.exit(1);
}
const { status } = spawnSync(process.execPath, ['--enable-source-maps', program, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
