import { randomUUID } from 'node:crypto';
import { missingForCluster, startCluster } from '../cluster';
import type { ResilienceStep } from '../step';
import { pause, signIn, startServer } from '../server';

const writers = 4;

/**
 * The primary of a PostgreSQL cluster is killed under load: acknowledged writes exist on the new primary, and the
 * program continues with it without a restart. Writes pause during the failover.
 */
export const failover: ResilienceStep = {
  title: 'the primary of a PostgreSQL cluster is killed under load',
  minutes: 5,
  async run(context) {
    const missingPackages = missingForCluster();
    if (missingPackages.length > 0) throw new Error(`install ${missingPackages.join(', ')} first (Debian's packages)`);
    const cluster = await startCluster(context);
    const server = await startServer(context, { env: { DATABASE_URL: cluster.url } });
    const owner = await signIn(server.address);
    const acknowledged: { name: string; time: number }[] = [];
    let writing = true;
    const loops = Array.from({ length: writers }, async () => {
      while (writing) {
        const name = `failover-${randomUUID()}`;
        const { status } = await owner('POST', '/priorities', { option_name: name });
        if (status === 201) acknowledged.push({ name, time: Date.now() });
        else await pause(100);
      }
    });
    await pause(3_000);
    if (!(await cluster.isSynchronous())) throw new Error('the standby does not follow synchronously');
    const killed = Date.now();
    cluster.killNode(await cluster.primary());
    const resumeTime = await untilWritten(acknowledged, killed + 1_000);
    await pause(2_000);
    writing = false;
    await Promise.all(loops);
    const names = await storedNames(owner);
    const lostWrites = acknowledged.filter(({ name }) => !names.has(name));
    if (lostWrites.length > 0) throw new Error(`${lostWrites.length} acknowledged writes are lost`);
    const seconds = (resumeTime - killed) / 1000;
    if (seconds > 30) throw new Error(`writes went on after ${seconds.toFixed(1)} s only`);
    return `${acknowledged.length} writes acknowledged, 0 lost; writes went on after ${seconds.toFixed(1)} s without a restart`;
  },
};

/** The first acknowledged write after `startTime`. */
async function untilWritten(acknowledged: readonly { time: number }[], startTime: number): Promise<number> {
  for (const limit = Date.now() + 90_000; Date.now() < limit; await pause(50)) {
    const first = acknowledged.find(({ time }) => time > startTime);
    if (first) return first.time;
  }
  throw new Error('no write was acknowledged within 90 s');
}

async function storedNames(owner: Awaited<ReturnType<typeof signIn>>): Promise<Set<string>> {
  const names = new Set<string>();
  for (let offset = 0; ; offset += 1000) {
    const path = `/priorities?q=failover-&range=[${offset},${offset + 999}]`;
    const { status, body } = await owner<{ data: { option_name: string }[] }>('GET', path);
    if (status !== 200) throw new Error(`the list answers ${status}`);
    for (const { option_name } of body.data) names.add(option_name);
    if (body.data.length < 1000) return names;
  }
}
