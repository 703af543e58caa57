// @module-tag slow
import { sql } from 'kysely';
import { read, utils, write } from 'xlsx';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { book, csv, send, type Imported, type Rows } from './files';

interface Row {
  id: number;
  [name: string]: unknown;
}

let program: DemoProgram;
const tokens = new Map<string, string>();
let owner: Client;
let film: Row;
let modules: Row[];
let assignee: Row;

beforeAll(async () => {
  program = await startFixtureProgram();
  for (const email of Object.values(accounts)) {
    const { body } = await program.call<{ token: string }>('POST', '/login', { email, password: 'Demo@1234' });
    tokens.set(email, body.token);
  }
  owner = await program.signIn(accounts.owner);
  const list = async (path: string) => {
    const { body } = await owner<Row[] & { data?: Row[] }>('GET', path);
    return body.data ?? body;
  };
  for (const one of await list('/films')) {
    const [users, of] = [
      await list(`/shots/choices/operator_id?film_id=${one.id}`),
      await list(`/shots/choices/scene_id?film_id=${one.id}`),
    ];
    if (users.length > 0 && of.length > 1) [film, modules, assignee] = [one, of, users[0]!];
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
    { ...(film && type !== 'users' && { film_id: String(film.id) }), ...fields },
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
    { ...(type !== 'users' && { film_id: String(film.id) }), ...fields },
    name,
  );
const previewAs = (email: string, file: Buffer) =>
  send(program, tokens.get(email)!, '/shots/import?preview=1', file, { film_id: String(film.id) });
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

const shots = (...rows: Rows): Rows => [['Name', 'Scene', 'Urgency', 'Due Date', 'Operator', 'Estimate'], ...rows];

describe('importing', () => {
  test('stores every row as a record, reads cells by their fields, and resolves related records', async () => {
    const email = (await owner<{ data: Row }>('GET', `/users/${assignee.id}`)).body.data.email;
    const answer = await importOf(
      'shots',
      book(
        shots(
          ['Imported A', modules[0]!.title, 'P1', '2026-12-31', email, 2.5],
          ['Imported B', String(modules[1]!.title).toUpperCase(), 'low', '31-12-2026', assignee.title, '3,5'],
        ),
      ),
    );
    expect(answer.body).toEqual({ success: true, message: 'Imported Successfully', imported: 2 });
    const [a] = await named('shots', 'Imported A');
    const [b] = await named('shots', 'Imported B');
    expect(a).toMatchObject({
      film_id: film.id,
      scene_id: modules[0]!.id,
      urgency_id: 1,
      ends_on: '2026-12-31',
      operator_id: assignee.id,
      planned_hours: 2.5,
      status_id: 1,
    });
    expect(b).toMatchObject({
      scene_id: modules[1]!.id,
      urgency_id: 4,
      ends_on: '2026-12-31',
      planned_hours: 3.5,
    });
    const { body } = await owner<{ data: Row[] }>('GET', `/shots/${a!.id}/history`);
    expect(body.data).toHaveLength(1);
  });

  test('a preview reports errors by cell, and stores nothing', async () => {
    const before = await count('shots');
    const file = book(
      shots(
        ['', modules[0]!.title, 'P1'],
        ['Good', modules[0]!.title, 'Blocker', '2026-02-30'],
        ['Fine', modules[0]!.title],
      ),
    );
    const { status, body } = await preview('shots', file);
    expect(status).toBe(200);
    expect(body.columns.map(({ field, by }) => [field, by])).toEqual([
      ['name', 'name'],
      ['scene_id', 'name'],
      ['urgency_id', 'name'],
      ['ends_on', 'synonym'],
      ['operator_id', 'name'],
      ['planned_hours', 'synonym'],
    ]);
    expect(body.errors).toEqual([
      { row: 2, column: 'Name', message: 'Name is required.' },
      { row: 3, column: 'Urgency', message: 'Urgency: this choice is not available.' },
      { row: 3, column: 'Due Date', message: 'Ends On must be a date such as 2026-11-16.' },
    ]);
    expect(body).toMatchObject({ total: 3, ready: 1, failed: 2 });
    expect(body.rows.map(({ row }) => row)).toEqual([2, 3, 4]);
    expect(await count('shots')).toBe(before);
  });

  test('failed rows are returned with their errors, and can be corrected and imported', async () => {
    const answer = await importOf(
      'shots',
      book([
        ['Name', 'Wing', 'Urgency', 'Labels'],
        ['Roundtrip good', modules[0]!.title, 'High', 'x'],
        ['Roundtrip bad', modules[0]!.title, 'Nonsense', 'y'],
        ['Roundtrip worse', 'No such', 'Low', 'z'],
      ]),
      { mapping: JSON.stringify({ Wing: 'scene_id', Labels: null }) },
    );
    expect(answer.headers['content-disposition']).toBe('attachment; filename="failed_imports_shots.xlsx"');
    expect(answer.headers['content-type']).toContain('spreadsheetml');
    expect(await named('shots', 'Roundtrip')).toHaveLength(1);
    const rows = rowsOf(answer);
    expect(rows).toEqual([
      ['Name', 'Wing', 'Urgency', 'Labels', 'Errors'],
      ['Roundtrip bad', modules[0]!.title, 'Nonsense', 'y', 'Urgency: this choice is not available.'],
      ['Roundtrip worse', 'No such', 'Low', 'z', 'Scene: this choice is not available.'],
    ]);
    rows[1]![2] = 'Medium';
    // The heading mapped by hand is remembered; the column of errors is no column of the file.
    const again = await importOf('shots', book(rows));
    expect(rowsOf(again)).toHaveLength(2);
    const [, left] = rowsOf(again);
    expect(left).toEqual(rows[2]);
    left![1] = String(modules[1]!.title);
    expect((await importOf('shots', book([rows[0]!, left!]))).body).toMatchObject({ success: true, imported: 1 });
    expect((await named('shots', 'Roundtrip')).map(({ name }) => name).sort()).toEqual([
      'Roundtrip bad',
      'Roundtrip good',
      'Roundtrip worse',
    ]);
  });

  test('a mapping is saved for the user and these headings only, and reported', async () => {
    const file = book([
      ['Name', 'Wing', 'Rush'],
      ['Remembered', modules[0]!.title, '3'],
    ]);
    const said = {
      mapping: JSON.stringify({ Wing: 'scene_id', Rush: 'urgency_id' }),
      values: '{"rush":{"3":"Medium"}}',
    };
    expect((await importOf('shots', file, said)).body).toMatchObject({ success: true, imported: 1 });
    const mapped = async (answer: Promise<Imported>) => {
      const { body } = await answer;
      return [body.columns.map(({ field, by }) => `${field}/${by}`), body.memory && 'said', body.ready];
    };
    const remembered = ['name/name', 'scene_id/memory', 'urgency_id/memory'];
    const unknown = ['name/name', 'null/null', 'null/null'];
    expect(await mapped(preview('shots', file))).toEqual([remembered, 'said', 1]);
    const turned = book([
      ['Rush', 'Errors', 'Name', 'Wing'],
      ['3', 'x', 'Turned', modules[0]!.title],
    ]);
    expect((await preview('shots', turned)).body).toMatchObject({
      memory: { at: expect.stringMatching(/Z$/) },
      ready: 1,
    });
    // Another person, another set of headings, and somebody who starts over.
    expect(await mapped(previewAs(accounts.manager, file))).toEqual([unknown, null, 0]);
    const other = book([
      ['Name', 'Wing', 'Rush', 'More'],
      ['Other', modules[0]!.title, '3', ''],
    ]);
    expect(await mapped(preview('shots', other))).toEqual([[...unknown, 'null/null'], null, 0]);
    expect(await mapped(preview('shots', file, { memory: '0' }))).toEqual([unknown, null, 0]);
    // What is stored after starting over is what was said then: nothing.
    await importOf('shots', file, { memory: '0', mapping: JSON.stringify({ Wing: 'scene_id' }) });
    expect(await mapped(preview('shots', file))).toEqual([['name/name', 'scene_id/memory', 'null/null'], 'said', 1]);
  });

  const long = 'x'.repeat(201);
  const wantedMapping = 'mapping must be a JSON object: heading → field, or null to leave the column out.';
  const wantedValues =
    'values must be a JSON object: heading → cell value → its meaning (a text, the id of a record, or null for nothing).';
  const wantedMeaning = 'must be mapped to a text of at most 200 characters, the id of a record, or null.';
  const many = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`v${index}`, null]));
  test.each([
    ['mapping', '{', wantedMapping],
    ['mapping', '["scene_id"]', wantedMapping],
    ['mapping', 'null', wantedMapping],
    ['mapping', '{"Wing":5}', 'mapping: 5 is not a field that can be imported.'],
    ['mapping', '{"Wing":"site_id"}', 'mapping: "site_id" is not a field that can be imported.'],
    ['mapping', '{"Two\\nlines":"nothing"}', 'mapping: "nothing" is not a field that can be imported.'],
    ['mapping', '{"Two\\nlines":{"of":1}}', 'mapping: {"of":1} is not a field that can be imported.'],
    ['mapping', '{"Wing\\u0000":null}', 'mapping contains characters that are not allowed.'],
    ['values', '"High"', wantedValues],
    ['values', '{"Rush":"High"}', wantedValues],
    ['values', '{"Rush":{"3":true}}', `values, Rush: 3 ${wantedMeaning}`],
    ['values', '{"Rush":{"3":0}}', `values, Rush: 3 ${wantedMeaning}`],
    ['values', '{"Rush/~now":{"a/b":1.5}}', `values, Rush/~now: a/b ${wantedMeaning}`],
    ['values', `{"Rush":{"3":"${long}"}}`, `values, Rush: 3 ${wantedMeaning}`],
    ['values', `{"Rush":{"${long}":"High"}}`, `values, Rush: ${long.slice(0, 80)} ${wantedMeaning}`],
    ['values', JSON.stringify({ Rush: many }), 'values: at most 2000 values can be mapped.'],
  ])('malformed choices are refused with words: %s (%#)', async (field, text, message) => {
    const file = book([['Name'], ['Malformed']]);
    const answer = await importOf('shots', file, { [field]: text });
    expect([answer.status, answer.body]).toMatchObject([400, { message }]);
    expect(await named('shots', 'Malformed')).toEqual([]);
  });

  test('a saved mapping never overrides an exact heading', async () => {
    const headings = ['Name', 'Scene', 'Status', 'Urgency', 'Operator', 'Level'];
    const file = book([headings, ['Exact', modules[0]!.title, 'In Progress', 'High', assignee.title, 'Low']]);
    const left = { Status: null, Urgency: null, Operator: null, Level: 'urgency_id' };
    expect((await importOf('shots', file, { mapping: JSON.stringify(left) })).body.imported).toBe(1);
    expect((await named('shots', 'Exact'))[0]).toMatchObject({ urgency_id: 4, operator_id: null });
    const { body } = await preview('shots', file);
    expect(body.columns.map(({ field, by }) => [field, by])).toEqual([
      ['name', 'name'],
      ['scene_id', 'name'],
      ['status_id', 'name'],
      ['urgency_id', 'name'],
      ['operator_id', 'name'],
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
      ['Name', 'Scene', 'Urgency', 'Status'],
      ['Valued 1', 'Old name', '3', 'actual'],
      ['Valued 2', 'Old name', ' 3 ', 'ACTUAL'],
      ['Valued 3', modules[0]!.title, 'P1', 'none'],
    ]);
    const before = (await preview('shots', file)).body;
    const values = before.values.map(({ column, values: of }) => [
      column,
      of.map(({ text, count, means, by }) => [text, count, means, by]),
    ]);
    expect([before.ready, values]).toEqual([
      0,
      [
        [
          'Scene',
          [
            ['Old name', 2, null, null],
            [modules[0]!.title, 1, modules[0]!.title, 'exact'],
          ],
        ],
        [
          'Urgency',
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
    expect(before.values[0]!.values[0]!.form).toEqual({ film_id: film.id });
    const said = {
      Scene: { 'old NAME': wanted.id },
      Urgency: { '3': 'Medium', P1: 'Low' },
      Status: { actual: 'Completed', none: null },
    };
    const fields = { values: JSON.stringify(said) };
    const after = (await preview('shots', file, fields)).body;
    expect([after.ready, after.values[2]!.values.map(({ means, by }) => [means, by])]).toEqual([
      3,
      [
        ['Completed', 'hand'],
        [null, 'hand'],
      ],
    ]);
    expect((await importOf('shots', file, fields)).body).toMatchObject({ success: true, imported: 3 });
    const stored = (await named('shots', 'Valued')).sort((one, other) =>
      String(one.name).localeCompare(String(other.name)),
    );
    expect(stored.map((one) => [one.scene_id, one.urgency_id, one.status_id])).toEqual([
      [wanted.id, 3, 3],
      [wanted.id, 3, 3],
      [modules[0]!.id, 4, 1],
    ]);
    // Remembered: by an id that is none of this film's module, or another person's, it is none.
    expect((await preview('shots', file)).body.values[0]!.values).toMatchObject([
      { text: 'Old name', by: 'memory', means: wanted.title },
      { by: 'exact' },
    ]);
    expect((await preview('shots', file, { values: '{"Urgency":{"3":999999}}' })).body.errors).toMatchObject([
      { row: 2, column: 'Urgency' },
      { row: 3, column: 'Urgency' },
    ]);
    for (const wrong of ['{', '[]', '{"Urgency":1}', '{"Urgency":{"3":true}}', '{"Urgency":{"3":1.5}}']) {
      expect((await preview('shots', file, { values: wrong })).status).toBe(400);
    }
  });

  test('the sheet with known headings is chosen, or the requested one', async () => {
    const made = utils.book_new();
    const add = (name: string, rows: Rows) =>
      utils.book_append_sheet(made, utils.aoa_to_sheet(rows.map((row) => [...row])), name);
    add('Cover', [['Exported by'], ['Ann'], ['on Monday']]);
    add('Shots', [
      ['Name', 'Scene'],
      ['From shots', modules[0]!.title],
    ]);
    add('Empty', []);
    add('More', [
      ['Name', 'Scene'],
      ['From more', modules[0]!.title],
      ['From more 2', modules[0]!.title],
    ]);
    add('Lists', [
      ['Name', 'Scene', 'Urgency'],
      ['Hidden', '', ''],
    ]);
    add('Below', [...Array.from({ length: 1_001 }, () => []), ['Far below'], ['Lower still']]);
    made.Workbook = { Sheets: made.SheetNames.map((_, index) => ({ Hidden: index === 4 ? 1 : 0 })) };
    const file = Buffer.from(write(made, { type: 'array' }) as ArrayBuffer);
    const { body } = await preview('shots', file);
    expect([body.sheet, body.total, body.sheets]).toEqual([
      'Shots',
      1,
      [
        { name: 'Cover', rows: 2 },
        { name: 'Shots', rows: 1 },
        { name: 'More', rows: 2 },
        { name: 'Below', rows: 1 },
      ],
    ]);
    expect((await preview('shots', file, { sheet: 'More' })).body).toMatchObject({ sheet: 'More', total: 2 });
    expect((await importOf('shots', file, { sheet: 'More' })).body).toMatchObject({ success: true, imported: 2 });
    expect((await named('shots', 'From more')).map(({ name }) => name).sort()).toEqual(['From more', 'From more 2']);
    const none = await preview('shots', file, { sheet: 'Nothing' });
    expect([none.status, none.body.message, none.body.sheets]).toEqual([
      422,
      'The workbook has no sheet named “Nothing” with rows. It has: “Cover”, “Shots”, “More”, “Below”.',
      body.sheets,
    ]);
  });

  test('ignored columns are reported, and \\n is a line break where the whole column has it', async () => {
    const file = csv([
      ['Title', 'Steps', 'Notes', 'Labels', 'Severity', 'Urgency', 'Created At'],
      ['Dropped 1', '1. Open\\n2. Close', 'C:\\new', 'a', 'P1', 'High', 'x'],
      ['Dropped 2', 'Look\\r\\nListen', 'keep \\n it', '', '', 'Low', ''],
      ['Dropped 3', 'One', 'Two', 'b', 'P2', '', ''],
    ]);
    const fields = {
      mapping: '{"Severity":"urgency_id","Urgency":"urgency_id","Notes":"projection_notes","Created At":null}',
    };
    const { body } = await preview('screenings', file, fields, 'rows.csv');
    expect([body.breaks, body.dropped]).toEqual([
      ['Steps'],
      [
        { column: 'Labels', cells: 2, reason: 'No field has this name.' },
        {
          column: 'Severity',
          cells: 1,
          reason: '“Urgency” also fills Urgency, and is used where both have a value.',
        },
        { column: 'Created At', cells: 1, reason: 'You left it out.' },
      ],
    ]);
    expect((await importOf('screenings', file, fields, 'rows.csv')).body.imported).toBe(3);
    const [one, two] = (await named('screenings', 'Dropped')).sort((a, b) =>
      String(a.name).localeCompare(String(b.name)),
    );
    expect([one!.running_order, two!.running_order]).toEqual(['1. Open\n2. Close', 'Look\nListen']);
    expect([one!.projection_notes, two!.projection_notes]).toEqual(['C:\\new', 'keep \\n it']);
  });

  test('runs as many statements for many different references as for few', async () => {
    const { body: all } = await owner<Row[] & { data?: Row[] }>('GET', `/scenes?film_id=${film.id}`);
    const parents = (all.data ?? all).filter(({ parent_scene: parent }) => !parent);
    const people = (await owner<{ data: Row[] }>('GET', `/shots/choices/operator_id?film_id=${film.id}`)).body.data;
    const urgencies = ['Urgent', 'High', 'Medium', 'Low'];
    const headings = ['Name', 'Scene', 'Urgency', 'Status', 'Operator', 'Milestone'];
    const file = (name: string, at: (index: number) => number) =>
      book([
        headings,
        ...Array.from({ length: 120 }, (_, index) => [
          `${name} ${index}`,
          parents[at(index) % parents.length]!.name,
          urgencies[at(index) % 4],
          ['Not Started', 'In Progress'][at(index) % 2],
          people[at(index) % people.length]!.title,
          '',
        ]),
      ]);
    const spy = vi.spyOn(pg.Client.prototype, 'query');
    const counted = async (rows: Buffer) => {
      spy.mockClear();
      expect((await preview('shots', rows)).body.ready).toBe(120);
      // Statements of jobs and mails that wake up meanwhile say nothing of the file.
      return spy.mock.calls.filter(([sent]) =>
        /"(urgencies|scenes|project_status|users)" (as )?t\b|"t"/.test(
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

describe('access to imports', () => {
  const file = () => book(shots(['By somebody', modules[0]!.title]));

  test.each([
    ['manager', 200],
    ['developer', 403],
    ['external', 403],
    ['admin', 200],
  ] as const)('%s: %i', async (who, status) => {
    expect((await importAs(accounts[who], 'shots', file())).status).toBe(status);
  });

  test('nobody can import into a film of another company, or refer to its records', async () => {
    const answer = await importAs(accounts.harbour, 'shots', file());
    expect([answer.status, answer.body]).toEqual([
      422,
      { success: false, message: 'Film: this choice is not available.' },
    ]);
  });

  test('level 3 cannot import users', async () => {
    expect((await importAs(accounts.manager, 'users', book([['First Name'], ['A']]))).status).toBe(403);
  });

  test('a resource without an import is not found', async () => {
    expect((await importOf('territories', file())).status).toBe(404);
    expect((await owner('GET', '/imports/territories/download-sample')).status).toBe(404);
  });

  test('a sample for an invalid film is rejected with a message', async () => {
    for (const id of ['x', '999999']) {
      const { status, body } = await owner('GET', `/imports/shots/download-sample?film_id=${id}`);
      expect([status, body]).toEqual([422, { success: false, message: expect.stringMatching(/^Film/) }]);
    }
  });
});

describe('the history', () => {
  test('lists the files by type, with URLs that open them', async () => {
    const name = 'Größe 1.csv';
    await importOf('shots', csv(shots(['In history', modules[0]!.title])), {}, name);
    const { body, headers } = await owner<{ data: Row[] }>('GET', '/imports?type=shots');
    expect(headers['content-range']).toMatch(/^imports 0-\d+\/\d+$/);
    const [last] = body.data;
    expect(last).toMatchObject({
      file_name: name,
      type: 'shots',
      total: 1,
      imported: 1,
      failed: 0,
      state: 'done',
      asked: film.name,
    });
    expect((await preview('shots', csv(shots(['A text', modules[0]!.title])), {}, 'a.xlsx')).body).toMatchObject({
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
    const workbook = book(shots(['A workbook', modules[0]!.title]));
    await importOf('shots', workbook, {}, 'named-as-text.csv');
    const [kept] = (await owner<{ data: Row[] }>('GET', '/imports?type=shots')).body.data;
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
    expect((await developer('GET', '/imports?type=shots')).status).toBe(403);
  });

  test('contains only the types that the user may list', async () => {
    const some = await program.restricted();
    await some.grant(['imports.list', 'shots.list']);
    expect((await some.call('GET', '/imports?type=users')).status).toBe(403);
    const { status, body } = await some.call<{ data: Row[] }>('GET', '/imports');
    expect(status).toBe(200);
    expect(new Set(body.data.map(({ type }) => type))).toEqual(new Set(['shots']));
  });
});

describe('the sample', () => {
  test.each(['shots', 'screenings', 'users'])(
    'of %s has the headings, drop-downs, and goes in as it is',
    async (type) => {
      const answer = await program.app.inject({
        url: `/api/imports/${type}/download-sample?film_id=${film.id}`,
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
