import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TooManyRequests } from '../../../../src/server/errors/errors';
import {
  networkKey,
  signInLimits,
  countAttempt,
  type AttemptLimit,
} from '../../../../src/server/accounts/session/attempts';
import { createTestDatabase, type TestDatabase } from '../../../support/database';

let test_: TestDatabase;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.close());

const limit = (key: string, times = 3): AttemptLimit => ({ key, times, within: 15 * 60_000 });
const attempt = (...limits: AttemptLimit[]) => countAttempt(test_.database, limits);
const stored = async (key: string) => {
  const rows = await test_.database.kysely
    .withSchema('assay')
    .selectFrom('attempts')
    .select('at')
    .where('key', '=', key)
    .execute();
  return rows.length;
};

describe('attempts', () => {
  test('are counted up to the limit, then rejected with the time to wait', async () => {
    for (let i = 0; i < 3; i++) await attempt(limit('a'));
    const refusal = await attempt(limit('a')).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(TooManyRequests);
    const { message, headers } = refusal as TooManyRequests;
    expect(message).toBe('Too many attempts. Please try again in 15 minutes.');
    expect(Number(headers['Retry-After'])).toBeGreaterThan(890);
    expect(Number(headers['Retry-After'])).toBeLessThanOrEqual(900);
    expect(await stored('a')).toBe(3);
  });

  test('are allowed again once the period has passed', async () => {
    const long = new Date(Date.now() - 16 * 60_000);
    const rows = [1, 2, 3].map(() => ({ key: 'b', at: long }));
    await test_.database.kysely.withSchema('assay').insertInto('attempts').values(rows).execute();
    await expect(attempt(limit('b'))).resolves.toBeDefined();
  });

  test('a success takes back only its own attempt', async () => {
    await attempt(limit('c'), limit('c2'));
    const good = await attempt(limit('c'), limit('c2'));
    await good.takeBack();
    expect(await stored('c')).toBe(1);
    expect(await stored('c2')).toBe(1);
  });

  test('an attempt rejected by one limit counts under none', async () => {
    await attempt(limit('d', 1));
    await expect(attempt(limit('e', 5), limit('d', 1))).rejects.toBeInstanceOf(TooManyRequests);
    expect(await stored('e')).toBe(0);
  });

  test('concurrent attempts cannot exceed the limit', async () => {
    const all = await Promise.allSettled(Array.from({ length: 12 }, () => attempt(limit('f', 5), limit('g', 100))));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  test('the limits of a sign-in are 10 for the account from an address and 100 for the address', () => {
    const [account, address] = signInLimits(' Ada@Example.test', '10.0.0.7');
    expect([account!.times, account!.within]).toEqual([10, 900_000]);
    expect([address!.times, address!.within]).toEqual([100, 900_000]);
    expect(account!.key).toBe(signInLimits('ada@example.TEST', '10.0.0.7')[0]!.key);
    expect(account!.key).not.toContain('ada');
  });
});

describe('an address counts as', () => {
  test.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['10.1.2.3:4567', '10.1.2.3'],
    ['unknown', 'unknown'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:0db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s: %s', (address, key) => expect(networkKey(address)).toBe(key));
});
