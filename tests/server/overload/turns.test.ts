import { expect, test } from 'vitest';
import { createTaskStarter } from '../../../src/server/overload/turns';

const turn = () => new Promise<void>((done) => setImmediate(done));

test('a few tasks start in a turn of the event loop, and the others in their order in later ones', async () => {
  const starter = createTaskStarter(3);
  const started: number[] = [];
  for (let task = 1; task <= 8; task++) starter.start(() => started.push(task));
  expect([started, starter.waiting]).toEqual([[1, 2, 3], 5]);
  const counts: number[] = [];
  for (; starter.waiting > 0; counts.push(started.length)) await turn();
  expect(counts).toEqual([6, 8]);
  expect(started).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a task that comes while others wait does not overtake them', async () => {
  const starter = createTaskStarter(1);
  const started: string[] = [];
  starter.start(() => {
    started.push('first');
    starter.start(() => started.push('of the first'));
  });
  starter.start(() => started.push('second'));
  while (starter.waiting > 0) await turn();
  expect(started).toEqual(['first', 'of the first', 'second']);
});
