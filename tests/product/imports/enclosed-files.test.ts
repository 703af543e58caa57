// @module-tag slow
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';
import { send } from '../../server/imports/files';

interface StoredFile {
  name: string;
  size: number;
  type: string;
  url: string;
}
interface Row {
  id: number;
  name: string;
  attachments: StoredFile[] | null;
  [name: string]: unknown;
}

let program: DemoProgram;
let owner: Client;
let token: string;

beforeAll(async () => {
  program = await startDemoProgram();
  owner = await program.signIn(accounts.owner);
  token = await tokenOf(accounts.owner);
});
afterAll(() => program?.close());

const tokenOf = async (email: string) =>
  (await program.call<{ token: string }>('POST', '/login', { email, password: 'Demo@1234' })).body.token;
const fixture = (name: string) => readFileSync(new URL(`formats/${name}`, import.meta.url), 'utf8');
const listOf = async (path: string) => {
  const { body } = await owner<{ data: Row[] } | Row[]>('GET', path);
  return Array.isArray(body) ? body : body.data;
};
async function newProject(name: string): Promise<string> {
  const [like] = await listOf('/projects?range=[0,0]');
  const { client_id, type_id, status_id, start_date, end_date } = like!;
  const values = { name, client_id, type_id, status_id, start_date, end_date };
  const made = await owner<Row & { data?: Row }>('POST', '/projects', values);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return String((made.body.data ?? made.body).id);
}
const post = (file: string, project: string, query = '', fields: Record<string, string> = {}, who = token) =>
  send(program, who, `/test-cases/import${query}`, file, { project_id: project, ...fields }, 'cases.xml');
async function casesOf(project: string): Promise<Row[]> {
  const rows = await listOf(`/test-cases?project_id=${project}&sort=["id","ASC"]&range=[0,99]`);
  return Promise.all(rows.map(async ({ id }) => (await owner<{ data: Row }>('GET', `/test-cases/${id}`)).body.data));
}
const namesOf = ({ attachments }: Row) => (attachments ?? []).map(({ name }) => name);
/** The keys of all stored files of test cases. */
async function storedKeys(): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select key from assay.files
    where resource = 'test-cases' and field = 'attachments' order by key`.execute(program.program.database.kysely);
  return rows.map(({ key }) => key);
}
const fetched = (url: string, who?: string) =>
  program.app.inject({ method: 'GET', url, headers: who ? { authorization: `Bearer ${who}` } : {} });
const taken = ['label.png', 'passwd', 'drawing.svg', 'step.txt'];

test('the preview lists the files of each row, and those that are left out with the reason; nothing is stored', async () => {
  const project = await newProject('Files previewed');
  const before = await storedKeys();
  const { status, body } = await post(fixture('testlink-files.xml'), project, '?preview=1');
  expect([status, body.tool, body.errors, body.ready]).toEqual([200, 'TestLink', [], 2]);
  expect(body.rows.map(({ files }) => files.map(({ name }) => name))).toEqual([taken, []]);
  expect(body.files).toEqual({ count: 4, bytes: body.rows[0]!.files.reduce((sum, { size }) => sum + size, 0) });
  const row = body.rows[0]!.row;
  expect(body.left_out).toEqual([
    { row, name: 'broken.bin', reason: 'Its content is not valid base64.' },
    { row, name: 'empty.txt', reason: 'It is empty.' },
    { row, name: 'suite.txt', reason: 'It belongs to the test suite “Labels”, which has no files here.' },
  ]);
  expect(body.left_out_count).toBe(3);
  expect(body.dropped.map(({ column }) => column)).not.toContain('Attachments');
  expect(await storedKeys()).toEqual(before);
});

test('files of TestLink come with their case, as their content says what they are; another company gets none', async () => {
  const project = await newProject('Files imported');
  const { body } = await post(fixture('testlink-files.xml'), project);
  expect(body).toMatchObject({ success: true, imported: 2, files: 4, files_left_out: 3 });
  const [first, second] = await casesOf(project);
  expect([namesOf(first!), namesOf(second!)]).toEqual([taken, []]);
  const [picture, , drawing, text] = first!.attachments!;
  expect([picture!.type, text!.type]).toEqual(['image/png', 'text/plain']);
  expect((await fetched(text!.url)).body).toBe('Seen at the step');
  // What could run in a browser is saved, never shown.
  const svg = await fetched(drawing!.url);
  expect(svg.headers['content-disposition']).toMatch(/^attachment/);
  expect((await fetched(picture!.url)).rawPayload.subarray(1, 4).toString()).toBe('PNG');
  const other = await tokenOf(accounts.harbour);
  expect((await fetched(`/api/test-cases/${first!.id}`, other)).statusCode).toBe(404);
  expect((await fetched(picture!.url.split('?')[0]!, other)).statusCode).toBeGreaterThanOrEqual(401);
});

test('files of Xray come with their case; one of which there is only a name is named', async () => {
  const project = await newProject('Files of Xray');
  const { body: preview } = await post(fixture('xray-files.json'), project, '?preview=1');
  expect(preview.rows[0]!.files).toMatchObject([{ name: 'run.log', size: 12 }, { name: 'stars.png' }]);
  expect(preview.dropped).toContainEqual(expect.objectContaining({ column: 'Attachments', cells: 1 }));
  expect((await post(fixture('xray-files.json'), project)).body).toMatchObject({ imported: 1, files: 2 });
  expect((await casesOf(project)).map(namesOf)).toEqual([['run.log', 'stars.png']]);
});

test('imported again, a record gets only the files that it does not have', async () => {
  const project = await newProject('Files again');
  await post(fixture('testlink-files.xml'), project);
  const [first, second] = await casesOf(project);
  const again = (text: string) =>
    text.replace('<externalid>8<', `<externalid>${first!.id}<`).replace('<externalid>9<', `<externalid>${second!.id}<`);
  const byId = { mapping: JSON.stringify({ 'TestLink ID': 'id', Description: null }) };
  const before = await storedKeys();
  const same = again(fixture('testlink-files.xml'));
  const { body: preview } = await post(same, project, '?preview=1', byId);
  expect(preview).toMatchObject({ errors: [], unchanged: 2, changed: 0, files: { count: 0 } });
  expect((await post(same, project, '?again=1', byId)).body).toMatchObject({ unchanged: 2, changed: 0, files: 0 });
  expect(await storedKeys()).toEqual(before);

  const more = same.replace('<externalid>' + second!.id + '</externalid>', (text) => {
    const content = Buffer.from('second').toString('base64');
    return `${text}<attachments><attachment><name>new.txt</name><content>${content}</content></attachment></attachments>`;
  });
  expect((await post(more, project, '?preview=1', byId)).body).toMatchObject({
    changed: 1,
    files: { count: 1, bytes: 6 },
  });
  expect((await post(more, project, '', byId)).body).toMatchObject({ unchanged: 1, changed: 1, files: 1 });
  expect((await casesOf(project)).map(namesOf)).toEqual([taken, ['new.txt']]);
  expect(await storedKeys()).toHaveLength(before.length + 1);
});

test('a row that is refused leaves no file, and its spreadsheet says that they are missing', async () => {
  const project = await newProject('Files refused');
  const before = await storedKeys();
  const wrong = fixture('testlink-files.xml').replace(
    '<externalid>8<',
    '<importance>unknown</importance><externalid>8<',
  );
  const { body } = await post(wrong, project, '?preview=1');
  expect([body.failed, body.files.count]).toEqual([1, 0]);
  const answer = await post(wrong, project);
  expect(answer.headers['x-failed']).toBe('1');
  expect(await storedKeys()).toEqual(before);
  expect((await casesOf(project)).map(({ name }) => name)).toEqual(['Print nothing']);
});

test('files beyond what the field takes are left out, with words', async () => {
  const many = Array.from(
    { length: 25 },
    (_, index) => `<attachment><name>${index}.txt</name><content>QUJD</content></attachment>`,
  ).join('');
  const project = await newProject('Files limited');
  const text = `<testcases><testcase name="Many"><attachments>${many}</attachments></testcase></testcases>`;
  const { body } = await post(text, project, '?preview=1');
  expect([body.rows[0]!.files.length, body.left_out_count]).toEqual([20, 5]);
  expect(body.left_out[0]).toMatchObject({ name: '20.txt', reason: 'Attachments has at most 20 files.' });
});

test('an import with files that is cancelled and resumed gives each record its file once', async () => {
  interface Job {
    state: string;
    done: number;
    result: { imported: number; files: number } | null;
  }
  const count = 1_000;
  const project = await newProject('Files resumed');
  const before = await storedKeys();
  const cases = Array.from({ length: count }, (_, index) => {
    const content = Buffer.from(`file ${index}`).toString('base64');
    return `<testcase name="Resumed ${index}"><attachments><attachment><name>${index}.txt</name><content>${content}</content></attachment></attachments></testcase>`;
  });
  const text = `<testcases>${cases.join('')}</testcases>`;
  const asJob = { accept: 'application/json; jobs=1' };
  const sent = await send(program, token, '/test-cases/import', text, { project_id: project }, 'cases.xml', asJob);
  const { job } = (sent.body as unknown as { data: { job: number } }).data;
  const now = async () => (await owner<{ data: Job }>('GET', `/jobs/${job}`)).body.data;
  await expect.poll(async () => (await now()).done, { interval: 10 }).toBeGreaterThan(0);
  expect((await owner('DELETE', `/jobs/${job}`)).status).toBe(200);
  await expect.poll(async () => (await now()).state).toBe('cancelled');
  // The records of whole parts have their files, and no other files are stored.
  const { done } = await now();
  expect(done).toBeLessThan(count);
  expect(await storedKeys()).toHaveLength(before.length + done);

  expect((await owner('POST', `/jobs/${job}/retry`)).status).toBe(200);
  await expect.poll(async () => (await now()).state).toBe('done');
  expect((await now()).result).toMatchObject({ imported: count, files: count });
  expect(await storedKeys()).toHaveLength(before.length + count);
  const { rows } = await sql<{ name: string; files: { name: string }[] }>`select name, attachments as files
    from test_cases where project_id = ${Number(project)} order by id`.execute(program.program.database.kysely);
  expect(rows.map(({ files }) => files.map(({ name }) => name))).toEqual(cases.map((_, index) => [`${index}.txt`]));
  expect(rows.map(({ name }) => name)).toEqual(cases.map((_, index) => `Resumed ${index}`));
});
