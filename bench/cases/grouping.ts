import type { BenchmarkCase } from '../case';
import { startFloor } from '../floor';
import { oneAtATime } from '../one-at-a-time';
import type { LoggedStatement } from '../statement-log';

/** The largest ratio to the floor, and the milliseconds, that are good enough. */
const RATIO = 2;
const PATIENCE = 100;

interface Grouped {
  readonly title: string;
  readonly path: string;
  /** The least that has to be asked for the same answer. */
  readonly floor: string;
}

const groupsBy = (group: string) =>
  `/api/projects/aggregate?${new URLSearchParams({ take: 'count', totals: '1', group, sort_by: 'group', filter: '{}' })}`;
const pageBy = (group: string) =>
  `/api/projects?${new URLSearchParams({ filter: '{}', range: '[0,14]', sort: '["id","DESC"]', group_by: group })}`;
const ownProjects = 'p.site_id = (select site_id from users where email = $1) and p.archived_at is null';

const groupings: readonly Grouped[] = [
  {
    title: 'groups by a relation, with totals',
    path: groupsBy('client_id'),
    floor: `select g.*, c.name from (select p.client_id, count(*) from projects p where ${ownProjects} group by 1) g
      left join clients c on c.id = g.client_id order by c.name collate "und-x-icu"`,
  },
  {
    title: 'groups by month, with totals',
    path: groupsBy('start_date:month'),
    floor: `select to_char(date_trunc('month', p.start_date), 'YYYY-MM-DD'), count(*) from projects p where ${ownProjects} group by 1 order by 1`,
  },
  {
    title: 'page of 15, by a relation',
    path: pageBy('client_id'),
    floor: `select p.* from projects p left join clients c on c.id = p.client_id where ${ownProjects}
      order by c.name collate "und-x-icu", p.client_id, p.id desc limit 15`,
  },
  {
    title: 'page of 15, by month',
    path: pageBy('start_date:month'),
    floor: `select p.* from projects p where ${ownProjects} order by date_trunc('month', p.start_date) nulls last, p.id desc limit 15`,
  },
];

/** A list of 100,000 records in groups: their numbers and totals, and the first page, one request at a time. */
export const grouping: BenchmarkCase = async ({ site }) => {
  const { program, url } = await site('large');
  const findings = [];
  for (const { title, path, floor: text } of groupings) {
    const statements: LoggedStatement[] = [{ text, values: ['owner@demo.test'] }];
    const floor = await startFloor({ url, statements, marker: 'no such word', keep: 'all' });
    try {
      const [ours, floorTime] = await oneAtATime([
        { ...program, paths: [path] },
        { address: floor.address, paths: ['/page'] },
      ]);
      const ratio = ours! / floorTime!;
      findings.push({
        title,
        figures: `${ours!.toFixed(0)} ms p50, the floor ${floorTime!.toFixed(0)} ms: ${ratio.toFixed(2)} times; at most ${RATIO} times or ${PATIENCE} ms`,
        isReached: ratio <= RATIO || ours! <= PATIENCE,
      });
    } finally {
      await floor.stop();
    }
  }
  return findings;
};
