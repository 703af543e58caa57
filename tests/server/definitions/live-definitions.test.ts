// @module-tag slow
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { openDefinitions } from '../../../src/server/definitions/open-definitions';
import type { LiveEvent } from '../../../src/server/live/live-hub';
import type { LiveDefinitions } from '../../../src/server/definitions/live-definitions';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { sourceOf } from '../../support/definitions';

let own: TestDatabase;
let folder: string;
let open: LiveDefinitions[];
let events: LiveEvent[];
const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn() };

beforeEach(async () => {
  own = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'assay-definitions-'));
  mkdirSync(join(folder, 'rows'));
  open = [];
  events = [];
  vi.clearAllMocks();
  write('users', sourceOf('users', { name: {} }));
});
afterEach(async () => {
  for (const definitions of open) await definitions.close();
  await own.close();
  rmSync(folder, { recursive: true });
});

const write = (name: string, content: Source | string) =>
  writeFileSync(join(folder, `${name}.json`), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
const writeRows = (name: string, rows: unknown) =>
  writeFileSync(join(folder, 'rows', `${name}.json`), JSON.stringify(rows));
const query = async (text: string) => (await own.database.pool.query(text)).rows as Record<string, unknown>[];

async function start(): Promise<LiveDefinitions> {
  const definitions = await openDefinitions({
    whenUnlocked: (run) => run(),
    isExclusive: false,
    folders: { system: join(folder, 'system'), product: folder },
    database: own.database,
    live: {
      publish: (event, trx) =>
        void (trx ? own.database.afterCommit(trx, () => events.push(event)) : events.push(event)),
      publishLocally: (event) => void events.push(event),
      subscribe: () => () => undefined,
      close: async () => undefined,
    },
    log: log as unknown as Logger,
    hooks: ['greet'],
    exportFormats: [],
    paths: [],
    requiredFields: {},
    roleLevels: async () => [
      { id: 1, level: 1, key: 'administrator' },
      { id: 2, level: 2, key: 'company-owner' },
      { id: 9, level: 5, key: 'runner' },
    ],
  });
  open.push(definitions);
  return definitions;
}

const books = (fields: Source['fields'] = { name: { type: 'text' } }, more: Partial<Source> = {}) =>
  sourceOf('books', fields, more);

describe('at the start', () => {
  test('definitions are read, their tables created, and both forms provided', async () => {
    write('books', books());
    const definitions = await start();
    expect(definitions.registry().getOrThrow('books').fields.name).toMatchObject({ type: 'text', label: 'Name' });
    expect(definitions.sources().get('books')).toEqual(books());
    expect(definitions.problems()).toEqual([]);
    expect(await query('select * from books')).toEqual([]);
  });

  test('a first start with a problem stops, and names file, line and problem', async () => {
    write('books', books({ name: { type: 'txet' as 'text' } }));
    await expect(start()).rejects.toThrow(/books\.json:\d+ \/fields\/name\/type .*text/);
  });

  test('an unknown hook is a problem, at its line', async () => {
    const text = JSON.stringify(books({ name: {} }, { hooks: { beforeSave: ['gret'] } }), null, 2);
    write('books', text);
    const line = text.split('\n').findIndex((one) => one.includes('beforeSave')) + 1;
    await expect(start()).rejects.toThrow(new RegExp(`books\\.json:${line} .*Did you mean "greet"\\?`));
  });

  test('a file that became invalid while the program was down falls back to its last active text', async () => {
    write('books', books());
    await (await start()).close();
    write('books', '{ "name": "books", ');
    const definitions = await start();
    expect(definitions.registry().getOrThrow('books').fields.name).toBeDefined();
    expect(definitions.problems()).toMatchObject([{ file: join(folder, 'books.json'), line: 1 }]);
  });
});

describe('while the program runs', () => {
  test('a changed file is active at once: column, registry, listeners and event', async () => {
    write('books', books());
    const definitions = await start();
    const heard = vi.fn();
    const before = definitions.registry();
    definitions.onChange(heard);
    write('books', books({ name: {}, pages: { type: 'number', integer: true } }));
    await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce());
    expect(definitions.registry().version).toBeGreaterThan(before.version);
    expect(definitions.registry().getOrThrow('books').fields.pages).toBeDefined();
    expect(before.getOrThrow('books').fields.pages).toBeUndefined();
    expect(await query('select pages from books')).toEqual([]);
    expect(log.info.mock.calls).toContainEqual(['Add the column pages (integer) to books']);
    expect(events).toContainEqual({ resource: 'modules', id: 'books', event: 'changed' });
  });

  test('a new file is a new module, with a table and grants by level; removing the file removes the module', async () => {
    const definitions = await start();
    write('books', books({ name: {} }, { grants: { '5': 'read' } }));
    await vi.waitFor(() => expect(definitions.registry().get('books')).toBeDefined());
    expect(
      await query(`select role_id, string_agg(action, ' ' order by action) as actions from assay.grants
        where module = 'books' group by role_id order by role_id`),
    ).toEqual([
      { role_id: 1, actions: 'create delete edit list view' },
      { role_id: 2, actions: 'create delete edit list view' },
      { role_id: 9, actions: 'list view' },
    ]);
    await query("insert into books (name) values ('Emma')");
    rmSync(join(folder, 'books.json'));
    await vi.waitFor(() => expect(definitions.registry().get('books')).toBeUndefined());
    expect(await query('select name from books')).toEqual([{ name: 'Emma' }]);
  });

  test('an invalid file is reported with its position, and the last valid version stays active', async () => {
    write('books', books());
    const definitions = await start();
    write('books', JSON.stringify({ ...books(), list: { columns: ['nam'] } }, null, 2));
    await vi.waitFor(() => expect(definitions.problems()).toHaveLength(1));
    expect(definitions.problems()[0]).toMatchObject({
      file: join(folder, 'books.json'),
      path: '/list/columns/0',
      line: expect.any(Number),
      message: expect.stringContaining('Did you mean "name"?'),
    });
    expect(log.error).toHaveBeenCalledWith(expect.stringMatching(/books\.json:\d+ \/list\/columns\/0 .*stays active/));
    expect(definitions.registry().get('books')).toBeDefined();
    write('books', books({ name: {}, added: {} }));
    await vi.waitFor(() => expect(definitions.problems()).toEqual([]));
    expect(definitions.registry().getOrThrow('books').fields.added).toBeDefined();
  });

  test('a file that is nested 8,000 levels deep is reported like any other problem', async () => {
    write('books', books());
    const definitions = await start();
    write('books', `{ "name": "books", "fields": ${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)} }`);
    await vi.waitFor(() => expect(definitions.problems()).toHaveLength(1));
    expect(definitions.problems()[0]!.message).toBe('The definition is nested too deeply: at most 64 levels are read.');
    const condition = `${'{"$not":'.repeat(17)}{}${'}'.repeat(17)}`;
    write(
      'books',
      JSON.stringify(books({ name: {} }, { rules: [{ levels: [4], action: 'list', where: JSON.parse(condition) }] })),
    );
    await vi.waitFor(() =>
      expect(definitions.problems()[0]!.message).toBe('This condition is nested too deeply: at most 16 levels.'),
    );
  });

  test('a change that could lose values is skipped, with the statement to run; run manually, it is activated', async () => {
    write('books', books({ name: {}, size: {} }));
    const definitions = await start();
    await query("insert into books (size) values ('12'), ('large')");
    const narrower = books({ name: {}, size: { type: 'number', integer: true } });
    write('books', narrower);
    await vi.waitFor(() => expect(definitions.problems()).toHaveLength(1));
    const { message } = definitions.problems()[0]!;
    expect(message).toContain(
      'from text to integer, and keep the old column as size__was_1: skipped because it may change 1 stored row.',
    );
    expect(definitions.registry().getOrThrow('books').fields.size!.type).toBe('text');
    await query(message.slice(message.indexOf('run: ') + 5));
    write('books', narrower);
    await vi.waitFor(() => expect(definitions.registry().getOrThrow('books').fields.size!.type).toBe('number'));
    expect(await query('select size from books order by id')).toEqual([{ size: 12 }, { size: null }]);
  });

  test('changes are logged in words: fields, lists and rules, removals, and that a problem is fixed', async () => {
    const base = sourceOf('crates', { name: {}, weight: { type: 'number' } });
    write('crates', base);
    await start();
    const told = () => log.info.mock.calls.map(([text]) => String(text)).join('\n');
    const changes: [Source | string, RegExp][] = [
      [{ ...base, list: { sort: '-name' } }, /^crates: .*sort/m],
      [
        { ...base, list: { sort: '-name' }, rules: [{ levels: [5], action: 'edit', where: { name: 'x' } }] },
        /^crates: .*rule/im,
      ],
      [{ ...base, fields: { name: {} } }, /^crates: .*weight.*(gone|removed)/m],
      ['{ "name": ', /^$/],
      [base, /crates\.json is valid again/],
    ];
    for (const [content, said] of changes) {
      log.info.mockClear();
      log.error.mockClear();
      write('crates', content);
      if (typeof content === 'string') await vi.waitFor(() => expect(log.error).toHaveBeenCalled());
      else await vi.waitFor(() => expect(told()).toMatch(said));
    }
  });

  test('a problem in one file does not affect another', async () => {
    write('books', books());
    const definitions = await start();
    write('books', 'no');
    write('films', sourceOf('films', { title: {} }));
    await vi.waitFor(() => expect(definitions.registry().get('films')).toBeDefined());
    expect(definitions.registry().get('books')).toBeDefined();
  });
});

describe('a former name', () => {
  const paints = sourceOf('paints', { name: {} }, { formerName: 'colours' });
  const colours = sourceOf('colours', { name: {} });
  const doors = (to: string) => sourceOf('doors', { colour_id: { type: 'relation', to, embed: 'colour' } });
  const rename = async () => {
    write('colours', colours);
    write('doors', doors('colours'));
    const definitions = await start();
    await query("insert into colours (id, name) values (1, 'Red'); insert into doors (colour_id) values (1)");
    return definitions;
  };
  const names = (definitions: LiveDefinitions) => [...definitions.registry().definitions.keys()].sort();

  test('stays reserved, and a new module of that name is refused, until `formerName` is removed', async () => {
    const definitions = await rename();
    write('paints', paints);
    write('doors', doors('paints'));
    rmSync(join(folder, 'colours.json'));
    await vi.waitFor(() => expect(names(definitions)).toEqual(['doors', 'paints', 'users']));
    write('colours', sourceOf('colours', { code: {} }));
    await vi.waitFor(() =>
      expect(definitions.problems()).toMatchObject([
        {
          file: join(folder, 'colours.json'),
          path: '/name',
          message: expect.stringMatching(/is the former name of "paints"/),
        },
      ]),
    );
    expect(names(definitions)).toEqual(['doors', 'paints', 'users']);
    await definitions.close();
    const next = await start();
    expect(names(next)).toEqual(['doors', 'paints', 'users']);
    expect(await query('select name from paints')).toEqual([{ name: 'Red' }]);
    write('paints', sourceOf('paints', { name: {} }));
    await vi.waitFor(() => expect(names(next)).toEqual(['colours', 'doors', 'paints', 'users']));
    expect(await query('select * from colours')).toEqual([]);
    expect(next.problems()).toEqual([]);
  });

  test('is no way for relations to another module while their definition falls back to an older text', async () => {
    const definitions = await rename();
    write('doors', '{ "name": ');
    await vi.waitFor(() => expect(definitions.problems()).toHaveLength(1));
    write('paints', paints);
    rmSync(join(folder, 'colours.json'));
    await vi.waitFor(() => expect(names(definitions)).toContain('paints'));
    write('colours', sourceOf('colours', { code: {} }));
    await vi.waitFor(() =>
      expect(definitions.problems().map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/is the former name of "paints"/),
      ),
    );
    expect(names(definitions)).toEqual(['paints', 'users']);
  });

  test('cannot be claimed together with a new module of that name: everything stays as it was', async () => {
    const definitions = await rename();
    await definitions.close();
    write('paints', paints);
    write('colours', sourceOf('colours', { code: {} }));
    const next = await start();
    expect(names(next)).toEqual(['colours', 'doors', 'users']);
    expect(next.registry().getOrThrow('colours').fields.code).toBeUndefined();
    expect(next.problems().map(({ file }) => file)).toEqual(
      expect.arrayContaining([join(folder, 'colours.json'), join(folder, 'paints.json')]),
    );
    expect(await query('select name from colours')).toEqual([{ name: 'Red' }]);
  });

  test('cannot be claimed by two modules', async () => {
    const definitions = await rename();
    rmSync(join(folder, 'doors.json'));
    rmSync(join(folder, 'colours.json'));
    write('paints', paints);
    await vi.waitFor(() => expect(names(definitions)).toEqual(['paints', 'users']));
    write('tints', sourceOf('tints', { name: {} }, { formerName: 'colours' }));
    await vi.waitFor(() =>
      expect(definitions.problems()).toMatchObject([{ file: join(folder, 'tints.json'), path: '/formerName' }]),
    );
    expect(names(definitions)).toEqual(['paints', 'users']);
  });
});

describe('shipped rows', () => {
  const shipping = () => books({ name: {} }, { rows: 'books.json' });

  test('are inserted once: changed ones stay changed, deleted ones do not come back, new ones are added', async () => {
    write('books', shipping());
    writeRows('books', [
      { id: 1, name: 'Emma' },
      { id: 2, name: 'Persuasion' },
    ]);
    const definitions = await start();
    expect(await query('select * from assay.shipped_rows order by record_id')).toEqual([
      { resource: 'books', record_id: 1, protected: true },
      { resource: 'books', record_id: 2, protected: true },
    ]);
    await query("update books set name = 'Emma!' where id = 1; delete from books where id = 2");
    writeRows('books', [
      { id: 1, name: 'Emma' },
      { id: 2, name: 'Persuasion' },
      { id: 3, name: 'Sanditon' },
    ]);
    await vi.waitFor(async () => expect(await query('select id, name from books order by id')).toHaveLength(2));
    expect(await query('select id, name from books order by id')).toEqual([
      { id: 1, name: 'Emma!' },
      { id: 3, name: 'Sanditon' },
    ]);
    expect(definitions.problems()).toEqual([]);
  });

  test('reserve the ids below 1000, and long lists those below 10000', async () => {
    write('books', shipping());
    write('films', sourceOf('films', { name: {} }, { rows: 'films.json' }));
    writeRows('books', [{ id: 1, name: 'Emma' }]);
    writeRows(
      'films',
      Array.from({ length: 401 }, (_, index) => ({ id: index + 1, name: `Film ${index}` })),
    );
    await start();
    expect(await query("insert into books (name) values ('mine') returning id")).toEqual([{ id: 1000 }]);
    expect(await query("insert into films (name) values ('mine') returning id")).toEqual([{ id: 10000 }]);
  });

  test('may refer to rows of resources later in the alphabet', async () => {
    write('books', books({ name: {}, film_id: { type: 'relation', to: 'films' } }, { rows: 'books.json' }));
    write('films', sourceOf('films', { name: {} }, { rows: 'films.json' }));
    writeRows('books', [{ id: 1, name: 'Emma', film_id: 7 }]);
    writeRows('films', [{ id: 7, name: 'Emma.' }]);
    await start();
    expect(await query('select film_id from books')).toEqual([{ film_id: 7 }]);
  });

  test('with a problem are not inserted', async () => {
    write('books', shipping());
    writeRows('books', [{ id: 1, nam: 'Emma' }]);
    await expect(start()).rejects.toThrow(/rows\/books\.json:1 \/0\/nam .*Did you mean "name"/);
  });
});

describe('the system and a product', () => {
  const system = (name: string, content: object) => {
    mkdirSync(join(folder, 'system/rows'), { recursive: true });
    writeFileSync(join(folder, 'system', `${name}.json`), JSON.stringify(content, null, 2));
  };
  const books = sourceOf('books', { name: {}, year: { type: 'number' } }, { rows: 'books.json' });
  const extension = (content: object) => write('books.extension', JSON.stringify(content, null, 2));

  test('a product extends a definition of the system and its rows, at once and while the program runs', async () => {
    system('books', books);
    system('rows/books', [
      { id: 1, name: 'Emma' },
      { id: 2, name: 'Persuasion' },
    ]);
    writeRows('books', [
      { id: 2, name: 'Sanditon' },
      { id: 3, name: 'Lady Susan', pages: 90 },
    ]);
    extension({ extends: 'books', fields: { pages: { type: 'number' }, year: {} } });
    const definitions = await start();
    expect(definitions.problems()).toEqual([]);
    expect(Object.keys(definitions.sources().get('books')!.fields)).toEqual(['name', 'pages', 'year']);
    expect(await query('select id, name, pages from books order by id')).toEqual([
      { id: 1, name: 'Emma', pages: null },
      { id: 2, name: 'Sanditon', pages: null },
      { id: 3, name: 'Lady Susan', pages: 90 },
    ]);

    extension({ extends: 'books', remove: ['/fields/year'], fields: { pages: { type: 'number', label: 'Length' } } });
    await vi.waitFor(() => expect(definitions.registry().getOrThrow('books').fields.pages!.label).toBe('Length'));
    expect(definitions.registry().getOrThrow('books').fields.year).toBeUndefined();
    // The system's file is watched, too.
    system('books', { ...books, labels: { one: 'Book', many: 'Library' } });
    await vi.waitFor(() => expect(definitions.registry().getOrThrow('books').labels.many).toBe('Library'));
    expect(definitions.registry().getOrThrow('books').fields.pages!.label).toBe('Length');
  });

  test('a problem is reported in the file that contains it; the last valid version stays active', async () => {
    system('books', books);
    system('rows/books', []);
    extension({ extends: 'books', fields: { pages: {} } });
    const definitions = await start();
    const cases: [content: string | object, file: string, line: number, message: RegExp][] = [
      ['{ "extends": "books",\n  "fields" }', 'books.extension.json', 2, /not valid JSON/],
      [{ extends: 'boks' }, 'books.extension.json', 2, /must be "books"/],
      [{ extends: 'books', remove: ['/fields/yaer'] }, 'books.extension.json', 4, /is not a key/],
      [{ extends: 'books', fields: { pages: { type: 'txet' } } }, 'books.extension.json', 5, /"text"/],
      [{ extends: 'books', fields: { pages: {} }, filds: {} }, 'books.extension.json', 6, /Did you mean "fields"/],
      [{ extends: 'books', hooks: { beforeSave: ['gret'] } }, 'books.extension.json', 4, /Did you mean "greet"/],
      // Invalid because of the extension, but written in the system's file.
      [{ extends: 'books', rows: 'other.json' }, 'rows/other.json', 0, /does not exist/],
    ];
    for (const [content, file, line, message] of cases) {
      write('books.extension', typeof content === 'string' ? content : JSON.stringify(content, null, 2));
      await vi.waitFor(() =>
        expect(definitions.problems()).toMatchObject([
          { file: join(folder, file), ...(line && { line }), message: expect.stringMatching(message) },
        ]),
      );
      expect(definitions.registry().getOrThrow('books').fields.name).toBeDefined();
    }
    extension({ extends: 'books', fields: { pages: {} } });
    await vi.waitFor(() => expect(definitions.problems()).toEqual([]));
  });

  test.each([
    [
      'books.json',
      /^\S*books\.json:3 \/name The system already defines "books", in \S*system\/books\.json\. .*books\.extension\.json/,
    ],
    [
      'boks.extension.json',
      /^\S*boks\.extension\.json:2 \/extends There is no definition "boks" of the system to extend. It has books\./,
    ],
    [
      'users.extension.json',
      /^\S*users\.extension\.json:2 \/extends Only definitions of the system are extended: change "users" in \S*users\.json\./,
    ],
  ])('%s stops the start: it does not fit the system', async (file, message) => {
    system('books', { ...books, rows: undefined });
    const lines = ['{', '  "extends": "books",', '  "name": "books"', '}'];
    writeFileSync(join(folder, file), lines.join('\n'));
    await expect(start()).rejects.toThrow(message);
  });
});

describe('default grants', () => {
  test('are created once: removed ones stay removed', async () => {
    write('books', books());
    await (await start()).close();
    await query("delete from assay.grants where module = 'books'");
    await start();
    expect(await query("select * from assay.grants where module = 'books'")).toEqual([]);
  });
});
