import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FairShares } from '../../../src/server/limits/fair-shares';
import { runInRequest, type CurrentRequest, type WorkAccount } from '../../../src/server/requests/current-request';
import { addWork, countWork, shareOf } from '../../../src/server/requests/work-time';

const requestOf = (account: WorkAccount): CurrentRequest => ({
  id: 'a',
  method: 'GET',
  url: '/',
  address: '127.0.0.1',
  agent: null,
  account,
});

test('the time of the event loop is counted for whom it works, until the turn ends', async () => {
  let now = 1_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    const [one, other] = [
      { work: 0, at: 0 },
      { work: 0, at: 0 },
    ];
    runInRequest(requestOf(one), () => countWork());
    now += 20;
    countWork(other);
    now += 10;
    await new Promise((done) => setImmediate(done));
    expect([one.work, other.work]).toEqual([20, 10]);
    now += 20;
    countWork(undefined);
    expect([one.work, other.work]).toEqual([20, 10]);
  } finally {
    clock.mockRestore();
  }
});

describe('shares', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Shares in which somebody has just kept the processor busy for three seconds, and a call of somebody else runs. */
  function busyShares({ work = 3_000 } = {}) {
    const shares = new FairShares();
    const [heavy, light] = [shares.accountOf(1), shares.accountOf(2)];
    addWork(heavy, work);
    return { shares, heavy, light };
  }

  /** What became of a call: admitted, refused, or undefined while it waits. */
  async function outcomeOf(entered: ReturnType<FairShares['enter']>): Promise<string | undefined> {
    let outcome: string | undefined;
    void Promise.resolve(entered).then((leave) => (outcome = leave ? 'admitted' : 'refused'));
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    return outcome;
  }

  test('work counts less the longer it is past', () => {
    const account = { work: 0, at: 0 };
    addWork(account, 1_500);
    expect(shareOf(account)).toBe(0.5);
    vi.advanceTimersByTime(3_000);
    expect(shareOf(account)).toBeCloseTo(0.5 / Math.E);
    addWork(account, 1_500);
    expect(shareOf(account)).toBeCloseTo(0.5 / Math.E + 0.5);
  });

  test('an account without competition never waits, whatever it uses', () => {
    const { shares, heavy } = busyShares();
    const leave = Array.from({ length: 50 }, () => shares.enter(heavy));
    expect(leave.every((one) => typeof one === 'function')).toBe(true);
  });

  test('an account that used more than half waits until no call of others is in progress', async () => {
    const { shares, heavy, light } = busyShares();
    const leave = shares.enter(light) as () => void;
    const waiting = shares.enter(heavy);
    // Calls of others never wait, and visitors have no account.
    const leaveToo = shares.enter(undefined) as () => void;
    leave();
    vi.advanceTimersByTime(25);
    expect(await outcomeOf(waiting)).toBeUndefined();
    leaveToo();
    vi.advanceTimersByTime(25);
    expect(await outcomeOf(waiting)).toBe('admitted');
  });

  test('a call that waits starts once its account has taken no more than half of late', async () => {
    const { shares, heavy, light } = busyShares();
    void shares.enter(light);
    const waiting = shares.enter(heavy);
    vi.advanceTimersByTime(2_000);
    expect(await outcomeOf(waiting)).toBeUndefined();
    // A third of it counts after three seconds.
    vi.advanceTimersByTime(150);
    expect(await outcomeOf(waiting)).toBe('admitted');
  });

  test('a call that waited for five seconds is refused', async () => {
    const { shares, heavy, light } = busyShares({ work: 100_000 });
    void shares.enter(light);
    const waiting = shares.enter(heavy);
    vi.advanceTimersByTime(4_950);
    expect(await outcomeOf(waiting)).toBeUndefined();
    vi.advanceTimersByTime(75);
    expect(await outcomeOf(waiting)).toBe('refused');
  });

  test('calls that waited start one by one, in turns of their own', async () => {
    const { shares, heavy, light } = busyShares();
    const leave = shares.enter(light) as () => void;
    const waiting = Array.from({ length: 4 }, () => shares.enter(heavy));
    leave();
    const admitted = async () =>
      (await Promise.all(waiting.map(outcomeOf))).filter((outcome) => outcome === 'admitted').length;
    vi.advanceTimersByTime(25);
    for (const count of [1, 2, 3, 4]) {
      expect(await admitted()).toBe(count);
      await new Promise((done) => setImmediate(done));
    }
  });
});
