// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';
import { csv, send, type Rows } from '../../server/imports/files';

// What a preview promises, an import does; what neither takes is named.

interface Row {
  id: number;
  [name: string]: unknown;
}

let program: DemoProgram;
let owner: Client;
let token: string;

beforeAll(async () => {
  program = await startDemoProgram();
  owner = await program.signIn(accounts.owner);
  const { body } = await program.call<{ token: string }>('POST', '/login', {
    email: accounts.owner,
    password: 'Demo@1234',
  });
  token = body.token;
});
afterAll(() => program?.close());

const listOf = async (path: string) => {
  const { body } = await owner<{ data: Row[] } | Row[]>('GET', path);
  return Array.isArray(body) ? body : body.data;
};

/** A project without modules, of the same client as another one. */
async function newProject(name: string): Promise<string> {
  const [like] = await listOf('/projects?range=[0,0]');
  const { id: _, ...values } = (await owner<{ data: Row } & Row>('GET', `/projects/${like!.id}`)).body;
  const { client_id, type_id, status_id, start_date, end_date } = (values.data ?? values) as Row;
  const made = await owner<Row & { data?: Row }>('POST', '/projects', {
    name,
    client_id,
    type_id,
    status_id,
    start_date,
    end_date,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return String((made.body.data ?? made.body).id);
}

const post = (
  file: Buffer | string,
  project: string,
  { query = '', name = 'cases.csv', ...fields }: Record<string, string> = {},
) => send(program, token, `/test-cases/import${query}`, file, { project_id: project, ...fields }, name);
const preview = async (file: Buffer | string, project: string, options: Record<string, string> = {}) =>
  (await post(file, project, { query: '?preview=1', ...options })).body;
const casesOf = (project: string) => listOf(`/test-cases?project_id=${project}&sort=["id","ASC"]&range=[0,99]`);
const wholeCases = async (project: string) =>
  Promise.all(
    (await casesOf(project)).map(async ({ id }) => (await owner<{ data: Row }>('GET', `/test-cases/${id}`)).body.data),
  );
const modulesOf = async (project: string) =>
  (await listOf(`/project-modules?project_id=${project}&sort=["id","ASC"]`)).map(({ name }) => name);

describe('the preview and the import have one check', () => {
  const files: [what: string, rows: Rows, ready: number, modules: string[]][] = [
    [
      'a sub module without a module',
      [
        ['Title', 'Sub Module'],
        ['Pays', 'Checkout'],
      ],
      0,
      [],
    ],
    [
      'a module that a refused row alone names',
      [
        ['Title', 'Module', 'Sub Module', 'Priority'],
        ['Pays', 'Shop', 'Cards', 'High'],
        ['Is refused', 'Nowhere', 'Never', 'No such priority'],
        ['Ships', 'shop', 'Parcels', 'High'],
      ],
      2,
      ['Shop', 'Cards', 'Parcels'],
    ],
    [
      'a module that a refused row names first',
      [
        ['Title', 'Module', 'Priority'],
        ['Is refused', 'Both', 'No such priority'],
        ['Pays', 'Both', 'High'],
      ],
      1,
      ['Both'],
    ],
    [
      'a module with too long a name',
      [
        ['Title', 'Module'],
        ['Pays', 'x'.repeat(151)],
      ],
      0,
      [],
    ],
  ];
  test.each(files)('%s', async (what, rows, ready, modules) => {
    const project = await newProject(`One check: ${what}`);
    const failed = rows.length - 1 - ready;
    const seen = await preview(csv(rows), project);
    expect([seen.ready, seen.failed]).toEqual([ready, failed]);
    expect(await modulesOf(project)).toEqual([]);
    const answer = await post(csv(rows), project);
    expect(answer.headers['content-type']).toContain(failed > 0 ? 'spreadsheetml' : 'json');
    expect(await casesOf(project)).toHaveLength(ready);
    expect((await modulesOf(project)).sort()).toEqual([...modules].sort());
  });

  test('a sub module without a module is refused with what is missing', async () => {
    const project = await newProject('Says what is missing');
    const { errors } = await preview(
      csv([
        ['Title', 'Sub Module'],
        ['Pays', 'Checkout'],
      ]),
      project,
    );
    expect(errors).toEqual([
      {
        row: 2,
        column: 'Sub Module',
        message: 'Sub Module “Checkout” needs a Module: fill in a column Module, or leave Sub Module empty.',
      },
    ]);
  });
});

test.each(['xlsx', 'csv'])('a default export can be imported into another project: %s', async (format) => {
  const from = await newProject(`Leaves as ${format}`);
  const rows: Rows = [
    ['Title', 'Module', 'Sub Module', 'Description', 'Steps: Action', 'Steps: Data', 'Steps: Expected'],
    ['Pays', 'Shop', 'Cards', 'First\n\nafter an empty  line', '-1 article', '=1+1', '+1  of  two'],
    ['', '', '', '', 'Pay', '', 'Paid\n\nwith  care'],
    ['Looks', 'Shop', '', '', '', '', ''],
  ];
  expect((await post(csv(rows), from)).body).toMatchObject({ success: true, imported: 2 });
  const file = await program.app.inject({
    url: `/api/test-cases-export?project_id=${from}&format=${format}`,
    headers: { authorization: `Bearer ${token}` },
  });
  const to = await newProject(`Arrives as ${format}`);
  const seen = await preview(file.rawPayload, to, { name: `cases.${format}` });
  expect([seen.errors, seen.ready]).toEqual([[], 2]);
  const { body } = await post(file.rawPayload, to, { name: `cases.${format}` });
  expect(body).toMatchObject({ success: true, imported: 2 });
  const said = async (project: string) =>
    (await wholeCases(project))
      .map(({ name, description, steps, module, sub_module }) => ({
        name,
        description,
        steps: (steps as Row[]).map(({ action, data, expected }) => ({ action, data, expected })),
        module: (module as Row | null)?.name,
        sub_module: (sub_module as Row | null)?.name,
      }))
      .sort((one, other) => String(one.name).localeCompare(String(other.name)));
  expect(await said(to)).toEqual(await said(from));
  expect((await said(to))[1]!.steps[0]).toEqual({ action: '-1 article', data: '=1+1', expected: '+1  of  two' });
});
