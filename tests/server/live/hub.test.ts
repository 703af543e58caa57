import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase, type Database } from '../../../src/server/database/database';
import { openLiveHub } from '../../../src/server/live/hub';
import type { LiveEvent, LiveHub } from '../../../src/server/live/live-hub';
import { createTestDatabase, type TestDatabase } from '../../support/database';

const log = pino({ level: 'silent' });
const event = (id: number): LiveEvent => ({ resource: 'books', id, event: 'updated', site_id: 1 });

let own: TestDatabase;
let other: Database;
let here: LiveHub;
let there: LiveHub;
beforeEach(async () => {
  own = await createTestDatabase();
  other = openDatabase(own.url, log);
  here = await openLiveHub(own.database, log);
  there = await openLiveHub(other, log);
});
afterEach(async () => {
  await here.close();
  await there.close();
  await other.close();
  await own.close();
});

test('an event arrives here at once and in another process soon, once each, in order', async () => {
  const [heardHere, heardThere] = [vi.fn(), vi.fn()];
  here.subscribe(heardHere);
  there.subscribe(heardThere);
  // More than PostgreSQL passes on at once.
  const events = Array.from({ length: 300 }, (_, index) => event(index));
  for (const one of events) here.publish(one);
  expect(heardHere.mock.calls.map(([one]) => one)).toEqual(events);
  await vi.waitFor(() => expect(heardThere.mock.calls.map(([one]) => one)).toEqual(events));
  expect(heardHere).toHaveBeenCalledTimes(300);
});

test('within a transaction an event waits for the commit, and is dropped with a rollback', async () => {
  const heard = vi.fn();
  here.subscribe(heard);
  const failing = own.database.transaction(async (trx) => {
    here.publish(event(1), trx);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await own.database.transaction(async (trx) => {
    here.publish(event(2), trx);
    expect(heard).not.toHaveBeenCalled();
  });
  expect(heard.mock.calls).toEqual([[event(2)]]);
});

test('an unsubscribed listener receives nothing', () => {
  const heard = vi.fn();
  here.subscribe(heard)();
  here.publish(event(1));
  expect(heard).not.toHaveBeenCalled();
});
