import type { LoadRequests } from './load';

const ROUNDS = 40;
const WARMING = 5;

/**
 * Sends single requests of several kinds in turns. Returns the median milliseconds of each kind. Throws if a response
 * is not 2xx.
 */
export async function oneAtATime(kinds: readonly LoadRequests[]): Promise<number[]> {
  const took = kinds.map((): number[] => []);
  for (let round = 0; round < WARMING + ROUNDS; round++) {
    for (const [kind, { address, paths, usesEachPathOnce, token }] of kinds.entries()) {
      const path = paths.at(usesEachPathOnce ? -1 - round : round % paths.length)!;
      const startTime = performance.now();
      const answer = await fetch(address + path, {
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${path} answers ${answer.status}.`);
      if (round >= WARMING) took[kind]!.push(performance.now() - startTime);
    }
  }
  return took.map((times) => times.sort((left, right) => left - right)[times.length >> 1]!);
}
