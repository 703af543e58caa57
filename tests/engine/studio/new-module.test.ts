import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldTypeNames } from '../../../src/engine/definitions/definition';
import { createModuleSource } from '../../../src/engine/studio/new-module';
import { moduleNameProblem } from '../../../src/engine/studio/module-names';
import { faultsOf, shipped } from './support/all';

const taken = Object.keys(shipped);

test('a new module is complete with a few labels', () => {
  const made = createModuleSource({
    one: 'Release',
    many: 'Releases',
    fields: [
      { label: 'Name', type: 'text', required: true },
      { label: 'Studio', type: 'relation', to: 'studios' },
      { label: 'State', type: 'select', options: [{ value: 'open', label: 'Open' }] },
      { label: 'Due', type: 'date' },
      { label: 'Notes', type: 'richText' },
      { label: 'Name', type: 'text' },
    ],
    taken,
  });
  expect(faultsOf(made)).toEqual([]);
  expect(made).toMatchObject({
    name: 'releases',
    labels: { one: 'Release', many: 'Releases' },
    recordTitle: '{name}',
    fields: {
      name: { type: 'text', required: true },
      studio_id: { type: 'relation', embed: 'studio', to: 'studios' },
      state: { type: 'select' },
      due: { type: 'date' },
      notes: { type: 'richText' },
      name_2: { type: 'text', label: 'Name' },
    },
    list: {
      columns: ['id', 'name!', 'studio_id*', 'state*', 'due*', 'name_2*'],
      filters: { studio_id: {}, state: {}, due: { range: true } },
    },
    delete: { confirm: 'Are you sure you want to delete this release?' },
  });
  expect(made.form!.sections![0]!.fields).toEqual(['name', 'studio_id', 'state', 'due', 'notes', 'name_2']);
  expect(made.menu).toMatchObject({ icon: expect.stringMatching(/./) as string });
});

test.each([
  ['PG Backups', 'module-pg-backups'],
  ['SQL: Queries', 'module-sql-queries'],
  ['PG', 'module-pg'],
  ['Studios Export', 'studios-export-2'],
  ['Login', 'login-2'],
])('a module with the label %s has the name %s', (many, name) => {
  const made = createModuleSource({ one: '', many, fields: [], taken });
  expect(made.name).toBe(name);
  expect(faultsOf(made)).toEqual([]);
});

test('a new module passes every check, for all labels', () => {
  const odd = fc.constantFrom(
    '',
    ' ',
    'id',
    'Name',
    'name_id',
    'Sort',
    'Filter',
    'ß',
    '日本語',
    '١٢',
    '🚀 Launch',
    '{total}',
    '__proto__',
    'constructor',
    'Created By',
    'a_from',
    'A to',
    'Site',
    'q',
    'x'.repeat(300),
    '"',
    '\\',
    '\u0000',
    'İ',
    'ﬁeld',
    '-export',
    'studios',
    'Studios Export',
    'Login',
    '1st',
    'PG x',
  );
  const label = fc.oneof(odd, fc.string(), fc.string({ unit: 'grapheme' }));
  const field = fc.record({ label, type: fc.constantFrom(...fieldTypeNames) }).map((one) => ({
    ...one,
    ...(one.type.startsWith('relation') && { to: 'studios' }),
    ...(one.type === 'select' && { options: [{ value: 1, label: 'One' }] }),
  }));
  fc.assert(
    fc.property(label, label, fc.array(field, { maxLength: 12 }), (one, many, fields) => {
      const made = createModuleSource({ one, many, fields, taken });
      expect(faultsOf(made)).toEqual([]);
      expect(moduleNameProblem(made.name, taken)).toBeUndefined();
      expect(Object.keys(made.fields).length).toBeGreaterThanOrEqual(fields.length);
    }),
    { numRuns: 300 },
  );
});
