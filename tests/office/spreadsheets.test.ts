import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { read, utils, type WorkSheet } from 'xlsx';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../support/program';
import { counted, formatted, lists, longest, orTooLong, timed, timeZone, type Row } from './lists';
import { convert } from './soffice';

/** What programs like to take for something else. */
const texts = [
  '=1+1',
  '=HYPERLINK("http://evil.test","x")',
  '+1',
  '-1',
  '@SUM(A1)',
  '007',
  '1e5',
  '1/2',
  '2026-11-16',
  '12:30',
  'TRUE',
  '#N/A',
  '100%',
  "'quoted'",
  '"quoted", with; commas\tand a tab',
  'Größe & <b>Maß</b> – „Straße“ \u{1F600} שלום \u00A0 e\u0301',
  '_x0041_ and _x005F_',
];
const firstDay = '1900-01-15';
const lines = 'First line\n=second line\n\n  fourth, after a blank one; "quoted"';
const names = Object.keys(lists);

let program: DemoProgram;
let owner: Client;
let token: string;
let address: string;
/** What each list says, in its own order. */
const said: Record<string, Record<string, string>[]> = {};
const folder = mkdtempSync(join(tmpdir(), 'assay-office-'));
const fileOf = (name: string) => join(folder, `${name}.xlsx`);

beforeAll(async () => {
  program = await startDemoProgram();
  owner = await program.signIn(accounts.owner);
  const login = { email: accounts.owner, password: 'Demo@1234' };
  token = (await program.call<{ token: string }>('POST', '/login', login)).body.token;
  await program.app.listen({ port: 0, host: '127.0.0.1' });
  address = `http://127.0.0.1:${(program.app.server.address() as AddressInfo).port}/api`;
  await makeRows();
  for (const name of names) {
    said[name] = await listed(name);
    writeFileSync(fileOf(name), await download(name, 'xlsx'));
  }
});
afterAll(async () => {
  await program?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function makeRows(): Promise<void> {
  const [task] = await rowsOf('tasks');
  const { project_id, project_module_id } = task!;
  const people = { assigned_to: task!.assigned_to, status_id: 1, priority_id: 1 };
  for (const name of texts) {
    await make('tasks', { name, description: '<p>x</p>', project_id, project_module_id, ...people });
  }
  const description = `<h2>Größe</h2><p>a &lt; b &amp;amp; c<br>=1+1</p><ul><li><p><strong>one</strong> two</p></li></ul>`;
  await make('tasks', {
    ...{ name: 'Days and numbers', description, project_id, project_module_id, ...people },
    ...{ start_date: firstDay, end_date: '9999-12-31', estimated_hours: 1234.56, milestone: '1.0' },
  });
  const [testCase] = await rowsOf('test-cases');
  const base = { project_id: testCase!.project_id, description, status_id: 1, priority_id: 1 };
  await make('test-cases', {
    ...base,
    name: 'Lines',
    test_data: lines,
    steps_to_reproduce: lines.replaceAll('\n', '\r\n'),
  });
  await make('test-cases', { ...base, name: 'Empty', description: null });
  await make('test-cases', {
    ...base,
    name: 'Long',
    description: `<p>${'ß'.repeat(longest + 1)}</p>`,
    test_data: 'Ä'.repeat(10_000),
    video_url: 'https://video.test/?a=1&b=2',
  });
  const log = { task_id: task!.id, date: '2024-02-29', is_outsource: true };
  for (const [at, comments] of [...texts, lines].entries()) {
    const hour = String(at).padStart(2, '0');
    await make('time-logs', { ...log, start: `${hour}:00`, end: `${hour}:${at === 0 ? '01' : '59'}`, comments });
  }
}

async function make(resource: string, body: object): Promise<void> {
  const answer = await owner('POST', `/${resource}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
}

async function rowsOf(resource: string): Promise<Row[]> {
  // What is late depends on the reader's day.
  const headers = { 'x-timezone': timeZone };
  const { body } = await owner<{ data: Row[] }>('GET', `/${resource}?range=[0,999]`, undefined, headers);
  return body.data;
}

async function download(name: string, format: 'xlsx' | 'csv'): Promise<Uint8Array> {
  const columns = Object.keys(lists[name]!).join(',');
  const headers = { authorization: `Bearer ${token}`, 'x-timezone': timeZone };
  const answer = await fetch(`${address}/${name}-export?format=${format}&columns=${columns}&range=[0,999]`, {
    headers,
  });
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

/** The rows of a file without its headings, each by the names of its columns, as far as two of them can be compared. */
function named(name: string, rows: readonly string[][]): Record<string, string>[] {
  const columns = Object.keys(lists[name]!);
  return rows.slice(1).map((cells) =>
    Object.fromEntries(
      columns.map((column, at) => {
        const text = (cells[at] ?? '').replaceAll('\r\n', '\n');
        if (timed.has(column) && text !== '') return [column, Number.parseFloat(text).toFixed(2)];
        return [column, formatted.has(column) ? orTooLong(text.replace(/\s/g, '')) : text];
      }),
    ),
  );
}

async function listed(name: string): Promise<Record<string, string>[]> {
  const columns = Object.entries(lists[name]!);
  const rows = await rowsOf(name);
  expect(rows.length).toBeGreaterThan(100);
  return rows.map((row) =>
    Object.fromEntries(columns.map(([column, say]) => [column, say(row).replaceAll('\r\n', '\n')])),
  );
}

const parsed = (text: string) => papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: true }).data;

function sheetOf(file: string): WorkSheet {
  const book = read(readFileSync(file));
  return book.Sheets[book.SheetNames[0]!]!;
}

/** The cells that are formulas, or of another kind than their column; days before spreadsheets' own are text. */
function strange(sheet: WorkSheet, columns: readonly string[]): unknown[] {
  return Object.entries(sheet).filter(([place, cell]) => {
    const { r: row, c: column } = utils.decode_cell(place);
    if (place.startsWith('!') || row === 0 || cell.t === 'z') return false;
    const kind = counted.has(columns[column]!) && cell.v !== firstDay ? 'n' : 's';
    return cell.f !== undefined || cell.t !== kind;
  });
}

describe('LibreOffice', () => {
  test('opens what is downloaded, and says the same as the list', async () => {
    const files = await convert(names.map(fileOf), 'csv', folder);
    for (const [at, name] of names.entries()) {
      const rows = parsed(readFileSync(files[at]!, 'utf8'));
      expect(named(name, rows), name).toEqual(said[name]);
      // A cell that holds only the beginning of a text says so, before it; the CSV has the whole text.
      const long = rows.flat().filter((cell) => cell.startsWith('[Too long for a workbook: 32,768 characters'));
      expect(long, name).toHaveLength(name === 'test-cases' ? 1 : 0);
      const csv = parsed(new TextDecoder().decode(await download(name, 'csv')));
      expect(rows[0], name).toEqual(csv[0]);
      // In CSV an apostrophe keeps text from being read as a formula.
      const plain = csv.map((row) => row.map((cell) => cell.replace(/^'(?=[=+\-@])/, '')));
      expect(named(name, plain), name).toEqual(named(name, rows));
    }
  });

  test.each(['xlsx', 'xls'] as const)(
    'keeps it as %s: text as text, days as days, numbers as numbers',
    async (form) => {
      const files = await convert(names.map(fileOf), form, folder);
      for (const [at, name] of names.entries()) {
        const sheet = sheetOf(files[at]!);
        expect(strange(sheet, Object.keys(lists[name]!)), name).toEqual([]);
        const rows = utils.sheet_to_json<string[]>(sheet, { header: 1, raw: false, defval: '' });
        expect(named(name, rows), name).toEqual(said[name]);
      }
    },
  );
});
