// @module-tag slow
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { read, utils } from 'xlsx';
import type { Actor } from '../../../src/engine/access/actor';
import type { Source } from '../../../src/engine/language/source';
import { RequestContext } from '../../../src/server/access/request-context';
import type { Hook } from '../../../src/server/program';
import { parseInput } from '../../../src/server/records/write/input';
import { BatchState } from '../../../src/server/records/write/record-write';
import { updateMany } from '../../../src/server/records/write/update';
import { product } from '../../fixtures/product';
import { sourceOf } from '../../support/definitions';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';
import { book, send } from '../imports/files';

// Records of one call that cannot be stored together are stored one after the other, each as those before it left it.

interface Box {
  readonly id: number;
  readonly code: string | null;
  readonly weight: number | null;
  readonly lines: readonly { readonly id: number; readonly what: string | null; readonly amount: number | null }[];
  readonly papers: readonly { readonly name: string }[] | null;
}

/** The caller for whom a hook ran last. */
let hookActor: Actor;

/**
 * A box with the note "weigh B" sets the weight and the lines of the box B once it is stored; one with the note "empty B"
 * removes its papers.
 */
const weighOther: Hook = async ({ trx, values, actor }) => {
  hookActor = actor;
  const [, emptiedName] = /^empty (.*)$/.exec(String(values.note)) ?? [];
  if (emptiedName !== undefined) await sql`update boxes set papers = null where name = ${emptiedName}`.execute(trx);
  const [, weighedName] = /^weigh (.*)$/.exec(String(values.note)) ?? [];
  if (weighedName === undefined) return;
  await sql`update boxes set weight = 7 where name = ${weighedName}`.execute(trx);
  await sql`update boxes__lines set amount = 70 where parent_id = (select id from boxes where name = ${weighedName})`.execute(
    trx,
  );
};

const fields: Source['fields'] = {
  name: { required: true },
  code: { unique: 'company' },
  weight: { type: 'number' },
  note: { type: 'textarea' },
  lines: { type: 'rows', fields: { what: { type: 'text' }, amount: { type: 'number' } } },
  papers: { type: 'files' },
  parent_id: { type: 'relation', to: 'boxes', label: 'Parent', maxDepth: 9 },
};

let demo: DemoProgram;
let owner: Client;
let token: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-in-turn-'));
  cpSync(product.folder, folder, { recursive: true });
  const boxes = sourceOf('boxes', fields, {
    labels: { one: 'Box', many: 'Boxes' },
    scope: 'company',
    hooks: { afterSave: ['weighOther'] },
    import: { match: ['name'] },
  } as Partial<Source>);
  writeFileSync(join(folder, 'boxes.json'), JSON.stringify(boxes));
  demo = await startDemoProgram({ product: { ...product, hooks: { ...product.hooks, weighOther } }, folder });
  owner = await demo.signIn(accounts.owner);
  const login = { email: accounts.owner, password: 'Demo@1234' };
  token = (await demo.call<{ token: string }>('POST', '/login', login)).body.token;
});
afterAll(async () => {
  await demo?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function createBox(values: object): Promise<Box> {
  const answer = await owner<Box>('POST', '/boxes', values);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}
const readBox = async (id: number) => (await owner<Box>('GET', `/boxes/${id}`)).body;

/** The entries of a box's history after its first one: what was there, and what came instead. */
async function changesOf(id: number) {
  const { rows } = await demo.program.database.pool.query<{ old_values: object; new_values: object }>(
    `select old_values, new_values from assay.history where resource = 'boxes' and record_id = $1 and event = 'updated'`,
    [id],
  );
  return rows;
}

/** Imports changes of boxes; the last one takes a code that another box has, so that they cannot be stored together. */
async function importWithRefusal(headings: readonly string[], ...rows: readonly (readonly unknown[])[]) {
  const { status, bytes } = await send(demo, token, '/boxes/import', book([headings, ...rows]));
  expect(status).toBe(200);
  // The answer is a file with the rows that were refused.
  const refused = read(bytes);
  const texts = utils.sheet_to_json<string[]>(refused.Sheets[refused.SheetNames[0]!]!, { header: 1 }).flat();
  expect(texts.filter((text) => /is already taken/.test(text))).toHaveLength(1);
}

let count = 0;
/** Two boxes to change and one that is refused, with names of their own. */
async function createBoxes(second: object) {
  const number = (count += 1);
  const [first, other, third] = [`First ${number}`, `Second ${number}`, `Third ${number}`];
  await createBox({ name: `Holder ${number}`, code: `taken ${number}` });
  await createBox({ name: first });
  const { id } = await createBox({ name: other, weight: 1, ...second });
  await createBox({ name: third });
  return { first, other, third, id, takenCode: `taken ${number}` };
}

test('a change after the hook of another record records in the history what that hook left', async () => {
  const { first, other, third, id, takenCode } = await createBoxes({});
  await importWithRefusal(
    ['Name', 'Note', 'Weight', 'Code'],
    [first, `weigh ${other}`, '', ''],
    [other, '', 5, ''],
    [third, '', '', takenCode],
  );
  expect((await readBox(id)).weight).toBe(5);
  expect(await changesOf(id)).toEqual([{ old_values: { weight: 7 }, new_values: { weight: 5 } }]);
});

test('a change to what the hook of another record has stored already changes nothing', async () => {
  const { first, other, third, id, takenCode } = await createBoxes({});
  await importWithRefusal(
    ['Name', 'Note', 'Weight', 'Code'],
    [first, `weigh ${other}`, '', ''],
    [other, '', 7, ''],
    [third, '', '', takenCode],
  );
  expect((await readBox(id)).weight).toBe(7);
  expect(await changesOf(id)).toEqual([]);
});

test('cells that were not sent of a row stay as the hook of a record before it left them', async () => {
  const { first, id } = await createBoxes({ lines: [{ what: 'cup', amount: 1 }] });
  const [line] = (await readBox(id)).lines;
  const { id: parentId } = await createBox({ name: `Shelf of ${first}` });
  const { rows } = await demo.program.database.pool.query<Box>('select id from boxes where name = $1', [first]);
  const answer = await owner('POST', '/boxes/bulk', {
    update: [
      // The second one is moved in the tree, so that it is stored after the first one.
      { id: rows[0]!.id, note: `weigh Second ${count}` },
      { id, parent_id: parentId, lines: [{ id: line!.id, what: 'mug' }] },
    ],
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect((await readBox(id)).lines).toEqual([expect.objectContaining({ what: 'mug', amount: 70 })]);
});

/** Uploads a file that is not the file of any box yet. */
async function uploadPaper(name: string): Promise<object> {
  const form = new FormData();
  form.append('file', new Blob([name]), name);
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const upload = await demo.app.inject({
    method: 'POST',
    url: '/api/boxes/files?field=papers',
    headers: { authorization: `Bearer ${token}`, 'content-type': request.headers.get('content-type')! },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  return upload.json<{ data: object }>().data;
}

test('each of several records that are moved in a tree gets the files that were sent for it', async () => {
  const shelf = await createBox({ name: 'Shelf' });
  const boxes = [await createBox({ name: 'Left' }), await createBox({ name: 'Right' })];
  const papers = [await uploadPaper('left.txt'), await uploadPaper('right.txt')];
  const update = boxes.map(({ id }, index) => ({ id, parent_id: shelf.id, papers: [papers[index]] }));
  const answer = await owner('POST', '/boxes/bulk', { update });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const storedBoxes = await Promise.all(boxes.map(({ id }) => readBox(id)));
  expect(storedBoxes).toMatchObject([
    { parent_id: shelf.id, papers: [{ name: 'left.txt' }] },
    { parent_id: shelf.id, papers: [{ name: 'right.txt' }] },
  ]);
  // A file belongs to one record: neither the same call nor a later one can give it to another.
  const other = await owner<{ errors: object }>('PUT', `/boxes/${shelf.id}`, { papers: [papers[0]] });
  expect([other.status, Object.keys(other.body.errors)]).toEqual([422, ['papers']]);
});

test('files of a call that is refused because of one moved record are free for the next call', async () => {
  const shelf = await createBox({ name: 'Upper shelf' });
  const [box, above] = [await createBox({ name: 'Box' }), await createBox({ name: 'Above' })];
  const paper = await uploadPaper('box.txt');
  const update = [{ id: box.id, parent_id: shelf.id, papers: [paper] }];
  const answer = await owner('POST', '/boxes/bulk', { update: [...update, { id: above.id, parent_id: above.id }] });
  expect(answer.status).toBe(422);
  expect((await owner('POST', '/boxes/bulk', { update })).status).toBe(200);
  expect(await readBox(box.id)).toMatchObject({ papers: [{ name: 'box.txt' }] });
});

test('a paper that the hook of another box has removed is not stored again by a change that names it', async () => {
  const shelf = await createBox({ name: 'Empty shelf' });
  const first = await createBox({ name: 'Emptying' });
  const box = await createBox({ name: 'Emptied', papers: [await uploadPaper('old.txt')] });
  const update = [
    { id: first.id, note: 'empty Emptied' },
    // It is moved in the tree, so that it is stored after the first one.
    { id: box.id, parent_id: shelf.id, papers: [...box.papers!, await uploadPaper('new.txt')] },
  ];
  const refused = await owner<{ errors: object }>('POST', '/boxes/bulk', { update });
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused.body.errors)).toContain('“old.txt” is no longer there. Add it again.');
  // Nothing of the call is stored, so both papers can be sent again.
  expect(await readBox(box.id)).toMatchObject({ papers: [{ name: 'old.txt' }] });
  expect((await owner('PUT', `/boxes/${box.id}`, { papers: update[1]!.papers })).status).toBe(200);
  expect(await readBox(box.id)).toMatchObject({ papers: [{ name: 'old.txt' }, { name: 'new.txt' }] });
});

test('a file goes to the first of two records of a call, and to no other one', async () => {
  const paper = await uploadPaper('once.txt');
  const create = [
    { name: 'With it', papers: [paper] },
    { name: 'Without it', papers: [paper] },
  ];
  const refused = await owner<{ errors: object }>('POST', '/boxes/bulk', { create });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['create[1].papers']]);
  expect((await owner('POST', '/boxes/bulk', { create: create.slice(0, 1) })).status).toBe(200);
});

test('a file of a change that is refused among others is free for the next record', async () => {
  const holder = await createBox({ name: 'Holder of a code', code: 'held' });
  const [refusedBox, nextBox] = [await createBox({ name: 'Refused' }), await createBox({ name: 'Next' })];
  const paper = await uploadPaper('free.txt');
  const { program } = demo;
  const definition = program.definitions.registry().getOrThrow('boxes');
  const input = parseInput(definition, { values: { code: holder.code, papers: [paper] }, text: false });
  const outcomes = await program.database.transaction((trx) =>
    updateMany(
      { context: new RequestContext(program, hookActor), definition, trx },
      [{ id: refusedBox.id, input }],
      new BatchState(),
    ),
  );
  expect(outcomes).toMatchObject([{ errors: { code: expect.stringMatching(/is already taken/) } }]);
  const answer = await owner('PUT', `/boxes/${nextBox.id}`, { papers: [paper] });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
});
