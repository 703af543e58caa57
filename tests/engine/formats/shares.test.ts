import { describe, expect, test } from 'vitest';
import { formatShare, percentOf } from '../../../src/engine/formats/shares';

describe('a share in per cent', () => {
  test.each([
    [1, 3, 0, 33],
    [2, 3, 1, 66.7],
    [24_999, 25_000, 0, 99],
    [24_999, 25_000, 1, 99.9],
    [1, 25_000, 0, 1],
    [1, 25_000, 2, 0.01],
    [3, 3, 1, 100],
    [0, 3, 1, 0],
  ])('%i of %i with %i decimals is %f', (part, whole, digits, percent) => {
    expect(percentOf(part, whole, digits)).toBe(percent);
  });

  test('of an empty total is null', () => {
    expect(percentOf(0, 0)).toBeNull();
    expect(formatShare(0, 0)).toBe('–');
    expect(formatShare(1999, 2000)).toBe('99%');
  });
});
