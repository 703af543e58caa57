import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, sayMinute, shortMonthNames } from '../../../src/engine/formats/dates';

// Minutes in lists are said in short words, and each means the minute that it was made of.

test.each([
  ['2026-12-02 14:05', 'Today 14:05'],
  ['2026-12-01 09:10', 'Yesterday 09:10'],
  ['2026-12-03 00:00', 'Tomorrow 00:00'],
  ['2026-12-24 18:30', '24 Dec 18:30'],
  ['2027-01-12 07:00', '12 Jan 2027 07:00'],
])('%s is said as %s on 2 December 2026', (minute, words) => expect(sayMinute(minute, '2026-12-02')).toBe(words));

/** The minute that the words mean on a day. */
function readWords(words: string, today: string): string {
  const [, name, date, month, year, time] =
    /^(?:(Yesterday|Today|Tomorrow)|(\d+) (\w{3})(?: (\d{4}))?) (\d\d:\d\d)$/.exec(words) ?? [];
  if (name) return `${addDays(today, ['Yesterday', 'Today', 'Tomorrow'].indexOf(name) - 1)} ${time}`;
  const monthNumber = String(shortMonthNames.indexOf(month ?? '') + 1).padStart(2, '0');
  return `${year ?? today.slice(0, 4)}-${monthNumber}-${date?.padStart(2, '0')} ${time}`;
}

test('any minute is read back from its words, seen from any day', () => {
  const instants = fc.date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(instants, fc.integer({ min: -800, max: 800 }), (instant, days) => {
      const minute = instant.toISOString().slice(0, 16).replace('T', ' ');
      const today = addDays(minute.slice(0, 10), days);
      expect(readWords(sayMinute(minute, today), today)).toBe(minute);
    }),
  );
});
