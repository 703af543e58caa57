// `npm start`, or `npm start -- --product FOLDER`: builds what is stale (in production nothing), then runs the server in this process.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hasBuild, root, serverProgram, staleParts, useBuilds } from './build-stale.mjs';
import { productFolder } from './product-code.mjs';

const folder = productFolder();

function stop(message) {
  console.error(message);
  process.exit(1);
}

// The build runs in a process of its own, so that its tools do not stay in the server's memory.
function buildWhatIsStale() {
  const stale = staleParts(folder);
  if (stale.length === 0) return;
  if (!existsSync(join(root, 'node_modules/vite'))) {
    stop('The sources have changed since the build, and the build tools are not installed: run npm ci');
  }
  console.log(`Building the ${stale.map(({ name }) => name).join(' and the ')}; this happens after changes only`);
  const ofProduct = folder === undefined ? [] : ['--product', folder];
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--stale', ...ofProduct], {
    stdio: 'inherit',
  });
  if (status !== 0) stop('The build failed, so there is nothing to start');
}

/**
 * A signal to npm ends the shell between it and this process, and never arrives here, so the end of the shell is used
 * instead.
 */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
  // With a signal as well, it would be notified twice.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => clearInterval(watch));
}

if (process.env.NODE_ENV !== 'production') buildWhatIsStale();
else if (!hasBuild(folder)) {
  stop(`No build found to start in production: run npm run build${folder ? ' -- --product FOLDER' : ''} first`);
}

endWithNpm();
if (folder !== undefined) useBuilds(folder);
process.setSourceMapsEnabled(true);
await import(pathToFileURL(serverProgram(folder)).href);
