// @module-tag slow
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { skipChecked, type DefinitionsValidator } from '../../../src/server/definitions/active-definitions';
import { loadCheckedTexts } from '../../../src/server/definitions/checked-texts';
import { openDefinitions, type DefinitionsOptions } from '../../../src/server/definitions/open-definitions';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { sourceOf } from '../../support/definitions';

let own: TestDatabase;
let folder: string;
/** What the start before has noted as checked. */
let before: unknown;
const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn() };

beforeEach(async () => {
  own = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'assay-definitions-'));
  vi.stubGlobal('assayBuild', 'build 1');
  write('users', sourceOf('users', { name: {} }));
  write('books', books());
  await start();
  before = await checked();
  vi.clearAllMocks();
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await own.close();
  rmSync(folder, { recursive: true });
});

const books = (fields: Source['fields'] = {}) =>
  sourceOf(
    'books',
    { name: { type: 'text', unique: true }, user_id: { type: 'relation', to: 'users' }, ...fields },
    { hooks: { beforeSave: ['greet'] } },
  );
const write = (name: string, content: Source) =>
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(content, null, 2));
const query = async (text: string) => (await own.database.pool.query<Record<string, unknown>>(text)).rows;

const checked = async () => (await query(`select value from assay.meta where key = 'checked_texts'`))[0]?.value;

/** Starts, gives the names of active definitions, and stops. */
async function start(options: Partial<DefinitionsOptions> = {}): Promise<string[]> {
  const definitions = await openDefinitions({
    whenUnlocked: (run) => run(),
    isExclusive: true,
    folders: { system: join(folder, 'system'), product: folder },
    database: own.database,
    live: {
      publish: () => undefined,
      publishLocally: () => undefined,
      subscribe: () => () => undefined,
      close: async () => undefined,
    },
    log: log as unknown as Logger,
    hooks: ['greet'],
    exportFormats: [],
    paths: [],
    requiredFields: {},
    roleLevels: async () => [{ id: 1, level: 1, key: 'administrator' }],
    ...options,
  });
  await definitions.close();
  return [...definitions.registry().definitions.keys()].sort();
}

test('a start that finds the same definitions checks and changes nothing', async () => {
  expect(await start()).toEqual(['books', 'users']);
  expect(await checked()).toEqual(before);
  expect(log.info).not.toHaveBeenCalled();
});

test('texts that passed their checks are read without a check, also after a restart', async () => {
  const validate = vi.fn<DefinitionsValidator>(() => ({ definitions: [], sources: new Map(), problems: [] }));
  const texts = [{ file: 'resources/books.json', text: JSON.stringify(books()) }];
  const first = await loadCheckedTexts(own.database.kysely, []);
  skipChecked(validate, first)(texts);
  await first.save(own.database.kysely);
  expect(validate).toHaveBeenCalledTimes(1);
  const next = await loadCheckedTexts(own.database.kysely, []);
  expect(skipChecked(validate, next)(texts).definitions.map(({ name }) => name)).toEqual(['books']);
  expect(validate).toHaveBeenCalledTimes(1);
  // Each by itself is another check.
  expect(next.has('each', texts)).toBe(false);
});

describe('definitions are checked again', () => {
  test('if a file has changed', async () => {
    write('books', books({ pages: { type: 'number' } }));
    await start();
    expect(await checked()).not.toEqual(before);
    expect(await query('select pages from public.books')).toEqual([]);
  });

  test('if a file was added, or is gone', async () => {
    write('shelves', sourceOf('shelves', { name: {} }));
    await start();
    expect(await checked()).not.toEqual(before);
    before = await checked();
    rmSync(join(folder, 'shelves.json'));
    expect(await start()).toEqual(['books', 'users']);
    expect(await checked()).not.toEqual(before);
  });

  test('by another build of the program', async () => {
    vi.stubGlobal('assayBuild', 'build 2');
    await start();
    expect(await checked()).not.toEqual(before);
  });

  test('if a hook that they name is gone', async () => {
    await start({ hooks: [] });
    expect(log.error).toHaveBeenCalledWith(expect.stringContaining('greet'));
  });

  test('if a definition was stored beside the files', async () => {
    const text = JSON.stringify(books({ shelf: { type: 'text' } }));
    await query(`update assay.modules set source = '${text}', version = version + 1 where name = 'books'`);
    await start();
    expect(await checked()).not.toEqual(before);
    expect(await query('select shelf from public.books')).toEqual([]);
  });

  test('where the sources of the program run as they are', async () => {
    vi.stubGlobal('assayBuild', undefined);
    await query(`delete from assay.meta where key = 'checked_texts'`);
    await start();
    expect(await checked()).toBeUndefined();
  });
});

describe('a start that checks nothing repairs', () => {
  const indexes = async () =>
    (await query(`select indexname from pg_indexes where tablename = 'books' order by 1`)).map((row) => row.indexname);
  const foreignKeys = async () =>
    (await query(`select conname from pg_constraint where contype = 'f' and conrelid = 'public.books'::regclass`)).map(
      (row) => row.conname,
    );

  test('a column that somebody dropped', async () => {
    await query('alter table public.books drop column name cascade');
    await start();
    expect(await checked()).toEqual(before);
    expect(await query('select name from public.books')).toEqual([]);
  });

  test('an index that somebody dropped', async () => {
    const all = await indexes();
    const dropped = all.find((name) => !String(name).endsWith('pkey'))!;
    await query(`drop index public."${String(dropped)}"`);
    await start();
    expect(await checked()).toEqual(before);
    expect(await indexes()).toEqual(all);
  });

  test('a foreign key that somebody dropped', async () => {
    const all = await foreignKeys();
    await query(`alter table public.books drop constraint "${String(all[0])}"`);
    await start();
    expect(await checked()).toEqual(before);
    expect(await foreignKeys()).toEqual(expect.arrayContaining(all));
  });

  test('a table that somebody dropped', async () => {
    await query('drop table public.books cascade');
    await start();
    expect(await checked()).toEqual(before);
    expect(await query('select name from public.books')).toEqual([]);
  });
});
