import { compareWithFloor } from '../against-floor';
import type { BenchmarkCase } from '../case';
import { pagePath } from '../page-path';

/** A page of 15 with four embeds, a filter, a sort and the total, on the large table. */
export const pages: BenchmarkCase = async ({ site, logFile }) => {
  const benchSite = await site('large');
  const outcome = await compareWithFloor({
    database: benchSite,
    logFile,
    title: 'page of 15',
    target: 0.8,
    paths: [pagePath(benchSite.rows)],
    floorPaths: ['/page'],
    marker: 'no such word',
    keep: 'all',
  });
  return [outcome];
};
