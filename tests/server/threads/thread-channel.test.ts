import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { openThreadChannel, ThreadEnded } from '../../../src/server/threads/thread-channel';

const thread = (program: string, patience = 20_000) => {
  const worker = new Worker(`const { parentPort } = require('node:worker_threads'); ${program}`, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  });
  return openThreadChannel(worker, patience);
};

test.each<[string, string, number?]>([
  ['ends', `parentPort.once('message', () => process.exit(3));`],
  ['throws', `parentPort.once('message', () => { throw new Error('broken'); });`],
  [
    'runs out of memory',
    `parentPort.once('message', () => { const all = []; for (;;) all.push({ all: [...all] }); });`,
  ],
  ['answers nothing', `parentPort.once('message', () => { for (;;); });`, 300],
])('a thread that %s is a refused call, and so is every later one', async (_, program, patience) => {
  const asked = thread(program, patience);
  await expect(asked.request('work')).rejects.toThrow(ThreadEnded);
  await expect(asked.request('work')).rejects.toThrow(ThreadEnded);
  await asked.close();
});

test('a waiting call is rejected once its thread is closed', async () => {
  const asked = thread(`parentPort.on('message', () => undefined);`);
  const waiting = expect(asked.request('work')).rejects.toThrow(ThreadEnded);
  await asked.close();
  await waiting;
});
