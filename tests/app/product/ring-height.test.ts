import { expect, test } from 'vitest';
import { ringHeight } from '../../../custom-screens/analytics/figures';

test.each([
  [390, 220],
  [1419, 220],
  [1420, 250],
  [1910, 250],
  [1911, 300],
  [2200, 300],
  [2201, 350],
  [2300, 350],
  [2301, 400],
])('in a window of %i pixels a doughnut is %i high', (width, height) => {
  expect(ringHeight(width)).toBe(height);
});
