import type { BenchmarkCase } from '../case';
import type { BenchProgram } from '../program';
import { say } from '../send-request';

const CHANGES = 1_000;
const REQUESTS = 200;

/** The history of a test case that was changed 1,000 times, with names: all of it, and the first page of its screen. */
export const history: BenchmarkCase = async ({ demo }) => {
  const { program } = await demo();
  const [newest] = (await say<{ data: { id: number }[] }>(program, '/test-cases?range=[0,0]')).data;
  const path = `/test-cases/${newest!.id}`;
  for (let change = 0; change < CHANGES; change++) {
    await say(program, path, { actual_result: `As seen on turn ${change}`, priority_id: 1 + (change % 3) });
  }
  return [
    {
      title: `history with ${CHANGES.toLocaleString('en')} changes`,
      figures: await measureTimes(program, `${path}/history?names=1`),
    },
    { title: 'its first 25', figures: await measureTimes(program, `${path}/history?names=1&range=[0,24]`) },
  ];
};

async function measureTimes(program: BenchProgram, path: string): Promise<string> {
  const took: number[] = [];
  for (let request = 0; request < REQUESTS; request++) {
    const startTime = performance.now();
    await say(program, path);
    took.push(performance.now() - startTime);
  }
  took.sort((a, b) => a - b);
  const quantile = (share: number) => took[Math.floor(share * (took.length - 1))]!.toFixed(1);
  return `${quantile(0.5)} ms p50, ${quantile(0.99)} ms p99, one at a time`;
}
