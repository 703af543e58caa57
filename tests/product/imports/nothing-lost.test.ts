// @module-tag slow
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemoProgram } from '../../support/program';
import { csv, send, type Rows } from '../../server/imports/files';
import { startImporter, type Importer, type Row } from '../../server/imports/importer';
import { newProject as projectOf } from './new-project';

// What a preview promises, an import does; what neither takes is named.

let program: Importer['program'];
let owner: Importer['owner'];
let token: string;
let importer: Importer;

beforeAll(async () => {
  importer = await startImporter(startDemoProgram);
  ({ program, owner, token } = importer);
});
afterAll(() => program?.close());

const readFile = (name: string) => readFileSync(new URL(`formats/lossy/${name}`, import.meta.url), 'utf8');
const listOf = (path: string) => importer.list(path);

const newProject = (name: string) => projectOf(importer, name);

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

describe('the preview and the import report the same errors', () => {
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

describe('files of other programs', () => {
  const stepsOf = (one: Row) =>
    (one.steps as Row[]).map(({ action, data, expected }) => [action, data, expected].map((text) => text ?? ''));

  const sheets: [what: string, text: string, tool: string, steps: string[][]][] = [
    [
      'Azure, the steps below the case',
      'Work Item Type,Title,Test Step,Step Action,Step Expected\nTest Case,Pays,,,\n,,1,Open,Opened\n,,2,Pay,Paid\n',
      'Azure Test Plans',
      [
        ['Open', '', 'Opened'],
        ['Pay', '', 'Paid'],
      ],
    ],
    [
      'PractiTest, whose steps have a name and a description',
      'id,Name,Step Name,Step Description,Step Expected Results,Step Position\n1,Pays,Open,The <b>shop</b>,Opened,1\n,,Pay,,Paid,2\n',
      'PractiTest',
      [
        ['Open\nThe shop', '', 'Opened'],
        ['Pay', '', 'Paid'],
      ],
    ],
    [
      'HP ALM',
      'Subject,Test Name,Step Name,Description,Step Description,Expected Result\nShop,Pays,Step 1,Why,Open,Opened\n,,Step 2,,Pay,Paid\n',
      'HP ALM',
      [
        ['Step 1\nOpen', '', 'Opened'],
        ['Step 2\nPay', '', 'Paid'],
      ],
    ],
    [
      'TestRail, in HTML',
      'ID,Title,Section,Section Hierarchy,Template,Preconditions,Steps (Index),Steps (Step),Steps (Additional Info),Steps (Expected Result)\nC1,Pays,Pay,Web > Pay,Test Case (Steps),<p>pre</p>,1,<p>Open the page</p><p><br></p><ul><li>now</li></ul>,,<p>5 &lt; 6</p>\n',
      'TestRail',
      [['Open the page\n\nnow', '', '5 < 6']],
    ],
    [
      'Zephyr, in HTML',
      'Key,Name,Precondition,Test Script (Step-by-Step) - Step,Test Script (Step-by-Step) - Test Data,Test Script (Step-by-Step) - Expected Result\nT-1,Pays,<em>pre</em>,Open<br>it,<b>Anna</b>,Opened\n',
      'Zephyr',
      [['Open\nit', 'Anna', 'Opened']],
    ],
  ];
  test.each(sheets)('fill steps: %s', async (what, text, tool, steps) => {
    const project = await newProject(`Steps: ${what}`);
    const seen = await preview(text, project);
    expect([seen.errors, seen.tool, seen.ready]).toEqual([[], tool, 1]);
    expect((await post(text, project)).body).toMatchObject({ success: true, imported: 1 });
    const [one] = await wholeCases(project);
    expect(stepsOf(one!)).toEqual(steps);
    expect(one).toMatchObject({ steps_to_reproduce: null, expected_result: null });
  });

  test('preconditions of Xray are texts of the cases that name them, and no cases', async () => {
    const project = await newProject('Xray');
    const text = `${readFile('xray-precondition-becomes-a-case.csv').trimEnd()}\n3,,All of them,,,,Test Set,,,A set\n`;
    const seen = await preview(text, project);
    expect([seen.errors, seen.tool, seen.ready, seen.skipped]).toEqual([[], 'Xray', 1, 2]);
    expect((await post(text, project)).body).toMatchObject({ success: true, imported: 1 });
    expect(await wholeCases(project)).toMatchObject([
      { name: 'Pays', pre_conditions: 'Signed in: Be signed in as Anna', steps: [{ action: 'Pay', expected: 'Paid' }] },
    ]);
  });

  test.each<[file: string, notes: string[], listed: [column: string, cells: number][], data: string | null]>([
    [
      'testrail-custom-field-lost.xml',
      ['Suite: Suite text', 'Section “Pay”: Section text', 'TestRail ID: C1', 'References: JIRA-1, JIRA-2'],
      [
        ['Estimate', 1],
        ['Template', 1],
        ['Milestone', 1],
        ['Automation Type', 1],
        ['Risk', 1],
        ['Customer Note', 1],
      ],
      null,
    ],
    [
      'testlink-custom-fields-and-suite-details-lost.xml',
      ['S', 'Section “Pay”: Use only the sandbox bank.', 'TestLink ID: 1', 'Keywords: smoke'],
      [
        ['Execution Type', 1],
        ['Risk', 1],
        ['Empty Sections', 1],
      ],
      null,
    ],
    [
      'zephyr-parameters-lost.xml',
      ['Zephyr Key: T-1'],
      [
        ['Component', 1],
        ['Risk', 1],
      ],
      'User: John',
    ],
  ])(
    '%s: what has no field is kept in the description, or listed in the preview',
    async (file, notes, listed, data) => {
      const project = await newProject(file);
      const text = readFile(file);
      const seen = await preview(text, project, { name: file });
      expect(seen.errors).toEqual([]);
      expect(seen.dropped.map(({ column, cells }) => [column, cells])).toEqual(listed);
      expect((await post(text, project, { name: file })).body).toMatchObject({ success: true });
      const [first, second] = await wholeCases(project);
      expect(first).toMatchObject({
        description: notes.map((line) => `<p>${line}</p>`).join(''),
        test_data: data,
      });
      if (data) {
        expect(first!.steps).toMatchObject([{ action: 'Insert {User} in the field' }]);
        expect(second).toMatchObject({ test_data: 'Password: pwd123' });
      }
    },
  );

  test('a step without an action is stored where it has an expected result, and refused where it has none', async () => {
    const project = await newProject('Without an action');
    const name = 'testlink-step-without-action-refused.xml';
    expect((await post(readFile(name), project, { name })).body).toMatchObject({ success: true, imported: 1 });
    const [one] = await wholeCases(project);
    expect(stepsOf(one!)).toEqual([
      ['Open', '', ''],
      ['', '', 'It is open'],
    ]);
    const answer = await owner('PUT', `/test-cases/${one!.id}`, { ...one, steps: [{ data: 'Alone' }] });
    expect([answer.status, answer.body]).toMatchObject([422, { errors: { 'steps[0].action': expect.anything() } }]);
  });
});

test('numbered text is split into steps on request, with a preview', async () => {
  const project = await newProject('Split');
  const rows: Rows = [
    ['Title', 'Steps', 'Test Data', 'Expected Result', 'Description'],
    ['Numbered', '1. Open it\nand wait\n2) Close it', 'x', '1. It is open\n2. It is shut', '1. One\n2. Two'],
    ['Plain', 'Look', '', 'Seen', ''],
  ];
  const seen = await preview(csv(rows), project);
  expect([seen.numbered, seen.rows.map(({ row, last }) => [row, last])]).toEqual([
    1,
    [
      [2, 2],
      [3, 3],
    ],
  ]);
  const split = await preview(csv(rows), project, { split: '1' });
  expect(split).toMatchObject({
    errors: [],
    ready: 2,
    row_counts: [{ field: 'steps', count: 3 }],
    columns: [{ field: 'name' }, { field: 'steps.action' }, { field: 'steps.data' }, { field: 'steps.expected' }, {}],
  });
  expect((await post(csv(rows), project, { split: '1' })).body).toMatchObject({ success: true, imported: 2 });
  expect(await wholeCases(project)).toMatchObject([
    {
      steps: [
        { action: 'Open it\nand wait', data: 'x', expected: 'It is open' },
        { action: 'Close it', data: null, expected: 'It is shut' },
      ],
      steps_to_reproduce: null,
      description: '<p>1. One</p><p>2. Two</p>',
    },
    { steps: [{ action: 'Look', data: null, expected: 'Seen' }] },
  ]);
  expect((await post(csv(rows), project, { split: 'yes' })).status).toBe(400);
});
