import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { createServiceAccount, type ServiceAccount } from '../../support/service-account';
import { csv, send } from './files';

type Row = Record<string, unknown> & { id: number };
type Job = { id: number; state: string; message: string; user: { name: string }; result: { import_id: number } };

let program: DemoProgram;
let owner: Client;
let account: ServiceAccount;
let limited: ServiceAccount;
let films: Row[];
let scenes: Row[];
let count = 0;

const types = ['screenings', 'shots', 'users'] as const;
type Type = (typeof types)[number];

beforeAll(async () => {
  program = await startFixtureProgram();
  owner = await program.signIn(accounts.owner);
  account = await createServiceAccount(program, owner);
  // Nobody gives a new user a role with more permissions than they have themselves.
  const { body } = await owner<{ data: { role_id: number; modulePermission: string[] }[] }>('GET', '/permissions');
  const scopes = body.data.find((role) => role.role_id === 2)!.modulePermission.filter((id) => id !== 'imports.list');
  limited = await createServiceAccount(program, owner, { limited: true, scopes });
  films = (await owner<Row[]>('GET', '/films?envelope=none')).body;
  scenes = (await owner<Row[]>('GET', '/scenes?is_parent=1&envelope=none')).body;
});
afterAll(() => program?.close());

/** A file with two new records of a type, and their titles. */
function fileOf(type: Type) {
  const titles = [`Imported ${++count}`, `Imported ${++count}`];
  const [{ film_id: film, name: scene }] = scenes as [Row];
  const given: Record<string, string> = type === 'users' ? {} : { film_id: String(film) };
  const rows = {
    screenings: [['Title'], ...titles.map((title) => [title])],
    shots: [['Name', 'Scene'], ...titles.map((title) => [title, scene])],
    users: [
      ['First Name', 'Last Name', 'Email', 'Role'],
      ...titles.map((title) => [title, 'Person', `${title.replace(' ', '')}@demo.test`, 'QA']),
    ],
  }[type];
  return { titles, given, file: csv(rows) };
}

const importFile = (by: ServiceAccount, type: Type, query: string, headers?: Record<string, string>) => {
  const { titles, given, file } = fileOf(type);
  const path = `/${type}/import${query}`;
  return { titles, answer: send(program, by.token, path, file, given, 'rows.csv', headers) };
};

/** The records of these titles, which the account created, as their histories say. */
async function expectCreated(type: Type, titles: readonly string[], name: string) {
  for (const title of titles) {
    const found = await owner<{ data: Row[] }>('GET', `/${type}?q=${encodeURIComponent(title)}`);
    const [record] = found.body.data;
    expect(record, `${type} ${title}`).toBeDefined();
    const history = await owner<{ data: object[] }>('GET', `/${type}/${record!.id}/history`);
    expect(history.body.data.at(-1)).toMatchObject({ event: 'created', user: { name } });
  }
}

describe.each(types)('%s are imported by a service account', (type) => {
  test.each(['without scopes', 'with the scopes of imports'])('%s that waits for the end', async (kind) => {
    const by = kind === 'without scopes' ? account : limited;
    const { titles, answer } = importFile(by, type, '?wait=1');
    expect(await answer).toMatchObject({ status: 200, body: { success: true, imported: 2 } });
    await expectCreated(type, titles, by.name);
  });

  test('in a job, which stands in its name in the lists of jobs and imports', async () => {
    const { titles, answer } = importFile(account, type, '', { accept: 'application/json; jobs=1' });
    const { status, body } = (await answer) as unknown as { status: number; body: { data: { job: number } } };
    expect(status, JSON.stringify(body)).toBe(202);
    const job = async (call: Client) => (await call<{ data: Job }>('GET', `/jobs/${body.data.job}`)).body.data;
    await expect.poll(async () => (await job(account.call)).state).toMatch(/done|failed/);
    const ended = await job(owner);
    expect(ended).toMatchObject({ state: 'done', user: { name: account.name }, result: { imported: 2 } });
    const line = await owner<{ data: object }>('GET', `/imports/${ended.result.import_id}`);
    expect(line.body.data).toMatchObject({ state: 'done', imported: 2, user: { name: account.name } });
    await expectCreated(type, titles, account.name);
  });

  test('of which a preview promises what is stored', async () => {
    expect(await importFile(account, type, '?preview=1').answer).toMatchObject({
      status: 200,
      body: { total: 2, ready: 2, failed: 0 },
    });
  });
});

test('an account without the scope of imports, or of the type, cannot import', async () => {
  for (const scopes of [['screenings.create'], ['imports.create']]) {
    const by = await createServiceAccount(program, owner, { limited: true, scopes });
    for (const query of ['', '?wait=1', '?preview=1'])
      expect((await importFile(by, 'screenings', query).answer).status, `${scopes.join()} ${query}`).toBe(403);
    const sample = await by.call('GET', `/imports/screenings/download-sample?film_id=${films[0]!.id}`);
    expect(sample.status, scopes.join()).toBe(scopes.includes('imports.create') ? 403 : 200);
  }
});
