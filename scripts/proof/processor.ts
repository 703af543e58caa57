import { readFileSync } from 'node:fs';

/**
 * How much longer the work of a process takes because others use the processors too: the time in which its first thread
 * ran or waited for a processor, by that in which it ran. 1: it never waited. Goals in milliseconds are for a machine that
 * has nothing else to do, so they are multiplied by it. On other systems than Linux it is always 1.
 *
 * @example const slowdown = watchProcessor([server.process.pid!]); // later: goal * slowdown()
 */
export function watchProcessor(processes: readonly number[]): () => number {
  const before = processes.map(timesOf);
  return () =>
    Math.max(
      ...processes.map((id, index) => {
        const { ran, waited } = timesOf(id);
        const own = ran - before[index]!.ran;
        return own > 0 ? 1 + (waited - before[index]!.waited) / own : 1;
      }),
    );
}

/** Nanoseconds since its start. */
function timesOf(id: number): { ran: number; waited: number } {
  try {
    const [ran, waited] = readFileSync(`/proc/${id}/task/${id}/schedstat`, 'utf8').split(' ').map(Number);
    return { ran: ran!, waited: waited! };
  } catch {
    return { ran: 0, waited: 0 };
  }
}
