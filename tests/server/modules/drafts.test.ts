// @module-tag slow
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { formatSource } from '../../../src/engine/studio/format-source';
import type {
  DraftContent,
  DraftRecipient,
  ModuleDraft,
  WholeModuleDraft,
} from '../../../src/engine/studio/module-draft';
import { password } from '../../support/accounts';
import type { Client } from '../../support/program';
import { type Refusal, type StudioProgram, startStudio } from './studio';

let { program, admin, owner, studio, query } = {} as StudioProgram;
/** A second administrator, and the ids of both. */
let anna: Client;
let ids: { admin: number; anna: number };

const idOf = async (call: Client) => (await call<{ data: { user: { id: number } } }>('GET', '/me')).body.data.user.id;

beforeAll(async () => {
  ({ program, admin, owner, studio, query } = await startStudio());
  const [role] = await query('select id from roles where level = 1 order by id limit 1');
  const made = await admin('POST', '/users', {
    ...{ first_name: 'Anna', last_name: 'Berg', email: 'anna@demo.test', password, role_id: role!.id, status_id: 1 },
  });
  expect(made.status).toBe(201);
  anna = await program.signIn('anna@demo.test');
  ids = { admin: await idOf(admin), anna: await idOf(anna) };
});
afterAll(() => program?.close());
beforeEach(async () => {
  await query('delete from assay.module_drafts');
  await query('delete from assay.notifications');
});

type Saved = Promise<{ status: number; body: { data: ModuleDraft } & Refusal & { code: string } }>;

async function draftOf(name: string, change: (source: Source) => void): Promise<DraftContent> {
  const { definition, version } = await studio.module(name);
  const source = structuredClone(definition);
  change(source);
  const text = formatSource(source);
  return { base: { version, source: definition }, source, text, purge: [], takes_shipped: false };
}
const renamed = (label: string) => draftOf('shots', (source) => void (source.labels.many = label));
const save = (call: Client, content: object, revision = 0): Saved =>
  call('PUT', '/module-drafts/shots', { ...content, revision }) as Saved;
const own = async (call: Client, more = '') =>
  (await call<{ data: WholeModuleDraft | null }>('GET', `/module-drafts/shots${more}`)).body.data;
const list = async (call: Client) => (await call<{ data: ModuleDraft[] }>('GET', '/module-drafts')).body.data;
const told = async (call: Client) =>
  (await call<{ data: { title: string; link: string }[] }>('GET', '/notifications')).body.data;

describe('access to drafts', () => {
  test.each([
    ['GET', '/module-drafts'],
    ['GET', '/module-drafts/shots'],
    ['PUT', '/module-drafts/shots'],
    ['DELETE', '/module-drafts/shots'],
    ['GET', '/module-drafts/shots/recipients'],
    ['POST', '/module-drafts/shots/hand-over'],
    ['POST', '/module-drafts/shots/take-over'],
  ])('%s %s is for those who may change modules', async (method, path) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    expect((await program.call(method, path, body)).status).toBe(401);
    expect((await owner(method, path, body)).status).toBe(403);
  });

  test.each([
    ['without a text', { text: undefined }, 422],
    ['of another module', { source: { name: 'reels', labels: { one: 'a', many: 'b' }, fields: {} } }, 422],
    ['whose definition is none', { source: { name: 'shots' } }, 422],
    ['with something else', { more: 1 }, 422],
    ['with a NUL', { text: 'a\u0000b' }, 422],
    ['of a negative revision', { revision: -1 }, 422],
  ])('a draft %s is refused and changes nothing', async (_, change, status) => {
    const answer = await admin<Refusal>('PUT', '/module-drafts/shots', {
      ...{ ...(await renamed('Takes')), revision: 0 },
      ...change,
    });
    expect(answer).toMatchObject({ status, body: { code: 'VALIDATION_FAILED' } });
    expect(await list(admin)).toEqual([]);
  });
});

describe('a draft', () => {
  test('is saved as typed, also where it cannot be read, and keeps the order of its keys', async () => {
    const content = { ...(await renamed('Takes')), text: '{ "name": oops', purge: ['old'] };
    const { body } = await save(admin, content);
    expect(body.data).toMatchObject({ name: 'shots', label: 'Takes', revision: 1, user: { id: ids.admin } });
    const stored = (await own(admin))!;
    expect(stored).toMatchObject(content);
    expect(JSON.stringify(stored.source)).toBe(JSON.stringify(content.source));
    expect(await own(anna)).toBeNull();
    expect(await own(anna, `?user_id=${ids.admin}`)).toEqual(stored);
  });

  test('of each administrator is one of its own, and all are listed', async () => {
    await save(admin, await renamed('Takes'));
    await save(anna, await renamed('Frames'));
    expect(await list(owner)).toBeUndefined();
    expect((await list(admin)).map(({ label, user }) => [label, user.name])).toEqual([
      ['Frames', 'Anna Berg'],
      ['Takes', expect.any(String)],
    ]);
  });

  test('is never overwritten by a window that has not seen its last change', async () => {
    await save(admin, await renamed('Takes'));
    expect((await save(admin, await renamed('Frames'), 1)).body.data.revision).toBe(2);
    for (const revision of [0, 1, 3]) {
      const late = await save(admin, await renamed('Lost'), revision);
      expect(late).toMatchObject({ status: 409, body: { code: 'CONFLICT_STALE' } });
    }
    expect((await own(admin))!.source.labels.many).toBe('Frames');
    // The answer of the last save was lost, so it is sent again.
    expect((await save(admin, await renamed('Frames'), 1)).body.data.revision).toBe(2);
    expect((await admin('DELETE', '/module-drafts/shots?revision=1')).status).toBe(409);
    expect(await own(admin)).not.toBeNull();
    expect((await admin('DELETE', '/module-drafts/shots?revision=2')).status).toBe(200);
    expect((await save(admin, await renamed('Late'), 2)).status).toBe(409);
    expect(await own(admin)).toBeNull();
  });

  test('that two windows begin at once is that of one of them', async () => {
    const labels = Array.from({ length: 8 }, (_, index) => `Takes ${index}`);
    const answers = await Promise.all(labels.map(async (label) => save(admin, await renamed(label))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
  });

  test('of a module that was never published is listed too', async () => {
    const source = { name: 'props', labels: { one: 'Prop', many: 'Props' }, fields: {} };
    const content = { base: { version: 0, source }, source, text: '{', purge: [], takes_shipped: false, revision: 0 };
    expect((await admin('PUT', '/module-drafts/props', content)).status).toBe(200);
    expect(await list(anna)).toMatchObject([{ name: 'props', label: 'Props', base_version: 0 }]);
  });

  test('ends with its publication, unless it was changed since', async () => {
    const content = await draftOf('shots', (source) => void (source.titles = { list: 'All Takes' }));
    await save(admin, content);
    await save(anna, await renamed('Frames'));
    const publish = (draft: number, version: number) =>
      admin<Refusal>('PUT', '/modules/shots', { definition: content.source, version, draft });
    expect((await publish(1, content.base.version + 5)).status).toBe(409);
    expect(await own(admin)).not.toBeNull();
    await save(admin, await renamed('Later'), 1);
    expect((await publish(1, content.base.version)).status).toBe(200);
    expect((await own(admin))!.source.labels.many).toBe('Later');
    expect((await publish(2, content.base.version + 1)).status).toBe(200);
    expect(await own(admin)).toBeNull();
    expect(await own(anna)).not.toBeNull();
  });
});

describe('handing over', () => {
  const hand = (call: Client, user_id: number, revision = 1) =>
    call<Refusal>('POST', '/module-drafts/shots/hand-over', { user_id, revision });
  const take = (call: Client, user_id: number, revision = 1) =>
    call<Refusal>('POST', '/module-drafts/shots/take-over', { user_id, revision });
  const recipients = async (call: Client) =>
    (await call<{ data: DraftRecipient[] }>('GET', '/module-drafts/shots/recipients')).body.data;

  test('gives it to a colleague, who is notified and may publish it', async () => {
    await save(admin, await renamed('Takes'));
    expect(await recipients(admin)).toEqual([{ id: ids.anna, name: 'Anna Berg', has_draft: false }]);
    expect((await hand(admin, ids.anna)).status).toBe(200);
    expect(await own(admin)).toBeNull();
    expect(await own(anna)).toMatchObject({ revision: 2, source: { labels: { many: 'Takes' } } });
    expect(await told(anna)).toMatchObject([
      { title: expect.stringContaining('draft of Takes'), link: '/studio/shots' },
    ]);
    expect(await told(admin)).toEqual([]);
    // The window in which it was typed does not write over it.
    expect((await save(admin, await renamed('Late'), 1)).status).toBe(409);
    const { source, base, revision } = (await own(anna))!;
    const published = await anna('PUT', '/modules/shots', {
      ...{ definition: source, version: base.version, draft: revision },
    });
    expect(published.status).toBe(200);
    expect(await list(admin)).toEqual([]);
  });

  test('the other way: a colleague takes it over, and its author is notified', async () => {
    await save(admin, await renamed('Takes'));
    expect((await take(anna, ids.admin)).status).toBe(200);
    expect((await own(anna))!.source.labels.many).toBe('Takes');
    expect(await told(admin)).toMatchObject([{ title: 'Anna Berg took over your draft of Takes' }]);
    expect((await take(admin, ids.anna, 2)).status).toBe(200);
  });

  test('at once to two is to one of them', async () => {
    await save(admin, await renamed('Takes'));
    const answers = await Promise.all([take(anna, ids.admin), hand(admin, ids.anna), take(anna, ids.admin)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await list(admin)).toHaveLength(1);
  });

  test('needs a draft, an administrator, the last change, and no draft of theirs', async () => {
    const [user] = await query(
      'select id from users u where role_id in (select id from roles where level = 2) limit 1',
    );
    expect((await hand(admin, ids.anna)).status).toBe(404);
    await save(admin, await renamed('Takes'));
    expect((await hand(admin, Number(user!.id))).status).toBe(404);
    expect((await hand(admin, ids.admin)).status).toBe(404);
    expect((await take(admin, ids.admin)).status).toBe(404);
    expect((await hand(admin, ids.anna, 7)).status).toBe(409);
    await save(anna, await renamed('Frames'));
    expect(await recipients(admin)).toMatchObject([{ has_draft: true }]);
    expect(await hand(admin, ids.anna)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('already') },
    });
    expect(await take(anna, ids.admin)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('yourself') },
    });
    expect((await list(admin)).map(({ revision }) => revision)).toEqual([1, 1]);
    expect(await told(anna)).toEqual([]);
  });

  test('the draft of somebody whose personal data was erased stays, under their former name, and can be taken over', async () => {
    await save(anna, await renamed('Frames'));
    expect((await admin('DELETE', `/users/${ids.anna}`)).status).toBe(200);
    expect((await admin('POST', '/erase-person', { user_id: ids.anna })).status).toBe(200);
    expect(await list(admin)).toMatchObject([{ user: { id: ids.anna, name: `Former user ${ids.anna}` } }]);
    expect(await recipients(admin)).toEqual([]);
    expect((await take(admin, ids.anna)).status).toBe(200);
    expect(await query('select * from assay.notifications')).toEqual([]);
  });
});

describe('retiring', () => {
  test('a module, or resetting a shipped one, notices what was published a moment before', async () => {
    await studio.make('props');
    await studio.publish('props', (source) => void (source.labels.many = 'Stage props'));
    expect(await studio.remove('props', '?version=1')).toMatchObject({ status: 409, body: { code: 'CONFLICT_STALE' } });
    expect(await studio.module('props')).toMatchObject({ retired: false, version: 2 });
    expect((await studio.remove('props', '?version=x')).status).toBe(400);
    expect((await studio.remove('props', '?version=2')).status).toBe(200);
    const { version } = await studio.publish('scenes', (source) => void (source.labels.many = 'All scenes'));
    expect((await studio.remove('scenes', `?version=${version - 1}`)).status).toBe(409);
    expect((await studio.remove('scenes', `?version=${version}`)).status).toBe(200);
  });

  test('and purging it takes its drafts along', async () => {
    const { definition } = await studio.module('props');
    const content = { base: { version: 2, source: definition }, source: definition, text: '{' };
    await admin('PUT', '/module-drafts/props', { ...content, purge: [], takes_shipped: false, revision: 0 });
    expect((await studio.remove('props', '?purge=1&confirm=props')).status).toBe(200);
    expect(await list(admin)).toEqual([]);
  });
});
