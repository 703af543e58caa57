import { describe, expect, test } from 'vitest';
import { dayInTimeZone } from '../../../src/engine/formats/dates';
import { parseLogLine } from '../../../src/engine/formats/parse-log-line';
import { followingTimes } from '../../../src/engine/forms/continued-times';
import { minutesInZone } from '../../../src/server/access/days';

/** A Friday. */
const today = '2026-11-27';
const isKey = (word: string) => /^(TSK-|#)\d+$/i.test(word);

describe('a line about time that was spent', () => {
  test.each<[text: string, minutes: number | undefined, date: string | undefined, comment: string, key?: string]>([
    ['2h yesterday checked receipts', 120, '2026-11-26', 'checked receipts'],
    ['2h', 120, undefined, ''],
    ['1:30 today', 90, today, ''],
    ['90m reviewed it', 90, undefined, 'reviewed it'],
    ['1.5h', 90, undefined, ''],
    ['1,5 h on Monday report', 90, '2026-11-23', 'report'],
    ['1h 15 retest', 75, undefined, 'retest'],
    ['1 h 15 min retest', 75, undefined, 'retest'],
    ['1h15m', 75, undefined, ''],
    ['for 45 minutes call', 45, undefined, 'call'],
    // At the end, in any order.
    ['checked receipts 2h yesterday', 120, '2026-11-26', 'checked receipts'],
    ['yesterday checked receipts 2h', 120, '2026-11-26', 'checked receipts'],
    ['Read the plan on fri 30m', 30, today, 'Read the plan'],
    // Days: the last one up to today, unless a year says otherwise.
    ['2h mon', 120, '2026-11-23', ''],
    ['2h Friday', 120, today, ''],
    ['2h sat', 120, '2026-11-21', ''],
    ['2h 3 Dec', 120, '2025-12-03', ''],
    ['2h 3 Dec 2026', 120, '2026-12-03', ''],
    ['2h Nov 3', 120, '2026-11-03', ''],
    ['2h 3. november planning', 120, '2026-11-03', 'planning'],
    ['2h 12.11.', 120, '2026-11-12', ''],
    ['12.12. 2h', 120, '2025-12-12', ''],
    ['2h 12/11', 120, '2026-11-12', ''],
    ['12/11 2h planning', 120, '2026-11-12', 'planning'],
    ['2h on 12/11 planning', 120, '2026-11-12', 'planning'],
    ['2h Sept 3', 120, '2026-09-03', ''],
    ['2h 2026-11-12', 120, '2026-11-12', ''],
    ['2h 31.11.', 120, undefined, '31.11.'],
    ['2h tomorrow', 120, '2026-11-28', ''],
    // A key is taken out of the middle of a comment too.
    ['2h TSK-119 checked', 120, undefined, 'checked', 'TSK-119'],
    ['checked tsk-119: receipts 1h', 60, undefined, 'checked receipts', 'tsk-119'],
    ['#119 1h', 60, undefined, '', '#119'],
    ['1h TSK-1 after TSK-2', 60, undefined, 'after TSK-2', 'TSK-1'],
    ['1h UTF-8 names', 60, undefined, 'UTF-8 names'],
    // A word that may mean something else stays in the comment.
    ['at 2h meeting', undefined, undefined, 'at 2h meeting'],
    ['meeting at 2h', undefined, undefined, 'meeting at 2h'],
    ['2h prepared it for Monday', 120, undefined, 'prepared it for Monday'],
    ['1:30 pm call', undefined, undefined, '1:30 pm call'],
    ['2h 3h tests', 120, undefined, '3h tests'],
    ['1h 5 checks', 60, undefined, '5 checks'],
    ['1h sun and mon tests', 60, '2026-11-22', 'and mon tests'],
    ['2 hourly checks', undefined, undefined, '2 hourly checks'],
    ['1.5 checks', undefined, undefined, '1.5 checks'],
    ['2h may be more', 120, undefined, 'may be more'],
    ['2h 3 market pages', 120, undefined, '3 market pages'],
    ['1h 15 marketing', 75, undefined, 'marketing'],
    ['2h 8/10 passed', 120, undefined, '8/10 passed'],
    ['2h 3-4 cases', 120, undefined, '3-4 cases'],
    ['checked receipts', undefined, undefined, 'checked receipts'],
    ['2h - checked', 120, undefined, 'checked'],
    // For whoever reads them to refuse.
    ['0h idle', 0, undefined, 'idle'],
    ['25h', 1500, undefined, ''],
    ['', undefined, undefined, ''],
    ['   ', undefined, undefined, ''],
  ])('%j', (text, minutes, date, comment, key) =>
    expect(parseLogLine(text, today, isKey)).toEqual({
      ...(minutes !== undefined && { minutes }),
      ...(date !== undefined && { date }),
      ...(key !== undefined && { key }),
      comment,
    }),
  );

  test.each([
    ['Pacific/Kiritimati', '2026-11-27', '2026-11-26'],
    ['Pacific/Honolulu', '2026-11-26', '2026-11-25'],
  ])('has the days of its writer in %s', (timeZone, day, dayBefore) => {
    const localDay = dayInTimeZone(timeZone, new Date('2026-11-26T22:00:00Z'));
    expect(localDay).toBe(day);
    expect(parseLogLine('1h yesterday', localDay).date).toBe(dayBefore);
  });
});

describe('the times that follow the last record of a day', () => {
  test.each<[string | undefined, number, string | undefined]>([
    ['11:00', 90, '11:00-12:30'],
    [undefined, 120, '09:00-11:00'],
    ['22:30', 90, '22:30-00:00'],
    ['23:30', 60, '23:00-00:00'],
    [undefined, 24 * 60, '00:00-00:00'],
    ['11:00', 0, undefined],
    ['11:00', 24 * 60 + 1, undefined],
  ])('after %j, %i minutes are %j', (lastEnd, minutes, text) => {
    const times = followingTimes(lastEnd, minutes);
    expect(times && `${times.start}-${times.end}`).toBe(text);
  });

  test.each<[string, string, number, string]>([
    ['2026-03-29', '01:00', 180, '01:00-05:00'],
    ['2026-10-25', '01:00', 180, '01:00-03:00'],
    ['2026-10-25', '01:00', 120, '03:00-05:00'],
    ['2026-10-25', '04:00', 180, '04:00-07:00'],
    ['2026-11-16', '01:00', 180, '01:00-04:00'],
    ['2026-03-29', '22:00', 120, '22:00-00:00'],
  ])('on %s, on which clocks may change, after %s, %i minutes that pass are %s', (date, lastEnd, minutes, text) => {
    const { start, end } = followingTimes(lastEnd, minutes, { date, timeZone: 'Europe/Berlin' })!;
    expect(`${start}-${end}`).toBe(text);
    const length = minutesInZone(date, start, end === '00:00' ? '24:00' : end, 'Europe/Berlin');
    expect(length).toBe(minutes);
  });
});
