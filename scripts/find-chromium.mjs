// Finds a Chromium for the browser tests, and installs one where that is possible without asking.
// As a program: prints the path. `node scripts/find-chromium.mjs`
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';

// The headless shell is Chromium without the parts that only a window needs: a page takes about a third less of a core.
const SYSTEM_SHELLS = ['/usr/bin/chromium-headless-shell', '/usr/lib/chromium/chromium-headless-shell'];
const SYSTEM_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * The path of a Chromium that can be started: CHROMIUM_PATH; a headless shell, Playwright's own or the system's; a whole
 * browser; else one is installed with apt-get (Debian, as root) or by Playwright. Throws an Error of one line when there
 * is none.
 */
export function findChromium() {
  const configuredPath = process.env.CHROMIUM_PATH;
  if (configuredPath) {
    if (!isProgram(configuredPath)) throw new Error(`CHROMIUM_PATH: there is no program at ${configuredPath}`);
    return configuredPath;
  }
  const installedPath = installed();
  if (installedPath) return installedPath;
  installWithApt();
  return installed() ?? installWithPlaywright();
}

/** The flags Chromium needs in a test: quiet, without its own calls to the network, and without a sandbox as root. */
export function chromiumFlags() {
  const flags = ['--disable-gpu', '--disable-quic', '--no-first-run'];
  flags.push('--disable-background-networking', '--disable-component-update', '--disable-sync');
  return process.getuid?.() === 0 ? ['--no-sandbox', ...flags] : flags;
}

function installed() {
  const paths = [playwrightShell(), ...SYSTEM_SHELLS, chromium.executablePath(), ...SYSTEM_BROWSERS];
  return paths.find((path) => path && isProgram(path));
}

// Playwright names the whole browser alone: …/chromium-1255/…; its shell is in …/chromium_headless_shell-1255/….
function playwrightShell() {
  const [home, rest] = chromium.executablePath().split(`${sep}chromium-`);
  const folder = rest && join(home, `chromium_headless_shell-${rest.split(sep)[0]}`);
  if (!folder || !existsSync(folder)) return undefined;
  const names = readdirSync(folder, { recursive: true });
  const name = names.find((fileName) => /(^|[\\/])(chrome-headless-shell|headless_shell)(\.exe)?$/.test(fileName));
  return name && join(folder, name);
}

function installWithApt() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return;
  run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'update']);
  for (const name of ['chromium-headless-shell', 'chromium']) {
    if (installed()) return;
    run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '--no-install-recommends', name]);
  }
}

function installWithPlaywright() {
  run(process.platform === 'win32' ? 'npx.cmd' : 'npx', [
    'playwright',
    'install',
    '--with-deps',
    '--only-shell',
    'chromium',
  ]);
  const path = installed();
  if (path) return path;
  throw new Error('No Chromium for the browser tests: install the package "chromium", or set CHROMIUM_PATH to one');
}

// The output of installers goes to stderr, so that stdout contains only the path.
function run(command, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync(command, args, { stdio: ['ignore', 2, 2], env, shell: process.platform === 'win32' });
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    console.log(findChromium());
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
