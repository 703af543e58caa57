import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createAdmission,
  sessionLane,
  signInLane,
  type Admission,
  type AdmissionLimits,
} from '../../../src/server/overload/admission';
import { admissionRequestOf } from '../../../src/server/overload/lanes';

const limits: AdmissionLimits = {
  running: 4,
  perLane: 2,
  spare: 2,
  perRecord: 1,
  reserved: 2,
  waiting: 4,
  waitingPerLane: 3,
  waitingPerRecord: 2,
  targetWait: 1_000,
  readTimeout: 60_000,
  changeTimeout: 60_000,
};

const patience = { readTimeout: 2_000, changeTimeout: 6_000 };

test.each([
  ['GET', '/api/shots?range=[0,14]', { lane: 'shots' }],
  ['GET', '/api/shots/7/history', { lane: 'shots' }],
  ['POST', '/api/shots', { lane: 'shots', isChange: true }],
  ['PUT', '/api/shots/7?timezone=UTC', { lane: 'shots', isChange: true, record: 'shots/7' }],
  ['DELETE', '/api/shots/7/', { lane: 'shots', isChange: true, record: 'shots/7' }],
  ['PATCH', '/api/films/restore/7', { lane: 'films', isChange: true, record: 'films/7' }],
  ['POST', '/api/screenings/7/share', { lane: 'screenings', isChange: true, record: 'screenings/7' }],
  ['POST', '/api/login', { lane: signInLane, isChange: true }],
  ['GET', '/api/me', { lane: sessionLane }],
  ['GET', '/api/health/ready', undefined],
  ['GET', '/api/events', undefined],
  ['GET', '/static/main.js', undefined],
])('%s %s asks for %o', (method, url, ask) => expect(admissionRequestOf(method, url)).toEqual(ask));

test('changes of one record share one slot, and a limited number waits', async () => {
  const admission = createAdmission({ ...limits, waitingPerLane: 9, waiting: 9 });
  const seven = { lane: 'shots', isChange: true, record: 'shots/7' };
  const leave = await admission.enter(seven);
  const begun: string[] = [];
  const turns = ['second', 'third'].map((name) =>
    admission.enter(seven).then((end) => {
      begun.push(name);
      return end;
    }),
  );
  expect(admission.rejects(seven)).toBe(true);
  (await admission.enter({ lane: 'shots', isChange: true, record: 'shots/8' }))();
  expect([begun, admission.counts()]).toEqual([[], { running: 1, waiting: 2, rejected: 1, expired: 0 }]);
  leave();
  (await turns[0]!)();
  await turns[1];
  expect(begun).toEqual(['second', 'third']);
});

test('a lane uses its share, others and sign-in continue, and waiting calls start when a slot is free', async () => {
  const admission = createAdmission(limits);
  const leave = [await admission.enter({ lane: 'shots' }), await admission.enter({ lane: 'shots' })];
  const begun: string[] = [];
  const waiting = ['first', 'second', 'third'].map((name) =>
    admission.enter({ lane: 'shots' }).then((end) => {
      begun.push(name);
      return end;
    }),
  );
  expect(admission.rejects({ lane: 'shots' })).toBe(true);
  await expect(admission.enter({ lane: 'shots' })).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '2' },
  });
  for (const lane of ['studios', 'films']) await admission.enter({ lane });
  expect(admission.counts()).toMatchObject({ running: 4, waiting: 3, rejected: 2 });
  (await admission.enter({ lane: signInLane }))();
  leave[0]!();
  leave[0]!();
  await waiting[0];
  expect(begun).toEqual(['first']);
  leave[1]!();
  await waiting[1];
  expect(begun).toEqual(['first', 'second']);
  // Nobody is left waiting: the refusal would come long after the test.
  (await waiting[0]!)();
  await waiting[2];
});

test('a rush of sign-ins leaves a slot to signed-in users', async () => {
  const admission = createAdmission(limits);
  for (const lane of ['shots', 'studios', 'films', 'shots']) await admission.enter({ lane });
  const leave = await admission.enter({ lane: signInLane });
  const waiting = admission.enter({ lane: signInLane });
  (await admission.enter({ lane: sessionLane }))();
  expect(admission.counts()).toMatchObject({ running: 5, waiting: 1 });
  leave();
  (await waiting)();
});

test('a lane can exceed its share as long as slots are left for others', async () => {
  const admission = createAdmission({ ...limits, running: 8, spare: 3 });
  const leave = await Promise.all(Array.from({ length: 5 }, () => admission.enter({ lane: 'shots' })));
  const waiting = admission.enter({ lane: 'shots' });
  expect(admission.counts()).toMatchObject({ running: 5, waiting: 1 });
  for (const lane of ['studios', 'studios', 'films']) await admission.enter({ lane });
  expect(admission.counts()).toMatchObject({ running: 8, waiting: 1 });
  for (const end of leave) end();
  await waiting;
});

test('calls that wait too long are rejected: reads earlier than changes', async () => {
  vi.useFakeTimers();
  try {
    const admission = createAdmission({ ...limits, running: 1, waiting: 8, reserved: 0, ...patience });
    await admission.enter({ lane: 'shots' });
    const change = expect(admission.enter({ lane: 'studios', isChange: true })).rejects.toMatchObject({ status: 503 });
    const read = expect(admission.enter({ lane: 'films' })).rejects.toMatchObject({ status: 503 });
    await vi.advanceTimersByTimeAsync(2_001);
    await read;
    expect(admission.counts()).toMatchObject({ waiting: 1, expired: 1 });
    await vi.advanceTimersByTimeAsync(4_000);
    await change;
    expect(admission.counts()).toMatchObject({ waiting: 0, expired: 2 });
  } finally {
    vi.useRealTimers();
  }
});

describe('under constant pressure', () => {
  const many = { ...limits, running: 2, perLane: 2, spare: 0, reserved: 0, waiting: 400, waitingPerLane: 400 };
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Calls that take `duration` milliseconds each come every two, for some seconds; the waits of the admitted. */
  async function press(admission: Admission, duration: number, seconds: number): Promise<number[]> {
    const waits: number[] = [];
    for (let now = 0; now < seconds * 1_000; now += 2) {
      const since = performance.now();
      admission.enter({ lane: 'shots' }).then(
        (leave) => {
          waits.push(performance.now() - since);
          setTimeout(leave, duration);
        },
        () => undefined,
      );
      await vi.advanceTimersByTimeAsync(2);
    }
    return waits;
  }

  test.each([
    [10, 200],
    [40, 50],
    [100, 20],
  ])('with calls of %i ms about %i wait: as many as start in a second', async (duration, expected) => {
    const admission = createAdmission({ ...many, ...patience });
    await press(admission, duration, 5);
    const { expired } = admission.counts();
    const waits = await press(admission, duration, 2);
    expect(admission.counts().waiting).toBeGreaterThan(expected * 0.7);
    expect(admission.counts().waiting).toBeLessThan(expected * 1.3);
    expect(Math.max(...waits)).toBeLessThan(1_500);
    // All others are rejected at once.
    expect(admission.counts().expired).toBe(expired);
    await vi.advanceTimersByTimeAsync(10_000);
  });

  test('calls that wait for one locked lane do not shorten the line of the others', async () => {
    const admission = createAdmission({
      ...many,
      ...patience,
      running: 3,
      perLane: 1,
      spare: 2,
      changeTimeout: 60_000,
    });
    const stuck = await admission.enter({ lane: 'shots' });
    const waiting = Array.from({ length: 40 }, () => admission.enter({ lane: 'shots', isChange: true }));
    for (const call of waiting) call.then((leave) => leave()).catch(() => undefined);
    for (let turn = 0; turn < 100; turn++) {
      const leave = await admission.enter({ lane: 'films' });
      const next = admission.enter({ lane: 'films' });
      await vi.advanceTimersByTimeAsync(500);
      leave();
      await vi.advanceTimersByTimeAsync(1);
      (await next)();
    }
    expect(admission.rejects({ lane: 'shots', isChange: true })).toBe(false);
    stuck();
    await vi.advanceTimersByTimeAsync(100_000);
  });

  test('of a slow lane fewer calls wait than of a quick one, and none in vain', async () => {
    const admission = createAdmission({ ...many, ...patience, running: 10, perLane: 5 });
    const durations = { shots: 20, studios: 400 };
    const pressFor = async (seconds: number) => {
      for (let now = 0; now < seconds * 1_000; now += 2) {
        for (const [lane, duration] of Object.entries(durations))
          admission.enter({ lane }).then(
            (leave) => setTimeout(leave, duration),
            () => undefined,
          );
        await vi.advanceTimersByTimeAsync(2);
      }
      return admission.counts().expired;
    };
    expect((await pressFor(4)) - (await pressFor(4))).toBe(0);
    await vi.advanceTimersByTimeAsync(10_000);
  });

  test('with enough calls about to enter, further ones are rejected although slots are free', () => {
    const admission = createAdmission({ ...limits, ...patience });
    expect([3, 4].map((entering) => admission.rejects({ lane: 'shots' }, entering))).toEqual([false, true]);
  });
});
