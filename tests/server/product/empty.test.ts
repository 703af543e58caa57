import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { readProduct } from '../../../src/server/read-product';
import { sourceOf } from '../../support/definitions';
import { startDemoProgram, type Client, type DemoProgram } from '../../support/program';
import { csv, send } from '../imports/files';

// What belongs to the system works with a product that has one definition and no code.

const administrator = { email: 'admin@empty.test', password: 'Quiet#Harbour7' };
const owner = { email: 'ada@novak.test', password: 'Quiet#Harbour8' };
const member = { email: 'ben@novak.test', password: 'Quiet#Harbour9' };

let program: DemoProgram;
const as: Record<string, Client> = {};
const tokens: Record<string, string> = {};
/** Ids by the name of what was created. */
const ids: Record<string, number> = {};

beforeAll(async () => {
  program = await startDemoProgram({
    product: readProduct('examples/empty'),
    env: { DEMO: '0', ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password },
  });
  as.nobody = program.call;
  await enter('admin', '/login', administrator);
  const founder = { ...owner, first_name: 'Ada', last_name: 'Novak', site_name: 'Novak' };
  await enter('owner', '/register', founder);
});
afterAll(() => program?.close());

/** Signs in or registers, for calls as this user. */
async function enter(who: string, path: string, body: object): Promise<void> {
  const { token, user } = (await program.call<{ token: string; user: { id: number } }>('POST', path, body)).body;
  as[who] = (method, at, sent, headers) =>
    program.call(method, at, sent, { authorization: `Bearer ${token}`, ...headers });
  tokens[who] = token;
  ids[who] = user.id;
}

type Call = readonly [who: string, method: string, path: string, body?: unknown, headers?: Record<string, string>];

/** Replaces `{name}` by the id of what was created under this name. */
const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));

async function call([who, method, path, body, headers]: Call) {
  const filled = typeof body === 'function' ? (body as () => unknown)() : body;
  return as[who]!<{ data?: { id?: number }; id?: number }>(method, fill(path), filled, headers);
}

const widgets = sourceOf('widgets', { name: { required: true } }, { scope: 'company' });
/** A definition with a new label, as the studio publishes it. */
async function publish(name: string): Promise<void> {
  const { definition, version } = (
    await as.admin!<{ data: { definition: Source; version: number } }>('GET', `/modules/${name}`)
  ).body.data;
  const changed = { ...definition, labels: { ...definition.labels, many: `All ${name}` } };
  const { status, body } = await as.admin!('PUT', `/modules/${name}`, { definition: changed, version });
  expect({ status, body }).toMatchObject({ status: 200 });
}

describe('what belongs to the system works', () => {
  test.each<[what: string, call: Call, status: number, answer?: object, keep?: string]>([
    ['definitions', ['owner', 'GET', '/definitions'], 200],
    ['the own account', ['owner', 'GET', '/me'], 200, { data: { role: { level: 2 }, permissions: { notes: {} } } }],
    ['a role', ['owner', 'POST', '/roles', { role_name: 'Writer', level: 4 }], 201, undefined, 'role'],
    [
      'its permissions',
      ['owner', 'PUT', '/permissions/{role}', { modulePermission: ['notes.list', 'notes.create'] }],
      200,
    ],
    ['all permissions', ['owner', 'GET', '/permissions'], 200],
    [
      'an invitation',
      [
        'owner',
        'POST',
        '/users',
        () => ({ ...names('Ben'), email: member.email, role_id: ids.role, status_id: 1, password: member.password }),
      ],
      201,
      undefined,
      'ben',
    ],
    [
      'a user changed',
      [
        'owner',
        'PUT',
        '/users/{ben}',
        () => ({ ...names('Benno'), email: member.email, role_id: ids.role, status_id: 1 }),
      ],
      200,
    ],
    ['its history', ['owner', 'GET', '/users/{ben}/history'], 200],
    [
      'the list of users',
      ['owner', 'GET', '/users?q=benno&sort=["name","ASC"]'],
      200,
      { data: [{ first_name: 'Benno' }] },
    ],
    ['choices of a relation', ['owner', 'GET', '/users/choices/role_id'], 200],
    ['an export', ['owner', 'GET', '/users-export?format=csv'], 200],
    ['why somebody can do something', ['owner', 'GET', '/permissions/why?user_id={ben}&module=notes&action=list'], 200],
    ['a reset link', ['owner', 'POST', '/send-reset-link', () => ({ user_id: ids.ben })], 200],
    ['a company', ['owner', 'GET', '/sites'], 200, { data: [{ name: 'Novak' }] }],
    ['states of users', ['owner', 'GET', '/user-status'], 200],
    ['templates of mails', ['admin', 'GET', '/email-templates'], 200],
    ['a preview of one', ['admin', 'POST', '/email-templates/2/preview', {}], 200],
    [
      'templates of notifications',
      ['admin', 'GET', '/notification-templates'],
      200,
      ['announcement', 'record_commented', 'record_mentioned', 'record_changed', 'record_deleted'].map(
        (identifier) => ({ identifier }),
      ) as never,
    ],
    ['an announcement', ['owner', 'POST', '/notifications', { title: 'Fire drill', content: 'At noon.' }], 201],
    ['its recipients', ['owner', 'GET', '/notifications/choices/user_ids'], 200],
    ['notifications', ['owner', 'GET', '/notifications'], 200],
    ['the profile', ['owner', 'GET', '/profile/{owner}'], 200],
    ['the profile changed', ['owner', 'PUT', '/profile/{owner}', { first_name: 'Adele', last_name: 'Novak' }], 200],
    ['the own data', ['owner', 'GET', '/profile/data'], 200],
    ['a second factor', ['owner', 'GET', '/me/second-factor'], 200],
    ['sign-ins', ['owner', 'GET', '/sign-ins'], 200],
    [
      'saved columns',
      [
        'owner',
        'POST',
        '/grid-configurations',
        { name: 'users', configuration: [{ field: 'name', visibility: true, filter: false }] },
      ],
      200,
    ],
    ['jobs', ['owner', 'GET', '/jobs'], 200],
    ['waiting mail', ['admin', 'GET', '/outbox'], 200],
    ['single sign-on', ['owner', 'GET', '/single-sign-on'], 200],
    [
      'the security log',
      ['owner', 'GET', '/security-log?filter={"event":"role_created"}'],
      200,
      [{ event: 'role_created' }] as never,
    ],
    ['viewing as a role', ['owner', 'GET', '/user-status', undefined, { 'x-view-as': 'role 4' }], 200],
    ['deleted users', ['owner', 'GET', '/deleted-users'], 200],
    ['modules', ['admin', 'GET', '/modules'], 200],
    ['a plan', ['admin', 'POST', '/modules/widgets/plan', { definition: widgets }], 200],
    ['a new module', ['admin', 'POST', '/modules', { definition: widgets }], 201],
    ['a record of it', ['owner', 'POST', '/widgets', { name: 'First' }], 201, undefined, 'widget'],
    ['a record of the product', ['owner', 'POST', '/notes', { title: 'First' }], 201, undefined, 'note'],
    ['its change', ['owner', 'PUT', '/notes/{note}', { title: 'Second' }], 200],
    ['versions', ['admin', 'GET', '/modules/notes/versions'], 200],
    ['a call of the QA product', ['owner', 'GET', '/dashboard'], 404],
    ['a resource of the QA product', ['owner', 'GET', '/tasks'], 404],
  ])('%s', async (_, asked, status, answer, keep) => {
    const { body, ...response } = await call(asked);
    expect({ status: response.status, body }).toMatchObject({ status, ...(answer && { body: answer }) });
    if (keep) ids[keep] = (body.data ?? body).id!;
  });

  test('every definition can be published', async () => {
    for (const name of ['users', 'roles', 'notification-templates', 'notes']) await publish(name);
  });

  test('users are imported, and the import is listed', async () => {
    const rows = csv([
      ['First Name', 'Last Name', 'Email', 'Role'],
      ['Cleo', 'Novak', 'cleo@novak.test', 'Writer'],
    ]);
    const imported = await send(program, tokens.owner!, '/users/import', rows, {}, 'users.csv');
    expect(imported.body).toMatchObject({ success: true, imported: 1 });
    const listed = await as.owner!<{ data: object[] }>('GET', '/imports?filter={"type":"users"}');
    expect(listed.body.data).toMatchObject([{ file_name: 'users.csv', imported: 1 }]);
  });

  test('a user signs in with the granted permissions alone, and is gone once deleted', async () => {
    await enter('ben', '/login', member);
    expect((await as.ben!('GET', '/notes')).status).toBe(200);
    expect((await as.ben!('GET', '/widgets')).status).toBe(403);
    expect((await as.ben!<{ data: object[] }>('GET', '/notifications')).body.data).toMatchObject([
      { title: 'Fire drill' },
    ]);
    expect((await as.owner!('DELETE', `/users/${ids.ben}`)).status).toBe(200);
    expect((await as.ben!('GET', '/notes')).status).toBe(401);
  });

  test('no call of the API document that only reads fails', async () => {
    const { paths } = (await as.admin!<{ paths: Record<string, object> }>('GET', '/openapi.json')).body;
    const readable = Object.entries(paths).filter(([path, calls]) => 'get' in calls && !path.includes('{'));
    expect(readable.length).toBeGreaterThan(40);
    const failed: string[] = [];
    for (const [path] of readable) {
      const { status } = await as.admin!('GET', path);
      if (status >= 500) failed.push(`${path} ${status}`);
    }
    expect(failed).toEqual([]);
  });
});

test('the API document names the product that runs, and nothing of the QA product', async () => {
  const names = readdirSync('resources')
    .filter((file) => /^[a-z-]+\.json$/.test(file))
    .map((file) => file.slice(0, -'.json'.length))
    // Words of HTTP and of companies' addresses, too.
    .filter((name) => !['actions', 'attempts', 'configurations', 'results', 'states', 'status'].includes(name));
  const words = names
    .flatMap((name) => [name, name.replace(/ies$/, 'y').replace(/s$/, '')])
    .filter((name) => name !== 'country');
  const { body } = await as.admin!<{ info: object }>('GET', '/openapi.json');
  expect(body.info).toMatchObject({ title: 'Empty' });
  const found = JSON.stringify(body, null, 1)
    // A word of OpenID Connect.
    .replaceAll(/client (id|secret)/gi, '')
    .split('\n')
    .filter((line) => new RegExp(`\\b(${words.join('|').replaceAll('-', '[- ]')})\\b`, 'i').test(line));
  expect(found).toEqual([]);
});

function names(first_name: string) {
  return { first_name, last_name: 'Novak' };
}

test.each<[content: string | null, message: RegExp]>([
  ['{}', /^$/],
  [null, /^ASSAY_PRODUCT: there is no folder \S+\/nowhere$/],
  ['{ "name": ', /product\.json:1 This is not valid JSON/],
  ['{\n  "titel": "Shop" }', /product\.json:2 \/titel Unknown property "titel"\. Did you mean "title"\?/],
  ['{\n  "name": "A Shop" }', /product\.json:2 \/name "A Shop" does not have the required format/],
])('a folder with the product.json %j is read, or refused with its line', (content, message) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-shop-'));
  try {
    expect(() => readProduct(folder)).toThrow(/has no folder resources\/ with the definitions of a product$/);
    mkdirSync(join(folder, 'resources'));
    if (content !== null) writeFileSync(join(folder, 'product.json'), content);
    const read = () => readProduct(content === null ? join(folder, 'nowhere') : folder);
    if (content === '{}') expect(read()).toMatchObject({ name: basename(folder), folder: join(folder, 'resources') });
    else expect(read).toThrow(message);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a folder with code is refused by a build without it, and otherwise read with it and the JSON beside it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-shop-'));
  try {
    mkdirSync(join(folder, 'resources'));
    writeFileSync(join(folder, 'index.ts'), 'export const product = {};');
    writeFileSync(join(folder, 'product.json'), '{ "name": "shop", "title": "Corner Shop" }');
    expect(() => readProduct(folder)).toThrow(/has code in index\.ts, .* npm start -- --product FOLDER, /);
    const hooks = { praise: async () => ({}) };
    expect(readProduct(folder, { hooks })).toMatchObject({ name: 'shop', title: 'Corner Shop', hooks });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
