import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProgram, type TestProgram } from './program';

let started: TestProgram;
let token: string;
beforeAll(async () => {
  started = await startProgram();
  token = await started.signIn('manager');
});
afterAll(() => started.close());

interface Shown {
  id: number;
  date: string;
  isRead: boolean;
}
const call = (method: string, path: string, body?: unknown, as = token) =>
  started.call(method, `/notifications${path}`, { token: as, body });
const list = async (query = '') => (await call('GET', query)).body.data as Shown[];

describe('notifications', () => {
  test('are those of the caller, newest first', async () => {
    const { body, headers } = await call('GET', '');
    expect(headers['content-range']).toBe(`notifications 0-5/6`);
    expect(Object.keys(body.data[0])).toEqual(['id', 'title', 'content', 'date', 'isRead', 'link']);
    const dates = body.data.map(({ date }: Shown) => date);
    expect(dates).toEqual([...dates].sort().reverse());
    expect(new Set(body.data.map(({ isRead }: Shown) => isRead))).toEqual(new Set([true, false]));
  });

  test('are paged, sorted and filtered', async () => {
    const page = await call('GET', '?range=[0,4]&sort=["date","DESC"]');
    expect(page.body.data).toHaveLength(5);
    expect(page.headers['content-range']).toBe('notifications 0-4/6');
    const oldest = await list('?sort_by=date&range=[0,0]');
    expect(oldest).toEqual([(await list()).at(-1)]);
    const unread = await list('?filter={"isRead":false}');
    expect(unread.length).toBeGreaterThan(0);
    expect(unread.every(({ isRead }) => !isRead)).toBe(true);
    expect(await list('?isRead=0')).toEqual(unread);
    expect((await call('GET', '?range=[100,104]')).headers['content-range']).toBe('notifications */6');
  });

  test.each([
    ['?filter={"title":"x"}'],
    ['?filter=[]'],
    ['?filter={'],
    ['?range=[5,1]'],
    ['?range=[0]'],
    ['?range=["a",2]'],
    ['?sort=["user_id","ASC"]'],
    ['?sort=["date","UP"]'],
    ['?sort_by=constructor'],
    ['?user_id=1'],
    ['?isRead=maybe'],
  ])('%s: 400 with a message', async (query) => {
    const { status, body } = await call('GET', query);
    expect(status).toBe(400);
    expect(body.message).toEqual(expect.any(String));
  });

  test('one can be marked as read and unread', async () => {
    const { id } = (await list('?isRead=0'))[0]!;
    expect((await call('GET', `/${id}`)).body.data).toMatchObject({ id, isRead: false });
    expect((await call('PATCH', `/${id}`, { isRead: true })).body.data).toMatchObject({ id, isRead: true });
    expect((await call('GET', `/${id}`)).body.data.isRead).toBe(true);
    expect((await call('PATCH', `/${id}`, { isRead: false })).body.data.isRead).toBe(false);
    expect((await call('PATCH', `/${id}`, { isRead: 'yes' })).body.errors).toEqual({
      isRead: 'isRead must be true or false.',
    });
    expect((await call('PATCH', `/${id}`, { title: 'x', isRead: true })).status).toBe(422);
  });

  test("another user's is not found", async () => {
    const { id } = (await list())[0]!;
    const other = await started.signIn('qa');
    expect((await call('GET', `/${id}`, undefined, other)).status).toBe(404);
    expect((await call('PATCH', `/${id}`, { isRead: true }, other)).status).toBe(404);
  });

  test.each([['0'], ['99999999999'], ['x'], ['2147483648']])('%s is not found', async (id) => {
    expect((await call('GET', `/${id}`)).status).toBe(404);
  });

  test('all are marked as read, for the caller only', async () => {
    const unread = (await list('?isRead=0')).length;
    expect((await call('POST', '/read-all')).body).toEqual({ data: { read: unread } });
    expect(await list('?isRead=0')).toEqual([]);
    const other = await started.signIn('qa');
    expect((await call('GET', '?isRead=0', undefined, other)).body.data.length).toBeGreaterThan(0);
  });
});
