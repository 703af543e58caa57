import { compareWithFloor } from '../against-floor';
import type { BenchmarkCase } from '../case';

const columns = [
  'name',
  'code',
  'client_id',
  'type_id',
  'project_status_id',
  'technologies_used',
  'start_date',
  'end_date',
  'site_id',
  'created_by',
];

const caseColumns = ['key', 'name', 'project_id', 'expected_result', 'status_id', 'site_id', 'created_by'];

/**
 * A create with its line of history: of a project, and of a test case, whose key is numbered. The floor is one bare
 * insert, and checks nothing.
 */
export const create: BenchmarkCase = async ({ site, logFile }) => {
  const benchSite = await site('large');
  const { statusId, clientId, typeId } = benchSite.rows;
  const name = 'Project made under load';
  const body = {
    name,
    code: 'LOAD',
    client_id: clientId,
    type_id: typeId,
    project_status_id: statusId,
    technologies_used: 'TypeScript',
    start_date: '2026-01-01',
    end_date: '2026-06-30',
  };
  const insert = {
    text: `insert into public.projects (${columns.join()}, created_at, updated_at)
      values (${columns.map((_, index) => `$${index + 1}`).join()}, now(), now()) returning *`,
    values: [...Object.values(body), 1, 2].map(String),
  };
  const outcome = await compareWithFloor({
    database: benchSite,
    logFile,
    title: 'create',
    target: 0.3,
    paths: ['/api/projects'],
    body,
    floorPaths: ['/'],
    marker: name,
    keep: 'one',
    floorOf: () => [insert],
  });
  const { rows: existingRows } = await benchSite.client.query<{ id: number }>(
    'select min(p.id) as id from projects p where p.site_id = 1 and p.id < $1',
    [benchSite.rows.first],
  );
  const title = 'Test case made under load';
  const testCase = { name: title, project_id: existingRows[0]!.id, expected_result: 'It is stored.', status_id: 1 };
  const bareCase = {
    text: `insert into public.test_cases (${caseColumns.join()}, created_at, updated_at)
      values (${caseColumns.map((_, index) => (index === 0 ? `gen_random_uuid()::text || $1` : `$${index + 1}`)).join()}, now(), now()) returning *`,
    values: ['bare', ...Object.values(testCase), 1, 2].map(String),
  };
  const numberedResult = await compareWithFloor({
    database: benchSite,
    logFile,
    title: 'create a test case',
    target: 0.3,
    paths: ['/api/test-cases'],
    body: testCase,
    floorPaths: ['/'],
    marker: title,
    keep: 'one',
    floorOf: () => [bareCase],
  });
  return [outcome, numberedResult];
};
