import { againstFloor } from '../against-floor';
import type { Case } from '../case';
import { pagePath } from '../page-path';

/** A page of 15 with four embeds, a filter, a sort and the total, on the large table. */
export const pages: Case = (stage) =>
  againstFloor(stage, {
    what: 'page of 15',
    target: 0.8,
    paths: [pagePath(stage.large.rows)],
    floorPaths: ['/page'],
    marker: 'no such word',
    keep: 'all',
  });
