// @module-tag slow
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { password } from '../../../support/accounts';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../../support/program';

let demo: DemoProgram;
let owner: Client;
let admin: Client;
let developer: Client;
let id: number;

/** Whatever tells who somebody was: both last names that she had, her address, her telephone. */
const traces = /Quixotic|Windmiller|zelda|5550199/i;

async function made(call: Client, path: string, body: object): Promise<number> {
  const { status, body: answer } = await call<{ data?: { id: number }; id?: number }>('POST', path, body);
  if (status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return (answer.data?.id ?? answer.id)!;
}

beforeAll(async () => {
  demo = await startFixtureProgram();
  [owner, admin, developer] = await Promise.all([
    demo.signIn(accounts.owner),
    demo.signIn(accounts.admin),
    demo.signIn(accounts.developer),
  ]);
  const email = 'zelda@quixotic.test';
  const who = { first_name: 'Zelda', last_name: 'Quixotic', email, phone_number: '+49 5550199', password };
  const created = await owner<{ data: { id: number } }>(
    'POST',
    '/users',
    { ...who, role_id: 3, status_id: 1 },
    { 'idempotency-key': 'made once' },
  );
  id = created.body.data.id;
  const zelda = await demo.signIn(email);
  await made(zelda, '/complaints', { type: 'issue', description: 'It is broken.', urgency_id: 1 });
  const { body } = await developer<{ data: { user: { id: number } } }>('GET', '/me');
  const { rows } = await sql<{
    id: number;
  }>`select t.id from shots t join films__user_ids p on p.record_id = t.film_id and p.target_id = ${body.data.user.id}
    where t.operator_id is distinct from ${body.data.user.id} order by t.id limit 1`.execute(
    demo.program.database.kysely,
  );
  const assigned = await zelda('PUT', `/shots/${rows[0]!.id}`, { operator_id: body.data.user.id });
  expect(assigned).toMatchObject({ status: 200 });
  await sql`insert into assay.identities (provider_id, issuer, subject, user_id, email)
    values (1, 'https://issuer.test', 'zelda-1', ${id}, ${email})`.execute(demo.program.database.kysely);
  expect((await owner('PUT', `/users/${id}`, { last_name: 'Windmiller' })).status).toBe(200);
  await made(zelda, '/views', { name: 'Films of Windmiller', module: 'films', settings: {} });
  await made(zelda, '/pages', { name: 'Page of Windmiller', tiles: [] });
  await made(zelda, '/snippets', { title: 'Greeting', text: '<p>Yours, Zelda Windmiller</p>' });
  await sql`with deleted as (insert into assay.deletions (resource, record_id, site_id, user_id)
      values ('complaints', 999999, 1, 2) returning id, site_id)
    insert into assay.deleted_rows (site_id, deletion_id, source, part, row)
    select site_id, id, 'public.complaints', 'own', '{"name": "Zelda Quixotic"}' from deleted`.execute(
    demo.program.database.kysely,
  );
  const profile = await zelda<{ data: object }>('GET', `/profile/${id}`);
  expect(profile.status).toBe(200);
});
afterAll(() => demo?.close());

/** The tables of which a row holds a trace. */
async function tablesWithTraces(): Promise<string[]> {
  const { kysely } = demo.program.database;
  const { rows: tables } = await sql<{ schema: string; name: string }>`select table_schema as schema, table_name as name
    from information_schema.tables where table_schema in ('public', 'assay') and table_type = 'BASE TABLE' order by 2`.execute(
    kysely,
  );
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: unknown }>`select to_jsonb(t) as row from ${sql.id(schema, name)} t`.execute(
      kysely,
    );
    if (rows.some(({ row }) => traces.test(JSON.stringify(row)))) found.push(name);
  }
  return found;
}

/** Everything that the company's owner may read, by path: lists, choices, exports, history, notifications. */
async function views(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const paths = ['/notifications', '/outbox', '/jobs', `/users/${id}/history?names=1`];
  for (const { name, menu } of demo.program.definitions.registry().definitions.values()) {
    // Its lines cannot be changed by anybody: they go by age.
    if (name === 'security-log') continue;
    paths.push(`/${name}`, `/${name}-export?format=csv`);
    if (menu === undefined) paths.push(`/${name}/choices`);
  }
  const { rows } = await sql<{ resource: string; record_id: number }>`
    select distinct resource, record_id from assay.history where user_id = ${id}`.execute(demo.program.database.kysely);
  for (const row of rows)
    paths.push(`/${row.resource}/${row.record_id}`, `/${row.resource}/${row.record_id}/history?names=1`);
  for (const path of paths) found.set(path, JSON.stringify((await owner('GET', path)).body));
  found.set('/complaints of the installation', JSON.stringify((await admin('GET', '/complaints')).body));
  found.set('/notifications of a colleague', JSON.stringify((await developer('GET', '/notifications')).body));
  return found;
}

const withTraces = (seen: ReadonlyMap<string, string>) =>
  [...seen].filter(([, text]) => traces.test(text)).map(([path]) => path);
const erase = (call: Client, user_id: unknown = id) => call<{ message: string }>('POST', '/erase-person', { user_id });

it('refuses to erase a user who is not deleted or of another company, and callers without permission', async () => {
  expect((await erase(owner)).status).toBe(409);
  const waiting = async (call: Client) =>
    (await call<{ data?: { id: number; deleted_by: string }[] }>('GET', '/deleted-users')).body.data;
  expect(await waiting(owner)).not.toContainEqual(expect.objectContaining({ id }));
  expect((await owner('DELETE', `/users/${id}`)).status).toBe(200);
  expect(await waiting(owner)).toContainEqual(
    expect.objectContaining({ id, name: 'Zelda Windmiller', deleted_by: expect.any(String) }),
  );
  expect((await waiting(admin))!.map((user) => user.id)).toContain(id);
  expect(await waiting(await demo.signIn(accounts.harbour))).toEqual([]);
  for (const call of [developer, await demo.signIn(accounts.manager)])
    expect((await call('GET', '/deleted-users')).status).toBe(403);
  expect((await erase(await demo.signIn(accounts.harbour))).status).toBe(404);
  expect((await erase(await demo.signIn(accounts.manager))).status).toBe(403);
  expect((await erase(demo.call)).status).toBe(401);
  expect((await erase(owner, 'all')).status).toBe(422);
  expect((await erase(admin, 999_999)).status).toBe(404);
  const kept = withTraces(await views());
  for (const table of [
    ...['users', 'history', 'complaints', 'notifications', 'idempotency_keys', 'security_log'],
    ...['views', 'pages', 'snippets', 'deleted_rows'],
  ])
    expect(await tablesWithTraces()).toContain(table);
  for (const part of ['/notifications', '/complaints', '/shots/']) {
    expect(
      kept.some((path) => path.startsWith(part)),
      part,
    ).toBe(true);
  }
});

it('requires a recent proof of identity', async () => {
  const stale = await signInUnproven();
  expect(await erase(stale)).toMatchObject({ status: 403, body: { code: 'PROOF_REQUIRED' } });
});

async function signInUnproven(): Promise<Client> {
  const call = await demo.signIn(accounts.owner);
  const { kysely } = demo.program.database;
  await sql`update assay.tokens set proven_at = now() - interval '11 minutes'
    where id = (select max(id) from assay.tokens)`.execute(kysely);
  return call;
}

it('leaves neither name nor address anywhere that the owner of the company looks, and is recorded', async () => {
  const { status, body } = await erase(owner);
  expect({ status, body }).toMatchObject({ status: 200, body: { status: true } });
  expect(body.message).toContain(`Former user ${id}`);
  const seen = await views();
  expect(withTraces(seen)).toEqual([]);
  expect([...seen.values()].join('')).toContain(`Former user ${id}`);
  // The log is append-only: it goes by age.
  expect(await tablesWithTraces()).toEqual(['security_log']);
  const { rows: lines } =
    await sql`select subject, user_id from assay.security_log where event = 'user_erased'`.execute(
      demo.program.database.kysely,
    );
  expect(lines).toEqual([{ subject: `Former user ${id}`, user_id: expect.any(Number) as number }]);
  expect((await erase(admin)).status).toBe(200);
  expect(JSON.stringify((await owner('GET', '/deleted-users')).body)).not.toContain(`"id":${id},`);
});

it('an administrator who published a definition is not named by its versions any more', async () => {
  const who = { first_name: 'Zelda', last_name: 'Quixotic', email: 'zelda@quixotic.test', password };
  const other = await made(admin, '/users', { ...who, role_id: 1, status_id: 1 });
  const zelda = await demo.signIn(who.email);
  const definition = { name: 'probes', labels: { one: 'Probe', many: 'Probes' }, fields: { name: { type: 'text' } } };
  expect((await zelda('POST', '/modules', { definition })).status).toBe(201);
  const versions = async () => JSON.stringify((await admin('GET', '/modules/probes/versions')).body);
  expect(await versions()).toContain('Zelda');
  expect((await admin('DELETE', `/users/${other}`)).status).toBe(200);
  expect((await erase(owner, other)).status).toBe(404);
  expect((await erase(admin, other)).status).toBe(200);
  expect(await versions()).toContain(`Former user ${other}`);
  expect(await tablesWithTraces()).toEqual(['security_log']);
});
