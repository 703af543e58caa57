import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Registry } from '../../../src/engine/registry/registry';
import type { Database } from '../../../src/server/database/database';
import type { Statement } from '../../../src/server/database/statements';
import { QueryCache } from '../../../src/server/sql/query-cache';

const registry = {
  definitions: new Map([['shots', { name: 'shots', table: 'shots', fields: {} }]]),
} as unknown as Registry;
const statement = { sql: 'select count(*)::integer as total from "public"."shots"', parameters: [] };

/** Totals of a table in which counting takes `takes` milliseconds, and what a reader is shown, and after how long. */
function counting(takes: number, large = true) {
  const state = { rows: 1, counted: 0 };
  const query = async ({ sql }: Statement) => {
    if (sql.includes('reltuples')) return large ? [{ name: 'shots' }] : [];
    const total = state.rows;
    state.counted++;
    await vi.advanceTimersByTimeAsync(takes);
    return [{ total }];
  };
  const totals = new QueryCache({ query } as unknown as Database);
  const write = () => {
    state.rows++;
    totals.invalidate('shots');
  };
  return { state, totals, write, shown: () => totals.count(statement, registry) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a fast count runs after every write, and once between two', async () => {
  const { state, write, shown } = counting(20);
  expect([await shown(), await shown()]).toEqual([1, 1]);
  write();
  expect([await shown(), await shown()]).toEqual([2, 2]);
  expect(state.counted).toBe(2);
});

test('a slow count is used for twenty times its duration, and then refreshed in the background', async () => {
  const { state, write, shown } = counting(300);
  expect(await shown()).toBe(1);
  write();
  expect(await shown()).toBe(1);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await shown()).toBe(1);
  await vi.advanceTimersByTimeAsync(300);
  expect([await shown(), state.counted]).toEqual([2, 2]);
});

test('a count in a table of ordinary size runs after every write, even if it is slow on a busy machine', async () => {
  const { state, write, shown } = counting(900, false);
  expect(await shown()).toBe(1);
  write();
  expect([await shown(), await shown(), state.counted]).toEqual([2, 2, 2]);
});

test('a count that was not used for a while runs again before it is returned', async () => {
  const { write, shown } = counting(300);
  await shown();
  write();
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await shown()).toBe(2);
});

test('a running count of a large table is shared, whatever is written meanwhile', async () => {
  let finish!: (rows: unknown[]) => void;
  const counts = vi.fn(() => new Promise<unknown[]>((done) => (finish = done)));
  const query = ({ sql }: Statement) => (sql.includes('reltuples') ? Promise.resolve([{ name: 'shots' }]) : counts());
  const totals = new QueryCache({ query } as unknown as Database);
  const earlier = totals.count(statement, registry);
  await vi.advanceTimersByTimeAsync(500);
  finish([{ total: 6 }]);
  expect(await earlier).toBe(6);
  await vi.advanceTimersByTimeAsync(31_000);
  const first = totals.count(statement, registry);
  await vi.advanceTimersByTimeAsync(500);
  totals.invalidate('shots');
  const second = totals.count(statement, registry);
  finish([{ total: 7 }]);
  expect(await Promise.all([first, second])).toEqual([7, 7]);
  expect(counts).toHaveBeenCalledTimes(2);
});

test('a count that depends on the time is at most one second old', async () => {
  const { state, totals } = counting(0);
  const countAt = (now: string) => totals.count({ ...statement, parameters: [now], instants: [0] }, registry);
  await countAt('2026-11-21T11:00:00.001Z');
  await countAt('2026-11-21T11:00:00.999Z');
  expect(state.counted).toBe(1);
  await countAt('2026-11-21T11:00:01.000Z');
  expect(state.counted).toBe(2);
  await totals.count({ ...statement, parameters: ['2026-11-21T11:00:01.001Z'] }, registry);
  expect(state.counted).toBe(3);
});

test('a failed count is repeated', async () => {
  const query = vi
    .fn()
    .mockRejectedValueOnce(new Error('gone'))
    .mockResolvedValueOnce([{ total: 3 }]);
  const totals = new QueryCache({ query } as unknown as Database);
  await expect(totals.count(statement, registry)).rejects.toThrow('gone');
  expect(await totals.count(statement, registry)).toBe(3);
});
