import { expect, test } from 'vitest';
import { validateValue } from '../../../src/server/records/write/input';
import { field } from '../../engine/support/definitions';

test('each pattern validates its own field, also if several need the engine without backtracking', () => {
  const patterns = [
    ['^[a-z]+(-[a-z]+)*$', 'a-b', 'A'],
    ['^[A-Z]+(_[A-Z]+)*$', 'A_B', 'a'],
    ['^[0-9]+(/[0-9]+){0,2}$', '1/2', '1/'],
  ] as const;
  for (const [pattern, right, wrong] of patterns) {
    const one = field({ type: 'text', pattern });
    expect([validateValue(one, right), validateValue(one, wrong)?.keyword], pattern).toEqual([undefined, 'pattern']);
  }
});
