import { PostgresQueryCompiler, sql, type RawBuilder } from 'kysely';
import { expect, test } from 'vitest';
import { TemplateDialect } from '../../../src/server/database/template-compiler';

// Templates within one another are compiled once for each shape; their texts are those of Kysely.

const compilers = {
  cached: new TemplateDialect({} as never).createQueryCompiler(),
  plain: new PostgresQueryCompiler(),
};
const queryId = { queryId: 'q' };
const compile = (builder: RawBuilder<unknown>, by: keyof typeof compilers) => {
  const node = (builder as unknown as { toOperationNode(): never }).toOperationNode();
  const { sql: text, parameters } = compilers[by].compileQuery(node, queryId);
  return { text, parameters };
};

const where = (name: string, value: unknown) => sql`${sql.id('t', name)} = ${value}`;
const select = (table: string, tests: readonly RawBuilder<unknown>[], literal: string | number | boolean | null = 1) =>
  sql`select ${sql.lit(literal)} from ${sql.id('public', table)} t where ${sql.join(tests, sql` and `)}`;
const statements: [string, () => RawBuilder<unknown>][] = [
  ['a plain template', () => sql`select ${1}, ${'a'}`],
  ['the same with other values', () => sql`select ${2}, ${null}`],
  ['templates in one', () => select('films', [where('id', 7), where('name', 'x')])],
  ['another name', () => select('films', [where('id', 7), where('code', 'x')])],
  ['another table', () => select('scenes', [where('id', 7), where('code', 'x')])],
  ['another literal', () => select('films', [where('id', 7)], 2)],
  ['a literal that is a text', () => select('films', [where('id', 7)], "2'")],
  ['a literal that is null', () => select('films', [where('id', 7)], null)],
  ['more parts', () => select('films', [where('id', 7), where('id', 8), where('id', 9)])],
  ['a name with a quote', () => select('fi"lms', [where('a"b', 7)])],
  ['raw text', () => sql`select ${sql.raw('now()')}, ${sql.raw('1')}`],
  ['lists as values', () => sql`select ${[1, 2]}::integer[], ${sql`${new Date(0)}`}`],
];

test.each(statements)('%s has the text that Kysely writes, each time', (_, make) => {
  const plain = compile(make(), 'plain');
  for (const time of ['first', 'second']) expect([time, compile(make(), 'cached')]).toEqual([time, plain]);
});

test('texts differ as shapes do, whatever was compiled before', () => {
  const texts = statements.slice(2).map(([, make]) => compile(make(), 'cached').text);
  expect(new Set(texts).size).toBe(texts.length);
});
