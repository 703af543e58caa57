import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { visibleEvents } from '../../../src/server/events/visible-events';
import { sweepCommentFiles } from '../../../src/server/comments/comment-files';
import { purgeDeletedComments } from '../../../src/server/comments/comments';
import type { LiveEvent } from '../../../src/server/live/live-hub';
import { studioOf } from '../modules/studio';

type Who = keyof typeof accounts;
interface File {
  name: string;
  size: number;
  type: string;
  url: string;
}
interface Comment {
  id: number;
  text: string;
  user: { id: number; name: string };
  mentions: { id: number; name: string }[];
  files: File[];
  edited_at: string | null;
  may_edit: boolean;
  may_delete: boolean;
}
interface Refusal {
  message: string;
  code: string;
  errors?: Record<string, string>;
}
type Data<T> = { data: T } & Refusal;

let demo: DemoProgram;
const as = {} as Record<Who, Client>;
const ids = {} as Record<Who, number>;
/** A film that external users see only as members of its team, and a scene, that both companies and roles differ on. */
let film: number;

beforeAll(async () => {
  demo = await startFixtureProgram();
  for (const [name, email] of Object.entries(accounts) as [Who, string][]) {
    as[name] = await demo.signIn(email);
    ids[name] = (await as[name]<{ data: { user: { id: number } } }>('GET', '/me')).body.data.user.id;
  }
  const studio = studioOf(as.admin);
  await studio.publish('films', (source) => {
    source.comments = true;
  });
  film = await newFilm([]);
});
afterAll(() => demo?.close());

async function newFilm(team: readonly number[], by: Client = as.owner): Promise<number> {
  const made = await by<{ id: number; data?: { id: number } }>('POST', '/films', {
    name: `Film ${Math.random()}`,
    user_ids: team,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data?.id ?? made.body.id;
}
const say = (by: Client, text: string, more: object = {}, of = film) =>
  by<Data<Comment>>('POST', `/films/${of}/comments`, { text, ...more });
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
/** Uploads files for a comment: the answer, and what is sent with the comment. */
async function attach(by: Client, of = film, ...files: readonly [name: string, content: Buffer][]) {
  const form = new FormData();
  const sent = files.length > 0 ? files : ([['shot.png', png]] as const);
  for (const [name, content] of sent) form.append('file', new Blob([new Uint8Array(content)]), name);
  const message = new Response(form);
  const answer = await by<Data<File>>(
    'POST',
    `/films/${of}/comments/files`,
    Buffer.from(await message.arrayBuffer()) as never,
    { 'content-type': message.headers.get('content-type')! },
  );
  return { answer, file: answer.body.data };
}
/** How many files of comments are stored. */
async function storedFiles(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from assay.files
    where field = '$comments'`.execute(demo.program.database.kysely);
  return rows[0]!.count;
}
const read = async (by: Client, of = film) => (await by<Data<Comment[]>>('GET', `/films/${of}/comments`)).body.data;
const told = async (by: Client, of = film) =>
  (
    await by<{ data: { id: number; title: string; content: string; link: string }[] }>(
      'GET',
      '/notifications?range=[0,99]',
    )
  ).body.data.filter(({ link }) => link === `/films/${of}`);

describe('comments of a record', () => {
  it('are added, listed newest first a page at a time, and sanitized', async () => {
    const of = await newFilm([]);
    const first = await say(
      as.owner,
      '<p>One <b>bold</b><script>alert(1)</script><img src=x onerror=alert(1)></p>',
      {},
      of,
    );
    expect(first).toMatchObject({ status: 201, body: { data: { text: '<p>One <b>bold</b></p>', edited_at: null } } });
    await say(as.manager, '<p>Two</p>', {}, of);
    const page = await as.qa<Data<Comment[]>>('GET', `/films/${of}/comments?range=[0,0]`);
    expect(page.headers['content-range']).toBe('comments 0-0/2');
    expect(page.body.data).toMatchObject([{ text: '<p>Two</p>', user: { id: ids.manager, name: 'Mateo Vidal' } }]);
    expect(await read(as.qa, of)).toMatchObject([
      { text: '<p>Two</p>', may_edit: false, may_delete: false },
      { text: '<p>One <b>bold</b></p>' },
    ]);
  });

  it.each([
    ['nothing', {}, 422],
    ['an empty text', { text: '' }, 422],
    ['markup without a text', { text: '<p> </p><img src=x>' }, 422],
    ['a text that is too long', { text: 'x'.repeat(20_001) }, 422],
    ['what no database stores', { text: 'a\u0000b' }, 422],
    ['a number', { text: 7 }, 422],
    ['an unknown property', { text: 'a', user_id: 1 }, 422],
    ['mentions that are no list', { text: 'a', mentions: 7 }, 422],
    ['mentions that are no ids', { text: 'a', mentions: ['x'] }, 422],
    ['too many mentions', { text: 'a', mentions: Array.from({ length: 51 }, (_, at) => at + 1) }, 422],
    ['a list', [], 400],
  ])('are refused with %s, and nothing is stored', async (_, body, status) => {
    const before = await read(as.owner);
    const answer = await as.owner<Refusal>('POST', `/films/${film}/comments`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(answer.body.code).toBeTruthy();
    expect(await read(as.owner)).toEqual(before);
  });

  it('are changed by their author alone; the former texts are kept for all readers', async () => {
    const { id } = (await say(as.qa, '<p>first</p>')).body.data;
    const path = `/films/${film}/comments/${id}`;
    expect((await as.admin<Refusal>('PUT', path, { text: 'mine now' })).status).toBe(403);
    await as.qa('PUT', path, { text: '<p>first</p>' });
    expect((await read(as.qa)).find((one) => one.id === id)!.edited_at).toBeNull();
    await as.qa('PUT', path, { text: '<p>second</p>' });
    const changed = await as.qa<Data<Comment>>('PUT', path, { text: '<p>third</p>' });
    expect(changed.body.data).toMatchObject({ text: '<p>third</p>', edited_at: expect.any(String) as string });
    const versions = await as.developer<Data<{ text: string }[]>>('GET', `${path}/versions`);
    expect(versions.body.data.map(({ text }) => text)).toEqual(['<p>second</p>', '<p>first</p>']);
  });

  it('are deleted by their author, administrators and owners, restored by who did it, and gone after 30 days', async () => {
    const { id } = (await say(as.qa, '<p>off</p>')).body.data;
    const path = `/films/${film}/comments/${id}`;
    expect((await as.manager<Refusal>('DELETE', path)).status).toBe(403);
    expect((await as.owner('DELETE', path)).status).toBe(200);
    expect((await read(as.qa)).some((one) => one.id === id)).toBe(false);
    expect((await as.qa('GET', `${path}/versions`)).status).toBe(404);
    expect((await as.qa('PATCH', `${path}/restore`)).status).toBe(404);
    expect((await as.owner('PATCH', `${path}/restore`)).status).toBe(200);
    expect((await as.owner('PATCH', `${path}/restore`)).status).toBe(404);
    expect((await read(as.qa)).some((one) => one.id === id)).toBe(true);
    expect((await as.qa('DELETE', path)).status).toBe(200);
    const { kysely } = demo.program.database;
    expect(await purgeDeletedComments(kysely)).toBe(0);
    await sql`update assay.comments set deleted_at = now() - interval '31 days' where id = ${id}`.execute(kysely);
    expect(await purgeDeletedComments(kysely)).toBe(1);
    expect((await as.qa('PATCH', `${path}/restore`)).status).toBe(404);
  });

  it('are stored once for a request that is sent twice with its key', async () => {
    const of = await newFilm([]);
    const headers = { 'idempotency-key': 'comment-once' };
    const send = () => as.owner<Data<Comment>>('POST', `/films/${of}/comments`, { text: '<p>once</p>' }, headers);
    const [one, other] = [await send(), await send()];
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(other.body).toEqual(one.body);
    expect(await read(as.owner, of)).toHaveLength(1);
  });

  it('go with their record, are not copied, and those of archived records are only read', async () => {
    const of = await newFilm([]);
    await say(as.owner, '<p>stays</p>', {}, of);
    await as.owner('DELETE', `/films/${of}`);
    expect(await read(as.owner, of)).toHaveLength(1);
    expect(await say(as.owner, 'x', {}, of)).toMatchObject({ status: 409, body: { code: 'CONFLICT_ARCHIVED' } });
  });

  it('are deleted with their record, and so is who watched it', async () => {
    const studio = studioOf(as.admin);
    await studio.make('ideas', { name: {} }, { comments: true });
    const made = await as.admin<{ id: number; data?: { id: number } }>('POST', '/ideas', { name: 'One', site_id: 1 });
    const id = made.body.data?.id ?? made.body.id;
    expect((await as.admin('POST', `/ideas/${id}/comments`, { text: 'a' })).status).toBe(201);
    const { kysely } = demo.program.database;
    const count = async () =>
      (
        await sql<{ comments: number; watches: number }>`select
          (select count(*)::integer from assay.comments where resource = 'ideas') as comments,
          (select count(*)::integer from assay.watches where resource = 'ideas') as watches`.execute(kysely)
      ).rows[0];
    expect(await count()).toEqual({ comments: 1, watches: 1 });
    expect((await as.admin('DELETE', `/ideas/${id}`)).status).toBe(200);
    expect(await count()).toEqual({ comments: 0, watches: 0 });
  });

  it('exist only for modules that have them', async () => {
    for (const path of ['/genres/1/comments', '/nothing/1/comments', '/films/x/comments', '/films/0/watch'])
      expect((await as.admin('GET', path)).status).toBe(404);
  });

  it('need the grant that the module names', async () => {
    const someone = await demo.restricted();
    await someone.grant(['films.list']);
    expect((await someone.call('GET', `/films/${film}/comments`)).status).toBe(403);
    await someone.grant(['films.list', 'films.view']);
    expect((await say(someone.call, 'may')).status).toBe(201);
    const studio = studioOf(as.admin);
    await studio.publish('films', (source) => {
      source.comments = { write: 'edit' };
    });
    expect(await say(someone.call, 'may not')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await someone.call('GET', `/films/${film}/comments`)).status).toBe(200);
    await someone.grant(['films.list', 'films.view', 'films.edit']);
    expect((await say(someone.call, 'may')).status).toBe(201);
    await studio.publish('films', (source) => {
      source.comments = true;
    });
  });
});

describe('files of a comment', () => {
  it('are uploaded first, sent with it, shown to its readers, kept or taken out by its author, and deleted with it', async () => {
    const of = await newFilm([]);
    const { answer, file } = await attach(as.qa, of);
    expect([answer.status, file]).toEqual([
      201,
      { name: 'shot.png', size: png.length, type: 'image/png', url: expect.any(String) as string },
    ]);
    const text = (await attach(as.qa, of, ['../../notes.txt', Buffer.from('a note')])).file;
    // A picture needs no words.
    const made = await say(as.qa, '', { files: [file, { url: text.url }] }, of);
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201, body: { data: { text: '' } } });
    const [shown] = await read(as.owner, of);
    expect(shown!.files.map(({ name, type }) => [name, type])).toEqual([
      ['shot.png', 'image/png'],
      ['notes.txt', 'text/plain'],
    ]);
    const fetched = await demo.app.inject({ url: shown!.files[0]!.url });
    expect(fetched.rawPayload.equals(png)).toBe(true);

    const path = `/films/${of}/comments/${shown!.id}`;
    // Words alone: the files stay, and a change of the words is one.
    await as.qa('PUT', path, { text: '<p>Look</p>' });
    expect((await read(as.owner, of))[0]).toMatchObject({ text: '<p>Look</p>', files: [{}, {}] });
    await as.qa('PUT', path, { text: '<p>Look</p>', files: [shown!.files[1]] });
    expect((await read(as.owner, of))[0]!.files.map(({ name }) => name)).toEqual(['notes.txt']);
    expect((await as.qa<Refusal>('PUT', path, { text: '', files: [] })).status).toBe(422);

    const { kysely } = demo.program.database;
    const sweep = async () => {
      await sql`update assay.files set created_at = now() - interval '2 hours' where field = '$comments'`.execute(
        kysely,
      );
      await sweepCommentFiles(demo.program);
    };
    const before = await storedFiles();
    await sweep();
    expect(await storedFiles()).toBe(before - 1);
    // Also while the comment can be restored.
    await as.qa('DELETE', path);
    await sweep();
    expect(await storedFiles()).toBe(before - 1);
    await sql`update assay.comments set deleted_at = now() - interval '31 days' where deleted_at is not null`.execute(
      kysely,
    );
    await purgeDeletedComments(kysely);
    await sweep();
    expect(await storedFiles()).toBe(before - 2);
  });

  it('are notified of by their names where there are no words', async () => {
    const of = await newFilm([]);
    const { file } = await attach(as.qa, of);
    await say(as.qa, '', { files: [file], mentions: [ids.manager] }, of);
    expect(JSON.stringify(await told(as.manager, of))).toContain('shot.png');
  });

  it('are those of who uploaded them, once, for this resource, and at most ten', async () => {
    const { file } = await attach(as.qa);
    const wrong = await say(as.manager, 'mine', { files: [file] });
    expect([wrong.status, wrong.body.errors]).toEqual([422, { files: '“shot.png” is no longer there. Add it again.' }]);
    expect((await say(as.qa, 'mine', { files: [file] })).status).toBe(201);
    expect((await say(as.qa, 'again', { files: [file] })).status).toBe(422);
    expect((await say(as.qa, 'none', { files: [{ url: '/api/files/no-such.png' }] })).status).toBe(422);
    expect((await say(as.qa, 'many', { files: Array.from({ length: 11 }, () => file) })).status).toBe(422);
    expect((await say(as.qa, 'wrong', { files: ['x'] })).status).toBe(422);
  });

  it.each([
    [
      'two files',
      [
        ['a.txt', Buffer.from('a')],
        ['b.txt', Buffer.from('b')],
      ],
      413,
    ],
    ['an empty file', [['a.txt', Buffer.alloc(0)]], 415],
    ['a file that is too large', [['a.bin', Buffer.alloc(25 * 1024 * 1024 + 1)]], 413],
  ] as const)('are refused: %s', async (_, files, status) => {
    const before = await storedFiles();
    const { answer } = await attach(as.qa, film, ...(files as unknown as [string, Buffer][]));
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(await storedFiles()).toBe(before);
  });
});

describe('a comment that a user may not see', () => {
  it.each(Object.keys(accounts) as Who[])('is hidden from %s with every call', async (who) => {
    // A film of the other company, and one that external users are not members of.
    const hidden = who === 'harbour' ? film : await newFilm([], as.harbour);
    const writer = who === 'harbour' ? as.owner : as.harbour;
    const comment = (await say(writer, '<p>secret</p>', {}, hidden)).body.data.id;
    const secret = await newFilm([]);
    const places = who === 'external' ? [hidden, secret] : who === 'admin' ? [] : [hidden];
    for (const of of places) {
      const answers = [
        await as[who]('GET', `/films/${of}/comments`),
        await as[who]('POST', `/films/${of}/comments`, { text: 'x' }),
        (await attach(as[who], of)).answer,
        await as[who]('PUT', `/films/${of}/comments/${comment}`, { text: 'x' }),
        await as[who]('DELETE', `/films/${of}/comments/${comment}`),
        await as[who]('PATCH', `/films/${of}/comments/${comment}/restore`),
        await as[who]('GET', `/films/${of}/comments/${comment}/versions`),
        await as[who]('GET', `/films/${of}/mentionable?q=`),
        await as[who]('GET', `/films/${of}/watch`),
        await as[who]('PUT', `/films/${of}/watch`, { state: 'watching' }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
      expect(answers.map(({ body }) => JSON.stringify(body)).join()).not.toContain('secret');
    }
    // A comment of another record does not become reachable through one that is visible.
    if (who === 'external' || who === 'admin') return;
    const own = who === 'harbour' ? await newFilm([], as.harbour) : film;
    expect((await as[who]('PUT', `/films/${own}/comments/${comment}`, { text: 'x' })).status).toBe(404);
    expect((await as[who]('DELETE', `/films/${own}/comments/${comment}`)).status).toBe(404);
    expect((await as[who]('GET', `/films/${own}/comments/${comment}/versions`)).status).toBe(404);
  });

  it('is refused to those who did not sign in', async () => {
    expect((await demo.call('GET', `/films/${film}/comments`)).status).toBe(401);
    expect((await demo.call('POST', `/films/${film}/comments`, { text: 'x' })).status).toBe(401);
  });

  it('is not said by events to another company', async () => {
    const events: LiveEvent[] = [{ resource: 'record-comments', id: null, event: 'changed', site_id: 1 }];
    const actor = (site_id: number) => ({ id: 1, level: 2, role_id: 2, site_id, permissions: {} }) as never;
    expect(await visibleEvents(demo.program, actor(2), events)).toEqual([]);
    expect(await visibleEvents(demo.program, actor(1), events)).toHaveLength(1);
  });
});

describe('mentions', () => {
  const names = async (by: Client, q: string, of = film) =>
    (await by<Data<{ id: number; name: string }[]>>('GET', `/films/${of}/mentionable?q=${encodeURIComponent(q)}`)).body
      .data;

  it('are offered of who may see the record alone, by the beginning of a word, without the caller', async () => {
    const all = await names(as.owner, '');
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([ids.manager, ids.developer, ids.qa]));
    for (const who of ['admin', 'owner', 'external', 'harbour'] as const)
      expect(all.map(({ id }) => id)).not.toContain(ids[who]);
    expect(await names(as.owner, 'vid')).toEqual([{ id: ids.manager, name: 'Mateo Vidal' }]);
    expect(await names(as.owner, 'idal')).toEqual([]);
    expect(await names(as.owner, '%')).toEqual([]);
    const shared = await newFilm([ids.external]);
    expect((await names(as.owner, 'elif', shared)).map(({ id }) => id)).toEqual([ids.external]);
    expect((await names(as.external, '', shared)).map(({ id }) => id)).toContain(ids.owner);
  });

  it('notify those who are mentioned, once, and say so; others are refused in the same words', async () => {
    const of = await newFilm([]);
    const said = await say(
      as.owner,
      '<p><strong>@Mateo Vidal</strong> look</p>',
      { mentions: [ids.manager, ids.manager] },
      of,
    );
    expect(said.body.data.mentions).toEqual([{ id: ids.manager, name: 'Mateo Vidal' }]);
    const [title] = (await told(as.manager, of)).map((one) => one.title);
    expect(title).toMatch(/^Olivia Berg mentioned you in Film /);
    expect(await told(as.manager, of)).toMatchObject([
      { content: expect.stringContaining('@Mateo Vidal look') as string },
    ]);
    const refused = await Promise.all(
      [ids.external, ids.harbour, 999_999].map((id) => say(as.owner, 'x', { mentions: [id] }, of)),
    );
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(new Set(refused.map(({ body }) => body.message)).size).toBe(1);
    const path = `/films/${of}/comments/${said.body.data.id}`;
    await as.owner('PUT', path, { text: '<p>@Mateo Vidal @Quentin Marsh</p>', mentions: [ids.manager, ids.qa] });
    expect(await told(as.manager, of)).toHaveLength(1);
    expect(await told(as.qa, of)).toHaveLength(1);
  });
});

describe('a notification', () => {
  const unread = async (by: Client) =>
    (await by<{ data: unknown[] }>('GET', '/notifications?isRead=false&range=[0,0]')).body.data.length;

  it('of a comment that is deleted is neither shown nor counted, and comes back with it', async () => {
    const of = await newFilm([]);
    await as.manager('POST', '/notifications/read-all');
    const { id } = (await say(as.qa, '<p>secret plan</p>', { mentions: [ids.manager] }, of)).body.data;
    const [notice] = await told(as.manager, of);
    expect(await unread(as.manager)).toBe(1);
    await as.qa('DELETE', `/films/${of}/comments/${id}`);
    expect([await told(as.manager, of), await told(as.owner, of), await unread(as.manager)]).toEqual([[], [], 0]);
    expect((await as.manager('GET', `/notifications/${notice!.id}`)).status).toBe(404);
    expect((await as.manager('PATCH', `/notifications/${notice!.id}`, { isRead: true })).status).toBe(404);
    await as.qa('PATCH', `/films/${of}/comments/${id}/restore`);
    expect([(await told(as.manager, of)).length, (await told(as.owner, of)).length]).toEqual([1, 1]);
  });

  it('of a mention that is taken away is not shown, and those of others are', async () => {
    const of = await newFilm([]);
    const { id } = (await say(as.qa, '<p>look</p>', { mentions: [ids.manager, ids.developer] }, of)).body.data;
    await as.qa('PUT', `/films/${of}/comments/${id}`, { text: '<p>look</p>', mentions: [ids.developer] });
    expect(await told(as.manager, of)).toEqual([]);
    expect(await told(as.developer, of)).toHaveLength(1);
    expect(await told(as.owner, of)).toHaveLength(1);
  });

  it('about a record that its reader may no longer view says only that', async () => {
    const of = await newFilm([ids.external]);
    await say(as.qa, '<p>for your eyes</p>', { mentions: [ids.external] }, of);
    const [notice] = await told(as.external, of);
    expect((await as.owner('PUT', `/films/${of}`, { user_ids: [] })).status).toBe(200);
    const hidden = { title: 'About a record that you can no longer view', content: null, link: null };
    const { body } = await as.external<Data<(typeof notice)[]>>('GET', '/notifications?range=[0,99]');
    expect(body.data.find((one) => one!.id === notice!.id)).toMatchObject(hidden);
    for (const [method, sent] of [['GET'], ['PATCH', { isRead: true }]] as const)
      expect((await as.external<Data<object>>(method, `/notifications/${notice!.id}`, sent)).body.data).toMatchObject(
        hidden,
      );
    await as.owner('PUT', `/films/${of}`, { user_ids: [ids.external] });
    expect(await told(as.external, of)).toMatchObject([{ content: notice!.content, isRead: true }]);
  });
});

describe('watching', () => {
  it('its author, whom it names and who commented are told; the one who writes is not', async () => {
    const of = await newFilm([ids.developer]);
    await say(as.qa, '<p>a</p>', {}, of);
    await say(as.manager, '<p>b</p>', {}, of);
    expect((await told(as.owner, of)).map(({ title }) => title.split(' commented')[0])).toEqual([
      'Mateo Vidal',
      'Quentin Marsh',
    ]);
    expect(await told(as.developer, of)).toHaveLength(2);
    expect((await told(as.qa, of)).map(({ content }) => content)).toEqual([
      expect.stringMatching(/^Mateo Vidal wrote about “Film .*”:\n\nb$/),
    ]);
    expect(await told(as.manager, of)).toEqual([]);
    expect(await told(as.external, of)).toEqual([]);
  });

  it('is chosen, muted and forgotten by each for themselves; muted wins over everything', async () => {
    const of = await newFilm([]);
    const watch = (state: unknown) => as.qa<Data<object>>('PUT', `/films/${of}/watch`, { state });
    expect((await as.qa<Data<object>>('GET', `/films/${of}/watch`)).body.data).toMatchObject({
      state: null,
      watching: false,
    });
    expect((await as.owner<Data<object>>('GET', `/films/${of}/watch`)).body.data).toMatchObject({
      state: null,
      watching: true,
    });
    expect((await watch('watching')).body.data).toMatchObject({ state: 'watching', watching: true });
    await say(as.owner, 'one', {}, of);
    expect(await told(as.qa, of)).toHaveLength(1);
    expect((await watch('muted')).body.data).toMatchObject({ state: 'muted', watching: false });
    await say(as.owner, 'two', { mentions: [ids.qa] }, of);
    await say(as.qa, 'mine', {}, of);
    await say(as.owner, 'three', {}, of);
    expect(await told(as.qa, of)).toHaveLength(1);
    expect((await watch(null)).body.data).toMatchObject({ state: null, watching: false });
    expect((await watch('loud')).status).toBe(422);
  });

  it('says who watches it, by name: only those who may see it, and nobody who muted it', async () => {
    const of = await newFilm([ids.external, ids.developer]);
    for (const [who, state] of [
      ['qa', 'watching'],
      ['manager', 'watching'],
      ['developer', 'muted'],
    ] as const)
      await as[who]('PUT', `/films/${of}/watch`, { state });
    await sql`insert into assay.watches (site_id, resource, record_id, user_id, state)
      select site_id, 'films', id, ${ids.harbour}, 'watching' from films where id = ${of}`.execute(
      demo.program.database.kysely,
    );
    const watchers = async (by: Client) =>
      (await by<Data<{ watchers: { id: number }[] }>>('GET', `/films/${of}/watch`)).body.data.watchers.map(
        ({ id }) => id,
      );
    expect((await watchers(as.qa)).toSorted()).toEqual([ids.owner, ids.manager, ids.external, ids.qa].toSorted());
    await as.owner('PUT', `/films/${of}`, { user_ids: [] });
    expect((await watchers(as.manager)).toSorted()).toEqual([ids.owner, ids.manager, ids.qa].toSorted());
    expect((await as.harbour('GET', `/films/${of}/watch`)).status).toBe(404);
  });

  it('tells nobody of a record that they can no longer see', async () => {
    const of = await newFilm([ids.external]);
    await say(as.external, '<p>here</p>', {}, of);
    await say(as.owner, '<p>seen</p>', {}, of);
    expect(await told(as.external, of)).toHaveLength(1);
    await as.owner('PUT', `/films/${of}`, { user_ids: [] });
    await say(as.owner, '<p>hidden</p>', {}, of);
    await as.owner('PUT', `/films/${of}`, { user_ids: [ids.external] });
    expect(await told(as.external, of)).toHaveLength(1);
  });
});

describe('a person', () => {
  it('takes their comments along, and is erased from names and mentions', async () => {
    const made = await as.owner<{ data: { id: number } }>('POST', '/users', {
      ...{ first_name: 'Zelda', last_name: 'O’Neil & Co', email: 'zelda@demo.test', password: 'Demo@1234' },
      ...{ role_id: 3, status_id: 1 },
    });
    const id = made.body.data.id;
    const zelda = await demo.signIn('zelda@demo.test');
    const of = await newFilm([]);
    await say(zelda, '<p>by me</p>', {}, of);
    const said = await say(as.owner, '<p><strong>@Zelda O’Neil &amp; Co</strong> hello</p>', { mentions: [id] }, of);
    const own = await zelda<{ comments: { text: string }[]; watched_records: object[] }>('GET', '/profile/data');
    expect(own.body.comments.map(({ text }) => text)).toEqual(['<p>by me</p>']);
    await as.owner('DELETE', `/users/${id}`);
    expect((await as.owner('POST', '/erase-person', { user_id: id })).status).toBe(200);
    const left = await read(as.owner, of);
    expect(left.find((one) => one.id === said.body.data.id)).toMatchObject({
      text: `<p><strong>@Former user ${id}</strong> hello</p>`,
      mentions: [{ id, name: `Former user ${id}` }],
    });
    expect(left.find((one) => one.text === '<p>by me</p>')!.user).toEqual({ id, name: `Former user ${id}` });
  });
});
