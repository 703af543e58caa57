import { expect, test, vi } from 'vitest';
import { openAdmission, signInLane, type AdmissionLimits } from '../../../src/server/overload/admission';
import { laneOf } from '../../../src/server/overload/lanes';

const limits: AdmissionLimits = {
  running: 4,
  ofOneLane: 2,
  reserved: 1,
  waiting: 4,
  waitingOfOneLane: 3,
  patience: 60_000,
};

test.each([
  ['/api/tasks?range=[0,14]', 'tasks'],
  ['/api/tasks/7/history', 'tasks'],
  ['/api/login', signInLane],
  ['/api/me', signInLane],
  ['/api/health/ready', undefined],
  ['/api/events', undefined],
  ['/static/main.js', undefined],
])('%s is in the lane %s', (url, lane) => expect(laneOf(url)).toBe(lane));

test('a lane takes its share, others and sign-in go on, and who waits begins when a place is free', async () => {
  const admission = openAdmission(limits);
  const leave = [await admission.enter('tasks'), await admission.enter('tasks')];
  const begun: string[] = [];
  const waiting = ['first', 'second', 'third'].map((name) =>
    admission.enter('tasks').then((end) => {
      begun.push(name);
      return end;
    }),
  );
  expect(admission.refuses('tasks')).toBe(true);
  await expect(admission.enter('tasks')).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
  for (const lane of ['clients', 'projects']) await admission.enter(lane);
  expect(admission.figures()).toMatchObject({ running: 4, waiting: 3, refused: 2 });
  (await admission.enter(signInLane))();
  leave[0]!();
  leave[0]!();
  await waiting[0];
  expect(begun).toEqual(['first']);
  leave[1]!();
  await waiting[1];
  expect(begun).toEqual(['first', 'second']);
});

test('who waits too long is refused', async () => {
  vi.useFakeTimers();
  try {
    const admission = openAdmission({ ...limits, running: 1, reserved: 0, patience: 2_000 });
    await admission.enter('tasks');
    const late = expect(admission.enter('clients')).rejects.toMatchObject({ status: 503 });
    await vi.advanceTimersByTimeAsync(2_001);
    await late;
    expect(admission.figures()).toMatchObject({ waiting: 0, expired: 1 });
  } finally {
    vi.useRealTimers();
  }
});
