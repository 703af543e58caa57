// @module-tag slow
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { openDatabase } from '../../../src/server/database/database';
import { DatabaseTimeout } from '../../../src/server/errors/errors';
import { anyResource, type LiveEvent } from '../../../src/server/live/live-hub';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { openDatabaseProxy, type DatabaseProxy } from '../../support/database-proxy';
import { startFixtureProgram, type DemoProgram } from '../../support/program';

const log = pino({ level: 'silent' });

let own: TestDatabase;
let proxy: DatabaseProxy;
let here: DemoProgram;
let there: DemoProgram;
beforeAll(async () => {
  own = await createTestDatabase(inject('fixture'));
  proxy = await openDatabaseProxy(own.url);
  here = await startFixtureProgram({ database: { ...own, url: proxy.url } });
  there = await startFixtureProgram({ database: own });
});
afterAll(async () => {
  // First, since a program that ends waits for what it asked of frozen connections.
  await proxy.close();
  await here.close();
  await there.close();
  await own.close();
});

test('changes that another server made while the notification connection was dead are active within seconds', async () => {
  const restricted = await there.restricted();
  await restricted.grant(['projectors.list', 'projectors.create']);
  const { call } = await rememberedHere();
  const total = async () => (await call('GET', '/projectors?range=[0,0]')).headers['content-range'];
  const before = await total();
  const told: LiveEvent[] = [];
  here.program.live.subscribe((event) => told.push(event));

  proxy.freeze(/^listen /);
  await restricted.call('POST', '/projectors', { option_name: 'Unheard of' });
  await restricted.grant(['projectors.view']);
  expect((await call('GET', '/projectors')).status).toBe(200);
  await vi.waitFor(async () => expect((await call('GET', '/projectors')).status).toBe(403));
  await vi.waitFor(() => expect(told).toContainEqual({ resource: anyResource, id: 0, event: 'changed' }));
  await restricted.grant(['projectors.list']);
  await vi.waitFor(async () => expect(await total()).not.toBe(before));

  async function rememberedHere() {
    const signedIn = await here.signIn('restricted@demo.test');
    expect((await signedIn('GET', '/projectors')).status).toBe(200);
    return { call: signedIn };
  }
});

test('an unresponsive connection is given up, and others are opened', async () => {
  const database = openDatabase(proxy.url, log, { readTimeout: 100 });
  const ask = () => database.query({ sql: 'select 1 as one', parameters: [] });
  await ask();
  proxy.freeze();
  await expect(ask()).rejects.toBeInstanceOf(DatabaseTimeout);
  proxy.thaw();
  expect(await ask()).toEqual([{ one: 1 }]);
  await database.close();
});
