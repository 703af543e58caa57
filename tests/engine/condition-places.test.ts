import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { conditionDocs } from '../../scripts/condition-docs';

let docs: string;

beforeAll(async () => {
  docs = await conditionDocs();
});

test('docs/conditions.md says which conditions and fields each place of a definition accepts', () => {
  const page = readFileSync(new URL('../../docs/conditions.md', import.meta.url), 'utf8');
  expect(page).toBe(docs);
});

test.each(['`validate[].condition`, `.where`', '`transitions[].where`', 'request: `where`'])(
  '%s accepts every kind of condition',
  (place) => {
    const line = docs.split('\n').find((one) => one.startsWith(`| ${place} `))!;
    expect(
      line
        .split('|')
        .slice(2, -1)
        .map((cell) => cell.trim()),
    ).toEqual(Array(14).fill('✓'));
  },
);
