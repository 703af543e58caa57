// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDemoProgram } from '../../support/program';
import { book, csv, send, type Rows } from '../../server/imports/files';
import { startImporter, type Importer, type Row } from '../../server/imports/importer';

let program: Importer['program'];
let owner: Importer['owner'];
let token: string;
let project: Row;
/** Of somebody who may be assigned to in the project. */
let email: string;

beforeAll(async () => {
  ({ program, owner, token } = await startImporter(startDemoProgram));
  for (project of (await owner<Row[]>('GET', '/projects')).body) {
    const [member] = (await owner<{ data: Row[] }>('GET', `/test-cases/choices/assigned_to?project_id=${project.id}`))
      .body.data;
    if (!member) continue;
    email = String((await owner<{ data: Row }>('GET', `/users/${member.id}`)).body.data.email);
    break;
  }
});
afterAll(() => program?.close());

/** Two cases as each program exports them, the first with two steps; `own` is what its files do not say, or otherwise. */
const files: [tool: string, type: string, rows: Rows, delimiter?: string, own?: Record<string, unknown>][] = [
  [
    'TestRail',
    'test-cases',
    [
      [
        'ID',
        'Title',
        'Created By',
        'Estimate',
        'Preconditions',
        'Priority',
        'Section',
        'Section Hierarchy',
        'Steps (Step)',
        'Steps (Expected Result)',
        'Template',
        'Type',
      ],
      [
        'C1',
        'TestRail first',
        'Ann',
        '',
        'A card',
        'Critical',
        'Pay',
        'Shop > Pay',
        'Open it',
        'It is open',
        'Test Case (Steps)',
        'Smoke & Sanity',
      ],
      ['', '', '', '', '', '', '', '', 'Close it', 'It is shut', '', ''],
      ['C2', 'TestRail second', 'Ann', '', '', 'Medium', 'Pay', 'Shop > Pay', 'Look', '', 'Test Case (Steps)', 'Other'],
    ],
  ],
  [
    'Zephyr',
    'test-cases',
    [
      [
        'Key',
        'Name',
        'Status',
        'Precondition',
        'Objective',
        'Folder',
        'Priority',
        'Component',
        'Labels',
        'Estimated Time',
        'Coverage (Issues)',
        'Test Script (Step-by-Step) - Step',
        'Test Script (Step-by-Step) - Test Data',
        'Test Script (Step-by-Step) - Expected Result',
      ],
      [
        'Z-T1',
        'Zephyr first',
        'Draft',
        'A card',
        'Why',
        '/Shop',
        'Critical',
        '',
        '',
        '',
        '',
        'Open it',
        'x',
        'It is open',
      ],
      ['', '', '', '', '', '', '', '', '', '', '', 'Close it', '', 'It is shut'],
      ['Z-T2', 'Zephyr second', 'Approved', '', '', '/Shop', 'Normal', 'Any', '', '', '', 'Look', '', ''],
    ],
  ],
  [
    'Xray',
    'test-cases',
    [
      ['TCID', 'Test Summary', 'Test Type', 'Component', 'Test Priority', 'Precondition', 'Action', 'Data', 'Result'],
      ['1', 'Xray first', 'Manual', 'Shop', 'Highest', 'A card', 'Open it', 'x', 'It is open'],
      ['1', 'Xray first', 'Manual', 'Shop', 'Highest', 'A card', 'Close it', '', 'It is shut'],
      ['2', 'Xray second', 'Manual', 'Shop', 'Medium', '', 'Look', '', ''],
    ],
    ';',
  ],
  [
    'Testiny',
    'test-cases',
    [
      ['ID', 'Title', 'Template', 'Folder', 'Precondition', 'Steps', 'Expected result', 'Priority', 'Status', 'Type'],
      ['TC-1', 'Testiny first', 'STEPS', 'Shop', 'A card', 'Open it', 'It is open', 'P1', 'Draft', 'Functional'],
      ['TC-1', '', '', '', '', 'Close it', 'It is shut', '', '', ''],
      ['TC-2', 'Testiny second', 'TEXT', 'Shop', '', 'Look', '', 'P3', 'Ready', 'Other'],
    ],
  ],
  [
    'Jira',
    'test-cases',
    [
      [
        'Issue Type',
        'Issue key',
        'Issue id',
        'Summary',
        'Reporter',
        'Status',
        'Priority',
        'Component/s',
        'Steps',
        'Expected Result',
        'Preconditions',
      ],
      [
        'Test',
        'J-1',
        '100',
        'Jira first',
        'Ann',
        'To Do',
        'Highest',
        'Shop',
        '1. Open it\n2. Close it',
        '1. It is open\n2. It is shut',
        'A card',
      ],
      ['Test', 'J-2', '101', 'Jira second', 'Ann', 'Done', 'Medium', '', 'Look', '', ''],
    ],
  ],
  [
    'Azure Test Plans',
    'test-cases',
    [
      [
        'ID',
        'Work Item Type',
        'Title',
        'Test Step',
        'Step Action',
        'Step Expected',
        'Priority',
        'Area Path',
        'Assigned To',
        'State',
      ],
      ['101', 'Test Case', 'Azure Test Plans first', '', '', '', '1', 'Shop\\Pay', 'Somebody <MEMBER>', 'Design'],
      ['', '', '', '1', 'Open it', 'It is open', '', '', '', ''],
      ['', '', '', '2', 'Close it', 'It is shut', '', '', '', ''],
      ['102', 'Test Case', 'Azure Test Plans second', '', '', '', '3', 'Shop\\Pay', '', 'Ready'],
      ['', '', '', '1', 'Look', '', '', '', '', ''],
    ],
    ',',
    { pre_conditions: null },
  ],
  [
    'PractiTest',
    'test-cases',
    [
      [
        'id',
        'Name',
        'Description',
        'Status',
        'Author',
        'Run_status',
        'Last Run',
        'created at',
        'Test_type',
        'Tags',
        'Preconditions',
        'Value Score',
        'Priority',
        'Step name',
        'Step description',
        'Step expected_results',
        'Step position',
        'Traceability - Requirements',
      ],
      [
        '1',
        'PractiTest first',
        'Why',
        'Draft',
        'Ann',
        'PASSED',
        '10-Jan-2024  11:12',
        '09-Jan-2024  09:37',
        'ScriptedTest',
        '',
        'A card',
        'N/A',
        'Highest',
        '',
        'Open it',
        'It is open',
        '1',
        '1',
      ],
      ['', '', '', '', '', '', '', '', '', '', '', '', '', '', 'Close it', 'It is shut', '2', ''],
      [
        '2',
        'PractiTest second',
        '',
        'Ready',
        'Ann',
        'NO RUN',
        '',
        '09-Jan-2024  09:42',
        'ApiTest',
        '',
        '',
        'N/A',
        'Medium',
        ' ',
        'Look',
        ' ',
        '1',
        '',
      ],
    ],
  ],
  [
    'Qase',
    'test-cases',
    [
      [
        'v2.id',
        'title',
        'description',
        'preconditions',
        'postconditions',
        'tags',
        'priority',
        'severity',
        'type',
        'behavior',
        'automation',
        'status',
        'is_flaky',
        'layer',
        'steps_type',
        'steps_actions',
        'steps_result',
        'steps_data',
        'suite_id',
        'suite',
        'suite_without_cases',
      ],
      ['', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '1', 'Shop', '1'],
      [
        '1',
        'Qase first',
        '',
        'A card',
        'After',
        'x',
        'undefined',
        'normal',
        'functional',
        'positive',
        'is-not-automated',
        'actual',
        'no',
        'e2e',
        'classic',
        '1. "Open it"\n2. "Close it"\n',
        '1. "It is open"\n2. "It is shut"\n',
        '1. "Data \\"one\\""\n2. ""\n',
        '1',
        'Shop',
        '',
      ],
      [
        '2',
        'Qase second',
        '',
        '',
        '',
        '',
        'medium',
        'critical',
        'other',
        'undefined',
        'automated',
        'draft',
        'no',
        'unit',
        'classic',
        'Look',
        '1. ""',
        '',
        '1',
        'Shop',
        '',
      ],
    ],
    ',',
    { priority_id: null },
  ],
  [
    'qTest',
    'test-cases',
    [
      [
        'Name',
        'Id',
        'Attachments',
        'Status',
        'Type',
        'Description',
        'Precondition',
        'Test Step #',
        'Test Step Description',
        'Test Step Expected Result',
        'Test Step Attachment',
        'Priority',
      ],
      ['qTest first', 'TC-1', '', 'Baselined', 'Manual', 'Why', 'A card', '1', 'Open it', 'It is open', '', 'Urgent'],
      [
        'qTest first',
        'TC-1',
        '',
        'Baselined',
        'Manual',
        'Why',
        'A card',
        '2',
        'Close it',
        'It is shut',
        'a.png',
        'Urgent',
      ],
      ['qTest second', 'TC-2', '', 'New', 'Performance', '', '', '1', 'Look', '', '', 'Medium'],
    ],
  ],
  [
    'Zephyr Squad',
    'test-cases',
    [
      ['issuekey', 'Summary', 'Priority', 'Labels', 'Component', 'Description', 'TestStep', 'Test Data', 'Test Result'],
      ['Z-1', 'Zephyr Squad first', 'Critical', 'a', 'Shop', 'Why', 'Open it', 'x', 'It is open'],
      ['', '', '', '', '', '', 'Close it', '', 'It is shut'],
      ['Z-2', 'Zephyr Squad second', 'Medium', '', '', '', 'Look', '', ''],
    ],
    ',',
    { pre_conditions: null },
  ],
  [
    'Zephyr Squad',
    'test-cases',
    [
      [
        'CycleName',
        'Issue Key',
        'Test Summary',
        'Component',
        'Priority',
        'ExecutionStatus',
        'StepId',
        'OrderId',
        'Step',
        'Test Data',
        'Expected Result',
        'StepResult',
      ],
      ['One', 'Z-1', 'Zephyr Squad first', 'Shop', 'Critical', 'PASS', '11', '1', 'Open it', 'x', 'It is open', 'PASS'],
      ['', '', '', '', '', '', '12', '2', 'Close it', '', 'It is shut', 'FAIL'],
      ['One', 'Z-2', 'Zephyr Squad second', '', 'Medium', 'UNEXECUTED', '13', '1', 'Look', '', '', ''],
    ],
    ',',
    { pre_conditions: null },
  ],
];

/** Programs that have no steps of their own, only texts. */
const withTexts = new Set(['Jira']);

test.each(files)('a file of %s is imported without editing', async (tool, type, written, delimiter = ',', own = {}) => {
  const rows = written.map((row) => row.map((cell) => String(cell).replace('MEMBER', email)));
  for (const [form, file] of [
    ['csv', csv(rows, delimiter)],
    ['xlsx', book(rows)],
  ] as const) {
    const before = (await owner<{ data: Row[] }>('GET', `/${type}?q=${tool} `)).body.data.length;
    const fields = { project_id: String(project.id) };
    const { body: seen } = await send(program, token, `/${type}/import?preview=1`, file, fields, `a.${form}`);
    expect([seen.errors, seen.tool, seen.total, seen.ready]).toEqual([[], tool, 2, 2]);
    const { body } = await send(program, token, `/${type}/import`, file, fields, `a.${form}`);
    expect(body).toMatchObject({ success: true, imported: 2 });
    const found = (await owner<{ data: Row[] }>('GET', `/${type}?q=${tool} `)).body.data;
    expect(found).toHaveLength(before + 2);
    const first = found.filter(({ name }) => name === `${tool} first`).at(-1)!;
    const second = found.find(({ name }) => name === `${tool} second`)!;
    expect(first).toMatchObject({ pre_conditions: 'A card', priority_id: 1, status_id: 1, ...own });
    expect(second).toMatchObject({ expected_result: null, priority_id: 3 });
    if (!withTexts.has(tool)) {
      const stepsOf = async ({ id }: Row) => (await owner<{ data: Row }>('GET', `/${type}/${id}`)).body.data.steps;
      expect(await stepsOf(first)).toMatchObject([
        { action: 'Open it', expected: 'It is open' },
        { action: 'Close it', expected: 'It is shut' },
      ]);
      expect(await stepsOf(second)).toMatchObject([{ action: 'Look', expected: null }]);
      continue;
    }
    expect(first).toMatchObject({
      steps_to_reproduce: '1. Open it\n2. Close it',
      expected_result: '1. It is open\n2. It is shut',
      ...own,
    });
    expect(second).toMatchObject({ steps_to_reproduce: 'Look' });
  }
});

test('tasks of Jira are imported without editing', async () => {
  const path = `/tasks/choices/project_module_id?project_id=${project.id}`;
  const [module] = (await owner<{ data: { title: string }[] }>('GET', path)).body.data;
  const rows: Rows = [
    ['Summary', 'Issue key', 'Issue id', 'Issue Type', 'Status', 'Priority', 'Due Date', 'Description', 'Component/s'],
    ['Jira task', 'J-9', '9', 'Task', 'In Progress', 'High', '', 'a < b', module!.title],
  ];
  const { body } = await send(
    program,
    token,
    '/tasks/import',
    csv(rows),
    { project_id: String(project.id) },
    'jira.csv',
  );
  expect(body).toMatchObject({ success: true, imported: 1 });
  const [task] = (await owner<{ data: Row[] }>('GET', '/tasks?q=Jira task')).body.data;
  expect(task).toMatchObject({ status_id: 2, priority_id: 2, description: '<p>a &lt; b</p>' });
});

test('one column fills a module and its sub module when it is mapped to both', async () => {
  const all = (await owner<Row[] | { data: Row[] }>('GET', `/project-modules?project_id=${project.id}`)).body;
  const modules = Array.isArray(all) ? all : all.data;
  const sub = modules.find(({ parent_module }) => parent_module)!;
  const parent = modules.find(({ id }) => id === sub.parent_module)!;
  const { body } = await send(
    program,
    token,
    '/test-cases/import',
    csv([
      ['Title', 'Folder'],
      ['In a folder', `${String(parent.name)} / ${String(sub.name)}`],
    ]),
    { project_id: String(project.id), mapping: JSON.stringify({ Folder: 'project_module,project_sub_module' }) },
    'a.csv',
  );
  expect(body).toMatchObject({ success: true, imported: 1 });
  const [found] = (await owner<{ data: Row[] }>('GET', '/test-cases?q=In a folder')).body.data;
  expect(found).toMatchObject({ project_module: parent.id, project_sub_module: sub.id });
});

test('an invalid mapping is rejected', async () => {
  const fields = { project_id: String(project.id) };
  for (const mapping of ['{', '[]', '{"Title":"nothing"}', '{"Title":1}', '{"Title":"created_by"}']) {
    const answer = await send(
      program,
      token,
      '/test-cases/import',
      csv([['Title'], ['a']]),
      { ...fields, mapping },
      'a.csv',
    );
    expect(answer.status).toBe(400);
  }
});

test.each([
  ['a.exe', 'Title\na', 'The file must be an .xlsx, .xls, .csv, .xml or .json file.'],
  ['a.csv', '', 'The file is empty.'],
  ['a.xlsx', 'MZ\u0000\u0001', 'The file is not a spreadsheet. Save it as .xlsx, .xls or .csv. Nothing was saved.'],
  [
    'a.xlsx',
    'Just some words.',
    '“a.xlsx” is a text file, not a workbook, despite its name. It has headings, but no rows below them. Nothing was saved.',
  ],
  [
    'a.xlsx',
    '%PDF-1.7',
    'The file is a PDF document, not a spreadsheet. Save it as .xlsx, .xls or .csv. Nothing was saved.',
  ],
])('%s with %j is refused with success false', async (name, text, message) => {
  const answer = await send(program, token, '/test-cases/import', text, { project_id: String(project.id) }, name);
  expect([answer.status, answer.body]).toEqual([422, { success: false, message }]);
});

test('project and file are required, and more than 5 MB are rejected', async () => {
  const without = await send(program, token, '/test-cases/import', 'Title\na', {}, 'a.csv');
  expect([without.status, without.body.message]).toEqual([422, 'Project is required.']);
  const empty = await send(program, token, '/test-cases/import', null, { project_id: String(project.id) });
  expect([empty.status, empty.body.message]).toEqual([422, 'File is required.']);
  const large = await send(
    program,
    token,
    '/test-cases/import',
    Buffer.alloc(5_300_000, 65),
    { project_id: String(project.id) },
    'a.csv',
  );
  expect(large.status).toBe(413);
});
