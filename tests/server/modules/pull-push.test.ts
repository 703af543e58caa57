// @module-tag slow
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import type { Module } from '../../../src/engine/studio/module';
import { formatSource } from '../../../src/engine/studio/format-source';
import { password } from '../../support/accounts';
import { sourceOf } from '../../support/definitions';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';

/** Two programs, as for trying out and for work, and a checkout with the files between them. */
interface Place {
  readonly program: DemoProgram;
  readonly admin: Client;
  readonly url: string;
}

let trial: Place;
let work: Place;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-files-'));
  cpSync('resources', folder, { recursive: true });
  [trial, work] = await Promise.all([place(), place()]);
});
afterAll(async () => {
  await trial?.program.close();
  await work?.program.close();
  rmSync(folder, { recursive: true, force: true });
});

async function place(): Promise<Place> {
  const program = await startDemoProgram();
  const admin = await program.signIn(accounts.admin);
  return { program, admin, url: await program.app.listen({ port: 0, host: '127.0.0.1' }) };
}

interface Outcome {
  readonly code: number;
  readonly out: string;
}

/** Commands that were started as `npm run` does it; further calls start what was built of them, which takes a tenth. */
const started = new Set<string>();

function command(name: 'pull' | 'push' | 'check', at: Place, args: string[] = [], env: Record<string, string> = {}) {
  const script = `resources-${name}`;
  const [program, file] = started.has(name)
    ? [process.execPath, fileURLToPath(new URL(`${script}.js`, process.env.ASSAY_THREADS))]
    : ['node_modules/.bin/tsx', `scripts/${script}.ts`];
  started.add(name);
  const account = { ASSAY_EMAIL: accounts.admin, ASSAY_PASSWORD: password };
  const options = { env: { PATH: process.env.PATH, ASSAY_URL: at.url, ...account, ...env } };
  return new Promise<Outcome>((resolve) => {
    execFile(program!, [file!, folder, ...args], options, (error, out, errors) =>
      resolve({ code: error ? Number(error.code) : 0, out: `${out}${errors}` }),
    );
  });
}

const definitionOf = async ({ admin }: Place, name: string) =>
  (await admin<{ data: Module }>('GET', `/modules/${name}`)).body.data;

async function publish(at: Place, name: string, change: (source: Source) => void) {
  const { definition, version } = await definitionOf(at, name);
  const draft = structuredClone(definition);
  change(draft);
  expect(await at.admin('PUT', `/modules/${name}`, { definition: draft, version })).toMatchObject({ status: 200 });
}

const fileOf = (name: string) => readFileSync(join(folder, `${name}.json`), 'utf8');

test('created and changed modules get from one installation to another through files', async () => {
  const crates = sourceOf(
    'crates',
    { name: {}, depot_id: { type: 'relation', to: 'depots', embed: 'depot' } },
    { scope: 'company' },
  );
  const depots = sourceOf('depots', { name: { required: true } }, { scope: 'company' });
  for (const definition of [depots, crates])
    expect(await trial.admin('POST', '/modules', { definition })).toMatchObject({ status: 201 });
  await publish(trial, 'clients', (source) => (source.fields.vat_number = { type: 'text', maxLength: 20 }));
  // A definition of the system: what differs from it is written as the product's extension.
  await publish(trial, 'users', (source) => (source.fields.badge = { type: 'text', maxLength: 9 }));
  const untouched = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

  const pulled = await command('pull', trial);
  expect(pulled).toMatchObject({ code: 0, out: expect.stringContaining('4 written, 0 were the same already.') });
  for (const name of ['New: ', 'depots.json', 'crates.json', 'Changed: ', 'clients.json', 'users.extension.json'])
    expect(pulled.out).toContain(name);
  expect(fileOf('depots')).toBe(formatSource(depots));
  const extension = JSON.parse(readFileSync('resources/users.extension.json', 'utf8')) as Source;
  const { fields } = extension;
  expect(JSON.parse(fileOf('users.extension'))).toEqual({
    ...extension,
    fields: { ...fields, badge: { type: 'text', maxLength: 9 } },
  });
  for (const [name, text] of untouched)
    if (!['clients.json', 'users.extension.json'].includes(name))
      expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  expect(await command('check', trial)).toMatchObject({ code: 0 });
  expect(await command('pull', trial)).toMatchObject({ code: 0, out: '0 written, 4 were the same already.\n' });

  const tried = await command('push', work, ['--dry-run']);
  expect(tried).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was published: this was a dry run.') });
  for (const said of [
    'depots: new',
    'Create the table depots.',
    'crates: planned once the others are there.',
    'clients: version 1 changes',
    'Add the column vat_number (text) to clients.',
  ])
    expect(tried.out).toContain(said);
  expect(work.program.program.definitions.registry().get('depots')).toBeUndefined();

  const pushed = await command('push', work);
  expect(pushed).toMatchObject({ code: 0, out: expect.stringContaining('Published crates, version 1.') });
  for (const name of ['depots', 'crates', 'clients', 'users'])
    expect((await definitionOf(work, name)).definition).toEqual((await definitionOf(trial, name)).definition);
  expect(await work.admin('POST', '/depots', { name: 'North', site_id: 1 })).toMatchObject({ status: 201 });
  expect(await command('push', work)).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to push') });
});

test('concurrent publications are not overwritten without confirmation, and neither are values lost', async () => {
  await publish(work, 'depots', (source) => (source.fields.street = { label: 'Street' }));
  const file = JSON.parse(fileOf('depots')) as Source;
  const next = { ...file, fields: { ...file.fields, name: { type: 'number' as const, integer: true } } };
  writeFileSync(join(folder, 'depots.json'), formatSource(next));

  const refused = await command('push', work, ['depots']);
  expect(refused.code).toBe(1);
  expect(refused.out).toMatch(/published version 2 on .* UTC; the file was not made from it/);
  expect(refused.out).toContain('street');
  const losing = await command('push', work, ['depots', '--overwrite']);
  expect(losing).toMatchObject({ code: 1, out: expect.stringContaining('push with --confirm') });
  expect(losing.out).toContain('! Change the column name of depots from text to integer, and keep the old column');
  expect((await definitionOf(work, 'depots')).version).toBe(2);
  expect(await command('push', work, ['depots', '--overwrite', '--confirm'])).toMatchObject({ code: 0 });
  expect((await definitionOf(work, 'depots')).definition).toEqual(next);
});

test('a connection lost while publishing leaves the result unknown: pushing again finds out', async () => {
  const crate = JSON.parse(fileOf('crates')) as Source;
  writeFileSync(join(folder, 'crates.json'), formatSource({ ...crate, labels: { one: 'Crate', many: 'All crates' } }));
  // The call arrives and is carried out; its answer does not.
  let broken = 0;
  const server = work.program.app.server;
  const breaking = (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'PUT') return;
    response.end = () => (broken++, response.destroy());
  };
  server.prependListener('request', breaking);
  const lost = await command('push', work, ['crates']);
  server.off('request', breaking);
  expect(broken).toBe(1);
  expect(lost.code).toBe(1);
  expect(lost.out).toMatch(
    /crates: The connection to .* was lost \(.*\)\. Whether crates was published is not known: push again/,
  );
  expect(lost.out).not.toMatch(/No response from|[Nn]othing was/);
  expect((await definitionOf(work, 'crates')).definition.labels.many).toBe('All crates');
  expect(await command('push', work, ['crates'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('Nothing to push'),
  });
  // What the file says is the version that it goes on from.
  writeFileSync(join(folder, 'crates.json'), formatSource(crate));
  expect(await command('push', work, ['crates'])).toMatchObject({ code: 0 });
});

test('a problem stops it at its line, and so does a missing permission', async () => {
  const broken = fileOf('crates').replace('"depots"', '"depotz"');
  writeFileSync(join(folder, 'crates.json'), broken);
  const line = broken.split('\n').findIndex((text) => text.includes('depotz')) + 1;
  const stopped = await command('push', work, ['crates']);
  expect(stopped.code).toBe(1);
  expect(stopped.out).toContain(
    `crates.json:${line} /fields/depot_id/to Unknown resource "depotz". Did you mean "depots"?`,
  );
  writeFileSync(join(folder, 'crates.json'), '{ "name": ');
  expect(await command('push', work)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/crates\.json:1 This is not valid JSON/),
  });
  writeFileSync(join(folder, 'crates.json'), broken.replace('depotz', 'depots'));

  const wrong = await command('pull', work, [], { ASSAY_PASSWORD: 'Wrong@1234' });
  expect(wrong).toMatchObject({ code: 1 });
  const owner = await command('push', work, [], { ASSAY_EMAIL: accounts.owner });
  expect(owner).toMatchObject({ code: 1, out: expect.stringContaining('administrator') });
  const nowhere = await command('pull', work, [], { ASSAY_URL: 'http://127.0.0.1:1' });
  expect(nowhere).toMatchObject({ code: 1, out: expect.stringContaining('No response from http://127.0.0.1:1') });
  expect(await command('pull', work, ['nothing'])).toMatchObject({
    code: 1,
    out: expect.stringContaining('There is no module nothing'),
  });
  expect(existsSync(join(folder, 'nothing.json'))).toBe(false);
});

interface ListedRole {
  readonly role_id: number;
  readonly role_name: string;
  readonly modulePermission: string[];
  readonly fixed: string | null;
}
type Matrix = Record<string, Record<string, string[]>>;

const rolesOf = async ({ admin }: Place) => (await admin<{ data: ListedRole[] }>('GET', '/permissions')).body.data;
const permissionsFile = () => join(folder, 'permissions', 'roles.json');
const readMatrix = () => JSON.parse(readFileSync(permissionsFile(), 'utf8')) as Matrix;
const writeMatrix = (change: (matrix: Matrix) => void) => {
  const matrix = readMatrix();
  change(matrix);
  writeFileSync(permissionsFile(), JSON.stringify(matrix, null, 2));
};

/** A role of the installation that can be changed, and what it grants of clients. */
async function aRole(at: Place): Promise<ListedRole> {
  const rows = (await at.admin<{ id: number; site_id: number | null }[]>('GET', '/roles?envelope=none&range=[0,999]'))
    .body;
  const shared = new Set(rows.filter(({ site_id }) => site_id === null).map(({ id }) => id));
  return (await rolesOf(at)).find(({ role_id, fixed }) => shared.has(role_id) && fixed === null)!;
}
async function grant(at: Place, change: (held: string[]) => string[]) {
  const { role_id, modulePermission: before } = await aRole(at);
  const answer = await at.admin('PUT', '/permissions', {
    roles: [{ role_id, before, modulePermission: change(before) }],
  });
  expect(answer).toMatchObject({ status: 200 });
}
const without = (id: string) => (held: string[]) => held.filter((one) => one !== id);

test('what roles grant gets from one installation to another, and nothing granted meanwhile is undone unasked', async () => {
  const { role_name: name, modulePermission } = await aRole(trial);
  expect(modulePermission).toContain('clients.delete');
  await grant(trial, without('clients.delete'));
  expect(await command('pull', trial, ['permissions'])).toMatchObject({
    code: 0,
    out: expect.stringContaining(join('permissions', 'roles.json')),
  });
  expect(readMatrix()[name]!.clients).not.toContain('delete');
  // The administrator's role grants everything and is no part of it.
  expect(Object.keys(readMatrix())).not.toContain((await rolesOf(trial)).find(({ fixed }) => fixed)!.role_name);
  expect((await command('check', trial)).out).not.toContain('permissions');

  const tried = await command('push', work, ['permissions', '--dry-run']);
  expect(tried).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was granted: this was a dry run.') });
  expect(tried.out).toContain(`${name}, clients: - delete`);
  expect((await aRole(work)).modulePermission).toContain('clients.delete');

  const pushed = await command('push', work, ['permissions']);
  expect(pushed).toMatchObject({ code: 0, out: expect.stringContaining(`Changed the permissions of ${name}.`) });
  expect((await aRole(work)).modulePermission.sort()).toEqual((await aRole(trial)).modulePermission.sort());
  expect((await command('push', work, ['permissions'])).out).toContain('Nothing to push');

  // Somebody grants it again there: the file does not know of that.
  await grant(work, (held) => [...held, 'clients.delete']);
  const refused = await command('push', work, ['permissions']);
  expect(refused.code).toBe(1);
  expect(refused.out).toMatch(new RegExp(`permissions/roles\\.json:\\d+ ${name} was changed there for clients\\.`));
  expect(refused.out).toContain('Pull first, or push with --overwrite.');
  expect((await aRole(work)).modulePermission).toContain('clients.delete');
  expect(await command('push', work, ['permissions', '--overwrite'])).toMatchObject({ code: 0 });
  expect((await aRole(work)).modulePermission).not.toContain('clients.delete');

  // What the file does not name stays as it is.
  const others = (held: readonly string[]) => held.filter((id) => !id.startsWith('clients.'));
  const before = (await aRole(work)).modulePermission;
  writeFileSync(permissionsFile(), JSON.stringify({ [name]: { clients: [] } }));
  expect(await command('push', work, ['permissions'])).toMatchObject({ code: 0 });
  expect((await aRole(work)).modulePermission.sort()).toEqual(others(before).sort());
});

test('a file of permissions that cannot be pushed is refused at its line, with a remedy', async () => {
  const { role_name: name } = await aRole(work);
  const before = await rolesOf(work);
  expect(await command('pull', work, ['permissions'])).toMatchObject({ code: 0 });
  const lineOf = (text: string) =>
    readFileSync(permissionsFile(), 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1;

  writeMatrix((matrix) => (matrix[name]!.clinets = ['list']));
  const module = `roles.json:${lineOf('clinets')} /${name}/clinets Unknown module "clinets". Did you mean "clients"?`;
  expect(await command('push', work, ['permissions'])).toMatchObject({ code: 1, out: expect.stringContaining(module) });
  expect(await command('check', work)).toMatchObject({ code: 1, out: expect.stringContaining(module) });

  writeMatrix((matrix) => {
    delete matrix[name]!.clinets;
    matrix[name]!.clients = ['lists'];
  });
  const action = `roles.json:${lineOf('lists')} /${name}/clients/0 Unknown action "lists". Did you mean "list"?`;
  expect(await command('push', work)).toMatchObject({ code: 1, out: expect.stringContaining(action) });
  expect(await command('check', work)).toMatchObject({ code: 1, out: expect.stringContaining(action) });

  const [fixed] = before.filter((role) => role.fixed !== null);
  writeMatrix((matrix) => {
    matrix[name]!.clients = ['list'];
    matrix.Nobody = { clients: ['list'] };
    matrix[fixed!.role_name] = { clients: ['list'] };
  });
  const roles = await command('push', work, ['permissions']);
  expect(roles.code).toBe(1);
  expect(roles.out).toContain(`roles.json:${lineOf('Nobody')} /Nobody There is no role "Nobody" at ${work.url}.`);
  expect(roles.out).toContain('Administrators of the installation always have every permission. Remove the role here.');
  for (const text of ['[]', '{"QA": []}', '{"QA": {"clients": "list"}}', '{']) {
    writeFileSync(permissionsFile(), text);
    const stopped = await command('push', work, ['permissions']);
    expect(stopped).toMatchObject({ code: 1, out: expect.stringMatching(/permissions\/roles\.json:1 /) });
  }
  expect(await rolesOf(work)).toEqual(before);
});
