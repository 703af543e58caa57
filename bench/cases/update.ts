import { compareWithFloor } from '../against-floor';
import type { BenchmarkCase } from '../case';
import { floorName } from '../floor';

const COUNT = 1_000;

/** A change of a name with its line of history, of another record each time. The floor is one bare update. */
export const update: BenchmarkCase = async ({ site, logFile }) => {
  const benchSite = await site('large');
  const { first, last } = benchSite.rows;
  const step = Math.floor((last - first) / COUNT);
  const ids = Array.from({ length: COUNT }, (_, index) => first + index * step);
  let turn = 0;
  const marker = '{id}';
  const outcome = await compareWithFloor({
    database: benchSite,
    logFile,
    title: 'update',
    target: 0.3,
    paths: ids.map((id) => `/api/projects/${id}`),
    body: () => ({ name: `Changed under load ${++turn}` }),
    method: 'PUT',
    floorPaths: ids.map((id) => `/${id}`),
    marker,
    keep: 'one',
    floorOf: () => [
      {
        text: 'update public.projects set name = $1, updated_at = now() where id = $2 returning *',
        values: [floorName, marker],
      },
    ],
  });
  return [outcome];
};
