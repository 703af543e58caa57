import { Ajv } from 'ajv';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import schema from '../../schemas/start.schema.json';
import start from '../../src/product/start.json';
import { startDemoProgram, type Client, type DemoProgram } from '../support/program';

// What the QA product offers a company that has just registered.

let program: DemoProgram;
let owner: Client;
beforeAll(async () => {
  program = await startDemoProgram();
  const { body } = await program.call<{ token: string }>('POST', '/register', {
    email: 'ada@fresh.test',
    password: 'Quiet#Harbour8',
    first_name: 'Ada',
    last_name: 'Novak',
    site_name: 'Fresh',
  });
  owner = (method, path, sent, headers) =>
    program.call(method, path, sent, { authorization: `Bearer ${body.token}`, ...headers });
});
afterAll(() => program?.close());

const totalOf = async (resource: string) => (await owner('GET', `/${resource}?range=[0,0]`)).headers['content-range'];

test('its file is as the schema says', () => {
  const validate = new Ajv({ allErrors: true }).compile(schema);
  expect(validate(start) ? [] : validate.errors).toEqual([]);
});

test('the sample project has records of each step, and leaves nothing behind', async () => {
  const created = await owner<{ data: { steps: { done: boolean }[] } }>('POST', '/sample');
  expect(created.status).toBe(200);
  expect(created.body.data.steps.map(({ done }) => done)).toEqual([true, true, true]);
  expect(await totalOf('test-cases')).toMatch(/\/4$/);
  expect((await owner<{ data: object }>('GET', '/me')).body.data).toMatchObject({ totalClients: 1, totalProjects: 1 });
  // Also of what lies in the archive by now.
  const { body } = await owner<{ data: { id: number }[] } | { id: number }[]>('GET', '/clients');
  const [client] = Array.isArray(body) ? body : body.data;
  await owner('DELETE', `/clients/${client!.id}`);
  expect((await owner('DELETE', '/sample')).status).toBe(200);
  expect((await owner<{ data: object }>('GET', '/me')).body.data).toMatchObject({ totalClients: 0, totalProjects: 0 });
  expect(await totalOf('test-cases')).toMatch(/\/0$/);
  expect(await totalOf('tasks')).toMatch(/\/0$/);
});

test('a company that works is past the steps, also for whoever sees none of its records yet', async () => {
  await sql`delete from public.projects__user_ids where target_id in
    (select id from public.users where email = 'external@demo.test')`.execute(program.program.database.kysely);
  const external = await program.signIn('external@demo.test');
  const listed = await external<{ data: object[] }>('GET', '/test-cases');
  expect(listed.headers['content-range']).toMatch(/\/0$/);
  const { body } = await external<{ data: { steps: object[] } }>('GET', '/start');
  expect(body.data.steps).toMatchObject([{ resource: 'test-cases', done: true }]);
});
