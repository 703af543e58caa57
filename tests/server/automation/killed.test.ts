// @module-tag slow
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { startServerProcess, type ServerProcess } from '../modules/server-process';
import { studioOf } from '../modules/studio';
import { isSigned, startReceiver, type Receiver } from './receiver';

const kills = 20;
const perRound = 6;

let database: TestDatabase;
let receiver: Receiver;
const servers: ServerProcess[] = [];

const start = () =>
  startServerProcess(database.url, {
    WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
    SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
  });
const query = async (text: string) => (await database.database.pool.query(text)).rows as Record<string, unknown>[];

beforeAll(async () => {
  database = await createTestDatabase(inject('demo'));
  receiver = await startReceiver();
  servers.push(await start(), await start());
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await receiver?.close();
  await database?.close();
});

test(`two servers that are killed ${kills} times in turns lose nothing and double nothing`, async () => {
  const { admin } = servers[0]!;
  const studio = studioOf(admin);
  expect((await admin('POST', '/webhooks', { name: 'chat', url: receiver.url })).status).toBe(201);
  const [{ id: hook }] = (await query("select id from webhooks where name = 'chat'")) as [{ id: number }];
  const { secret } = (await admin<{ data: { secret: string } }>('POST', `/webhooks/${hook}/secret`)).body.data;
  await studio.make('echoes', { name: {}, song_id: { type: 'number' } });
  await studio.make(
    'songs',
    { name: {} },
    {
      automations: [
        {
          name: 'publish',
          events: ['create'],
          steps: [
            { notify: 'created_by', text: 'Song {name}' },
            { create: 'echoes', values: { name: '{name}', song_id: '$record.id', site_id: 1 } },
            { webhook: 'chat' },
          ],
        },
      ],
    },
  );
  await vi.waitFor(async () => expect((await servers[1]!.admin('GET', '/songs')).status).toBe(200));
  for (let round = 0; round < kills; round++) {
    const [victim, other] = [round % 2, 1 - (round % 2)] as const;
    const sent = Array.from({ length: perRound }, (_, index) =>
      servers[index % 2]!.admin('POST', '/songs', { name: `${round}-${index}`, site_id: 1 }).catch(() => undefined),
    );
    // In the middle: some have been answered, none has to be done.
    await Promise.race(sent);
    await servers[victim]!.kill();
    await Promise.all(sent);
    expect((await servers[other]!.admin('GET', '/songs')).status).toBe(200);
    servers[victim] = await start();
  }
  const [{ songs }] = (await query('select count(*)::integer as songs from songs')) as [{ songs: number }];
  // One server of two survived each kill, and what it was sent is stored.
  expect(songs).toBeGreaterThanOrEqual((kills * perRound) / 2);
  await vi.waitFor(
    async () => {
      const waiting = `select count(*)::integer as n from`;
      expect(await query(`${waiting} assay.automation_runs where state = 'waiting'`)).toEqual([{ n: 0 }]);
      expect(await query(`${waiting} assay.webhook_deliveries where state = 'waiting'`)).toEqual([{ n: 0 }]);
    },
    { timeout: 150_000, interval: 500 },
  );
  expect(await query('select state, count(*)::integer as n from assay.automation_runs group by 1')).toEqual([
    { state: 'done', n: songs },
  ]);
  // Exactly once, each with its song.
  const once = (table: string, key: string, where = 'true') =>
    query(`select count(*)::integer as all, count(distinct ${key})::integer as different from ${table} where ${where}`);
  expect(await once('echoes', 'song_id')).toEqual([{ all: songs, different: songs }]);
  expect(await once('assay.notifications', 'title', "title like 'Song %'")).toEqual([{ all: songs, different: songs }]);
  expect(await once('assay.webhook_deliveries', 'message_id', "state = 'delivered'")).toEqual([
    { all: songs, different: songs },
  ]);
  // At least once, and a repeated call has the id of the first.
  expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(songs);
  expect(receiver.calls.every((call) => isSigned(call, secret))).toBe(true);
}, 400_000);
