import { describe, expect, it } from 'vitest';
import { daysLeft, milestoneVerdict } from '../../../custom-screens/milestone/milestoneVerdict';

const none = { passed: 0, flaky: 0, failed: 0, blocked: 0, skipped: 0, not_run: 0 };
const today = '2026-11-27';

describe('how a milestone stands', () => {
  it.each([
    ['without tests', {}, '2026-12-04', 'No tests yet', 'None of its runs has tests.'],
    [
      'at a pace that is enough',
      { passed: 8, not_run: 2 },
      '2026-12-04',
      'On track',
      '80% run, none failed. At this pace done on 30 Nov.',
    ],
    [
      'at a pace that is too slow',
      { passed: 2, failed: 1, not_run: 7 },
      '2026-12-04',
      'At risk',
      '30% run, 1 failed. At this pace done on 21 Dec.',
    ],
    [
      'without a day that it is due',
      { passed: 1, not_run: 1 },
      null,
      'On track',
      '50% run, none failed. At this pace done on 7 Dec.',
    ],
    ['after that day', { passed: 8, not_run: 2 }, '2026-11-26', 'Late', '80% run, none failed, 2 not run.'],
    ['before anything was run', { not_run: 4 }, '2026-12-04', 'At risk', '0% run, none failed.'],
    ['once all is run', { passed: 4 }, '2026-11-20', 'Done', '100% run, none failed.'],
    [
      'once all is run, and some is blocked',
      { passed: 3, blocked: 1 },
      '2026-12-04',
      'At risk',
      '100% run, none failed, 1 blocked.',
    ],
    ['after that day, with failures alone', { passed: 3, failed: 1 }, '2026-11-26', 'Late', '100% run, 1 failed.'],
    ['once all is run, with failures', { passed: 3, failed: 1 }, '2026-12-04', 'At risk', '100% run, 1 failed.'],
  ])('%s', (_title, counts, due, label, sentence) => {
    expect(milestoneVerdict({ ...none, ...counts }, { start: '2026-11-17', due }, today)).toMatchObject({
      label,
      sentence,
    });
  });

  it.each([
    ['2026-12-04', '7 days left'],
    ['2026-11-28', '1 day left'],
    ['2026-11-27', 'Due today'],
    ['2026-11-25', '2 days late'],
  ])('says in words how long it is until %s', (due, words) => {
    expect(daysLeft(due, today)).toBe(words);
  });
});

it('a milestone that is finished is done, whatever failed and however late', () => {
  const days = { start: '2026-11-01', due: '2026-11-20', isFinished: true };
  expect(milestoneVerdict({ ...none, passed: 3, failed: 1, not_run: 1 }, days, today)).toEqual({
    label: 'Done',
    tone: 'low',
    sentence: '80% run, 1 failed.',
  });
  expect(milestoneVerdict(none, days, today).label).toBe('Done');
});
