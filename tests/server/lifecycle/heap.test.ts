import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/**
 * Holds 30 MB, and lets 400 MB become garbage so late that it is old by then, as what waiting calls hold is; then
 * nothing more. Prints the megabytes of the heap: what is held, the most of the rush, and what was left of it in the end.
 */
const program = `
  import { getHeapStatistics } from 'node:v8';
  import { keepHeapSmall } from './src/server/lifecycle/heap.ts';
  const used = () => getHeapStatistics().used_heap_size / 1e6;
  keepHeapSmall(100);
  const entry = (number) => ({ number, text: 'entry ' + number, parts: [number, number] });
  const held = Array.from({ length: 150_000 }, (_, number) => entry(number));
  const own = used();
  const queue = new Array(100_000).fill(null);
  let most = 0;
  for (let number = 0; number < 2_500_000; number++) {
    queue[number % queue.length] = entry(number);
    if (number % 10_000 !== 0) continue;
    most = Math.max(most, used());
    await new Promise(setImmediate);
  }
  queue.length = 0;
  const wait = setInterval(() => {
    const left = used();
    if (left >= own + 24) return;
    clearInterval(wait);
    console.log(JSON.stringify([own, most, left, held.length]));
  }, 50);
`;

test('the heap grows little beyond what is in use, and an idle process gives back what a rush left', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program],
    { cwd: new URL('../../..', import.meta.url) },
  );
  const [own, most, left] = JSON.parse(stdout) as [number, number, number];
  // In use are what is held and the queue; the young generation comes on top of it.
  expect(most).toBeLessThan(2 * (own + 20) + 32);
  expect(left).toBeLessThan(own + 24);
});
