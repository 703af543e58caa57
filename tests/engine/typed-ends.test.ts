import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minutesBetween } from '../../src/engine/field-types/duration';
import { parseTypedDuration, parseTypedEnd } from '../../src/engine/formats/parse-typed-values';

describe('a typed duration', () => {
  test.each<[string, number | undefined]>([
    ['1h30', 90],
    ['1h 30m', 90],
    ['1h30m', 90],
    ['1 h 5 min', 65],
    ['1:30', 90],
    ['90m', 90],
    ['45 min', 45],
    ['1.5h', 90],
    ['1,5 H', 90],
    ['2h', 120],
    ['0.25 hours', 15],
    ['0m', 0],
    ['', undefined],
    ['90', undefined],
    ['1h75', undefined],
    ['1:60', undefined],
    ['1.5h30', undefined],
    ['h', undefined],
    ['m', undefined],
    ['-1h', undefined],
    ['an hour', undefined],
    ['1e3h', undefined],
  ])('%j is %j minutes', (text, minutes) => expect(parseTypedDuration(text)).toBe(minutes));
});

describe('a typed end', () => {
  test.each<[text: string, start: string | undefined, time: string | undefined]>([
    ['1h30', '09:00', '10:30'],
    ['2h', '09:00', '11:00'],
    ['90m', '23:00', undefined],
    ['59m', '23:00', '23:59'],
    // Midnight is the end of the day.
    ['60m', '23:00', '00:00'],
    ['61m', '23:00', undefined],
    ['00:00', '23:00', '00:00'],
    ['0:00', '23:00', '00:00'],
    ['0', '23:00', '00:00'],
    ['12 am', '23:00', '00:00'],
    ['24', '23:00', '00:00'],
    ['24:00', '23:00', '00:00'],
    ['24h', '00:00', '00:00'],
    ['0m', '09:00', undefined],
    // A time after the start is that time; one with two digits always is, so that a wrong end is named as one.
    ['11:00', '09:00', '11:00'],
    ['9:30', '09:00', '09:30'],
    ['1:30', '09:00', '10:30'],
    ['1:30', '00:30', '01:30'],
    ['01:30', '09:00', '01:30'],
    ['08:00', '09:00', '08:00'],
    ['9:30 pm', '09:00', '21:30'],
    ['1130', '09:00', '11:30'],
    ['1:30', undefined, '01:30'],
    ['1h', undefined, undefined],
    ['soon', '09:00', undefined],
  ])('%j after %j is %j', (text, start, time) => expect(parseTypedEnd(text, start, 'Start Time').time).toBe(time));

  test.each([
    ['1h', undefined, 'A duration counts from Start Time: enter that too.'],
    ['2h', '23:00', '2h after 23:00 is past midnight. End it at 00:00, and add the rest on the next day.'],
    ['0h', '09:00', 'Enter a minute at least.'],
    ['soon', '09:00', undefined],
  ])('%j after %j: %s', (text, start, problem) =>
    expect(parseTypedEnd(text, start, 'Start Time').problem).toBe(problem),
  );

  test('is on the same day and after its start, whatever is typed', () => {
    const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
    fc.assert(
      fc.property(clock, fc.integer({ min: 0, max: 3000 }), ([hour, minute], length) => {
        const start = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
        const { time, problem } = parseTypedEnd(`${length}m`, start, 'Start');
        const end = hour * 60 + minute + length;
        if (length === 0 || end > 1440) return time === undefined && problem !== undefined;
        return time !== undefined && minutesBetween(start, time) === length;
      }),
    );
  });
});
