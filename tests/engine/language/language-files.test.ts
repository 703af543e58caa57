import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import names from '../../../src/engine/normalise/type-key-names.json';
import { typeKeyNames } from '../../../src/engine/language/field-types';
import { languageFiles } from '../../../src/engine/language/files';
import { toJsonSchema } from '../../../src/engine/language/json-schema';
import type { KeySchema } from '../../../src/engine/language/key';
import type { FieldSource, Source } from '../../../src/engine/language/source';
import { placesAt, referencesOf } from '../../../src/engine/references/walk';

test('schemas/ has a file for each part of the language and no other', () => {
  expect(readdirSync('schemas').toSorted()).toEqual(Object.keys(languageFiles).toSorted());
});

test.each(Object.keys(languageFiles))('schemas/%s is what the language describes (else: npm run schemas)', (name) => {
  expect(JSON.parse(readFileSync(`schemas/${name}`, 'utf8'))).toEqual(toJsonSchema(languageFiles[name]!));
});

test('type-key-names.json has the keys of each type (else: npm run schemas)', () => {
  expect(names).toEqual(typeKeyNames());
  // Normalised fields have their keys in this order.
  expect(JSON.stringify(names)).toBe(JSON.stringify(typeKeyNames()));
});

test('every part of the language that another one refers to exists', () => {
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

test('a key of the language says which names it accepts, by the value of its neighbours where that decides', () => {
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

test('the types of a written definition know its keys', () => {
  // @ts-expect-error A length is a number.
  const field: FieldSource = { maxLength: '3' };
  // @ts-expect-error A text has no permissions.
  const text: FieldSource = { type: 'text', limitedBy: 'role_id' };
  // @ts-expect-error A field without a type is a text, which has no options.
  const plain: FieldSource = { options: [{ value: 'open', label: 'Open' }] };
  // @ts-expect-error A select needs options.
  const select: FieldSource = { type: 'select' };
  // @ts-expect-error The values of rows are not compared.
  const rows: FieldSource = { type: 'rows', fields: { note: {} }, unique: true };
  // @ts-expect-error A column is a field as well.
  const columns: FieldSource = { type: 'rows', fields: { note: { type: 'number', pattern: '^a$' } } };
  const fields: FieldSource[] = [
    {},
    { type: 'permissions', limitedBy: 'role_id' },
    { type: 'select', options: [{ value: 'open', label: 'Open' }], unique: true },
    { type: 'rows', fields: { note: { type: 'textarea', markdown: true } } },
  ];
  // @ts-expect-error A board needs a column.
  const list: Source['list'] = { kanban: {} };
  // @ts-expect-error There is no such key.
  const form: Source['form'] = { section: [] };
  expect([field, text, plain, select, rows, columns, ...fields, list, form]).toHaveLength(12);
});

function referencesWithin(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { $ref } = value as KeySchema;
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(value).flatMap(referencesWithin)];
}
