import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeDuration, formatDuration } from '../../../src/engine/formats/durations';
import { parseTypedDuration } from '../../../src/engine/formats/parse-typed-values';

describe('a duration', () => {
  test.each([
    [0, '0:00', '0 min'],
    [5, '0:05', '5 min'],
    [60, '1:00', '1 h'],
    [75, '1:15', '1 h 15 min'],
    [72_000, '1,200:00', '1,200 h'],
  ])('of %i minutes is %s in a table and %s in a sentence', (minutes, short, words) => {
    expect([formatDuration(minutes), describeDuration(minutes)]).toEqual([short, words]);
  });

  test('below zero has its sign', () =>
    expect([formatDuration(-30), describeDuration(-5), describeDuration(-75)]).toEqual([
      '−0:30',
      '−5 min',
      '−1 h 15 min',
    ]));

  test('is read back from either text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999 * 60 }), (minutes) => {
        expect(parseTypedDuration(formatDuration(minutes))).toBe(minutes);
        expect(parseTypedDuration(describeDuration(minutes))).toBe(minutes);
      }),
    );
  });
});
