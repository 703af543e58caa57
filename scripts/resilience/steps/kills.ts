import { randomUUID } from 'node:crypto';
import type { ResilienceStep } from '../step';
import { pause, signIn, startServer, type RunningServer } from '../server';

const writers = 8;

/**
 * Kills the program repeatedly while eight clients write: acknowledged writes exist afterwards exactly once, and each
 * record has its history.
 */
export const kills: ResilienceStep = {
  title: 'kill -9 while eight clients write',
  minutes: 8,
  async run(context) {
    const rounds = context.quick ? 2 : 50;
    let server = await startServer(context);
    const acknowledged = new Set<string>();
    const unknown = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      await writeUntilKilled(server, acknowledged, unknown);
      server = await startServer(context, { dataDir: server.dataDir });
    }
    const owner = await signIn(server.address);
    const counts = new Map<string, number>();
    const ids: number[] = [];
    for (let offset = 0; ; offset += 1000) {
      const page = await owner<{ data: { id: number; option_name: string }[] }>(
        'GET',
        `/priorities?q=kill-&range=[${offset},${offset + 999}]`,
      );
      if (page.status !== 200) throw new Error(`the list answers ${page.status}: ${JSON.stringify(page.body)}`);
      for (const { id, option_name } of page.body.data) {
        counts.set(option_name, (counts.get(option_name) ?? 0) + 1);
        ids.push(id);
      }
      if (page.body.data.length < 1000) break;
    }
    const lostNames = [...acknowledged].filter((name) => !counts.has(name));
    const doubledNames = [...counts].filter(([, count]) => count > 1);
    for (const id of ids.slice(-50)) {
      const { body } = await owner<{ data: unknown[] }>('GET', `/priorities/${id}/history`);
      if (body.data.length === 0) throw new Error(`record ${id} has no history`);
    }
    if (lostNames.length > 0 || doubledNames.length > 0)
      throw new Error(`${lostNames.length} lost, ${doubledNames.length} doubled`);
    return `${rounds} kills, ${acknowledged.size} writes acknowledged, ${unknown.size} without an answer: 0 lost, 0 doubled`;
  },
};

async function writeUntilKilled(server: RunningServer, acknowledged: Set<string>, unknown: Set<string>): Promise<void> {
  const owner = await signIn(server.address);
  let killed = false;
  const loops = Array.from({ length: writers }, async () => {
    while (!killed) {
      const name = `kill-${randomUUID()}`;
      const { status } = await owner('POST', '/priorities', { option_name: name });
      if (status === 201) acknowledged.add(name);
      else unknown.add(name);
    }
  });
  await pause(200 + Math.random() * 400);
  await server.kill();
  killed = true;
  await Promise.all(loops);
}
