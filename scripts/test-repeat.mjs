// npm run test:repeat -- [TIMES] [--busy N] [-- COMMAND…]
//
// Runs the whole suite (or another command) several times, 10 by default, and stops at no failure: each run's last lines
// are printed and all of them are summed up at the end. In every second run N processes (4 by default) keep the cores
// busy, since a race of a test shows when the machine is slow. Exits with 1 when any run failed.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './build-stale.mjs';

const [ownOptions, command] = split(process.argv.slice(2));
const busyAt = ownOptions.indexOf('--busy');
const busyCount = busyAt < 0 ? 4 : Number(ownOptions.splice(busyAt, 2)[1]);
const times = ownOptions.length === 0 ? 10 : Number(ownOptions[0]);
if (
  ownOptions.length > 1 ||
  !(Number.isInteger(times) && times > 0) ||
  !(Number.isInteger(busyCount) && busyCount >= 0)
) {
  console.error('Usage: npm run test:repeat -- [TIMES] [--busy PROCESSES] [-- COMMAND…]');
  process.exit(1);
}
const logs = mkdtempSync(join(tmpdir(), 'assay-repeat-'));
console.log(`The output of each run is stored in ${logs}.`);

const lines = [];
for (let run = 1; run <= times; run++) {
  const load = run % 2 === 0 ? busyCount : 0;
  const loadProcesses = Array.from({ length: load }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  const startTime = Date.now();
  const { status, output } = await runCommand(join(logs, `${run}.log`));
  for (const loadProcess of loadProcesses) loadProcess.kill('SIGKILL');
  const seconds = Math.round((Date.now() - startTime) / 1000);
  const failures = output.split('\n').filter((line) => line.startsWith('== Failed in '));
  const line = `Run ${run} of ${times}${load > 0 ? ` beside ${load} busy processes` : ''}: ${status === 0 ? 'passed' : `failed (${status})`}, ${seconds} s`;
  lines.push({ line, ok: status === 0 });
  console.log([line, ...failures].join('\n'));
}
const failed = lines.filter(({ ok }) => !ok).length;
console.log(['', ...lines.map(({ line }) => line), `${times - failed} of ${times} runs passed.`].join('\n'));
process.exitCode = failed === 0 ? 0 : 1;

/** Runs the command with its output in a file; resolves with its exit code and its output. */
function runCommand(file) {
  const log = createWriteStream(file);
  const [program, ...args] = command.length > 0 ? command : [process.execPath, join(root, 'scripts/test.mjs')];
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part) => {
      output += part;
      log.write(part);
    });
  }
  return new Promise((resolve, refuse) => {
    child.once('error', refuse);
    child.once('close', (status, signal) => {
      log.end();
      resolve({ status: status ?? signal, output });
    });
  });
}

/** Separates what belongs to this script from the command behind `--`. */
function split(args) {
  const end = args.indexOf('--');
  return end < 0 ? [[...args], []] : [args.slice(0, end), args.slice(end + 1)];
}
