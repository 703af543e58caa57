import { measureLoad, type LoadResult, type LoadRequests } from './load';

const ROUNDS = 8;
const SECONDS = 1.5;
const WARMING = 1.5;

/**
 * Loads two servers in turns, A B, B A, and so on, so that other load affects both equally. Returns the medians of the
 * rounds, and the median of the rounds' ratios (A's requests per second to B's).
 */
export async function interleave(
  a: LoadRequests,
  b: LoadRequests,
): Promise<{ a: LoadResult; b: LoadResult; ratio: number }> {
  await measureLoad(a, WARMING);
  await measureLoad(b, WARMING);
  const ofA: LoadResult[] = [];
  const ofB: LoadResult[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) ofA.push(await measureLoad(a, SECONDS));
    ofB.push(await measureLoad(b, SECONDS));
    if (round % 2 === 1) ofA.push(await measureLoad(a, SECONDS));
  }
  const ratio = median(ofA.map(({ perSecond }, round) => perSecond / ofB[round]!.perSecond));
  return { a: middle(ofA), b: middle(ofB), ratio };
}

function middle(rounds: readonly LoadResult[]): LoadResult {
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
  };
}

function median(values: readonly number[]): number {
  const sortedValues = [...values].sort((x, y) => x - y);
  const half = Math.floor(sortedValues.length / 2);
  return sortedValues.length % 2 === 1 ? sortedValues[half]! : (sortedValues[half - 1]! + sortedValues[half]!) / 2;
}
