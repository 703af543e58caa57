import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { visibleEvents } from '../../../src/server/events/visible-events';
import { noticeMailValues } from '../../../src/server/accounts/mails/notice-mails';
import type { LiveEvent } from '../../../src/server/live/live-hub';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { studioOf, type Studio } from '../modules/studio';

// Internal comments are for those alone whom the definition names: nobody else learns that there are any.

type Who = keyof typeof accounts;
interface Comment {
  id: number;
  text: string;
  internal: boolean;
}
type Data<T> = { data: T; message: string; errors?: Record<string, string> };

const secret = 'sekretplan';

let demo: DemoProgram;
let studio: Studio;
const as = {} as Record<Who, Client>;
const ids = {} as Record<Who, number>;
/** A film that the external user sees, with a comment for everybody and an internal one. */
let film: number;
let internal: Comment;
const events: LiveEvent[] = [];

const say = (by: Client, text: string, more: object = {}) =>
  by<Data<Comment>>('POST', `/films/${film}/comments`, { text, ...more });
const read = async (by: Client) => (await by<Data<Comment[]>>('GET', `/films/${film}/comments`)).body.data;
const names = async (by: Client, query: string) =>
  (await by<Data<{ id: number }[]>>('GET', `/films/${film}/mentionable?q=${query}`)).body.data.map(({ id }) => id);
const audience = (levels: number[] | undefined) =>
  studio.publish('films', (source) => {
    source.comments = levels ? { internal: { levels: levels as 1[] } } : true;
  });

beforeAll(async () => {
  demo = await startFixtureProgram();
  for (const [name, email] of Object.entries(accounts) as [Who, string][]) {
    as[name] = await demo.signIn(email);
    ids[name] = (await as[name]<{ data: { user: { id: number } } }>('GET', '/me')).body.data.user.id;
  }
  studio = studioOf(as.admin);
  await audience([1, 2, 3, 4, 5]);
  const made = await as.owner<{ id: number; data?: { id: number } }>('POST', '/films', {
    name: 'Nightfall',
    user_ids: [ids.external, ids.qa],
  });
  film = made.body.data?.id ?? made.body.id;
  expect((await say(as.external, '<p>A question</p>')).status).toBe(201);
  const stop = demo.program.live.subscribe((event) => void events.push(event));
  const answer = await say(as.owner, `<p>${secret}</p>`, { internal: true, mentions: [ids.manager] });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  internal = answer.body.data;
  await as.owner('PUT', `/films/${film}/comments/${internal.id}`, {
    text: `<p>${secret} again</p>`,
    mentions: [ids.manager],
  });
  stop();
});
afterAll(() => demo?.close());

describe('an internal comment', () => {
  test('is read, mentioned in and told of among those who read internal comments', async () => {
    expect(internal).toMatchObject({ internal: true, text: `<p>${secret}</p>` });
    for (const who of ['owner', 'manager', 'qa', 'admin'] as const)
      expect((await read(as[who])).map((one) => one.internal)).toEqual([true, false]);
    for (const who of ['manager', 'qa'] as const)
      expect(JSON.stringify((await as[who]('GET', '/notifications?range=[0,99]')).body), who).toContain(secret);
    expect((await as.qa('GET', `/films/${film}/comments/${internal.id}/versions`)).status).toBe(200);
    expect(await names(as.owner, 'elif')).toEqual([ids.external]);
    expect(await names(as.owner, 'elif&internal=1')).toEqual([]);
    expect(await names(as.owner, 'vid&internal=1')).toEqual([ids.manager]);
  });

  test.each<[string, string, string, object?]>([
    ['the list of comments', 'GET', '/films/{film}/comments'],
    ['a page of it', 'GET', '/films/{film}/comments?range=[0,0]'],
    ['the record', 'GET', '/films/{film}'],
    ['the list of records', 'GET', '/films'],
    ['the search of a list', 'GET', `/films?q=${secret}`],
    ['the search over all', 'GET', `/search?q=${secret}`],
    ['the history', 'GET', '/films/{film}/history'],
    ['a spreadsheet', 'GET', '/films/export?format=csv'],
    ['who watches', 'GET', '/films/{film}/watch'],
    ['who can be mentioned', 'GET', '/films/{film}/mentionable'],
    ['notifications', 'GET', '/notifications?range=[0,99]'],
    ['notifications by their text', 'GET', `/notifications?q=${secret}`],
    ['the former texts', 'GET', '/films/{film}/comments/{comment}/versions'],
    ['a change of it', 'PUT', '/films/{film}/comments/{comment}', { text: 'x' }],
    ['its deletion', 'DELETE', '/films/{film}/comments/{comment}'],
    ['its restoration', 'PATCH', '/films/{film}/comments/{comment}/restore'],
  ])('is not among %s for somebody who does not read them', async (_, method, path, body) => {
    const address = path.replace('{film}', String(film)).replace('{comment}', String(internal.id));
    const answer = await as.external(method, address, body);
    expect(JSON.stringify(answer.body) ?? '').not.toContain(secret);
    if (path.includes('{comment}')) expect(answer.status).toBe(404);
    if (path.endsWith('/comments')) expect(answer.headers['content-range']).toBe('comments 0-0/1');
  });

  test('is neither told of nor mailed to somebody who does not read them', async () => {
    const { kysely } = demo.program.database;
    const { rows } = await sql<{ user_id: number }>`select user_id from assay.notifications
      where comment_id = ${internal.id}`.execute(kysely);
    expect(rows.map((row) => row.user_id).sort()).not.toContain(ids.external);
    expect(rows.map((row) => row.user_id)).toContain(ids.manager);
    const { rows: mails } = await sql`select 1 from assay.mails m where m::text like ${`%${secret}%`}
      and m::text like ${`%${accounts.external}%`}`.execute(kysely);
    expect(mails).toEqual([]);
  });

  test('is said by no event to somebody who does not read them', async () => {
    const said = events.filter(({ resource }) => resource === 'record-comments');
    expect(said).toHaveLength(2);
    const actor = (level: number) => ({ id: 1, level, role_id: level, site_id: 1, permissions: {} }) as never;
    expect(await visibleEvents(demo.program, actor(6), said)).toEqual([]);
    expect(await visibleEvents(demo.program, actor(5), said)).toHaveLength(2);
  });

  test.each<[string, Who, object, string]>([
    ['by somebody who does not read them', 'external', { internal: true }, 'internal'],
    [
      'with a mention of somebody who does not read them',
      'owner',
      { internal: true, mentions: ['external'] },
      'mentions',
    ],
  ])('is refused %s', async (_, who, more, place) => {
    const mentions = 'mentions' in more ? { mentions: [ids.external] } : {};
    const answer = await say(as[who], '<p>x</p>', { ...more, ...mentions });
    expect(answer).toMatchObject({ status: 422, body: { errors: { [place]: expect.any(String) as string } } });
  });

  test('stays internal when it is changed', async () => {
    const path = `/films/${film}/comments/${internal.id}`;
    expect((await as.owner('PUT', path, { text: '<p>x</p>', internal: false })).status).toBe(422);
    const [mentioned] = [await as.owner('PUT', path, { text: '<p>x</p>', mentions: [ids.external] })];
    expect(mentioned).toMatchObject({ status: 422 });
  });

  test('is hidden from who no longer reads them, in notices and mails too, and from all without the key', async () => {
    const { kysely } = demo.program.database;
    const { rows } = await sql<{ id: number }>`select id from assay.notifications
      where comment_id = ${internal.id} and user_id = ${ids.qa}`.execute(kysely);
    const notices = rows.map(({ id }) => id);
    expect(JSON.stringify(await noticeMailValues(demo.program, ids.qa, notices))).toContain(secret);
    await audience([1, 2, 3]);
    expect(JSON.stringify((await as.qa('GET', '/notifications?range=[0,99]')).body)).not.toContain(secret);
    expect(await noticeMailValues(demo.program, ids.qa, notices)).toBe(null);
    expect((await read(as.qa)).map((one) => one.internal)).toEqual([false]);
    expect((await read(as.manager)).map((one) => one.internal)).toEqual([true, false]);
    await audience(undefined);
    expect((await read(as.owner)).map((one) => one.internal)).toEqual([false]);
    await audience([1, 2, 3, 4, 5]);
    expect((await read(as.qa)).map((one) => one.internal)).toEqual([true, false]);
  });

  test('is not read while viewing as somebody who does not read them', async () => {
    const { status, body } = await as.owner<Data<Comment[]>>('GET', `/films/${film}/comments`, undefined, {
      'x-view-as': `user ${ids.external}`,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data.map((one) => one.internal)).toEqual([false]);
  });

  test('of a role that nobody has is reported with its place', async () => {
    const { definition } = await studio.module('films');
    const draft = { ...definition, comments: { internal: { roles: ['supprt'] } } };
    const { errors } = await studio.plan('films', draft);
    expect(errors.map(({ path }) => path)).toEqual(['/comments/internal/roles/0']);
  });
});
