// @module-tag slow
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDemoProgram } from '../../support/program';
import { send } from '../../server/imports/files';
import { startImporter, type Importer, type Row } from '../../server/imports/importer';

/** `typed` holds the samples of the program with rows typed into them; beside it they lie as LibreOffice 7.4 saved them. */
const folder = 'tests/fixtures/libreoffice';
const found = 'Office';

let program: Importer['program'];
let owner: Importer['owner'];
let token: string;
let project: Row;

beforeAll(async () => {
  ({ program, owner, token } = await startImporter(startDemoProgram));
  const projects = (await owner<Row[]>('GET', '/projects')).body;
  project = projects.find(({ name }) => name === 'Claims Self Service')!;
});
afterAll(() => program?.close());

/** Imports a file and answers what it made, which is gone afterwards. */
async function made(type: string, file: string): Promise<Partial<Row>[]> {
  const fields = { ...(type !== 'users' && { project_id: String(project.id) }) };
  const answer = await send(program, token, `/${type}/import`, await readFile(`${folder}/${file}`), fields, file);
  expect(answer.body).toEqual({ success: true, message: 'Imported Successfully', imported: 3 });
  const { body } = await owner<{ data: Row[] }>('GET', `/${type}?q=${found}`);
  const columns = program.program.definitions.registry().getOrThrow(type).import!.columns;
  const rows = body.data.sort((one, other) => one.id - other.id);
  for (const { id } of rows) expect((await owner('DELETE', `/${type}/${id}`)).status).toBe(200);
  return rows.map((row) => Object.fromEntries(columns.map(({ field }) => [field, row[field]])));
}

test.each<[type: string, first: object]>([
  [
    'tasks',
    {
      name: 'Saved in Office: "quoted", with commas; and Größe',
      milestone: 'Beta — 2',
      description: '<p>First line</p><p>Second line: 5 &lt; 6 &amp; 7</p>',
      priority_id: 2,
      start_date: '2026-11-02',
      end_date: '2026-12-31',
      estimated_hours: 2.5,
    },
  ],
  [
    'test-cases',
    {
      name: 'Saved in Office: pay with "3-D Secure", twice',
      test_data: '4111 1111 1111 1111',
      steps_to_reproduce: '1. Open it\n2. Close it',
      priority_id: 2,
    },
  ],
  ['users', { first_name: 'Søren', email: 'soren@office.test', phone_number: '+49 30 1234567', role_id: 5 }],
])(
  '%s are those that were typed, in every format',
  async (type, first) => {
    const typed = await made(type, `typed/${type}.xlsx`);
    expect(typed).toHaveLength(3);
    expect(typed[0]).toMatchObject(first);
    for (const format of ['xlsx', 'xls', 'csv']) expect(await made(type, `${type}.${format}`)).toEqual(typed);
  },
  60_000,
);
