// Runs the steps of `npm test`, several at a time, with the output of each together.
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from './build-stale.mjs';

/** Milliseconds of silence after which a step counts as hung. Working steps print something even on slow machines. */
const silence = 20 * 60_000;
/** Milliseconds for an interrupted step to write its reports. */
const farewell = 60_000;

/** The outputs still to be shown, in the order in which their steps started. */
const outputs = [];

/**
 * Runs a command and returns whether it succeeded. Its output is shown immediately or, while an earlier step's output
 * is being shown, after that one.
 */
export async function runStep(title, command, { env }) {
  const output = openOutput(title);
  const [program, ...args] = command.split(' ');
  const options = { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' };
  const child = spawn(program, args, options);
  let interrupted = false;
  const interrupt = async () => {
    interrupted = true;
    output.write(`\nInterrupted, since it has said nothing for ${silence / 60_000} minutes.\n`);
    child.kill('SIGINT');
    await wait(farewell, undefined, { ref: false });
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => void interrupt(), silence);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part) => {
      if (!interrupted) timer.refresh();
      output.write(part);
    });
  }
  const exit = new Promise((resolve) => child.once('close', resolve));
  const status = await new Promise((resolve) => {
    child.once('error', (error) => (output.write(`${error.message}\n`), resolve(-1)));
    child.once('exit', resolve);
  });
  clearTimeout(timer);
  // Its child processes may outlive it, and keep its output open.
  if (status !== -1) await Promise.race([exit, wait(5_000, undefined, { ref: false })]);
  output.end();
  return status === 0;
}

function openOutput(title) {
  const output = { text: `\n== ${title}\n`, ended: false };
  outputs.push(output);
  show();
  return {
    write: (part) => {
      output.text += part;
      show();
    },
    end: () => {
      output.ended = true;
      show();
    },
  };
}

function show() {
  while (outputs.length > 0) {
    const [first] = outputs;
    process.stdout.write(first.text);
    first.text = '';
    if (!first.ended) return;
    outputs.shift();
  }
}
