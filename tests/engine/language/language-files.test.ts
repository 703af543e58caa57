import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { languageFiles } from '../../../src/engine/language/files';
import { toJsonSchema } from '../../../src/engine/language/json-schema';
import type { KeySchema } from '../../../src/engine/language/key';
import type { FieldSource, Source } from '../../../src/engine/definitions/source';
import { placesAt, referencesOf } from '../../../src/engine/language/walk';

test('schemas/ has a file for each part of the language and no other', () => {
  expect(readdirSync('schemas').toSorted()).toEqual(Object.keys(languageFiles).toSorted());
});

test.each(Object.keys(languageFiles))('schemas/%s is what the language describes (else: npm run schemas)', (name) => {
  expect(JSON.parse(readFileSync(`schemas/${name}`, 'utf8'))).toEqual(toJsonSchema(languageFiles[name]!));
});

test('every part that another one refers to exists', () => {
  const missing = Object.entries(languageFiles).flatMap(([name, schema]) =>
    referencesWithin(schema).flatMap((reference) => {
      const [file, pointer = ''] = reference.split('#') as [string, string?];
      const target = languageFiles[file === '' ? name : file];
      const [, part, key] = pointer.split('/');
      const exists = target && (part !== 'definitions' || target.definitions?.[key!]);
      return exists ? [] : [`${name}: ${reference}`];
    }),
  );
  expect(missing).toEqual([]);
});

test('a key says which names it takes, by the value of its neighbours where that decides', () => {
  const source = {
    name: 'loans',
    fields: { amount: { type: 'money' }, due: { type: 'date', computed: { $addDays: ['$record.start', 7] } } },
    list: { columns: ['amount'], group: { field: 'due:month' } },
    automations: [{ name: 'remind', steps: [{ create: 'notes', values: { text: 'Due' } }] }],
  };
  const kinds = (...steps: string[]) => referencesOf(placesAt(source, steps)).map(({ kind }) => kind);
  expect(kinds('list', 'columns', '0')).toEqual(['path']);
  expect(kinds('list', 'group', 'field')).toEqual(['field']);
  expect(kinds('automations', '0', 'steps', '0', 'create')).toEqual(['resource']);
  expect(kinds('fields', 'amount', 'label')).toEqual([]);
  expect(kinds('fields', 'amount', 'unknown')).toEqual([]);
});

test('the compiler knows the keys of a written definition', () => {
  // @ts-expect-error A length is a number.
  const field: FieldSource = { maxLength: '3' };
  // @ts-expect-error A board needs a column.
  const list: Source['list'] = { kanban: {} };
  // @ts-expect-error There is no such key.
  const form: Source['form'] = { section: [] };
  expect([field, list, form]).toHaveLength(3);
});

function referencesWithin(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { $ref } = value as KeySchema;
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(value).flatMap(referencesWithin)];
}
