// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FieldSource } from '../../../src/engine/language/source';
import { engineTables } from '../../../src/server/database/engine-columns';
import { nameColumns } from '../../../src/server/sync/stored-names';
import { registryOf, shippedSources, sourceOf } from '../../support/definitions';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { syncTables } from '../../support/sync-tables';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.close());

const query = async (text: string) => (await own.database.pool.query(text)).rows as Record<string, unknown>[];

/** What else follows a new name: in `definitions/renames.ts`, or as a part of a value. */
const followed = [
  'modules.name',
  'modules.source',
  'modules.base',
  'module_versions.name',
  'module_drafts.name',
  'module_drafts.base',
  'module_drafts.source',
  'module_drafts.text',
  'grid_configurations.configuration',
  'history.old_values',
  'history.new_values',
  'import_memories.mapping',
  'jobs.input',
  'notifications.link',
];

/** What keeps old names, and why. */
const kept: Record<string, string> = {
  'security_log.resource': 'Its entries are never changed: they say what it was called then.',
  'security_log.detail': 'Its entries are never changed.',
  'module_versions.source': 'A version is the text that it was.',
  'automation_runs.snapshot': 'The record as it was when the run was decided.',
  'automation_runs.steps': 'What a run did, in words.',
  'automation_runs.automation': 'The name of an automation, not of a module.',
  'automation_due_times.automation': 'The name of an automation, not of a module.',
  'automation_schedules.automation': 'The name of an automation, not of a module.',
  'comments.text': 'What people wrote, in their own words.',
  'comment_versions.text': 'What people wrote, in their own words.',
  'import_memories.meanings': 'By headings of files, not by fields.',
  'import_memories.headings': 'A hash of the headings of a file.',
  'import_failures.failures': 'The rows of one file with their faults, for its download.',
  'deleted_rows.source': 'A table as it was: what is brought back has to fit the table that there is.',
  'jobs.kind': 'The kind of work.',
  'jobs.place': 'How far the work is.',
  'jobs.result': 'What the work came to.',
  'mails.about': 'Whom a mail is about and its texts, as they were queued.',
  'meta.value': 'Facts of the installation; the texts of definitions in it are stored with each start.',
  'meta.key': 'Names of facts.',
  'public_forms.key': 'The secret part of an address.',
  'webhook_deliveries.type': 'What was sent to others is sent again as it was.',
  'webhook_deliveries.body': 'What was sent to others is sent again as it was.',
};

/** Columns that, by their name and type, may hold the name of a module or of a field. */
const suspicious =
  /resource|module|definition|grid|^(field|fields|automation|mapping|meanings|headings?|configuration|link|about|input|place|result|source|base|text|snapshot|steps|detail|body|value|key|kind|type|old_values|new_values|failures)$/;
/** Columns of such names that hold something else, by the table's subject. */
const otherTables = [
  'attempts',
  'authenticators',
  'challenges',
  'idempotency_keys',
  'known_networks',
  'sign_in_guards',
  'passkeys',
];

test('every column of the engine that names modules or fields follows them, or says why not', async () => {
  const columns = await query(`select table_name as table, column_name as name from information_schema.columns
    where table_schema = 'assay' and data_type in ('text', 'jsonb', 'json', 'ARRAY', 'bytea', 'character varying')
    and table_name in (select table_name from information_schema.tables where table_type = 'BASE TABLE')`);
  const found = columns
    .filter(({ table, name }) => suspicious.test(String(name)) && !otherTables.includes(String(table)))
    .map(({ table, name }) => `${String(table)}.${String(name)}`)
    .filter((place) => !['files.key', 'files.type', 'deleted_files.key'].includes(place));
  const renamed = nameColumns.flatMap(({ table, column, field }) => [
    `${table}.${column}`,
    ...(field === undefined ? [] : [`${table}.${field}`]),
  ]);
  const known = [...renamed, ...followed, ...Object.keys(kept)];
  expect(found.filter((place) => !known.includes(place))).toEqual([]);
  expect(found).toEqual(expect.arrayContaining(renamed.filter((place) => place !== 'grid_configurations.name')));
});

/** Text fields of records that hold the name of a module. */
const inRecords: Record<string, string> = {
  'imports.type': 'followed',
  'imports.asked_resource': 'followed',
  'views.module': 'followed',
  'automation-runs.resource': 'a view of the engine’s table',
  'security-log.resource': 'a view of the engine’s table',
};

test('every field of the system and the product that names modules follows them', () => {
  const found = shippedSources().flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, { type = 'text', help = '' }]) =>
      type === 'text' && (/resource|^module$/.test(field) || /imported module/.test(help)) ? `${name}.${field}` : [],
    ),
  );
  expect(found.filter((place) => !(place in inRecords))).toEqual([]);
});

/** A value of each type, for rows of which only the names count. */
const values: Record<string, string> = {
  text: `'x'`,
  integer: '1',
  smallint: '1',
  bigint: '1',
  boolean: 'false',
  jsonb: `'{}'`,
  bytea: `'\\x00'`,
  date: `'2026-01-01'`,
  'timestamp with time zone': 'now()',
  ARRAY: `'{}'`,
  uuid: 'gen_random_uuid()',
};

test('a module and a field that are renamed keep everything that is stored about them', async () => {
  const books = (name: string, fields: Record<string, FieldSource>, more: object = {}) =>
    registryOf(sourceOf(name, fields, more));
  await syncTables(own.database, books('books', { name: {}, notes: {}, tags: { type: 'relations', to: 'books' } }));
  for (const { table, column, field } of nameColumns) {
    const needed = Object.entries(
      engineTables[table] as Record<string, { type: string; isNullable: boolean; hasDefault: boolean }>,
    )
      .filter(([name, one]) => name === column || name === field || (!one.isNullable && !one.hasDefault))
      .map(([name, { type }]) => [
        name,
        name === column ? `'books'` : name === field ? `'notes'` : name === 'action' ? `'list'` : values[type]!,
      ]);
    await query(
      `insert into assay.${table} (${needed.map(([name]) => name).join()}) values (${needed.map(([, one]) => one).join()})`,
    );
  }
  await query(`
    insert into assay.notifications (site_id, user_id, title, link) values (0, 1, 'a', '/books/7'), (0, 1, 'b', '/books?notes=x'),
      (0, 1, 'c', '/bookshelves/7'), (0, 1, 'd', null);
    insert into assay.jobs (kind, title, user_id, input) values ('import', 'a', 1, '{"type": "books"}'),
      ('import', 'b', 1, '{"type": "shelves"}');
    update assay.history set old_values = null, new_values = '{"notes": "x", "name": "y"}';
    update assay.import_memories set mapping = '{"Remarks": "notes", "Title": "name", "Else": null}';
    update assay.grid_configurations set configuration = '[{"field": "name", "visibility": true}, {"field": "notes", "visibility": false}]'`);
  const renamed = books(
    'novels',
    { name: {}, remarks: { formerName: 'notes' }, labels: { type: 'relations', to: 'novels', formerName: 'tags' } },
    { formerName: 'books' },
  );
  await query(
    `insert into assay.files (key, resource, field, name, type, size) values ('k', 'books', 'tags', 'x', 'x', 1)`,
  );
  await syncTables(own.database, renamed);
  for (const { table, column, field } of nameColumns) {
    const rows = await query(
      `select distinct ${column} as name${field ? `, ${field} as field` : ''} from assay.${table} order by 1`,
    );
    expect([table, rows]).toEqual([
      table,
      table === 'files'
        ? expect.arrayContaining([
            { name: 'novels', field: 'labels' },
            { name: 'novels', field: 'remarks' },
          ])
        : [{ name: 'novels', ...(field && { field: 'remarks' }) }],
    ]);
  }
  expect(await query('select link from assay.notifications order by title')).toEqual(
    ['/novels/7', '/novels?notes=x', '/bookshelves/7', null].map((link) => ({ link })),
  );
  expect(await query(`select input->>'type' as type from assay.jobs order by title`)).toEqual([
    { type: 'novels' },
    { type: 'shelves' },
  ]);
  expect(await query('select old_values, new_values from assay.history')).toEqual([
    { old_values: null, new_values: { remarks: 'x', name: 'y' } },
  ]);
  expect(await query('select mapping from assay.import_memories')).toEqual([
    { mapping: { Remarks: 'remarks', Title: 'name', Else: null } },
  ]);
  expect(await query('select configuration from assay.grid_configurations')).toEqual([
    {
      configuration: [
        { field: 'name', visibility: true },
        { field: 'remarks', visibility: false },
      ],
    },
  ]);
});
