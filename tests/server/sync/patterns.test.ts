import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compilePattern } from '../../../src/engine/patterns/compile-pattern';
import { patternForDatabase } from '../../../src/server/sync/rule-steps';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { shippedSources } from '../../support/definitions';

let own: TestDatabase;
beforeAll(async () => (own = await createTestDatabase()));
afterAll(() => own?.close());

const texts = [
  '',
  'a',
  'A',
  'ab',
  'a b',
  'ä',
  'Ω',
  '9',
  '٣',
  'a_1',
  'a-b',
  '-',
  '.',
  ' ',
  '\u00a0',
  '\n',
  'a\n',
  'a\nb',
  'a\r',
  '\u2028',
  '\ufeff',
  '😀',
  'a@b.c',
  'a@b.c, d@e.f',
  'Europe/Berlin',
  ']',
  '[',
  '\\',
  '^',
  'aaa',
  'aaaa',
  '\t',
  '\u000b',
  'x'.repeat(300),
];
const patterns = [
  '^.$',
  '.',
  '^a$',
  'a$',
  '\\d',
  '^\\w+$',
  '^\\W$',
  '\\s',
  '^\\S+$',
  '^[\\s\\S]$',
  '[^\\s@,;]',
  '^[\\w.-]+$',
  '\\bb',
  '\\Bb',
  '\\ba\\b',
  'ä\\b',
  '^[a-c]+$',
  '^[^a-c]+$',
  '^[[\\]\\\\^]$',
  '^[-a]+$',
  '^(?:a|b|ab){1,2}$',
  '^(?<n>a){3}$',
  '^a{2,}?$',
  '\\u{1F600}',
  '^[\\u{1F600}-\\u{1F64F}]$',
  '\\uD83D\\uDE00',
  '\\u00e4',
  '\\x61',
  '[]',
  '^[^]$',
  'a|',
  '\\.',
  '\\t',
  '(a+)+b',
  '^x{250,255}$',
  ...shippedSources().flatMap(({ fields }) => Object.values(fields).flatMap(({ pattern }) => pattern ?? [])),
];

test('PostgreSQL, the server and JavaScript agree on patterns', async () => {
  for (const pattern of patterns) {
    const written = patternForDatabase(pattern);
    expect(written, pattern).toBeDefined();
    const { rows } = await sql<{ text: string; matches: boolean }>`select text, text ~ ${written}::text as matches
      from unnest(${texts}::text[]) text`.execute(own.database.kysely);
    const [expression, matches] = [new RegExp(pattern, 'u'), compilePattern(pattern)];
    for (const { text, matches: there } of rows)
      expect([there, matches(text)], JSON.stringify([pattern, text])).toEqual([
        expression.test(text),
        expression.test(text),
      ]);
  }
});

test.each(['(?=a)', '(a)\\1', '\\p{L}', '^a{256}$'])('%s cannot be expressed in PostgreSQL', (pattern) => {
  expect(patternForDatabase(pattern)).toBeUndefined();
});
