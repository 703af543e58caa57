// @module-tag slow
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { read, utils } from 'xlsx';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { accounts, startFixtureProgram, type ApiResponse, type Client, type DemoProgram } from '../../support/program';
import { csv, send } from './files';

interface JobAnswer {
  readonly id: number;
  readonly kind: string;
  readonly state: string;
  readonly done: number;
  readonly total: number | null;
  readonly message: string | null;
  readonly result: { imported: number; failed: number; failed_file: { name: string; url: string } | null } | null;
  readonly user: { name: string };
  readonly can_cancel: boolean;
  readonly can_retry: boolean;
}
type Line = Record<string, unknown>;

const asJob = { accept: 'application/json; jobs=1' };
let database: TestDatabase;
let program: DemoProgram;
const people: Record<string, Client> = {};
const tokens: Record<string, string> = {};
let film: string;

/** Signs everybody in, at the program as it is now. */
async function enter(): Promise<void> {
  for (const name of ['owner', 'manager', 'admin', 'harbour'] as const) {
    people[name] = await program.signIn(accounts[name]);
    tokens[name] = (
      await program.call<{ token: string }>('POST', '/login', { email: accounts[name], password: 'Demo@1234' })
    ).body.token;
  }
}

beforeAll(async () => {
  database = await createTestDatabase(inject('fixture'));
  program = await startFixtureProgram({ database });
  await enter();
  film = String((await people.owner!<{ id: number }[]>('GET', '/films')).body[0]!.id);
});
afterAll(async () => {
  await program?.close();
  await database?.close();
});

const titled = (name: string, count: number) =>
  csv([['Title'], ...Array.from({ length: count }, (_, index) => [`${name} ${index + 1}`])]);
const post = (
  who: string,
  file: string,
  path = '/screenings/import',
  headers: Record<string, string> = asJob,
  fields = {},
) =>
  send(program, tokens[who]!, path, file, { film_id: film, ...fields }, 'rows.csv', headers) as unknown as Promise<
    ApiResponse<{ data: { job: number }; code?: string; message?: string }> & { bytes: Buffer }
  >;
const job = async (id: number, who = 'owner') =>
  (await people[who]!<{ data: JobAnswer }>('GET', `/jobs/${id}`)).body.data;
const started = async (who: string, file: string) => {
  const { status, body } = await post(who, file);
  expect([status, body]).toEqual([202, { data: { job: expect.any(Number) } }]);
  return body.data.job;
};
const ended = async (id: number, who = 'owner') => {
  await expect.poll(async () => (await job(id, who)).state).toMatch(/done|failed|cancelled/);
  return job(id, who);
};
const underWay = (id: number) => expect.poll(async () => (await job(id)).done, { interval: 10 }).toBeGreaterThan(0);
/** The numbers of the records of that name, in their order. */
const numbers = async (name: string) => {
  const { rows } = await sql<{
    title: string;
  }>`select name as title from screenings where name like ${`${name} %`} order by id`.execute(database.database.kysely);
  return rows.map(({ title }) => Number(title.split(' ').at(-1)));
};
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const line = async () => (await people.owner!<{ data: Line[] }>('GET', '/imports?type=screenings')).body.data[0]!;

describe('responses', () => {
  test.each<[string, Record<string, string>, string, number]>([
    ['a caller that takes jobs', asJob, '', 202],
    ['one that takes other types too', { accept: 'text/html, application/json;jobs=1, */*' }, '', 202],
    ['one that would rather wait', asJob, '?wait=1', 200],
    ['one that says nothing', {}, '', 200],
    ['one that takes JSON', { accept: 'application/json' }, '', 200],
    ['one whose parameter is of another type', { accept: 'text/plain; jobs=1, application/json' }, '', 200],
  ])('%s', async (name, headers, query, expected) => {
    const { status, body } = await post('owner', titled(`Answer to ${name}`, 1), `/screenings/import${query}`, headers);
    expect(status).toBe(expected);
    if (expected === 202) expect((await ended(body.data.job)).state).toBe('done');
    else expect(body).toEqual({ success: true, message: 'Imported Successfully', imported: 1 });
    expect(await numbers(`Answer to ${name}`)).toEqual([1]);
  });

  test('the same key is the same import, with the same response', async () => {
    const file = titled('Keyed', 3);
    const keyed = (headers: Record<string, string>) =>
      post('owner', file, '/screenings/import', { ...headers, 'idempotency-key': `key ${headers.accept ?? ''}` });
    const first = await keyed({});
    expect(first.body).toMatchObject({ success: true, imported: 3 });
    expect([(await keyed({})).body, await numbers('Keyed')]).toEqual([first.body, [1, 2, 3]]);
    const other = titled('Keyed job', 2);
    const send = (text: string) => post('owner', text, '/screenings/import', { ...asJob, 'idempotency-key': 'a job' });
    const { status, body } = await send(other);
    expect([status, (await send(other)).body]).toEqual([202, body]);
    await ended(body.data.job);
    expect((await send(other)).body).toEqual(body);
    expect(await numbers('Keyed job')).toEqual([1, 2]);
    const reused = await send(titled('Another', 1));
    expect([reused.status, reused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  test('errors in the form are returned at once, errors in the file by the job', async () => {
    const wrong = await send(program, tokens.owner!, '/screenings/import', 'Title\nA', {}, 'rows.csv', asJob);
    expect([wrong.status, wrong.body.success]).toEqual([422, false]);
    const before = await line();
    const id = await started('owner', 'Nothing known\nA');
    expect(await ended(id)).toMatchObject({
      state: 'failed',
      can_retry: false,
      message: 'None of the columns is known. Map at least one column. Nothing was saved.',
    });
    expect((await line()).id).toBe(before.id);
  });
});

test('a job reports its progress, and saves the failed rows as a file', async () => {
  const rows = [['Title', 'Urgency'], ...upTo(450).map((at) => [`Mixed ${at}`, at % 100 === 0 ? 'No such' : 'High'])];
  const id = await started('owner', csv(rows));
  expect(await job(id)).toMatchObject({ kind: 'import', can_retry: false, user: { name: expect.stringMatching(/ /) } });
  const done = await ended(id);
  expect(done).toMatchObject({
    state: 'done',
    done: 450,
    total: 450,
    can_cancel: false,
    result: { imported: 446, failed: 4 },
  });
  expect(await line()).toMatchObject({ state: 'done', total: 450, imported: 446, failed: 4, job_id: id });
  for (const url of [done.result!.failed_file!.url, (await line()).failed_path as string]) {
    const file = await program.app.inject({ url });
    expect(file.headers['content-disposition']).toContain('failed_imports_screenings.xlsx');
    const book = read(file.rawPayload);
    expect(utils.sheet_to_json(book.Sheets[book.SheetNames[0]!]!, { header: 1 })).toEqual([
      ['Title', 'Urgency', 'Errors'],
      ...[100, 200, 300, 400].map((at) => [`Mixed ${at}`, 'No such', 'Urgency: this choice is not available.']),
    ]);
  }
});

describe('nothing is lost or imported twice', () => {
  test('another server resumes the import of a stopping server at the next row', async () => {
    const second = await startFixtureProgram({ database });
    const id = await started('owner', titled('Handed over', 1500));
    await underWay(id);
    // Whichever of the two is at it.
    await Promise.all([program.program.jobs.stop(), second.program.jobs.stop()]);
    const stored = await numbers('Handed over');
    expect(stored.length).toBeLessThan(1500);
    const between = await job(id);
    expect(between).toMatchObject({ state: 'waiting', done: stored.length });
    expect(await line()).toMatchObject({ state: 'running', imported: stored.length });
    await second.close();
    await program.close();
    program = await startFixtureProgram({ database });
    await enter();
    expect(await ended(id)).toMatchObject({ state: 'done', done: 1500, result: { imported: 1500, failed: 0 } });
    expect(await numbers('Handed over')).toEqual(upTo(1500));
  });

  test('a cancelled import reports how much was saved, and can be resumed', async () => {
    const id = await started('owner', titled('Cut off', 1500));
    await underWay(id);
    expect((await people.owner!('DELETE', `/jobs/${id}`)).status).toBe(200);
    const cut = await ended(id);
    const stored = await numbers('Cut off');
    expect(cut).toMatchObject({ state: 'cancelled', done: stored.length, can_retry: true });
    expect(cut.message).toBe(`Cancelled. ${stored.length.toLocaleString('en')} of 1,500 screenings were saved.`);
    expect(await line()).toMatchObject({ state: 'cancelled', imported: stored.length, total: 1500 });
    expect((await people.owner!('DELETE', `/jobs/${id}`)).status).toBe(409);
    expect((await people.owner!<{ data: JobAnswer }>('POST', `/jobs/${id}/retry`)).body.data.state).toBe('waiting');
    expect((await ended(id)).state).toBe('done');
    expect(await numbers('Cut off')).toEqual(upTo(1500));
  });

  test('importing the same file again requires confirmation', async () => {
    const file = titled('Repeated', 2);
    await ended(await started('owner', file));
    const refused = await post('owner', file);
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT_REPEATED']);
    expect(refused.body.message).toMatch(
      /^This file was imported on \d\d-\w{3}-\d{4} \d\d:\d\d \(2 screenings\)\. Import it again\?$/,
    );
    const { body } = await post('owner', file, '/screenings/import?preview=1');
    expect(body).toMatchObject({ previous: { state: 'done', imported: 2 } });
    // Another mapping or another person makes it another import.
    const mapped = await post(
      'owner',
      file,
      '/screenings/import?preview=1',
      {},
      { mapping: '{"Title":"description"}' },
    );
    expect(mapped.body).toMatchObject({ previous: null });
    expect((await post('manager', file, '/screenings/import?preview=1')).body).toMatchObject({ previous: null });
    expect(await numbers('Repeated')).toEqual([1, 2]);
    const meant = await post('owner', file, '/screenings/import?again=1');
    expect((await ended(meant.body.data.job)).state).toBe('done');
    // Whoever waited for the answer was told that it went well.
    expect((await post('owner', file, '/screenings/import', {})).status).toBe(200);
    expect(await numbers('Repeated')).toEqual([1, 2, 1, 2, 1, 2]);
  });

  test('after an interrupted import, clients that wait must confirm too', async () => {
    const file = titled('Half', 1500);
    const id = await started('owner', file);
    await underWay(id);
    expect((await post('owner', file, '/screenings/import', {})).body).toMatchObject({
      code: 'CONFLICT_REPEATED',
      message: expect.stringContaining('is already being imported'),
    });
    expect((await people.owner!('DELETE', `/imports/${String((await line()).id)}`)).status).toBe(409);
    await people.owner!('DELETE', `/jobs/${id}`);
    await ended(id);
    expect((await post('owner', file, '/screenings/import', {})).status).toBe(409);
  });
});

describe('access to jobs', () => {
  test.each<[string, string, number]>([
    ['manager', 'their own', 200],
    ['owner', "the company's", 200],
    ['admin', 'all', 200],
    ['harbour', "no other company's", 404],
  ])('%s: %s', async (who, _, status) => {
    const id = await started('manager', titled(`Seen by ${who}`, 1));
    await ended(id, 'manager');
    expect((await people[who]!('GET', `/jobs/${id}`)).status).toBe(status);
    const { body, headers } = await people[who]!<{ data: JobAnswer[] }>('GET', '/jobs?range=[0,2]&kind=import');
    expect(body.data.some((one) => one.id === id)).toBe(status === 200);
    expect(headers['content-range']).toMatch(/^jobs (0-\d+|\*)\/\d+$/);
    expect((await people[who]!('POST', `/jobs/${id}/retry`)).status).toBe(status === 200 ? 409 : 404);
    expect((await people[who]!('DELETE', `/jobs/${id}`)).status).toBe(status === 200 ? 409 : 404);
  });

  test('a user of level 3 sees only their own', async () => {
    const id = await started('owner', titled('Not the manager', 1));
    expect((await people.manager!('GET', `/jobs/${id}`)).status).toBe(404);
    expect((await people.manager!('DELETE', `/jobs/${id}`)).status).toBe(404);
    await ended(id);
  });

  test.each([
    ['/jobs?state=sleeping', 400],
    ['/jobs?user_id=1', 400],
    ['/jobs?range=x', 400],
    ['/jobs?state=a&state=b', 400],
    ['/jobs/0', 404],
    ['/jobs/x', 404],
  ])('%s: %i', async (path, status) => {
    expect((await people.owner!('GET', path)).status).toBe(status);
  });
});

test('an import stops at the next part when its user loses the permission', async () => {
  const some = await program.restricted();
  await some.grant(['imports.list', 'imports.create', 'screenings.list', 'screenings.create', 'films.list']);
  const login = await program.call<{ token: string }>('POST', '/login', {
    email: 'restricted@demo.test',
    password: 'Demo@1234',
  });
  tokens.some = login.body.token;
  const id = await started('some', titled('Grant lost', 1500));
  await underWay(id);
  await some.grant(['imports.list']);
  const stopped = await ended(id);
  const stored = await numbers('Grant lost');
  expect(stored.length).toBeLessThan(1500);
  expect(stopped).toMatchObject({
    state: 'failed',
    done: stored.length,
    message: expect.stringContaining(`${stored.length.toLocaleString('en')} of 1,500 screenings were saved.`),
  });
});
