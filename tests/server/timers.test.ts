import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../support/program';

interface Timer {
  resource: string;
  record: { id: number; title: string } | null;
  started_at: string;
}
type Answer = { data: Timer | null; status?: boolean; message?: string; code?: string };

const names = ['admin', 'owner', 'manager', 'qa', 'developer', 'external', 'harbour'] as const;
type Account = (typeof names)[number];
let demo: DemoProgram;
const as = {} as Record<Account, Client>;
/** A shot of the first company. */
let shot: { id: number; name: string };

beforeAll(async () => {
  demo = await startFixtureProgram();
  for (const name of names) as[name] = await demo.signIn(accounts[name]);
  const shots = await as.owner<{ data: (typeof shot)[] }>('GET', '/shots?range=[0,0]');
  shot = shots.body.data[0]!;
});
afterAll(() => demo?.close());
beforeEach(() => sql`delete from assay.timers`.execute(demo.program.database.kysely));

const start = (by: Account, change: object = {}) =>
  as[by]<Answer>('POST', '/timer', { resource: 'shifts', record: shot.id, ...change });
const read = async (by: Account) => (await as[by]<Answer>('GET', '/timer')).body.data;
const end = (by: Account, started_at: string) =>
  as[by]<Answer>('DELETE', `/timer?${new URLSearchParams({ started_at })}`);
/** Moves the start of every timer back. */
const earlier = (minutes: number) =>
  sql`update assay.timers set started_at = started_at - make_interval(mins => ${minutes})`.execute(
    demo.program.database.kysely,
  );

describe('a timer', () => {
  test('runs until its own person ends it, in every session of theirs, and one that was started since stays', async () => {
    expect(await read('qa')).toBeNull();
    const { status, body } = await start('qa');
    expect([status, body.message, body.data?.record]).toEqual([
      200,
      'Timer started',
      { id: shot.id, title: shot.name },
    ]);
    const again = await demo.signIn(accounts.qa);
    expect((await again<Answer>('GET', '/timer')).body.data).toEqual(body.data);
    expect([await read('developer'), await read('admin')]).toEqual([null, null]);
    const began = body.data!.started_at;
    expect((await end('developer', began)).status).toBe(409);
    expect((await end('qa', '2026-01-01T00:00:00.000Z')).status).toBe(409);
    expect(await read('qa')).toEqual(body.data);
    expect((await end('qa', began)).status).toBe(200);
    expect(await read('qa')).toBeNull();
    expect((await end('qa', began)).status).toBe(409);
  });

  test('is the only one of its person, however often it is started at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => start('qa')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.body.message).toContain(`runs already, on ${shot.name}. Stop or discard it`);
  });

  test.each<[Account, object, number]>([
    ['owner', {}, 200],
    ['manager', {}, 200],
    ['developer', {}, 200],
    // Without the right to add shifts.
    ['external', {}, 403],
    // Of another company.
    ['harbour', {}, 404],
    ['qa', { record: 999_999_999 }, 404],
    ['qa', { record: 0 }, 422],
    ['qa', { record: 'x' }, 422],
    ['qa', { resource: 'shots' }, 404],
    ['qa', { resource: 'constructor' }, 404],
    ['qa', { resource: 'x'.repeat(64) }, 422],
    ['qa', { started_at: '2020-01-01T00:00:00Z' }, 422],
  ])('started by %s with %j: %i', async (by, change, status) => {
    const answer = await start(by, change);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    if (status === 200) return;
    expect(answer.body).toHaveProperty('code');
    expect(await read(by)).toBeNull();
  });

  test('goes on from when its first part was recorded, which is neither before its start nor in the future', async () => {
    await start('qa');
    await earlier(90);
    const { started_at } = (await read('qa'))!;
    const after = (minutes: number) => new Date(Date.parse(started_at) + minutes * 60_000).toISOString();
    const go = (by: Account, from: string, began = started_at) =>
      as[by]<Answer>('PATCH', '/timer', { started_at: began, from });
    expect((await go('qa', after(-1))).status).toBe(400);
    expect((await go('qa', after(100_000))).status).toBe(400);
    expect((await go('qa', 'soon')).status).toBe(422);
    expect((await go('developer', after(30))).status).toBe(409);
    expect((await read('qa'))!.started_at).toBe(started_at);
    const { status, body } = await go('qa', after(30));
    expect([status, body.data]).toEqual([
      200,
      { resource: 'shifts', record: { id: shot.id, title: shot.name }, started_at: after(30) },
    ]);
    expect((await go('qa', after(40))).status).toBe(409);
  });

  test('outlives its record, whose title is shown only to who may see it', async () => {
    const { body } = await as.owner<{ data: Record<string, unknown> }>('GET', `/shots/${shot.id}`);
    const { id: _, ...copy } = body.data;
    const made = await as.owner<{ data: { id: number } }>('POST', '/shots', { ...copy, name: 'Passing' });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect((await start('qa', { record: made.body.data.id })).body.data?.record?.title).toBe('Passing');
    expect((await as.owner('DELETE', `/shots/${made.body.data.id}`)).status).toBe(200);
    expect(await read('qa')).toMatchObject({ resource: 'shifts', record: null });
  });
});
