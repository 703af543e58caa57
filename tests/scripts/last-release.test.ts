import { expect, test } from 'vitest';
import { describeFalls } from '../../bench/last-release';

const release = { version: '1.2.0', ratios: { 'page of 15': 0.8, create: 0.4 } };

test.each<[title: string, measured: { title: string; ratio: number }[], falls: string[]]>([
  [
    'more than 15 % less',
    [{ title: 'create', ratio: 0.3 }],
    ['create: 0.30 of the floor, 25 % less than 0.40 of 1.2.0'],
  ],
  ['15 % less', [{ title: 'page of 15', ratio: 0.68 }], []],
  ['more', [{ title: 'create', ratio: 0.9 }], []],
  ['what the release had not', [{ title: 'search', ratio: 0.1 }], []],
])('a measurement is compared with that of the last release: %s', (_, measured, falls) => {
  expect(describeFalls(release, measured)).toEqual(falls);
});
