// @module-tag slow
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemoProgram } from '../../support/program';
import { csv, send } from '../../server/imports/files';
import { startImporter, type Importer, type Row } from '../../server/imports/importer';
import { newProject as projectOf } from './new-project';

let program: Importer['program'];
let owner: Importer['owner'];
let token: string;
let importer: Importer;

beforeAll(async () => {
  importer = await startImporter(startDemoProgram);
  ({ program, owner, token } = importer);
});
afterAll(() => program?.close());

const tokenOf = (email: string) => importer.tokenOf(email);
const fixture = (name: string) => readFileSync(new URL(`formats/${name}`, import.meta.url));
const listOf = (path: string) => importer.list(path);
const newProject = (name: string) => projectOf(importer, name);
const post = (file: Buffer | string, project: string, query = '', name = 'cases.xml', who = token) =>
  send(program, who, `/test-cases/import${query}`, file, { project_id: project }, name);
const casesOf = (project: string) => listOf(`/test-cases?project_id=${project}&sort=["id","ASC"]&range=[0,99]`);
const modulesOf = (project: string) => listOf(`/project-modules?project_id=${project}&sort=["id","ASC"]`);

const files: [file: string, tool: string][] = [
  ['testrail-steps.xml', 'TestRail'],
  ['testrail-text.xml', 'TestRail'],
  ['testrail-exploratory.xml', 'TestRail'],
  ['testrail-rows.csv', 'TestRail'],
  ['testrail-numbered.csv', 'TestRail'],
  ['testrail-text.csv', 'TestRail'],
  ['testlink-suite.xml', 'TestLink'],
  ['testlink-cases.xml', 'TestLink'],
  ['testlink-old.xml', 'TestLink'],
  ['zephyr-steps.xml', 'Zephyr Scale'],
  ['zephyr-plain.xml', 'Zephyr Scale'],
  ['zephyr-list.xml', 'Zephyr Scale'],
  ['xray-bulk.json', 'Xray'],
  ['xray-server.json', 'Xray'],
  ['qase-tree.json', 'Qase'],
  ['qase-flat.json', 'Qase'],
  ['qase-interface.json', 'Qase'],
  ['qase-classic.csv', 'Qase'],
  ['qase-gherkin.csv', 'Qase'],
  ['qase-semicolon.csv', 'Qase'],
];

test('the preview of every file knows its program, and has nothing to complain about', async () => {
  const project = await newProject('Previews');
  for (const [file, tool] of files) {
    const { status, body } = await post(fixture(file), project, '?preview=1', file);
    expect([file, status, body.tool, body.errors]).toEqual([file, 200, tool, []]);
    expect(body.ready, file).toBe(body.total);
  }
  // Nothing was made.
  expect(await modulesOf(project)).toEqual([]);
});

test('a file of TestRail becomes cases with steps, in modules that are made once', async () => {
  const project = await newProject('From TestRail');
  const { body: preview } = await post(fixture('testrail-steps.xml'), project, '?preview=1');
  const module = preview.values.find(({ field }) => field === 'project_module')!;
  expect(module.values).toEqual([expect.objectContaining({ text: 'Checkout', means: 'Checkout', by: 'new' })]);
  expect(preview.dropped.map(({ column }) => column)).toEqual(['Estimate', 'Template']);
  expect((await post(fixture('testrail-steps.xml'), project)).body).toMatchObject({ success: true, imported: 2 });
  const [checkout, refunds, ...others] = await modulesOf(project);
  expect([checkout, refunds, others]).toMatchObject([
    { name: 'Checkout', parent_module: null },
    { name: 'Refunds', parent_module: checkout!.id },
    [],
  ]);
  const [first, second] = await casesOf(project);
  const whole = (await owner<{ data: Row }>('GET', `/test-cases/${first!.id}`)).body.data;
  expect(whole).toMatchObject({
    name: 'Pay by card',
    pre_conditions: 'A cart with one article\nA valid card',
    type: { option_name: 'Smoke' },
    priority: { option_name: 'Urgent' },
    project_module: checkout!.id,
    project_sub_module: null,
    steps: [
      { action: 'Open the cart', data: null, expected: 'The total is shown' },
      { action: 'Pay', data: '4242 4242 4242 4242', expected: 'A receipt <PDF> is offered' },
    ],
  });
  expect(second).toMatchObject({ project_module: checkout!.id, project_sub_module: refunds!.id });
  // Another file into the same sections makes no module again.
  await post(fixture('testrail-steps.xml'), project, '?again=1');
  expect(await modulesOf(project)).toHaveLength(2);
});

test('a row that is refused keeps no other one from its new module', async () => {
  const project = await newProject('Refused among new modules');
  const rows = csv([
    ['Title', 'Module'],
    ['First', 'Fresh'],
    ['', 'Fresh'],
    ['Third', 'Fresh'],
  ]);
  const answer = await post(rows, project, '', 'rows.csv');
  expect([answer.status, answer.headers['x-failed']]).toEqual([200, '1']);
  expect((await casesOf(project)).map(({ name }) => name)).toEqual(['First', 'Third']);
  expect(await modulesOf(project)).toMatchObject([{ name: 'Fresh' }]);
});

test('an import by a user who may not create modules reports the missing ones', async () => {
  const project = await newProject('No modules');
  const some = await program.restricted();
  await some.grant([
    'imports.list',
    'imports.create',
    'test-cases.list',
    'test-cases.create',
    'projects.list',
    'project-modules.list',
    'priorities.list',
    'test-cases-types.list',
  ]);
  const who = await tokenOf('restricted@demo.test');
  const { body } = await post(fixture('testrail-text.xml'), project, '?preview=1', 'a.xml', who);
  expect(body.errors).toMatchObject([
    { row: 2, column: 'Module', message: expect.stringContaining('not available') },
    { row: 3, column: 'Module' },
  ]);
  expect(await modulesOf(project)).toEqual([]);
});

describe('a hostile file is refused, and changes nothing', () => {
  const hostile: [name: string, text: string, message: RegExp][] = [
    ['entities', '<!DOCTYPE a [<!ENTITY b "c">]><suite>&b;</suite>', /^Line 1: The document declares entities/],
    [
      'an external file',
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><suite>&b;</suite>',
      /declares entities/,
    ],
    ['depth', `<suite>${'<section>'.repeat(1_000)}`, /nested deeper than 200 levels/],
    [
      'JSON in JSON',
      `{"suites": ${'['.repeat(100_000)}`,
      /^Line 1: the document is nested too deeply: at most 200 levels are read/,
    ],
    [
      'a cell of a megabyte',
      `<suite><cases><case>\n<title>${'a'.repeat(1_000_000)}</title></case></cases></suite>`,
      /more than 100,000 characters/,
    ],
    [
      'many rows',
      `<suite><cases>${'<case><title>a</title></case>'.repeat(50_001)}</cases></suite>`,
      /more than 50,000 rows/,
    ],
    ['XML of another program', '<rss><channel/></rss>', /XML of a format that is not known/],
    ['JSON of another program', '{"rows": []}', /JSON of a format that is not known/],
    ['broken XML', '<suite>\n<sections>\n</suite>', /^Line 3: This is not well-formed XML/],
  ];
  test.each(hostile)('%s', async (_, text, message) => {
    const [project] = await listOf('/projects?range=[0,0]');
    const before = (await owner('GET', '/test-cases?range=[0,0]')).headers['content-range'];
    const { status, body } = await post(text, String(project!.id), '?preview=1');
    expect([status, body.message]).toEqual([422, expect.stringMatching(message)]);
    expect((await owner('GET', '/test-cases?range=[0,0]')).headers['content-range']).toBe(before);
  });
});

test('other resources read spreadsheets alone', async () => {
  const [project] = await listOf('/projects?range=[0,0]');
  const fields = { project_id: String(project!.id) };
  for (const name of ['a.xml', 'a.csv']) {
    const { status, body } = await send(program, token, '/tasks/import?preview=1', '<tasks/>', fields, name);
    expect([status, body.success]).toEqual([422, false]);
  }
});

describe('an export to another program and an import of its file', () => {
  const rows = [
    [
      'Title',
      'Module',
      'Sub Module',
      'Type',
      'Priority',
      'Pre-conditions',
      'Test Data',
      'Steps: Action',
      'Steps: Data',
      'Steps: Expected',
    ],
    [
      '=Sum of "all" > a',
      'Pay > all',
      'Cards / Visa',
      'API',
      'Urgent',
      'One\n\ntwo',
      '<b>x</b>',
      '1. Open\n2. Close',
      '-1',
      '=2',
    ],
    ['', '', '', '', '', '', '', '+3', '', "'quoted"],
    ['Second', 'Pay > all', '', 'Smoke', 'Low', 'h3. Type', '', '', '', ''],
    ['Third', '', '', '', '', '', '', 'Look', '', ''],
  ];
  const exported = async (format: string, project: string) => {
    const url = `/api/test-cases-export?format=${format}&project_id=${project}&sort=["id","ASC"]`;
    const file = await program.app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } });
    expect(file.statusCode, file.body.slice(0, 200)).toBe(200);
    return file;
  };
  /** The file without what numbers records. */
  const withoutIds = (text: string) => text.replace(/TC-\d+/g, 'TC');

  test.each(['testrail', 'qase', 'xray'])('%s', async (format) => {
    const from = await newProject(`Out ${format}`);
    expect((await post(csv(rows), from, '', 'rows.csv')).body).toMatchObject({ success: true, imported: 3 });
    const file = await exported(format, from);
    expect(file.headers['x-total']).toBe('3');
    const extension = format === 'testrail' ? 'csv' : 'json';
    expect(file.headers['content-disposition']).toContain(`_${format}.${extension}"`);
    const to = await newProject(`In ${format}`);
    const { body } = await post(file.rawPayload, to, '', `x.${extension}`);
    expect(body).toMatchObject({ success: true, imported: 3 });
    expect(withoutIds((await exported(format, to)).body)).toBe(withoutIds(file.body));
    const said = async (project: string) =>
      (await casesOf(project))
        .map(({ name, description, steps, test_data, pre_conditions, type_id, priority_id }) =>
          JSON.stringify({ name, description, steps, test_data, pre_conditions, type_id, priority_id }),
        )
        .sort();
    expect(await said(to)).toEqual(await said(from));
    expect((await modulesOf(to)).map(({ name }) => name).sort()).toEqual(['Cards / Visa', 'Pay > all']);
  });

  test('only the list of test cases is offered in these forms, to those who may list it', async () => {
    expect((await owner('GET', '/clients-export?format=qase')).status).toBe(400);
    expect((await owner('GET', '/test-cases-export?format=other')).body).toMatchObject({
      message: expect.stringContaining('xlsx, csv, testrail, qase, xray'),
    });
    expect((await program.call('GET', '/test-cases-export?format=qase')).status).toBe(401);
  });

  test('an empty list is an empty file', async () => {
    const project = await newProject('Empty');
    expect(JSON.parse((await exported('xray', project)).body)).toEqual([]);
    expect(JSON.parse((await exported('qase', project)).body)).toEqual({ suites: [], cases: [] });
  });
});
