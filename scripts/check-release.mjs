// `npm run check:release`: what the Dockerfile does, done in a clean folder by an ordinary user: install, build, prune,
// start, health, sign-in, stop. `-- --node /opt/node-24/bin/node` tries another Node (several may be named), and
// `--user NAME` says who does it where this one is root.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { node: { type: 'string', multiple: true }, user: { type: 'string' } } });
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const testUser = person(values.user);
const home = mkdtempSync(join(tmpdir(), 'assay-release-'));
let failed = 0;
try {
  takeOwnership(home);
  for (const node of values.node ?? [process.execPath]) {
    const startTime = Date.now();
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    const folder = mkdtempSync(join(home, 'try-'));
    takeOwnership(folder);
    try {
      const summary = await check(node, folder);
      console.log(`ok    Node ${version}: ${summary} (${((Date.now() - startTime) / 1000).toFixed(0)} s)`);
    } catch (error) {
      failed++;
      console.log(`FAIL  Node ${version}: ${error.message}`);
    } finally {
      execFileSync('chmod', ['-R', 'u+w', folder]);
      rmSync(folder, { recursive: true, force: true });
    }
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);

/** The user id that programs are started with; undefined if this user is not root. */
function person(name) {
  if (process.getuid?.() !== 0) return undefined;
  if (name === undefined) {
    console.error('Run it as an ordinary user, or name one with --user NAME.');
    process.exit(1);
  }
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' })));
  return { uid, gid };
}

function takeOwnership(folder) {
  if (testUser) chownSync(folder, testUser.uid, testUser.gid);
}

async function check(node, folder) {
  const [build, release, data] = ['build', 'release', 'data'].map((name) => join(folder, name));
  for (const path of [build, release, data]) {
    mkdirSync(path);
    takeOwnership(path);
  }
  // The files that git would export, as in the build context of an image.
  const archive = execFileSync('git', ['-C', root, 'archive', 'HEAD'], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', build], { input: archive, ...testUser });
  for (const command of steps()) await shell(node, command, build);
  for (const [, path] of dockerfile.matchAll(/^COPY --from=build \/app\/(\S+)/gm)) {
    cpSync(join(build, path), join(release, path), { recursive: true, verbatimSymlinks: true });
  }
  // The program cannot change itself, as in the image.
  execFileSync('chmod', ['-R', 'a-w,a+rX', release]);
  return run(node, release, data);
}

/** The commands of the Dockerfile's first stage. */
function steps() {
  const [first] = dockerfile.split(/^FROM .*$/m).slice(1);
  return [...first.matchAll(/^RUN (.*)$/gm)].map(([, command]) => command);
}

function shell(node, command, cwd) {
  return new Promise((resolve, fail) => {
    const outputs = [];
    const child = spawn('sh', ['-c', command], {
      cwd,
      env: environment(node),
      ...testUser,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => outputs.push(part));
    child.once('exit', (code) =>
      code === 0
        ? resolve()
        : fail(new Error(`${command} ends with ${code}: ${Buffer.concat(outputs).toString().slice(-2000)}`)),
    );
  });
}

/** As a login of the ordinary user would have it: nothing of this shell's, and this Node before others. */
function environment(node) {
  const registry = process.env.npm_config_registry;
  return {
    PATH: [bin(node), process.env.PATH].join(delimiter),
    HOME: home,
    ...(registry && { npm_config_registry: registry }),
  };
}

/** A folder with `node` and this machine's `npm`, which then uses that Node. */
function bin(node) {
  const folder = join(home, `bin-${node.replaceAll(/\W+/g, '-')}`);
  mkdirSync(folder, { recursive: true });
  const npm = join(
    dirname(execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim()),
    'node_modules/npm/bin/npm-cli.js',
  );
  for (const [name, command] of [
    ['node', `exec '${node}' "$@"`],
    ['npm', `exec '${node}' '${npm}' "$@"`],
  ]) {
    execFileSync('sh', [
      '-c',
      `printf '#!/bin/sh\\n%s\\n' "$2" > "$1" && chmod 755 "$1"`,
      'sh',
      join(folder, name),
      command,
    ]);
  }
  chmodSync(folder, 0o755);
  return folder;
}

async function run(node, release, data) {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const admin = { email: 'admin@example.com', password: 'a-quite-long-password-17' };
  const outputs = [];
  const startTime = Date.now();
  const child = spawn(node, ['scripts/start.mjs'], {
    cwd: release,
    env: {
      ...environment(node),
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: data,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
    },
    ...testUser,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => outputs.push(part));
  const exit = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  try {
    const firstEvent = await Promise.race([exit, healthy(address)]);
    if (firstEvent !== 'healthy')
      throw new Error(`it ends with ${firstEvent}: ${Buffer.concat(outputs).toString().slice(-2000)}`);
    const readySeconds = ((Date.now() - startTime) / 1000).toFixed(1);
    const page = await fetch(address);
    if (!page.ok || !(await page.text()).includes('<script')) throw new Error('the application is not served');
    const signedIn = await fetch(`${address}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(admin),
    });
    const { token } = await signedIn.json();
    const list = await fetch(`${address}/api/sites`, { headers: { authorization: `Bearer ${token}` } });
    if (list.status !== 200) throw new Error(`the administrator's first list answers ${list.status}`);
    const stopTime = Date.now();
    child.kill('SIGTERM');
    const code = await exit;
    if (code !== 0) throw new Error(`SIGTERM ends it with ${code}`);
    return `installed, built, pruned; ready after ${readySeconds} s, signed in, stopped within ${((Date.now() - stopTime) / 1000).toFixed(1)} s`;
  } finally {
    child.kill('SIGKILL');
    await exit;
  }
}

async function healthy(address) {
  for (
    const limit = Date.now() + 60_000;
    Date.now() < limit;
    await new Promise((resolve) => setTimeout(resolve, 200))
  ) {
    const answer = await fetch(`${address}/api/health/ready`).catch(() => undefined);
    if (answer?.ok) return 'healthy';
  }
  throw new Error('it is not ready within a minute');
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
