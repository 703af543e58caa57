import { readFileSync } from 'node:fs';

/**
 * How much longer the work of a process takes because others use the processors too: the time in which its first thread
 * ran or waited for a processor, by that in which it ran. 1: it never waited. Goals in milliseconds are for a machine that
 * has nothing else to do, so they are multiplied by it. On other systems than Linux it is always 1.
 *
 * @example const slowdown = watchProcessor([server.process.pid!]); // later: goal * slowdown()
 */
export function watchProcessor(processes: readonly number[]): () => number {
  const timesBefore = processes.map(timesOf);
  return () =>
    Math.max(
      ...processes.map((id, index) => {
        const { ran, waitTime } = timesOf(id);
        const runTime = ran - timesBefore[index]!.ran;
        return runTime > 0 ? 1 + (waitTime - timesBefore[index]!.waitTime) / runTime : 1;
      }),
    );
}

/** Nanoseconds since its start. */
function timesOf(id: number): { ran: number; waitTime: number } {
  try {
    const [ran, waitTime] = readFileSync(`/proc/${id}/task/${id}/schedstat`, 'utf8').split(' ').map(Number);
    return { ran: ran!, waitTime: waitTime! };
  } catch {
    return { ran: 0, waitTime: 0 };
  }
}
