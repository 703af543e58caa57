// @module-tag slow
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FairShares } from '../../../src/server/limits/fair-shares';
import { RateLimiter } from '../../../src/server/limits/rate-limiter';
import { accounts } from '../../support/accounts';
import { png } from '../files/pictures';
import { serve, type Served } from './served';

const harbourOwner = 'owner@harbour.test';

let served: Served;
let owner: string;
let harbour: string;
const tokens: string[] = [];

beforeAll(async () => {
  served = await serve({
    STALLED_AFTER: '2',
    STREAMS_PER_PERSON: '2',
    CALLS_PER_MINUTE: '40',
    STORAGE_PER_PERSON: '4 kB',
    STORAGE_PER_COMPANY: '6 kB',
  });
  for (const email of [accounts.owner, accounts.manager, harbourOwner, accounts.qa])
    tokens.push(await served.signIn(email));
  [owner, , harbour] = tokens as [string, string, string];
});
afterAll(() => served?.close());

const call = (path: string, token: string, init: RequestInit = {}) =>
  fetch(`${served.address}/api${path}`, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });

/** Opens an answer and reads nothing of it. */
const begin = (path: string, token: string) =>
  new Promise<IncomingMessage>((done, fail) => {
    const asked = get(`${served.address}/api${path}`, { agent: false, headers: { authorization: `Bearer ${token}` } });
    asked.once('error', fail);
    asked.once('response', (answer) => done(answer.on('error', () => undefined)));
  });

test('event streams are limited per user, and a slot is free once one is closed', async () => {
  const [one] = [await begin('/events', owner), await begin('/events', owner)];
  const third = await call('/events', owner);
  expect(third.status).toBe(429);
  expect(third.headers.get('retry-after')).toBe('30');
  expect(await third.json()).toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringContaining('2 windows') as string,
  });
  expect((await begin('/events', harbour)).statusCode).toBe(200);
  one.destroy();
  await vi.waitFor(async () => expect((await begin('/events', owner)).statusCode).toBe(200));
});

test('a stalled download loses its slot', async () => {
  const { kysely } = served.program.database;
  await sql`insert into studios (name, code, address, post_code, email, site_id, created_at, updated_at)
    select 'Bulk ' || n, 'B' || n, repeat('Long street ', 300), '1', 'b' || n || '@bulk.test',
      (select site_id from users where email = ${harbourOwner}), now(), now()
    from generate_series(1, 5000) n`.execute(kysely);
  const path = '/studios-export?q=Bulk&columns=name,address&format=csv';
  const begun = [await begin(path, harbour), await begin(path, harbour)];
  expect(begun.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const third = await call(path, harbour);
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '10']);
  await third.text();
  await vi.waitFor(async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`.execute(kysely);
    expect(rows[0]!.count).toBe(0);
  });
  const again = await call(path, harbour);
  expect(again.status).toBe(200);
  expect((await again.text()).length).toBeGreaterThan(5_000 * 3_600);
});

describe('stored files', () => {
  const store = async (size: number, person: number, company: number | null) => {
    const { files } = served.program;
    const bytes = Buffer.concat([png(1, 1), Buffer.alloc(size - png(1, 1).length)]);
    const upload = await files.temporary.receive('a.png', Readable.from([bytes]), size);
    try {
      return await files.store(upload, 'image/png', { resource: 'screenings', field: 'screenshot', person, company });
    } finally {
      await upload.deleteFile();
    }
  };

  test('are limited per user and company, even when concurrent, and free their quota when deleted', async () => {
    const { files } = served.program;
    const many = await Promise.allSettled(Array.from({ length: 10 }, () => store(1_000, 901, 91)));
    const good = many.flatMap((one) => (one.status === 'fulfilled' ? [one.value.key] : []));
    expect(good).toHaveLength(4);
    const refused = many.flatMap((one) => (one.status === 'rejected' ? [one.reason as { code: string }] : []));
    expect(refused.map(({ code }) => code)).toEqual(Array<string>(6).fill('QUOTA_EXCEEDED'));
    await store(2_000, 902, 91);
    await expect(store(500, 903, 91)).rejects.toMatchObject({
      status: 413,
      message:
        'Your company can store 6 kB of files, and 5.9 kB are used: a file of 500 B does not fit. Delete records or files that are no longer needed.',
    });
    await store(500, 903, 92);
    await files.remove(good);
    await store(500, 903, 91);
  });

  test('a record whose picture does not fit is rejected with a message, and nothing is stored', async () => {
    const { data } = (await (await call('/screenings?range=[0,0]', owner)).json()) as { data: { id: number }[] };
    const form = new FormData();
    form.append('screenshot', new Blob([new Uint8Array(Buffer.concat([png(1, 1), Buffer.alloc(5_000)]))]), 'a.png');
    const answer = await call(`/screenings/${data[0]!.id}`, owner, { method: 'PUT', body: form });
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { code: 'QUOTA_EXCEEDED', message: expect.stringContaining('You can store 4 kB') as string },
    ]);
    expect(served.uploads()).toEqual([]);
  });
});

test('calls are limited per user; health checks never are', async () => {
  const qa = tokens[3]!;
  const answers = await Promise.all(Array.from({ length: 50 }, () => call('/me', qa)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused[0]!.json()).toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringContaining('40 per minute') as string,
  });
  expect((await call('/me', tokens[1]!)).status).toBe(200);
  for (const path of ['/health', '/health/live']) expect((await call(path, qa)).status, path).toBe(200);
});

test('the work of calls counts for who makes them: for each user, and once for all who are unconfirmed', async () => {
  const enter = vi.spyOn(FairShares.prototype, 'enter');
  const accountOf = async (path: string, token: string) => {
    enter.mockClear();
    expect((await call(path, token)).status).toBe(200);
    expect(enter).toHaveBeenCalledTimes(1);
    return enter.mock.calls[0]![0];
  };
  const register = async (email: string) => {
    const body = { first_name: 'Ada', last_name: 'Novak', site_name: 'Novak Films', email, password: 'Quiet#Harbour7' };
    const answer = await fetch(`${served.address}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    // A visitor has no account, and waits for nobody.
    expect(enter.mock.calls.at(-1)).toEqual([undefined]);
    return ((await answer.json()) as { token: string }).token;
  };
  const [mine, again, other] = [
    await accountOf('/studios', harbour),
    await accountOf('/films', harbour),
    await accountOf('/me', tokens[1]!),
  ];
  expect([mine === again, mine === other]).toEqual([true, false]);
  expect(mine!.work).toBeGreaterThan(0);
  const first = await accountOf('/me', await register('first@novak.test'));
  const second = await accountOf('/me', await register('second@novak.test'));
  expect([first === second, first === mine]).toEqual([true, false]);
});

test('the calls of a minute can be made at once, and are refilled evenly', () => {
  const rate = new RateLimiter(60);
  const taken = (at: number, times: number) =>
    Array.from({ length: times }, () => rate.take(1, at)).filter((wait) => wait === 0).length;
  expect(taken(0, 100)).toBe(60);
  expect(rate.take(1, 500)).toBeCloseTo(0.5);
  expect(taken(10_500, 100)).toBe(10);
  expect(taken(1_000_000, 100)).toBe(60);
  expect(rate.take(2, 0)).toBe(0);
  expect(new RateLimiter(0).take(1)).toBe(0);
});
