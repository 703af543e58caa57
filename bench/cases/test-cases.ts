import { againstFloor } from '../against-floor';
import type { Case } from '../case';

/** The first page of the open test cases, by name, with all that the list embeds and the total, on the large demo. */
export const testCases: Case = async ({ demo, logFile }) => {
  const query = new URLSearchParams({
    filter: JSON.stringify({ status: 'open' }),
    sort: JSON.stringify(['name', 'ASC']),
    range: JSON.stringify([0, 14]),
  });
  const outcome = await againstFloor({
    place: await demo(),
    logFile,
    what: 'page of test cases',
    target: 0.8,
    paths: [`/api/test-cases?${query}`],
    floorPaths: ['/page'],
    marker: 'no such word',
    keep: 'all',
  });
  return [outcome];
};
