// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServiceAccount } from '../support/service-account';
import { ownersResources, sendAs, serverFaults, writeRecords, type Writer } from '../support/service-writes';
import { shippedDefinitions } from '../support/definitions';
import { createRegistry } from '../../src/engine/registry/registry';
import { csv, send } from '../server/imports/files';
import { startWork, type Row, type Work } from './work';

// Everything of this product that a service account changes, and who it says did it.

const registry = createRegistry(shippedDefinitions());
const written = ownersResources(registry).filter(({ name }) => name !== 'run-entries');
let work: Work;
let writer: Writer;

beforeAll(async () => {
  work = await startWork();
  const { owner } = work.as;
  writer = { program: work.program, registry, owner, account: await createServiceAccount(work.program, owner) };
});
afterAll(() => work?.program.close());

test.each(written.map((definition) => [definition.name, definition] as const))(
  '%s are written by a service account, and their history names it',
  async (_name, definition) => {
    await writeRecords(writer, definition);
  },
);

test('every declared call answers a service account without a fault of the server', async () => {
  expect(await serverFaults(writer, ['tasks', 'test-cases'])).toEqual([]);
});

test.each(['tasks', 'test-cases'])('%s are imported by a service account', async (type) => {
  const { account, owner } = writer;
  const module = (await work.rows('project_modules')).find(({ project_id }) => project_id === work.open)!;
  const name = `Imported ${type}`;
  const file = csv([
    ['Name', 'Module', 'Project Module'],
    [name, module.name, module.name],
  ]);
  const fields = { project_id: String(work.open) };
  const answer = await send(work.program, account.token, `/${type}/import?wait=1`, file, fields, 'rows.csv');
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200, body: { success: true, imported: 1 } });
  const { body } = await owner<{ data: Row[] }>('GET', `/${type}?q=${encodeURIComponent(name)}`);
  expect(body.data[0]).toMatchObject({ name, created_by: expect.anything() });
  expect(JSON.stringify(body.data[0])).toContain(account.name);
});

test('a run is started, recorded, signed off and closed by a service account', async () => {
  const { account } = writer;
  const [first, second] = (await work.rows('test_cases')).filter(({ project_id }) => project_id === work.open);
  const { data: run } = await sendAs<{ data: Row }>(writer, 'POST', '/test-runs', {
    name: 'By a script',
    project_id: work.open,
  });
  expect(run).toMatchObject({ owner: { name: account.name } });
  await sendAs(writer, 'POST', `/test-runs/${run.id}/tests`, { test_cases: [first!.id, second!.id] });
  const { data: entries } = await sendAs<{ data: Row[] }>(writer, 'GET', `/run-entries?run_id=${run.id}`);
  expect(entries).toHaveLength(2);
  for (const { id } of entries)
    await sendAs(writer, 'PUT', `/run-entries/${id}/result`, { result: 'passed', comment: 'By a script' });
  const attempts = await sendAs<{ data: Row[] }>(writer, 'GET', `/attempts?entry_id=${entries[0]!.id}`);
  expect(JSON.stringify(attempts.data[0])).toContain(account.name);
  await sendAs(writer, 'POST', `/test-runs/${run.id}/stamp`, { comment: 'Good' });
  const report = await sendAs<{ data: object }>(writer, 'GET', `/test-runs/${run.id}/report`);
  expect(JSON.stringify(report.data)).toContain(account.name);
});
