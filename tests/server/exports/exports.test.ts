// @module-tag slow
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { allowLongStatements } from '../../../src/server/database/timeouts';
import { read, utils, type WorkSheet } from 'xlsx';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

type Row = Record<string, unknown> & { id: number };
interface Session {
  readonly call: Client;
  readonly token: string;
}

let program: DemoProgram;
let owner: Session;
let harbour: Session;
let admin: Session;
let address: string;

beforeAll(async () => {
  program = await startFixtureProgram();
  owner = await signIn(accounts.owner);
  harbour = await signIn(accounts.harbour);
  admin = await signIn(accounts.admin);
  await program.app.listen({ port: 0, host: '127.0.0.1' });
  address = `http://127.0.0.1:${(program.app.server.address() as AddressInfo).port}/api`;
});
afterAll(() => program?.close());

async function signIn(email: string): Promise<Session> {
  const { body } = await program.call<{ token: string }>('POST', '/login', { email, password: 'Demo@1234' });
  return { token: body.token, call: await program.signIn(email) };
}

const download = (who: Session, path: string, init: RequestInit = {}) =>
  fetch(address + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${who.token}` } });

async function sheetOf(answer: Response): Promise<WorkSheet> {
  expect(answer.status).toBe(200);
  const book = read(new Uint8Array(await answer.arrayBuffer()), { cellNF: true });
  return book.Sheets[book.SheetNames[0]!]!;
}

/** The rows as a spreadsheet shows them, headings first. */
const shown = (sheet: WorkSheet) => utils.sheet_to_json<string[]>(sheet, { header: 1, raw: false, defval: '' });

const linesOf = async (answer: Response) => papa.parse<string[]>(await answer.text(), { skipEmptyLines: true }).data;

async function create(path: string, body: object): Promise<Row> {
  const answer = await owner.call<Row & { data?: Row }>('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data ?? answer.body;
}
const client = { code: 'AC1', address: 'Main 1', post_code: '1', email: 'a@acme.test', territory_id: 4 };

describe('a spreadsheet', () => {
  test('contains the rows of the list in its order, with titles instead of ids and real dates', async () => {
    const list = await owner.call<Row[]>('GET', '/films?sort_by=-name');
    const answer = await download(owner, '/films-export?sort_by=-name&columns=id,name,studio_id,starts_on');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="films.xlsx"');
    expect(answer.headers.get('content-type')).toContain('spreadsheetml.sheet');
    expect(answer.headers.get('x-total')).toBe(String(list.body.length));
    const sheet = await sheetOf(answer);
    const [headings, ...rows] = shown(sheet);
    expect(headings).toHaveLength(4);
    expect(rows.length).toBeGreaterThan(2);
    expect(rows).toEqual(
      list.body.map(({ id, name, studio: of, starts_on: start }) => [
        String(id),
        name,
        (of as { name: string } | null)?.name ?? '',
        start ?? '',
      ]),
    );
    expect(sheet.A2).toMatchObject({ t: 'n', v: list.body[0]!.id });
    const dated = list.body.findIndex(({ starts_on: start }) => typeof start === 'string');
    expect(sheet[`D${dated + 2}`]).toMatchObject({ t: 'n', z: 'yyyy\\-mm\\-dd' });
  });

  test('has the columns of the list, and supports its filters in both query formats', async () => {
    const [first] = (await owner.call<Row[]>('GET', '/films')).body;
    const filter = encodeURIComponent(JSON.stringify({ studio_id: first!.studio_id }));
    const plain = shown(await sheetOf(await download(owner, `/films-export?studio_id=${String(first!.studio_id)}`)));
    const simple = shown(await sheetOf(await download(owner, `/films-export?filter=${filter}&sort=["id","ASC"]`)));
    const list = await owner.call<Row[]>('GET', `/films?studio_id=${String(first!.studio_id)}`);
    expect(plain).toHaveLength(list.body.length + 1);
    expect(simple.length).toBe(plain.length);
    const { data } = (
      await owner.call<{ data: { name: string; list: { columns: { label: string; visible: boolean }[] } }[] }>(
        'GET',
        '/definitions',
      )
    ).body;
    const columns = data.find(({ name }) => name === 'films')!.list.columns.filter(({ visible }) => visible);
    expect(plain[0]).toEqual(columns.map(({ label }) => label));
  });

  test('contains times and durations as numbers that a spreadsheet can add, with shot, date and comments', async () => {
    const { data } = (await owner.call<{ data: Row[] }>('GET', '/shifts?range=[0,19]')).body;
    const answer = await download(owner, `/shifts-export?id=${data.map(({ id }) => id).join()}&sort_by=-date`);
    const sheet = await sheetOf(answer);
    const rows = utils.sheet_to_json<Record<string, unknown>>(sheet, { raw: true });
    expect(shown(sheet)[0]).toEqual(['Shot', 'User', 'Date', 'Start Time', 'End Time', 'Total Duration', 'Comments']);
    const hours = (text: unknown) => Number(String(text).split('.')[0]) + Number(String(text).split('.')[1]) / 60;
    const sum = rows.reduce((total, row) => total + (row['Total Duration'] as number), 0);
    expect(sum).toBeCloseTo(
      data.reduce((total, log) => total + hours(log.worked), 0),
      6,
    );
    rows.forEach((row, index) => {
      const [start, end] = [sheet[`D${index + 2}`], sheet[`E${index + 2}`]] as { t: string; v: number }[];
      expect([start!.t, end!.t]).toEqual(['n', 'n']);
      expect((end!.v - start!.v) * 24).toBeCloseTo(row['Total Duration'] as number, 4);
    });
    expect([sheet.D2.z, sheet.F2.z, shown(sheet)[1]![5]]).toEqual([
      'yyyy\\-mm\\-dd\\ hh:mm',
      '0.00\\ "h"',
      expect.stringMatching(/^\d+\.\d\d h$/),
    ]);
    const [, line] = await linesOf(await download(owner, '/shifts-export?format=csv&range=[0,0]&columns=start,worked'));
    expect(line).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/),
      expect.stringMatching(/^\d+(\.\d+)?$/),
    ]);
  });

  test('contains every field that the caller may read when all columns are requested', async () => {
    const headings = async (who: Session, path: string) =>
      shown(await sheetOf(await download(who, `${path}?range=[0,0]&columns=*`)))[0]!;
    const all = await headings(owner, '/screenings-export');
    expect(all).toEqual(
      expect.arrayContaining([
        'Title',
        'Status',
        'Description',
        'Projection Notes',
        'Pre-conditions',
        'Running Order',
        'Expected Reaction',
        'Actual Reaction',
        'Video URL',
        'Created At',
      ]),
    );
    expect(new Set(all).size).toBe(all.length);
    const { data } = (
      await owner.call<{ data: { name: string; fields: Record<string, { label: string; secret?: boolean }> }[] }>(
        'GET',
        '/definitions',
      )
    ).body;
    const secret = data.flatMap(({ fields }) => Object.values(fields)).filter((field) => field.secret);
    for (const path of ['/users-export', '/studios-export', '/shots-export']) {
      const named = await headings(owner, path);
      expect(named.length).toBeGreaterThan(5);
      expect(secret.filter(({ label }) => named.includes(label) && label === 'Password')).toEqual([]);
    }
  });

  test('without rows contains only headings', async () => {
    const answer = await download(owner, '/studios-export?name=nobody-is-called-this&columns=name');
    expect(answer.headers.get('x-total')).toBe('0');
    expect(shown(await sheetOf(answer))).toEqual([['Name']]);
  });

  test('lists many related records, and formats instants in the time zone of the caller', async () => {
    const [one] = (await owner.call<Row[]>('GET', '/films?sort_by=-id')).body;
    const full = (await owner.call<Row>('GET', `/films/${one!.id}`)).body;
    const members = full.film_users as { name: string }[];
    expect(members.length).toBeGreaterThan(1);
    const path = `/films-export?id=${one!.id}&columns=user_ids,created_at`;
    const [, row] = shown(await sheetOf(await download(owner, path, { headers: { 'x-timezone': 'Asia/Tokyo' } })));
    expect(row![0]!.split(', ').sort()).toEqual(members.map(({ name }) => name).sort());
    const tokyo = new Date(Date.parse(full.created_at as string) + 9 * 3_600_000).toISOString();
    expect(row![1]).toBe(tokyo.slice(0, 16).replace('T', ' '));
  });

  test('keeps text unchanged, even if it looks like a formula', async () => {
    const name = '=HYPERLINK("http://evil.test","<b>&amp;_x0041_\'") \u{1F600}';
    const made = await create('/studios', { ...client, name });
    const sheet = await sheetOf(await download(owner, `/studios-export?id=${made.id}&columns=name`));
    expect(sheet.A2).toMatchObject({ t: 's', v: name });
    expect(sheet.A2.f).toBeUndefined();
  });
});

describe('comma-separated values', () => {
  test('contain the same as the spreadsheet', async () => {
    const path = '/films-export?sort_by=name&columns=id,name,studio_id,starts_on';
    const answer = await download(owner, `${path}&format=csv`);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="films.csv"');
    expect(await linesOf(answer)).toEqual(shown(await sheetOf(await download(owner, path))));
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1+1', '－1'])('make %s harmless', async (formula) => {
    const made = await create('/studios', { ...client, name: `${formula},"x"\nnext` });
    const answer = await download(owner, `/studios-export?id=${made.id}&columns=name&format=csv`);
    expect((await linesOf(answer))[1]).toEqual([`'${formula},"x"\nnext`]);
  });
});

describe('access to exports', () => {
  test('requires a sign-in and the grant to list', async () => {
    expect((await fetch(`${address}/films-export`)).status).toBe(401);
    const external = await signIn(accounts.external);
    const answer = await download(external, '/users-export');
    expect(answer.status).toBe(403);
    expect(answer.headers.get('content-disposition')).toBeNull();
    expect(await answer.json()).toEqual({
      message: expect.stringContaining("You don't have permission to list") as string,
      code: 'FORBIDDEN',
    });
  });

  test('contains the same records as the list: none of other companies, none hidden by a row rule', async () => {
    const external = await signIn(accounts.external);
    for (const who of [external, harbour]) {
      const list = await who.call<Row[]>('GET', '/films?sort_by=id');
      const [, ...rows] = shown(await sheetOf(await download(who, '/films-export?sort_by=id&columns=id')));
      expect(rows.map(([id]) => Number(id))).toEqual(list.body.map(({ id }) => id));
    }
  });

  test.each([
    ['/films-export?columns=nonsense', 'nonsense'],
    ['/users-export?columns=password', 'password'],
    ['/films-export?columns=', 'columns'],
    ['/films-export?format=pdf', 'format'],
    ['/films-export?nonsense=1', 'nonsense'],
    ['/films-export?sort_by=nonsense', 'nonsense'],
    ['/films-export?columns=__proto__', '__proto__'],
    ['/films-export?progress=../x', 'progress'],
  ])('%s is refused in words', async (path, word) => {
    const answer = await download(owner, path);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(((await answer.json()) as { message: string }).message).toContain(word);
  });
});

describe('many rows', () => {
  const many = 30_000;
  beforeAll(async () => {
    const { database } = program.program;
    await database.transaction(async (trx) => {
      await allowLongStatements(trx);
      await sql`insert into studios (name, code, address, post_code, email, site_id, created_at, updated_at)
      select 'Bulk ' || n, 'B' || n, (select string_agg(md5((n * 7 + i)::text), ' ') from generate_series(1, 6) i), '1', 'b' || n || '@bulk.test',
        (select site_id from users where email = ${accounts.harbour}), now(), now()
      from generate_series(1, ${many}) n`.execute(trx);
    });
  });

  const snapshots = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`.execute(
      program.program.database.kysely,
    );
    return rows[0]!.count;
  };

  test('are all exported, beyond the page size of the list', async () => {
    const answer = await download(harbour, '/studios-export?q=Bulk&columns=name,created_by&sort_by=id');
    expect(answer.headers.get('x-total')).toBe(String(many));
    const rows = shown(await sheetOf(answer));
    expect(rows).toHaveLength(many + 1);
    expect(rows.at(-1)![0]).toBe(`Bulk ${many}`);
    await vi.waitFor(async () => expect(await snapshots()).toBe(0));
  });

  /** Begins a download and reads nothing of it; answers how to hang up. */
  const begin = (path: string, { token } = harbour) =>
    new Promise<{ status: number; hangUp: () => void }>((done, fail) => {
      const asked = get(address + path, { agent: false, headers: { authorization: `Bearer ${token}` } });
      asked.once('error', fail);
      asked.once('response', (answer) => {
        answer.on('error', () => undefined);
        done({ status: answer.statusCode!, hangUp: () => answer.destroy() });
      });
    });
  const path = '/studios-export?q=Bulk&columns=name,address,email,code,created_at';

  test('a disconnected client ends the export', async () => {
    const { hangUp } = await begin(`${path}&progress=mine`);
    const progress = await harbour.call<{ data: object }>('GET', '/export-progress/mine');
    expect(progress).toMatchObject({ status: 200, body: { data: { total: many } } });
    expect((await owner.call('GET', '/export-progress/mine')).status).toBe(404);
    hangUp();
    await vi.waitFor(async () => {
      expect((await harbour.call('GET', '/export-progress/mine')).status).toBe(404);
      expect(await snapshots()).toBe(0);
    });
  });

  test('too many concurrent exports are rejected with Retry-After', async () => {
    const begun = await Promise.all([begin(path), begin(path), begin(path, admin), begin(path, admin)]);
    expect(begun.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const next = await download(harbour, path);
    expect(next.status).toBe(429);
    expect(await next.json()).toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining('Your company') as string,
    });
    const another = await download(owner, path);
    expect(another.status).toBe(503);
    expect(another.headers.get('retry-after')).toBe('5');
    // What cannot be answered at all is told first, and takes no place.
    expect((await download(harbour, '/studios-export?nonsense=1')).status).toBe(400);
    for (const { hangUp } of begun) hangUp();
    await vi.waitFor(async () => expect(await snapshots()).toBe(0));
    expect(shown(await sheetOf(await download(harbour, '/studios-export?columns=id&range=[0,4]')))).toHaveLength(6);
  });
});
