// @module-tag slow
import { sql } from 'kysely';
import { read, utils, write } from 'xlsx';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';
import { book, csv, send, type Imported, type Rows } from './files';

interface Row {
  id: number;
  [name: string]: unknown;
}

let program: DemoProgram;
const tokens = new Map<string, string>();
let owner: Client;
let project: Row;
let modules: Row[];
let assignee: Row;

beforeAll(async () => {
  program = await startDemoProgram();
  for (const email of Object.values(accounts)) {
    const { body } = await program.call<{ token: string }>('POST', '/login', { email, password: 'Demo@1234' });
    tokens.set(email, body.token);
  }
  owner = await program.signIn(accounts.owner);
  const list = async (path: string) => {
    const { body } = await owner<Row[] & { data?: Row[] }>('GET', path);
    return body.data ?? body;
  };
  for (const one of await list('/projects')) {
    const [users, of] = [
      await list(`/tasks/choices/assigned_to?project_id=${one.id}`),
      await list(`/tasks/choices/project_module_id?project_id=${one.id}`),
    ];
    if (users.length > 0 && of.length > 1) [project, modules, assignee] = [one, of, users[0]!];
  }
});
afterAll(() => program?.close());

const importAs = (
  email: string,
  type: string,
  file: Buffer | string | null,
  fields: Record<string, string> = {},
  name?: string,
) =>
  send(
    program,
    tokens.get(email)!,
    `/${type}/import`,
    file,
    { ...(project && type !== 'users' && { project_id: String(project.id) }), ...fields },
    name,
  );
const importOf = (type: string, file: Buffer | string | null, fields?: Record<string, string>, name?: string) =>
  importAs(accounts.owner, type, file, fields, name);
const preview = (type: string, file: Buffer | string, fields: Record<string, string> = {}, name?: string) =>
  send(
    program,
    tokens.get(accounts.owner)!,
    `/${type}/import?preview=1`,
    file,
    { ...(type !== 'users' && { project_id: String(project.id) }), ...fields },
    name,
  );
const previewAs = (email: string, file: Buffer) =>
  send(program, tokens.get(email)!, '/tasks/import?preview=1', file, { project_id: String(project.id) });
const named = async (type: string, name: string): Promise<Row[]> =>
  (await owner<{ data: Row[] }>('GET', `/${type}?q=${encodeURIComponent(name)}`)).body.data;
const rowsOf = ({ bytes }: Imported): string[][] => {
  const made = read(bytes);
  return utils.sheet_to_json(made.Sheets[made.SheetNames[0]!]!, { header: 1, raw: false, defval: '' });
};
const count = async (table: string) =>
  (
    await sql<{ n: number }>`select count(*)::integer as n from ${sql.id(table)}`.execute(
      program.program.database.kysely,
    )
  ).rows[0]!.n;

const tasks = (...rows: Rows): Rows => [
  ['Name', 'Project Module', 'Priority', 'Due Date', 'Assigned To', 'Estimate'],
  ...rows,
];

describe('importing', () => {
  test('stores every row as a record, reads cells by their fields, and resolves related records', async () => {
    const email = (await owner<{ data: Row }>('GET', `/users/${assignee.id}`)).body.data.email;
    const answer = await importOf(
      'tasks',
      book(
        tasks(
          ['Imported A', modules[0]!.title, 'P1', '2026-12-31', email, 2.5],
          ['Imported B', String(modules[1]!.title).toUpperCase(), 'low', '31-12-2026', assignee.title, '3,5'],
        ),
      ),
    );
    expect(answer.body).toEqual({ success: true, message: 'Imported Successfully', imported: 2 });
    const [a] = await named('tasks', 'Imported A');
    const [b] = await named('tasks', 'Imported B');
    expect(a).toMatchObject({
      project_id: project.id,
      project_module_id: modules[0]!.id,
      priority_id: 1,
      end_date: '2026-12-31',
      assigned_to: assignee.id,
      estimated_hours: 2.5,
      status_id: 1,
    });
    expect(b).toMatchObject({
      project_module_id: modules[1]!.id,
      priority_id: 4,
      end_date: '2026-12-31',
      estimated_hours: 3.5,
    });
    const { body } = await owner<{ data: Row[] }>('GET', `/tasks/${a!.id}/history`);
    expect(body.data).toHaveLength(1);
  });

  test('a preview reports errors by cell, and stores nothing', async () => {
    const before = await count('tasks');
    const file = book(
      tasks(
        ['', modules[0]!.title, 'P1'],
        ['Good', modules[0]!.title, 'Blocker', '2026-02-30'],
        ['Fine', modules[0]!.title],
      ),
    );
    const { status, body } = await preview('tasks', file);
    expect(status).toBe(200);
    expect(body.columns.map(({ field, by }) => [field, by])).toEqual([
      ['name', 'name'],
      ['project_module_id', 'name'],
      ['priority_id', 'name'],
      ['end_date', 'synonym'],
      ['assigned_to', 'name'],
      ['estimated_hours', 'synonym'],
    ]);
    expect(body.errors).toEqual([
      { row: 2, column: 'Name', message: 'Name is required.' },
      { row: 3, column: 'Priority', message: 'Priority: this choice is not available.' },
      { row: 3, column: 'Due Date', message: 'End Date must be a date such as 2026-11-16.' },
    ]);
    expect(body).toMatchObject({ total: 3, ready: 1, failed: 2 });
    expect(body.rows.map(({ row }) => row)).toEqual([2, 3, 4]);
    expect(await count('tasks')).toBe(before);
  });

  test('failed rows are returned with their errors, and can be corrected and imported', async () => {
    const answer = await importOf(
      'tasks',
      book([
        ['Name', 'Wing', 'Priority', 'Labels'],
        ['Roundtrip good', modules[0]!.title, 'High', 'x'],
        ['Roundtrip bad', modules[0]!.title, 'Nonsense', 'y'],
        ['Roundtrip worse', 'No such', 'Low', 'z'],
      ]),
      { mapping: JSON.stringify({ Wing: 'project_module_id', Labels: null }) },
    );
    expect(answer.headers['content-disposition']).toBe('attachment; filename="failed_imports_tasks.xlsx"');
    expect(answer.headers['content-type']).toContain('spreadsheetml');
    expect(await named('tasks', 'Roundtrip')).toHaveLength(1);
    const rows = rowsOf(answer);
    expect(rows).toEqual([
      ['Name', 'Wing', 'Priority', 'Labels', 'Errors'],
      ['Roundtrip bad', modules[0]!.title, 'Nonsense', 'y', 'Priority: this choice is not available.'],
      ['Roundtrip worse', 'No such', 'Low', 'z', 'Project Module: this choice is not available.'],
    ]);
    rows[1]![2] = 'Medium';
    // The heading mapped by hand is remembered; the column of errors is no column of the file.
    const again = await importOf('tasks', book(rows));
    expect(rowsOf(again)).toHaveLength(2);
    const [, left] = rowsOf(again);
    expect(left).toEqual(rows[2]);
    left![1] = String(modules[1]!.title);
    expect((await importOf('tasks', book([rows[0]!, left!]))).body).toMatchObject({ success: true, imported: 1 });
    expect((await named('tasks', 'Roundtrip')).map(({ name }) => name).sort()).toEqual([
      'Roundtrip bad',
      'Roundtrip good',
      'Roundtrip worse',
    ]);
  });

  test('a mapping is saved for the user and these headings only, and reported', async () => {
    const file = book([
      ['Name', 'Wing', 'Urgency'],
      ['Remembered', modules[0]!.title, '3'],
    ]);
    const said = {
      mapping: JSON.stringify({ Wing: 'project_module_id', Urgency: 'priority_id' }),
      values: '{"urgency":{"3":"Medium"}}',
    };
    expect((await importOf('tasks', file, said)).body).toMatchObject({ success: true, imported: 1 });
    const mapped = async (answer: Promise<Imported>) => {
      const { body } = await answer;
      return [body.columns.map(({ field, by }) => `${field}/${by}`), body.memory && 'said', body.ready];
    };
    const remembered = ['name/name', 'project_module_id/memory', 'priority_id/memory'];
    const unknown = ['name/name', 'null/null', 'null/null'];
    expect(await mapped(preview('tasks', file))).toEqual([remembered, 'said', 1]);
    const turned = book([
      ['Urgency', 'Errors', 'Name', 'Wing'],
      ['3', 'x', 'Turned', modules[0]!.title],
    ]);
    expect((await preview('tasks', turned)).body).toMatchObject({
      memory: { at: expect.stringMatching(/Z$/) },
      ready: 1,
    });
    // Another person, another set of headings, and somebody who starts over.
    expect(await mapped(previewAs(accounts.manager, file))).toEqual([unknown, null, 0]);
    const other = book([
      ['Name', 'Wing', 'Urgency', 'More'],
      ['Other', modules[0]!.title, '3', ''],
    ]);
    expect(await mapped(preview('tasks', other))).toEqual([[...unknown, 'null/null'], null, 0]);
    expect(await mapped(preview('tasks', file, { memory: '0' }))).toEqual([unknown, null, 0]);
    // What is stored after starting over is what was said then: nothing.
    await importOf('tasks', file, { memory: '0', mapping: JSON.stringify({ Wing: 'project_module_id' }) });
    expect(await mapped(preview('tasks', file))).toEqual([
      ['name/name', 'project_module_id/memory', 'null/null'],
      'said',
      1,
    ]);
  });

  test('a saved mapping never overrides an exact heading', async () => {
    const headings = ['Name', 'Project Module', 'Status', 'Priority', 'Assigned To', 'Level'];
    const file = book([headings, ['Exact', modules[0]!.title, 'In Progress', 'High', assignee.title, 'Low']]);
    const left = { Status: null, Priority: null, 'Assigned To': null, Level: 'priority_id' };
    expect((await importOf('tasks', file, { mapping: JSON.stringify(left) })).body.imported).toBe(1);
    expect((await named('tasks', 'Exact'))[0]).toMatchObject({ priority_id: 4, assigned_to: null });
    const { body } = await preview('tasks', file);
    expect(body.columns.map(({ field, by }) => [field, by])).toEqual([
      ['name', 'name'],
      ['project_module_id', 'name'],
      ['status_id', 'name'],
      ['priority_id', 'name'],
      ['assigned_to', 'name'],
      [null, null],
    ]);
    expect([body.memory, body.dropped]).toEqual([
      null,
      [{ column: 'Level', cells: 1, reason: 'No field has this name.' }],
    ]);
  });

  test('values are mapped once for all rows: to a title, an id, or nothing', async () => {
    const wanted = modules[1]!;
    const file = book([
      ['Name', 'Project Module', 'Priority', 'Status'],
      ['Valued 1', 'Old name', '3', 'actual'],
      ['Valued 2', 'Old name', ' 3 ', 'ACTUAL'],
      ['Valued 3', modules[0]!.title, 'P1', 'none'],
    ]);
    const before = (await preview('tasks', file)).body;
    const values = before.values.map(({ column, values: of }) => [
      column,
      of.map(({ text, count, means, by }) => [text, count, means, by]),
    ]);
    expect([before.ready, values]).toEqual([
      0,
      [
        [
          'Project Module',
          [
            ['Old name', 2, null, null],
            [modules[0]!.title, 1, modules[0]!.title, 'exact'],
          ],
        ],
        [
          'Priority',
          [
            ['3', 2, null, null],
            ['P1', 1, 'Urgent', 'word'],
          ],
        ],
        [
          'Status',
          [
            ['actual', 2, null, null],
            ['none', 1, null, null],
          ],
        ],
      ],
    ]);
    expect(before.values[0]!.values[0]!.form).toEqual({ project_id: project.id });
    const said = {
      'Project Module': { 'old NAME': wanted.id },
      Priority: { '3': 'Medium', P1: 'Low' },
      Status: { actual: 'Completed', none: null },
    };
    const fields = { values: JSON.stringify(said) };
    const after = (await preview('tasks', file, fields)).body;
    expect([after.ready, after.values[2]!.values.map(({ means, by }) => [means, by])]).toEqual([
      3,
      [
        ['Completed', 'hand'],
        [null, 'hand'],
      ],
    ]);
    expect((await importOf('tasks', file, fields)).body).toMatchObject({ success: true, imported: 3 });
    const stored = (await named('tasks', 'Valued')).sort((one, other) =>
      String(one.name).localeCompare(String(other.name)),
    );
    expect(stored.map((one) => [one.project_module_id, one.priority_id, one.status_id])).toEqual([
      [wanted.id, 3, 3],
      [wanted.id, 3, 3],
      [modules[0]!.id, 4, 1],
    ]);
    // Remembered: by an id that is none of this project's module, or another person's, it is none.
    expect((await preview('tasks', file)).body.values[0]!.values).toMatchObject([
      { text: 'Old name', by: 'memory', means: wanted.title },
      { by: 'exact' },
    ]);
    expect((await preview('tasks', file, { values: '{"Priority":{"3":999999}}' })).body.errors).toMatchObject([
      { row: 2, column: 'Priority' },
      { row: 3, column: 'Priority' },
    ]);
    for (const wrong of ['{', '[]', '{"Priority":1}', '{"Priority":{"3":true}}', '{"Priority":{"3":1.5}}']) {
      expect((await preview('tasks', file, { values: wrong })).status).toBe(400);
    }
  });

  test('the sheet with known headings is chosen, or the requested one', async () => {
    const made = utils.book_new();
    const add = (name: string, rows: Rows) =>
      utils.book_append_sheet(made, utils.aoa_to_sheet(rows.map((row) => [...row])), name);
    add('Cover', [['Exported by'], ['Ann'], ['on Monday']]);
    add('Tasks', [
      ['Name', 'Project Module'],
      ['From tasks', modules[0]!.title],
    ]);
    add('Empty', []);
    add('More', [
      ['Name', 'Project Module'],
      ['From more', modules[0]!.title],
      ['From more 2', modules[0]!.title],
    ]);
    add('Lists', [
      ['Name', 'Project Module', 'Priority'],
      ['Hidden', '', ''],
    ]);
    made.Workbook = { Sheets: made.SheetNames.map((_, index) => ({ Hidden: index === 4 ? 1 : 0 })) };
    const file = Buffer.from(write(made, { type: 'array' }) as ArrayBuffer);
    const { body } = await preview('tasks', file);
    expect([body.sheet, body.total, body.sheets]).toEqual([
      'Tasks',
      1,
      [
        { name: 'Cover', rows: 2 },
        { name: 'Tasks', rows: 1 },
        { name: 'More', rows: 2 },
      ],
    ]);
    expect((await preview('tasks', file, { sheet: 'More' })).body).toMatchObject({ sheet: 'More', total: 2 });
    expect((await importOf('tasks', file, { sheet: 'More' })).body).toMatchObject({ success: true, imported: 2 });
    expect((await named('tasks', 'From more')).map(({ name }) => name).sort()).toEqual(['From more', 'From more 2']);
    const none = await preview('tasks', file, { sheet: 'Nothing' });
    expect([none.status, none.body.message, none.body.sheets]).toEqual([
      422,
      'The workbook has no sheet named “Nothing” with rows. It has: “Cover”, “Tasks”, “More”.',
      body.sheets,
    ]);
  });

  test('ignored columns are reported, and \\n is a line break where the whole column has it', async () => {
    const file = csv([
      ['Title', 'Steps', 'Notes', 'Labels', 'Severity', 'Priority', 'Created At'],
      ['Dropped 1', '1. Open\\n2. Close', 'C:\\new', 'a', 'P1', 'High', 'x'],
      ['Dropped 2', 'Look\\r\\nListen', 'keep \\n it', '', '', 'Low', ''],
      ['Dropped 3', 'One', 'Two', 'b', 'P2', '', ''],
    ]);
    const fields = {
      mapping: '{"Severity":"priority_id","Priority":"priority_id","Notes":"test_data","Created At":null}',
    };
    const { body } = await preview('test-cases', file, fields, 'rows.csv');
    expect([body.breaks, body.dropped]).toEqual([
      ['Steps'],
      [
        { column: 'Labels', cells: 2, reason: 'No field has this name.' },
        {
          column: 'Severity',
          cells: 1,
          reason: '“Priority” also fills Priority, and is used where both have a value.',
        },
        { column: 'Created At', cells: 1, reason: 'You left it out.' },
      ],
    ]);
    expect((await importOf('test-cases', file, fields, 'rows.csv')).body.imported).toBe(3);
    const [one, two] = (await named('test-cases', 'Dropped')).sort((a, b) =>
      String(a.name).localeCompare(String(b.name)),
    );
    expect([one!.steps_to_reproduce, two!.steps_to_reproduce]).toEqual(['1. Open\n2. Close', 'Look\nListen']);
    expect([one!.test_data, two!.test_data]).toEqual(['C:\\new', 'keep \\n it']);
  });

  test('runs as many statements for many different references as for few', async () => {
    const { body: all } = await owner<Row[] & { data?: Row[] }>('GET', `/project-modules?project_id=${project.id}`);
    const parents = (all.data ?? all).filter(({ parent_module: parent }) => !parent);
    const people = (await owner<{ data: Row[] }>('GET', `/tasks/choices/assigned_to?project_id=${project.id}`)).body
      .data;
    const priorities = ['Urgent', 'High', 'Medium', 'Low'];
    const headings = ['Name', 'Project Module', 'Priority', 'Status', 'Assigned To', 'Milestone'];
    const file = (name: string, at: (index: number) => number) =>
      book([
        headings,
        ...Array.from({ length: 120 }, (_, index) => [
          `${name} ${index}`,
          parents[at(index) % parents.length]!.name,
          priorities[at(index) % 4],
          ['Not Started', 'In Progress'][at(index) % 2],
          people[at(index) % people.length]!.title,
          '',
        ]),
      ]);
    const spy = vi.spyOn(pg.Client.prototype, 'query');
    const counted = async (rows: Buffer) => {
      spy.mockClear();
      expect((await preview('tasks', rows)).body.ready).toBe(120);
      // Statements of jobs and mails that wake up meanwhile say nothing of the file.
      return spy.mock.calls.filter(([sent]) =>
        /"(priorities|project_modules|project_status|users)" (as )?t\b|"t"/.test(
          String((sent as unknown as { text?: string }).text ?? sent),
        ),
      ).length;
    };
    try {
      await counted(file('Warm', () => 0));
      const few = await counted(file('Few', () => 0));
      const many = await counted(file('Many', (index) => index));
      expect([many, few]).toEqual([few, few]);
      expect(few).toBeGreaterThan(3);
      expect(few).toBeLessThanOrEqual(12);
    } finally {
      spy.mockRestore();
    }
  });

  test('imported users belong to the company and are invited, only once', async () => {
    const rows: Rows = [
      ['First Name', 'Surname', 'E-mail', 'Role'],
      ['Ina', 'Import', 'ina@import.test', 'QA'],
      ['Ida', 'Import', 'INA@import.test', 'QA'],
      ['Ove', 'Import', accounts.qa, 'QA'],
      ['Al', 'Import', 'al@import.test', 'Super Admin'],
    ];
    const { body } = await preview('users', book(rows));
    const found = body.errors.map(({ row, column }) => [row, column]);
    expect(found).toEqual([
      [3, 'E-mail'],
      [4, 'E-mail'],
      [5, 'Role'],
    ]);
    const answer = await importOf('users', book(rows));
    expect(
      rowsOf(answer)
        .slice(1)
        .map(([first]) => first),
    ).toEqual(['Ida', 'Ove', 'Al']);
    const [ina] = await named('users', 'ina@import.test');
    expect(ina).toMatchObject({ first_name: 'Ina', last_name: 'Import', status_id: 4, role_id: 5 });
  });
});

describe('who imports', () => {
  const file = () => book(tasks(['By somebody', modules[0]!.title]));

  test.each([
    ['manager', 200],
    ['developer', 403],
    ['external', 403],
    ['admin', 200],
  ] as const)('%s: %i', async (who, status) => {
    expect((await importAs(accounts[who], 'tasks', file())).status).toBe(status);
  });

  test('nobody can import into a project of another company, or refer to its records', async () => {
    const answer = await importAs(accounts.harbour, 'tasks', file());
    expect([answer.status, answer.body]).toEqual([
      422,
      { success: false, message: 'Project: this choice is not available.' },
    ]);
  });

  test('level 3 cannot import users', async () => {
    expect((await importAs(accounts.manager, 'users', book([['First Name'], ['A']]))).status).toBe(403);
  });

  test('a resource without an import is not found', async () => {
    expect((await importOf('countries', file())).status).toBe(404);
    expect((await owner('GET', '/imports/countries/download-sample')).status).toBe(404);
  });

  test('a sample for an invalid project is rejected with a message', async () => {
    for (const id of ['x', '999999']) {
      const { status, body } = await owner('GET', `/imports/tasks/download-sample?project_id=${id}`);
      expect([status, body]).toEqual([422, { success: false, message: expect.stringMatching(/^Project/) }]);
    }
  });
});

describe('the history', () => {
  test('lists the files by type, with URLs that open them', async () => {
    const name = 'Größe 1.csv';
    await importOf('tasks', csv(tasks(['In history', modules[0]!.title])), {}, name);
    const { body, headers } = await owner<{ data: Row[] }>('GET', '/imports?type=tasks');
    expect(headers['content-range']).toMatch(/^imports 0-\d+\/\d+$/);
    const [last] = body.data;
    expect(last).toMatchObject({
      file_name: name,
      type: 'tasks',
      total: 1,
      imported: 1,
      failed: 0,
      state: 'done',
      asked: project.name,
    });
    expect((await preview('tasks', csv(tasks(['A text', modules[0]!.title])), {}, 'a.xlsx')).body).toMatchObject({
      is_misnamed: true,
      ready: 1,
    });
    expect((last!.user as Row).name).toBeTruthy();
    expect(last).not.toHaveProperty('file_key');
    const opened = await program.app.inject({ url: String(last!.file_path) });
    expect(opened.statusCode).toBe(200);
    expect(opened.headers['content-disposition']).toMatch(/^attachment/);
    expect(opened.body).toContain('In history');
    // A workbook is kept as one, whatever it is called.
    const workbook = book(tasks(['A workbook', modules[0]!.title]));
    await importOf('tasks', workbook, {}, 'named-as-text.csv');
    const [kept] = (await owner<{ data: Row[] }>('GET', '/imports?type=tasks')).body.data;
    const whole = await program.app.inject({ url: String(kept!.file_path) });
    expect([opened.headers['content-type'], whole.headers['content-type']]).toEqual([
      expect.stringMatching(/^text\/csv/),
      expect.stringMatching(/spreadsheetml\.sheet$/),
    ]);
    const users = await owner<{ data: Row[] }>('GET', '/imports?type=users');
    expect(users.body.data.every(({ type }) => type === 'users')).toBe(true);
  });

  test('cannot be written by users, and is not visible to others', async () => {
    expect((await owner('POST', '/imports', {})).status).toBe(403);
    const harbour = await program.signIn(accounts.harbour);
    expect((await harbour<{ data: Row[] }>('GET', '/imports')).body.data).toEqual([]);
    const developer = await program.signIn(accounts.developer);
    expect((await developer('GET', '/imports?type=tasks')).status).toBe(403);
  });

  test('contains only the types that the user may list', async () => {
    const some = await program.restricted();
    await some.grant(['imports.list', 'tasks.list']);
    expect((await some.call('GET', '/imports?type=users')).status).toBe(403);
    const { status, body } = await some.call<{ data: Row[] }>('GET', '/imports');
    expect(status).toBe(200);
    expect(new Set(body.data.map(({ type }) => type))).toEqual(new Set(['tasks']));
  });
});

describe('the sample', () => {
  test.each(['tasks', 'test-cases', 'users'])(
    'of %s has the headings, drop-downs, and goes in as it is',
    async (type) => {
      const answer = await program.app.inject({
        url: `/api/imports/${type}/download-sample?project_id=${project.id}`,
        headers: { authorization: `Bearer ${tokens.get(accounts.owner)!}` },
      });
      expect(answer.headers['content-disposition']).toBe(`attachment; filename="sample_${type}_import.xlsx"`);
      const made = read(answer.rawPayload);
      expect(made.SheetNames).toHaveLength(2);
      expect(made.Workbook!.Sheets![1]!.Hidden).toBe(1);
      const choices = utils.sheet_to_json<string[]>(made.Sheets.Choices!, { header: 1 }).flat();
      expect(choices).toContain(type === 'users' ? 'QA' : 'Urgent');
      const sent = await importOf(type, answer.rawPayload);
      expect(sent.body).toMatchObject({ success: true, imported: 1 });
    },
  );
});
