// Loaded into the measured program: tells, when asked, how long its event loop stood still and how much memory it took.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('message', (question) => {
  if (question === 'reset') delay.reset();
  process.send({
    stall: delay.max / 1e6,
    memory: process.memoryUsage().rss / 1e6,
    peak: process.resourceUsage().maxRSS / 1e3,
  });
});
process.channel?.unref();
