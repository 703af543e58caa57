import { compareWithFloor } from '../against-floor';
import type { BenchmarkCase } from '../case';

/** The default columns of the list. */
const shownColumns = 'id,name,sub_module,priority,result,status,assign,created_by,project_id,status_id,assigned_to';
/** The columns of a plain list and four embeds. */
const ownColumns = 'id,name,created_at,updated_at,module,priority,status,assign';

/**
 * The first page of the open test cases, by name, with all embeds of the list and the total, on the large demo; and
 * with only the list's fields, compared with a floor with four embeds. Then a test case by its id, another one each time.
 */
export const testCases: BenchmarkCase = async ({ demo, logFile }) => {
  const query = new URLSearchParams({
    filter: JSON.stringify({ status: 'open' }),
    sort: JSON.stringify(['name', 'ASC']),
    range: JSON.stringify([0, 14]),
  });
  const path = `/api/test-cases?${query}`;
  const demoDatabase = await demo();
  const { rows } = await demoDatabase.client.query<{ id: number }>(
    'select id from public.test_cases where site_id = 1 order by md5(id::text) limit 1000',
  );
  const commonOptions = {
    database: demoDatabase,
    logFile,
    target: 0.8,
    floorPaths: ['/page'],
    marker: 'no such word',
    keep: 'all',
  } as const;
  return [
    await compareWithFloor({ ...commonOptions, title: 'page of test cases', paths: [path] }),
    await compareWithFloor({
      ...commonOptions,
      title: 'its columns, four embeds beside',
      paths: [`${path}&fields=${shownColumns}`],
      floorAsks: `${path}&fields=${ownColumns}`,
    }),
    await compareWithFloor({
      ...commonOptions,
      title: 'test case by id',
      target: 0.5,
      paths: rows.map(({ id }) => `/api/test-cases/${id}`),
      floorPaths: rows.map(({ id }) => `/${id}`),
      marker: String(rows[0]!.id),
      keep: 'one',
    }),
  ];
};
