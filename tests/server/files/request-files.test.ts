// @module-tag slow
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sourceOf } from '../../support/definitions';
import { resolveReferences } from '../../support/openapi';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { png } from './pictures';

// A request on a record that adds another one, with its files: a report on a machine.
const machines = sourceOf(
  'machines',
  { name: { type: 'text', required: true }, state: { type: 'text' } },
  {
    scope: 'company',
    requests: {
      report: {
        label: 'Report',
        sets: ['state'],
        adds: { resource: 'reports', relation: 'machine_id', fields: ['text', 'photo', 'papers'] },
        required: ['text'],
        visible: { photo: { state: { $ne: 'scrapped' } } },
      },
    },
    grants: { '5': ['list', 'view', 'edit'], '6': 'read' },
  },
);
const reports = sourceOf(
  'reports',
  {
    text: { type: 'text', required: true },
    machine_id: { type: 'relation', to: 'machines' },
    photo: { type: 'image' },
    papers: { type: 'files', maxItems: 2, accept: ['image/*'], maxSize: '64 kB' },
  },
  { scope: 'company', grants: { '5': 'read', '6': 'read' } },
);

interface File {
  name: string;
  size: number;
  type: string;
  url: string;
}
type Row = Record<string, unknown> & { id: number; photo: File | null; papers: File[] | null };
interface Answer {
  status: number;
  body: Row & { data: Row & File; errors?: Record<string, string>; code?: string };
}

let program: DemoProgram;
let owner: Client;
let origin: string;
/** May edit machines and add no reports of their own, and may only read. */
let editor: string;
let reader: string;
let machine: number;

beforeAll(async () => {
  program = await startFixtureProgram();
  const admin = await program.signIn(accounts.admin);
  const { requests: _requests, ...bare } = machines;
  for (const definition of [bare, reports])
    expect(await admin('POST', '/modules', { definition })).toMatchObject({ status: 201 });
  const published = await admin('PUT', '/modules/machines', { definition: machines, version: 1 });
  expect(published.status, JSON.stringify(published.body)).toBe(200);
  owner = await program.signIn(accounts.owner);
  [editor, reader] = (await Promise.all([accounts.qa, accounts.external].map(tokenOf))) as [string, string];
  await program.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(program.app.server.address() as AddressInfo).port}`;
  const made = await owner<Row>('POST', '/machines', { name: 'Press' });
  machine = made.body.id;
});
afterAll(() => program?.close());

async function tokenOf(email: string): Promise<string> {
  const { body } = await program.call<{ token: string }>('POST', '/login', { email, password: 'Demo@1234' });
  return body.token;
}

type Part = string | { bytes: Uint8Array; name: string };
async function send(method: string, path: string, parts: readonly [string, Part][], token = editor): Promise<Answer> {
  const form = new FormData();
  for (const [name, part] of parts)
    if (typeof part === 'string') form.append(name, part);
    else form.append(name, new Blob([part.bytes as never]), part.name);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${origin}/api${path}`, { method, body: form, headers });
  return { status: answer.status, body: (await answer.json()) as never };
}
const report = (parts: readonly [string, Part][], token = editor) =>
  send('PATCH', `/machines-report/${machine}`, parts, token);
const upload = (token = editor, field = 'papers') =>
  send('POST', `/reports/files?field=${field}`, [['file', shot('before.png')]], token);
const shot = (name: string) => ({ bytes: png(2, 3), name });
const latest = async () => (await owner<Row[]>('GET', '/reports?sort_by=-id')).body[0]!;
const count = async () => (await owner<Row[]>('GET', '/reports')).body.length;
const storedFiles = async () =>
  (await program.program.database.pool.query("select key from assay.files where resource = 'reports'")).rows.length;

test('an action takes its files in one form, from users who may edit the record', async () => {
  const refused = await send('POST', '/reports', [['text', 'Of my own']]);
  expect(refused.status).toBe(403);
  const answer = await report([
    ['text', 'It rattles'],
    ['state', 'worn'],
    ['photo', shot('front.png')],
    ['papers', shot('left.png')],
    ['papers', shot('right.png')],
  ]);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body).toMatchObject({ state: 'worn' });
  const added = await latest();
  expect(added).toMatchObject({
    text: 'It rattles',
    photo: { name: 'front.png', type: 'image/png' },
    papers: [{ name: 'left.png' }, { name: 'right.png' }],
  });
  const file = await program.app.inject({ method: 'GET', url: added.papers![1]!.url });
  expect(file.rawPayload).toEqual(png(2, 3));
});

test('files that were uploaded beforehand become those of the added record, once and for their uploader alone', async () => {
  const answer = await upload();
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const { data: file } = answer.body;
  const stolen = await report(
    [
      ['text', 'Theirs'],
      ['papers', JSON.stringify([file])],
    ],
    await tokenOf(accounts.owner),
  );
  expect(stolen).toMatchObject({
    status: 422,
    body: { errors: { papers: expect.stringContaining('no longer there') } },
  });
  const editing = await program.signIn(accounts.qa);
  const added = await editing('PATCH', `/machines-report/${machine}`, { text: 'With papers', papers: [file] });
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  expect(await latest()).toMatchObject({ text: 'With papers', papers: [{ name: 'before.png' }] });
  const again = await editing('PATCH', `/machines-report/${machine}`, { text: 'Again', papers: [file] });
  expect(again.status).toBe(422);
});

test('users who may not run the action upload no files for it', async () => {
  expect((await upload(reader)).status).toBe(403);
  expect(
    (
      await report(
        [
          ['text', 'x'],
          ['photo', shot('a.png')],
        ],
        reader,
      )
    ).status,
  ).toBe(403);
  // Only what the request asks for, and only lists of files.
  expect(await upload(editor, 'photo')).toMatchObject({ status: 400, body: { code: 'UNKNOWN_FIELD' } });
  expect(await upload(editor, 'text')).toMatchObject({ status: 400, body: { code: 'UNKNOWN_FIELD' } });
});

test.each<[string, readonly [string, Part][], string]>([
  [
    'of another kind',
    [
      ['text', 'x'],
      ['papers', { bytes: Buffer.from('notes'), name: 'a.txt' }],
    ],
    'papers',
  ],
  ['too many', [['text', 'x'], ...['a', 'b', 'c'].map((name): [string, Part] => ['papers', shot(name)])], 'papers'],
  ['without what is required', [['photo', shot('a.png')]], 'text'],
])('%s: it is refused, and nothing is stored', async (_what, parts, field) => {
  const [before, files] = [await count(), await storedFiles()];
  const answer = await report(parts);
  expect([400, 413, 415, 422]).toContain(answer.status);
  expect(JSON.stringify(answer.body)).toMatch(new RegExp(field, 'i'));
  expect([await count(), await storedFiles()]).toEqual([before, files]);
});

test('the API document says that the request takes a form with these files', async () => {
  const call = await program.signIn(accounts.qa);
  const { body } = await call<{ paths: Record<string, Record<string, { requestBody: unknown }>> }>(
    'GET',
    '/openapi.json',
  );
  const { requestBody } = body.paths['/machines-report/{id}']!.patch!;
  const { content } = resolveReferences(body as never, requestBody as never) as unknown as {
    content: Record<string, { schema: { properties: Record<string, object> } }>;
  };
  expect(content['multipart/form-data']!.schema.properties).toMatchObject({
    photo: { type: 'string', format: 'binary' },
    papers: { type: 'array', items: { format: 'binary' } },
  });
  expect(body.paths).toHaveProperty(['/reports/files']);
});
