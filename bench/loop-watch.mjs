// Loaded into the measured program: tells, when asked, how long its event loop stood still and how much memory it took.
// Time that the thread only waited for a processor (reported by Linux) is subtracted: the machine causes it, not the
// program.
import { readFileSync } from 'node:fs';

const interval = 5;
let longest = 0;
let last = performance.now();
let waitTime = waitedFor();

setInterval(() => {
  const [now, wait] = [performance.now(), waitedFor()];
  longest = Math.max(longest, now - last - interval - (wait - waitTime));
  [last, waitTime] = [now, wait];
}, interval).unref();

function waitedFor() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

process.on('message', (question) => {
  if (question === 'reset') longest = 0;
  process.send({ stall: longest, peak: process.resourceUsage().maxRSS / 1e3 });
});
process.channel?.unref();
