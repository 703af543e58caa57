import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { keyNames } from '../../../src/server/database/migrations/0135-key-names';
import { renameKeys } from '../../../src/server/database/migrations/rename-keys';
import { createTestDatabase, type TestDatabase } from '../../support/database';

let own: TestDatabase | undefined;
afterAll(() => own?.close());

const rename = (definition: object) => JSON.parse(renameKeys(JSON.stringify(definition)));

test.each<[string, object, object]>([
  [
    'an automation with its steps',
    { when: [{ name: 'a', on: ['update'], as: 'owner_id', do: [{ create: 'notes', each: 'parts' }] }] },
    {
      automations: [
        { name: 'a', events: ['update'], runAs: 'owner_id', steps: [{ create: 'notes', forEach: 'parts' }] },
      ],
    },
  ],
  [
    'fields, and columns of rows',
    { fields: { lines: { type: 'rows', min: 1, most: 5, fields: { at: { type: 'time', on: 'day' } } } } },
    {
      fields: { lines: { type: 'rows', minItems: 1, maxItems: 5, fields: { at: { type: 'time', dateField: 'day' } } } },
    },
  ],
  [
    'what a duration lies between, but not what a relation points to',
    { fields: { took: { type: 'duration', from: 'a', to: 'b' }, owner_id: { type: 'relation', to: 'users' } } },
    {
      fields: {
        took: { type: 'duration', startField: 'a', endField: 'b' },
        owner_id: { type: 'relation', to: 'users' },
      },
    },
  ],
  [
    'a single mark as well as several',
    { list: { highlight: { when: { late: true }, label: 'Late' } } },
    { list: { highlight: { where: { late: true }, label: 'Late' } } },
  ],
  [
    'a value that depends on a condition, wherever it stands',
    { fields: { price: { computed: { $add: [1, { $if: { when: { a: 1 }, then: 1 } }] } } } },
    { fields: { price: { computed: { $add: [1, { $if: { condition: { a: 1 }, then: 1 } }] } } } },
  ],
  [
    'the places that an extension removes',
    { extends: 'users', remove: ['/fields/site_id/within', '/form/tabs/0/query'] },
    { extends: 'users', remove: ['/fields/site_id/container', '/form/tabs/0/filter'] },
  ],
  [
    'no field, parameter or value that is called like a key',
    { fields: { of: {}, when: { options: [{ value: 'was', label: 'on' }] } }, parameters: { most: { field: 'of' } } },
    { fields: { of: {}, when: { options: [{ value: 'was', label: 'on' }] } }, parameters: { most: { field: 'of' } } },
  ],
  [
    'no key that JavaScript gives every object',
    { fields: { name: { constructor: 1, toString: 2 } } },
    { fields: { name: { constructor: 1, toString: 2 } } },
  ],
])('the present names are given to %s', (_, former, present) => {
  expect(rename(former)).toEqual(present);
  expect(rename(present)).toEqual(present);
});

test('a text keeps its spaces and comments, and one that cannot be read its end', () => {
  expect(renameKeys('{\n  // Ours.\n  "was" : "old",\n "fields": { "a": { "of"')).toBe(
    '{\n  // Ours.\n  "formerName" : "old",\n "fields": { "a": { "of"',
  );
  expect(renameKeys('')).toBe('');
});

test('stored definitions, their versions and drafts get the present names', async () => {
  own = await createTestDatabase();
  const { kysely } = own.database;
  const [former, present] = ['{"name":"things","was":"items"}', '{"name":"things","formerName":"items"}'];
  await sql`insert into assay.modules (name, origin, source, base, version)
    values ('things', 'custom', ${former}, ${former}, 1)`.execute(kysely);
  await sql`insert into assay.module_versions (name, version, source, event)
    values ('things', 1, ${former}, 'published')`.execute(kysely);
  await keyNames.rewrite!(kysely);
  const { rows } = await sql<{ text: string }>`select source as text from assay.modules
    union all select base from assay.modules union all select source from assay.module_versions`.execute(kysely);
  expect(rows.map(({ text }) => text)).toEqual([present, present, present]);
});
