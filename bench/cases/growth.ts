import type { BenchmarkCase } from '../case';
import { interleave } from '../interleave';
import { pagePath } from '../page-path';
import { sizes, type BenchSite } from '../stage';

const DEAREST = 1.5;

/** The filtered first page on ten times the rows: how much more a page costs. */
export const growth: BenchmarkCase = async ({ site }) => {
  const [smallSite, large] = [await site('small'), await site('large')];
  const requestsOf = ({ program, rows }: BenchSite) => ({ ...program, paths: [pagePath(rows)] });
  const { a, b, ratio } = await interleave(requestsOf(large), requestsOf(smallSite));
  return [
    {
      title: `page, ${sizes.large.toLocaleString('en')} rows`,
      ours: a,
      comparison: `${sizes.small.toLocaleString('en')} rows`,
      baseline: b,
      ratio,
      target: 1 / DEAREST,
      notes: [`ten times the rows cost ${(1 / ratio).toFixed(2)} times as much (at most ${DEAREST})`],
    },
  ];
};
