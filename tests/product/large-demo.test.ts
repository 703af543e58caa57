import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { product } from '../../src/product';
import { growDemoData } from '../../src/product/demo/large';
import { startProgram, type TestProgram } from '../server/accounts/session/program';

let started: TestProgram;
beforeAll(async () => {
  started = await startProgram({ DEMO: '1' }, inject('demo'), product);
});
afterAll(() => started.close());

const amounts = { tasks: 400, 'test-cases': 420, 'time-logs': 1_500 };
const rows = (table: string) => started.test.database.kysely.selectFrom(table).selectAll().orderBy('id').execute();
const parts = async () => {
  const { rows: found } = await started.test.database.pool.query(`
    select indexdef as part from pg_indexes where schemaname in ('public', 'assay')
    union all select conname || pg_get_constraintdef(oid) from pg_constraint order by 1`);
  return found;
};

test('the demo grows to the given amounts, with the same indexes and references', async () => {
  const before = await parts();
  const lines: string[] = [];
  await growDemoData(started.program, (line) => lines.push(line), amounts);
  expect(await parts()).toEqual(before);
  expect(lines[0]).toMatch(/^400 tasks \(276 added in /);

  const [tasks, testCases, logs] = [await rows('tasks'), await rows('test_cases'), await rows('time_logs')];
  expect([tasks.length, testCases.length, logs.length]).toEqual(Object.values(amounts));
  const projects = new Map(tasks.map(({ id, project_id }) => [id, project_id]));
  const linked = testCases.filter(({ task_id }) => task_id !== null);
  expect(linked.length).toBeGreaterThan(200);
  expect(linked.every(({ task_id, project_id }) => projects.get(task_id) === project_id)).toBe(true);
  expect(new Set(testCases.map(({ sharable_link }) => sharable_link)).size).toBe(420);
  expect(tasks.filter(({ site_id }) => site_id === 2)).toHaveLength(4);
  const today = new Date().toISOString().slice(0, 10);
  expect(logs.every(({ date }) => date <= today)).toBe(true);

  const token = await started.signIn('qa');
  const { body, headers } = await started.call('GET', '/test-cases?range=[0,14]', { token });
  expect(headers['content-range']).toBe('test-cases 0-14/414');
  const { body: history } = await started.call('GET', `/test-cases/${body.data[0].id}/history`, { token });
  expect(history.data[0]).toMatchObject({ event: 'created', new_values: { name: body.data[0].name } });

  await growDemoData(started.program, (line) => lines.push(line), amounts);
  expect(await rows('tasks')).toEqual(tasks);
});
