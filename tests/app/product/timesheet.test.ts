import { addDays } from '../../../src/engine/formats/dates';
import { describe, expect, test } from 'vitest';
import { formatDecimalHours, dayShares } from '../../../custom-screens/timesheet/hours';
import {
  addMonths,
  dayName,
  daysOfMonth,
  isMonth,
  monthLabel,
  monthName,
} from '../../../custom-screens/timesheet/months';
import {
  readTimesheetState,
  writeFilters,
  writeTimesheetState,
} from '../../../custom-screens/timesheet/useTimesheetState';

import {
  daysOfWeek,
  describeDifference,
  firstDayOfWeekOf,
  parseCell,
  weekName,
  weeksOfMonth,
} from '../../../custom-screens/timesheet/weeks';

describe('hours in words', () => {
  test.each([
    [0, '0h'],
    [8, '8h'],
    [7.5, '7h:30m'],
    [1.08, '1h:05m'],
    [0.75, '0h:45m'],
    [0.02, '0h:01m'],
    [1.999, '2h'],
    [113.25, '113h:15m'],
  ])('%d are %s', (hours, words) => expect(formatDecimalHours(hours)).toBe(words));

  test('keep every minute of a long day in hundredths of an hour', () => {
    for (let minutes = 0; minutes <= 1440; minutes += 1) {
      const words = formatDecimalHours(Math.round((minutes / 60) * 100) / 100);
      const [, whole, rest = '0'] = /^(\d+)h(?::(\d\d)m)?$/.exec(words)!;
      expect(Number(whole) * 60 + Number(rest), words).toBe(minutes);
    }
  });

  test('of a day are drawn in proportion to the longest day of the month, or to a working day', () => {
    const of = (...totals: number[]) => [
      ...dayShares(totals.map((total, day) => ({ date: String(day), total }))).values(),
    ];
    expect(of(4, 8, 10)).toEqual([40, 80, 100]);
    expect(of(2, 4)).toEqual([25, 50]);
    expect(of()).toEqual([]);
  });
});

describe('months and days', () => {
  test('continue over the ends of years', () => {
    expect(addMonths('2026-12', 1)).toBe('2027-01');
    expect(addMonths('2026-01', -1)).toBe('2025-12');
    expect(addMonths('2026-11', -23)).toBe('2024-12');
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
  });

  test('have the lengths of the calendar', () => {
    expect(daysOfMonth('2026-11')).toHaveLength(30);
    expect(daysOfMonth('2027-02').at(-1)).toBe('2027-02-28');
    expect(daysOfMonth('2028-02').at(-1)).toBe('2028-02-29');
    expect(daysOfMonth('2026-12')[0]).toBe('2026-12-01');
  });

  test('are written as their readers write them', () => {
    expect(monthLabel('2026-11')).toBe('Nov 2026');
    expect(monthName('2026-11')).toBe('November');
    expect(monthName('2026-11', true)).toBe('November 2026');
    expect(dayName('2026-11-08')).toBe('Sun, 8 Nov 2026');
  });

  test('are distinguished from other texts', () => {
    expect(['2026-11', '2026-00', '2026-13', '26-11', '0000-01', '2026-11-01', ''].map(isMonth)).toEqual([
      true,
      ...Array<boolean>(6).fill(false),
    ]);
  });
});

describe('the state in the address', () => {
  const names = ['user_id', 'project_id'];
  const read = (query: string) => readTimesheetState(new URLSearchParams(query), names, '2026-11-21');

  test('comes back as it was written', () => {
    for (const query of [
      'month=2026-10',
      'day=2026-10-05&view=list&user_id=7',
      'month=2026-10&view=graph&user_id=7&project_id=3',
      'month=2026-10&project_id=3&everybody=1',
    ]) {
      expect(writeTimesheetState(read(query))).toBe(query);
    }
    expect(read('day=2026-10-05&view=graph')).toMatchObject({ month: '2026-10', view: 'list' });
    expect(writeFilters(read('month=2026-10&view=graph&user_id=7&project_id=3'))).toBe('user_id=7&project_id=3');
  });

  test('leaves out invalid values, and filters that are not offered', () => {
    const today = {
      month: '2026-11',
      day: null,
      week: null,
      view: null,
      includesEveryone: false,
      filters: {},
    };
    expect(read('')).toEqual(today);
    expect(read('month=2026-13&day=2026-02-30&view=cards&user_id=x&project_id=-1&client_id=2')).toEqual(today);
  });
});

describe('weeks', () => {
  test.each([
    ['2026-11-27', '2026-11-23'],
    ['2026-11-23', '2026-11-23'],
    ['2026-11-29', '2026-11-23'],
    ['2027-01-01', '2026-12-28'],
    // Clocks change on both Sundays.
    ['2026-03-29', '2026-03-23'],
    ['2026-10-25', '2026-10-19'],
  ])('%s is in the week of %s', (day, first) => expect(firstDayOfWeekOf(day)).toBe(first));

  test.each([
    ['2026-10-19', ['2026-10-19', '2026-10-20', '2026-10-21', '2026-10-22', '2026-10-23', '2026-10-24', '2026-10-25']],
    ['2026-12-28', ['2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02', '2027-01-03']],
  ])('that of %s has seven days', (first, days) => expect(daysOfWeek(first)).toEqual(days));

  test.each([
    ['2026-11-23', '23 to 29 November'],
    ['2026-11-30', '30 November to 6 December'],
    ['2026-12-28', '28 December 2026 to 3 January 2027'],
  ])('that of %s is named %s', (first, name) => expect(weekName(first)).toBe(name));

  test('of a month end with it', () => {
    const targets = Array.from({ length: 30 }, (_, index) =>
      [0, 6].includes(new Date(Date.UTC(2026, 10, index + 1)).getUTCDay()) ? 0 : 8,
    );
    const month = {
      month: '2026-11',
      label: 'Nov 2026',
      total: 3.5,
      targets,
      logs: [],
      days: [{ date: '2026-11-03', total: 3.5 }],
    };
    expect(weeksOfMonth(month).map(({ first, days, total, target }) => [first, days.length, total, target])).toEqual([
      ['2026-10-26', 1, 0, 0],
      ['2026-11-02', 7, 3.5, 40],
      ['2026-11-09', 7, 0, 40],
      ['2026-11-16', 7, 0, 40],
      ['2026-11-23', 7, 0, 40],
      ['2026-11-30', 1, 0, 8],
    ]);
  });
});

describe('a cell of a week', () => {
  test.each<[string, number | undefined]>([
    ['1:30', 90],
    ['1.5', 90],
    ['1,5', 90],
    ['90m', 90],
    ['1h30', 90],
    ['2', 120],
    ['0.25', 15],
    [' 8h ', 480],
    ['24', 1440],
    ['', 0],
    ['0', 0],
    ['24:01', undefined],
    ['25', undefined],
    ['1:75', undefined],
    ['-1', undefined],
    ['1.555', undefined],
    ['abc', undefined],
  ])('%j is %j minutes', (text, minutes) => expect(parseCell(text)).toBe(minutes));

  test.each<[number, number, boolean, string]>([
    [7.5, 8, false, '−0h:30m'],
    [8.25, 8, false, '+0h:15m'],
    [8, 8, true, 'met'],
    [3.5, 8, true, '4h:30m left'],
    [9, 8, true, '+1h'],
    [0, 0, false, ''],
    [2, 0, false, '+2h'],
    [0, 8, false, '−8h'],
  ])('%d of %d hours, open: %s, is %j', (total, target, isOpen, words) =>
    expect(describeDifference(total, target, isOpen)).toBe(words),
  );
});
