import { compareWithFloor } from '../against-floor';
import type { BenchmarkCase } from '../case';

const COUNT = 1_000;

/** A record by its id, another one each time. */
export const record: BenchmarkCase = async ({ site, logFile }) => {
  const benchSite = await site('large');
  const { first, last } = benchSite.rows;
  const step = Math.floor((last - first) / COUNT);
  const ids = Array.from({ length: COUNT }, (_, index) => last - index * step);
  const outcome = await compareWithFloor({
    database: benchSite,
    logFile,
    title: 'record by id',
    target: 0.5,
    paths: ids.map((id) => `/api/projects/${id}`),
    floorPaths: ids.map((id) => `/${id}`),
    marker: String(ids[0]),
    keep: 'one',
  });
  return [outcome];
};
