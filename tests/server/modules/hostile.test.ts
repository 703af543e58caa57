// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import type { Module, ModulePlan } from '../../../src/engine/studio/module';
import { fixtureSources, sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

type Data<T> = { data: T };
type Refusal = { message: string; errors?: Record<string, string> };
/** A definition as nobody should write it. */
type Wrong = Record<string, unknown>;

let program: DemoProgram;
let admin: Client;
let before: string;

/** Everything that a definition could change behind the program's back. */
async function everything(): Promise<string> {
  const { rows } = await program.program.database.pool.query(`select
    (select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'assay')) as relations,
    (select count(*) from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relnamespace = 'public'::regnamespace) as columns,
    (select count(*) from assay.module_versions) as versions, (select count(*) from assay.grants) as grants,
    (select count(*) from users) as users`);
  const registry = program.program.definitions.registry();
  return JSON.stringify([rows, registry.version, [...registry.definitions.keys()]]);
}

beforeAll(async () => {
  program = await startFixtureProgram();
  admin = await program.signIn(accounts.admin);
  const pair = sourceOf(
    'nests',
    { name: {}, egg_id: { type: 'relation', to: 'eggs', container: true } },
    { archive: true },
  );
  const eggs = sourceOf('eggs', { name: {} }, { archive: { cascade: [] } });
  for (const definition of [eggs, pair])
    expect(await admin('POST', '/modules', { definition })).toMatchObject({ status: 201 });
  before = await everything();
});
afterAll(() => program?.close());

const made = (fields: Wrong, more: Wrong = {}): Wrong => ({
  ...sourceOf('gadgets', fields as Source['fields'], { scope: 'company' }),
  ...more,
});
const field = (name: string, more: Wrong = {}): Wrong => made({ name: {}, [name]: more });
const shipped = (name: string, change: (source: Wrong & { fields: Record<string, Wrong> }) => void): Wrong => {
  const source = structuredClone(fixtureSources().find((one) => one.name === name)!) as unknown as Wrong;
  change(source as never);
  return source;
};
const nestedIn = (depth: number): Wrong => (depth === 0 ? { name: 'x' } : { $and: [nestedIn(depth - 1)] });
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, {}]));
const injection = 'x"; drop table users; --';

const table: [string, Wrong, RegExp, RegExp][] = [
  // SQL, in every place that becomes a name or a text of a statement.
  ['SQL as the name of a resource', made({ name: {} }, { name: injection }), /^\/name/, /format/],
  ['SQL as the former name', made({ name: {} }, { formerName: injection }), /^\/formerName/, /format/],
  ['SQL as the name of a field', field(injection), /^\/fields\//, /not a valid name/],
  ['SQL as the former name of a field', field('size', { formerName: injection }), /formerName$/, /format/],
  ['SQL in an index', made({ name: {} }, { indexes: [[injection]] }), /^\/indexes/, /./],
  [
    'SQL in the path of a request',
    made({ name: {} }, { requests: { go: { label: 'Go', path: `${injection}/{id}`, sets: ['name'] } } }),
    /^\/requests\/go\/path/,
    /format/,
  ],
  ['SQL in the path of an export', made({ name: {} }, { export: { path: injection } }), /^\/export\/path/, /format/],
  [
    'a file outside as the name of an export',
    made({ name: {} }, { export: { file: '../../x.xlsx' } }),
    /^\/export\/file/,
    /format/,
  ],
  ['SQL as a sort', made({ name: {} }, { list: { sort: `name; ${injection}` } }), /^\/list\/sort/, /./],
  [
    'SQL as an operator',
    made({ name: {} }, { rules: [{ levels: [4], action: 'list', where: { name: { '$eq) or (1': 1 } } }] }),
    /^\/rules\/0\/where/,
    /Unknown property/,
  ],
  [
    'SQL in a default',
    field('size', { type: 'number', default: '1; drop table users' }),
    /default$/,
    /not a valid value/,
  ],
  // Files.
  ['rows out of another folder', made({ name: {} }, { rows: '../../../etc/passwd' }), /^\/rows/, /./],
  ['rows of somebody else', made({ option_name: {} }, { rows: 'roles.json' }), /^\/rows/, /Only shipped definitions/],
  // Circles.
  [
    'a record that requires itself',
    field('above', { type: 'relation', to: 'gadgets', required: true }),
    /^\/fields\/above\/required/,
    /No record could ever be created/,
  ],
  [
    'a record within itself',
    made({ name: {}, above: { type: 'relation', to: 'gadgets', container: true } }, { archive: true }),
    /^\/fields\/above\/container/,
    /within itself/,
  ],
  [
    'records that archive one another',
    made({ name: {}, above: { type: 'relation', to: 'gadgets' } }, { archive: { cascade: ['gadgets.above'] } }),
    /^\/archive\/cascade\/0/,
    /cycle/,
  ],
  [
    'a cycle through another module',
    {
      ...sourceOf(
        'eggs',
        { name: {}, nest_id: { type: 'relation', to: 'nests', container: true } },
        { archive: { cascade: [] } },
      ),
    } as unknown as Wrong,
    /container$/,
    /eggs → nests → eggs/,
  ],
  // Beyond measure, but not beyond that of JSON.
  ['nine hundred fields', made(many(900)), /^\/fields$/, /at most 200/],
  ['two hundred and one', made(many(201)), /^\/fields$/, /at most 200/],
  [
    'conditions in conditions',
    made({ name: {} }, { rules: [{ levels: [4], action: 'list', where: nestedIn(25) }] }),
    /^\/rules\/0\/where/,
    /too deeply/,
  ],
  ['a very long text', field('size', { help: 'x'.repeat(1_000_000) }), /help$/, /at most 4000 characters/],
  ['a very long name', field('x'.repeat(5_000)), /^\/fields/, /at most 200 characters/],
  [
    'ten thousand options',
    field('kind', {
      type: 'select',
      options: Array.from({ length: 10_000 }, (_, value) => ({ value, label: `${value}` })),
    }),
    /options$/,
    /at most 500/,
  ],
  [
    'too much of everything',
    made(
      { name: {} },
      {
        rules: Array.from({ length: 400 }, () => ({
          levels: [4],
          action: 'list',
          where: { name: Array.from({ length: 100 }, () => 'x') },
        })),
      },
    ),
    /^/,
    /at most 20000 values/,
  ],
  // Patterns that never end.
  ['a pattern that looks ahead', field('code', { pattern: '^(?=(a+)+$)a' }), /pattern$/, /lookahead or lookbehind/],
  ['a pattern that refers back', field('code', { pattern: '(a)\\1*' }), /pattern$/, /backreference/],
  ['a pattern of many repetitions', field('code', { pattern: '^(a{1,99}){1,99}$' }), /pattern$/, /repetitions/],
  [
    'a pattern on a very long text',
    field('code', { type: 'textarea', maxLength: 100_000, pattern: '^a*$' }),
    /pattern$/,
    /at most 1000/,
  ],
  ['a pattern that is none', field('code', { pattern: '(' }), /pattern$/, /not a valid regular expression/],
  // Names that are taken.
  ...[
    'pg-class',
    'pg-catalog',
    'information-schema',
    'login',
    'modules',
    'permissions',
    'me',
    'events',
    'studio',
    'constructor',
  ].map((name): [string, Wrong, RegExp, RegExp] => [
    `the name ${name}`,
    made({ name: {} }, { name }),
    /^\/name/,
    /reserved/,
  ]),
  ...['xmin', 'xmax', 'cmin', 'cmax', 'ctid', 'tableoid', 'oid'].map((name): [string, Wrong, RegExp, RegExp] => [
    `the column ${name}`,
    field(name),
    /^\/fields/,
    /reserved by the database/,
  ]),
  ...['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'filter', 'sort', 'q'].map(
    (name): [string, Wrong, RegExp, RegExp] => [
      `the field ${name}`,
      field(name),
      /^\/fields/,
      /reserved|not a valid name/,
    ],
  ),
  [
    'a prototype as a parameter',
    made({ name: {} }, { parameters: { constructor: { field: 'name' } } }),
    /^\/parameters\/constructor/,
    /reserved/,
  ],
  [
    'a prototype as a request',
    made({ name: {} }, { requests: { valueOf: { label: 'Go', path: 'go/{id}', sets: ['name'] } } }),
    /^\/requests\/valueOf/,
    /reserved/,
  ],
  [
    'a prototype as the target of a relation',
    field('to', { type: 'relation', to: 'constructor' }),
    /to$/,
    /Unknown resource/,
  ],
  [
    'names that look alike',
    made({ name: {}, fileName: {}, filename: {} }),
    /^\/fields\/filename/,
    /upper and lower case/,
  ],
  ['a letter from another alphabet', field('nаme'), /^\/fields/, /not a valid name/],
  [
    'a system field as the former name',
    field('mine', { formerName: 'created_by' }),
    /formerName$/,
    /not a field of this definition/,
  ],
  ['a pair table as the name', made({ name: {} }, { name: 'films__user-ids' }), /^\/name/, /format/],
  ['the table of another resource', made({ name: {} }, { formerName: 'users' }), /^\/formerName/, /still exists/],
  // What others answer.
  [
    'the path of signing in',
    made({ name: {} }, { requests: { go: { label: 'Go', path: 'login/{id}', sets: ['name'] } } }),
    /path$/,
    /"login" is reserved/,
  ],
  [
    'the path of a resource',
    made({ name: {} }, { requests: { go: { label: 'Go', path: 'users/{id}', sets: ['name'] } } }),
    /path$/,
    /path of a resource/,
  ],
  [
    'the path of another request',
    made({ name: {} }, { requests: { go: { label: 'Go', path: 'shot/{id}', sets: ['name'] } } }),
    /path$/,
    /already/,
  ],
  [
    'an export at a call of the program',
    made({ name: {} }, { export: { path: 'modules' } }),
    /^\/export\/path/,
    /reserved/,
  ],
  ['an export at a resource', made({ name: {} }, { export: { path: 'users' } }), /^\/export\/path/, /already/],
  // What lies behind.
  [
    'an address of the product',
    { ...made({ name: {} }), name: 'call-sheet' },
    /^\/name/,
    /"call-sheet" is reserved by the product/,
  ],
  [
    'a request at an address of the product',
    made({ name: {} }, { requests: { rename: { label: 'Rename', path: 'call-sheet/{id}', sets: ['name'] } } }),
    /^\/requests\/rename\/path/,
    /"call-sheet" is reserved by the product/,
  ],
  [
    'a download at an address of the product',
    made({ name: {} }, { export: { path: 'call-sheet' } }),
    /^\/export\/path/,
    /"call-sheet" is reserved by the product/,
  ],
  ['a hook that nobody wrote', made({ name: {} }, { hooks: { beforeSave: ['nope'] } }), /^\/hooks/, /Unknown hook/],
  [
    'a hook of somebody else',
    made({ name: {} }, { hooks: { beforeSave: ['guardUser'] } }),
    /^\/hooks/,
    /Only shipped definitions/,
  ],
  ['a field that hooks should store', field('rights', { type: 'permissions', virtual: true }), /virtual$/, /hooks/],
  [
    'a secret of others in an embed',
    field('user_id', { type: 'relation', to: 'users', embed: 'user', embedFields: ['password'] }),
    /embedFields/,
    /secret/,
  ],
  [
    'the password told',
    shipped('users', ({ fields }) => Object.assign(fields.password!, { secret: false })),
    /^\/fields\/password\/secret/,
    /must stay secret/,
  ],
  [
    'the password as a text',
    shipped('users', ({ fields }) => Object.assign(fields.password!, { type: 'text', secret: true })),
    /^\/fields\/password\/type/,
    /must keep its type/,
  ],
  [
    'the password under another name',
    shipped('users', ({ fields }) => {
      delete fields.password;
      fields.shown = { formerName: 'password' };
    }),
    /^\/fields\/password/,
    /cannot be removed/,
  ],
  [
    'the role of users taken away',
    shipped('users', (source) => {
      delete source.fields.role_id;
    }),
    /^\/fields\/role_id/,
    /cannot be removed/,
  ],
  [
    'the role of users as a number',
    shipped('users', ({ fields }) => {
      fields.role_id = { type: 'number', integer: true };
    }),
    /^\/fields\/role_id/,
    /must keep its type/,
  ],
  [
    'the guard of users sent home',
    shipped('users', (source) => {
      source.hooks = { beforeSave: [] };
    }),
    /^\/hooks\/beforeSave/,
    /cannot be removed/,
  ],
  [
    'users of all companies',
    shipped('users', (source) => {
      source.scope = 'installation';
    }),
    /^\/scope/,
    /scope of a shipped definition/,
  ],
  [
    'roles out of a file of one’s own',
    shipped('roles', (source) => {
      source.rows = 'actions.json';
    }),
    /^\/rows/,
    /shipped rows/,
  ],
  [
    'grants that there are not',
    made({ name: {} }, { grants: { '6': ['list', 'administer'] } }),
    /^\/grants/,
    /must be one of/,
  ],
  ['a level above all', made({ name: {} }, { rules: [{ levels: [0], action: 'list' }] }), /^\/rules/, /./],
];

describe('a hostile definition', () => {
  test.each(table)('%s', async (_, definition, path, message) => {
    const name = /^[a-z-]+$/.test(String(definition.name)) ? String(definition.name) : 'gadgets';
    const began = performance.now();
    const plan = await admin<Data<ModulePlan>>('POST', `/modules/${name}/plan`, {
      definition: { ...definition, name },
    });
    const asked =
      String(definition.name) === name
        ? plan
        : await admin<Data<ModulePlan>>('POST', `/modules/${name}/plan`, { definition });
    expect(asked.status).toBe(200);
    expect(asked.body.data).toMatchObject({ valid: false, steps: [] });
    const { errors } = asked.body.data;
    if (String(definition.name) === name)
      expect(errors).toContainEqual(
        expect.objectContaining({ path: expect.stringMatching(path), message: expect.stringMatching(message) }),
      );
    for (const error of errors) expect(error.message).toMatch(/^.{10,}[.?]/s);

    const { stored, status, body } = await publish(definition, name);
    expect([409, 422]).toContain(status);
    if (status === 422) {
      const told = Object.entries(body.errors!).filter(([at, words]) => path.test(at) && message.test(words));
      expect(told, JSON.stringify(body)).not.toEqual([]);
    }
    expect(stored).toBe(before);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect((await admin('GET', '/studios')).status).toBe(200);
  });

  test('a million fields get a quick response, whatever they are', async () => {
    // Written as text before the clock starts: it takes longer than the answer.
    const fields = Array.from({ length: 1_000_000 }, (_, index) => `"f${index}":{}`).join();
    const text = `{"definition":{"name":"gadgets","labels":{"one":"G","many":"Gs"},"fields":{${fields}}}}`;
    const began = performance.now();
    const answer = await admin<Refusal>('POST', '/modules', text, { 'content-type': 'application/json' });
    expect(answer.status).toBe(413);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test.each([
    '{"definition": {"name": "gadgets", "labels": {"one": "G", "many": "Gs"}, "fields": {"__proto__": {}}}}',
    '{"definition": {"__proto__": {"name": "gadgets"}}}',
    '{"definition": {"constructor": {"prototype": {"x": 1}}}}',
  ])('%s', async (text) => {
    const answer = await admin<Refusal>('POST', '/modules', text, { 'content-type': 'application/json' });
    expect([400, 422]).toContain(answer.status);
    expect(answer.body.message.length).toBeGreaterThan(10);
    expect(await everything()).toBe(before);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test('it cannot be smuggled in by restoring a version, or by a name in the URL', async () => {
    for (const name of ['__proto__', 'constructor', '..%2f..', "x'--", 'users%00', 'x'.repeat(190)]) {
      for (const path of ['', '/versions'])
        expect([400, 404]).toContain((await admin('GET', `/modules/${name}${path}`)).status);
      expect([400, 404, 422]).toContain((await admin('POST', `/modules/${name}/restore`, { version: 1 })).status);
      expect([400, 404, 409]).toContain((await admin('DELETE', `/modules/${name}?purge=1&confirm=${name}`)).status);
    }
    expect(await everything()).toBe(before);
  });

  async function publish(definition: Wrong, name: string) {
    const exists = program.program.definitions.registry().get(name) !== undefined;
    const version = exists ? (await admin<Data<Module>>('GET', `/modules/${name}`)).body.data.version : 0;
    const answer = exists
      ? await admin<Refusal>('PUT', `/modules/${name}`, { definition, version, confirm: true })
      : await admin<Refusal>('POST', '/modules', { definition, confirm: true });
    return { status: answer.status, body: answer.body, stored: await everything() };
  }
});

test('a definition that only looks hostile is accepted', async () => {
  const fields = {
    name: {},
    class: {},
    default: {},
    await: {},
    then: {},
    toJSON: {},
    select: {},
    order: {},
    user: {},
    prototypes: {},
  };
  const kind = {
    type: 'select',
    options: ['__proto__', 'constructor', "'; drop table users; --"].map((value) => ({ value, label: value })),
  };
  const definition = { ...sourceOf('order', { ...fields, kind } as Source['fields'], { scope: 'company' }) };
  expect(await admin('POST', '/modules', { definition })).toMatchObject({ status: 201 });
  const owner = await program.signIn(accounts.owner);
  const values = { ...Object.fromEntries(Object.keys(fields).map((name) => [name, name])), kind: 'constructor' };
  const record = await owner<Record<string, unknown>>('POST', '/order', values);
  expect(record).toMatchObject({ status: 201, body: values });
  expect((await owner<unknown[]>('GET', '/order?kind=constructor&sort=["class","ASC"]')).body).toHaveLength(1);
  expect((await owner('GET', '/order-export?format=csv')).status).toBe(200);
});
