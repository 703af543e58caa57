import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWork, type Account, type Row, type Work } from './work';
import { upload } from './test-results/upload';

let work: Work;
let module: number;
beforeAll(async () => {
  work = await startWork();
  module = await work.moduleOf(work.open);
});
afterAll(() => work?.program.close());

interface Mark {
  readonly resource: string;
  readonly count?: number;
  readonly alert?: boolean;
}

async function marks(by: Account, query = '') {
  const { status, body } = await work.as[by]<{ data: Mark[] }>('GET', `/menu-marks${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return Object.fromEntries(body.data.map(({ resource, ...mark }) => [resource, mark]));
}
const tasksOf = async (by: Account, query = '') => (await marks(by, query)).tasks?.count;
const addTask = (values: object) =>
  work.make('manager', 'tasks', {
    name: 'Made for a count',
    project_id: work.open,
    project_module_id: module,
    ...values,
  });

test('the open tasks of the reader are counted, up to a hundred, and within the project of the switcher', async () => {
  const isMine = ({ assigned_to: person, status_id: status }: Row) =>
    person === work.ids.qa && [1, 2].includes(Number(status));
  const mine = (await work.rows('tasks')).filter(isMine);
  expect(await tasksOf('qa')).toBe(mine.length);
  expect(await tasksOf('qa', `?scope=${work.open}`)).toBe(
    mine.filter(({ project_id: project }) => project === work.open).length,
  );
  const task = await addTask({ assigned_to: work.ids.qa });
  expect(await tasksOf('qa')).toBe(mine.length + 1);
  await work.as.manager('PUT', `/tasks/${task.id}`, { status_id: 3 });
  expect(await tasksOf('qa')).toBe(mine.length);
  expect(await tasksOf('qa', '?scope=999999')).toBe(0);

  const { kysely } = work.program.program.database;
  const { name, ...row } = Object.fromEntries(
    Object.entries((await work.rows('tasks')).find(isMine)!).filter(([column]) =>
      /^(name|site_id|.*_id|assigned_to)$/.test(column),
    ),
  );
  await kysely
    .insertInto('tasks')
    .values(Array.from({ length: 120 }, (_row, index) => ({ ...row, name: `${String(name)} ${index}` })))
    .execute();
  await addTask({ assigned_to: work.ids.qa });
  expect(await tasksOf('qa')).toBe(100);
});

test('automation warns of a failing latest build in a project that the reader may list, until one passes', async () => {
  const isFailing = async (by: Account, query = '') => (await marks(by, query))['automated-tests']?.alert;
  const send = async (name: string, content: string) => {
    const file = `<testsuite name="s"><testcase classname="s" name="${name}">${content}</testcase></testsuite>`;
    const { status, body } = await upload(work, [['junit.xml', file]], { branch: 'main', commit: name });
    expect([200, 201], JSON.stringify(body)).toContain(status);
  };
  await send('pays', '<failure message="No">No</failure>');
  expect(await isFailing('manager', `?scope=${work.open}`)).toBe(true);
  expect(await isFailing('manager')).toBe(true);
  expect(await isFailing('harbour')).toBe(false);
  // A test in quarantine does not fail the gate, nor does it warn; a project that is completed warns nobody any more.
  const rows = await work.rows('automated_tests');
  const test = rows.find(({ name, project_id: project }) => name === 'pays' && project === work.open)!;
  const quarantine = await work.as.manager('PUT', `/automated-tests/${test.id}`, {
    quarantined_until: '2999-01-01',
    quarantine_reason: 'Its machine is slow.',
  });
  expect(quarantine.status, JSON.stringify(quarantine.body)).toBe(200);
  expect(await isFailing('manager', `?scope=${work.open}`)).toBe(false);
  await work.as.manager('PUT', `/automated-tests/${test.id}`, { quarantined_until: null });
  expect(await isFailing('manager', `?scope=${work.open}`)).toBe(true);
  await work.as.manager('PUT', `/projects/${work.open}`, { project_status_id: 3 });
  expect(await isFailing('manager', `?scope=${work.open}`)).toBe(false);
  await work.as.manager('PUT', `/projects/${work.open}`, { project_status_id: 2 });
  expect(await isFailing('manager', `?scope=${work.open}`)).toBe(true);
  await send('ships', '');
  expect(await isFailing('manager', `?scope=${work.open}`)).toBe(false);
});

test('a role has no marks of what it may not list', async () => {
  const ofExternal = await marks('external');
  expect(Object.keys(ofExternal)).not.toContain('automated-tests');
  expect(ofExternal.tasks?.count).toBeTypeOf('number');
});
