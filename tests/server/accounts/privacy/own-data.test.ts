// @module-tag slow
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { clearAccessCache } from '../../../../src/server/accounts/session/access-cache';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../../support/program';

let demo: DemoProgram;
beforeAll(async () => {
  demo = await startFixtureProgram();
});
afterAll(() => demo?.close());

type Row = Record<string, unknown>;
type OwnData = Record<string, Row[]> & {
  records: Record<string, Row[]>;
  records_without_access: Record<string, { id: number; created_by_you: boolean }[]>;
};

const kysely = () => demo.program.database.kysely;
const download = (call: Client) => call<OwnData>('GET', '/profile/data');
const idOf = async (call: Client) => (await call<{ data: { user: { id: number } } }>('GET', '/me')).body.data.user.id;

/** The part that tells of each table with somebody's id in it; null: why it is left out. */
const parts: Record<string, string | null> = {
  address_changes: 'profile',
  authenticators: 'authenticators',
  automation_runs: null, // records of the system
  challenges: null, // hashes that end within half an hour
  codes: null, // hashes of what was sent by mail
  comments: 'comments',
  confirmed_addresses: 'profile',
  deletions: 'deleted_records',
  files: 'files',
  grid_configurations: 'view_settings',
  history: 'changes',
  idempotency_keys: 'repeatable_calls',
  identities: 'single_sign_on',
  import_memories: 'import_mappings',
  jobs: 'jobs',
  module_drafts: 'definition_drafts',
  module_versions: 'definitions_published',
  notice_choices: 'notification_choices',
  notifications: 'notifications',
  passkeys: 'passkeys',
  presence: null, // gone within a minute
  recovery_codes: 'recovery_codes',
  security_log: 'security_log',
  service_accounts: null, // nobody: the users in whose name scripts act
  timers: 'timer',
  told_deadlines: null, // says no more than the notifications that it led to
  tokens: 'sign_ins',
  trusted_devices: 'trusted_devices',
  user_preferences: 'preferences',
  watches: 'watched_records',
  webhook_deliveries: null, // records of the system
};

test('every table that keeps something by person has its part', async () => {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.columns
    where table_schema = 'assay' and column_name = 'user_id' order by 1`.execute(kysely());
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(parts).sort());
  const { body } = await download(await demo.signIn(accounts.qa));
  for (const part of Object.values(parts)) if (part) expect(body, part).toHaveProperty(part);
});

describe('what is stored about a person', () => {
  it.each(Object.values(accounts))('%s reads all that is theirs, and nothing else', async (email) => {
    const call = await demo.signIn(email);
    const id = await idOf(call);
    const ticket = {
      type: 'issue',
      description: 'Mine.',
      urgency_id: 1,
      ...(email === accounts.admin && { site_id: 1 }),
    };
    const made = await call('POST', '/complaints', ticket);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const answer = await download(call);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="my-data.json"');
    const { body } = answer;
    expect(body.profile).toEqual([expect.objectContaining({ id, email, has_password: true })]);
    expect(body.sign_ins![0]).toHaveProperty('agent');
    expect(body.security_log!.map(({ event }) => event)).toContain('sign_in');
    expect(JSON.stringify(body)).not.toMatch(/\$argon2|"hash"|"password":|"secret"/);

    const seen = new Set<string>();
    for (const [name, definition] of demo.program.definitions.registry().definitions) {
      if (name === 'security-log') continue;
      const { rows } = await sql<{ id: number }>`
        select id from ${sql.id('public', definition.table)} where created_by = ${id}`.execute(kysely());
      const shown = (body.records[name] ?? []).map((row) => row.id);
      const bare = body.records_without_access[name]!;
      const all = new Set([...shown, ...bare.map((row) => row.id)]);
      expect(
        rows.filter((row) => !all.has(row.id)),
        name,
      ).toEqual([]);
      for (const row of bare) expect(Object.keys(row), name).toEqual(['id', 'created_at', 'created_by_you']);
      for (const one of shown.slice(0, 5)) {
        expect((await call('GET', `/${name}/${String(one)}`)).status, `${name} ${String(one)}`).toBe(200);
      }
      if (all.size > 0) seen.add(name);
    }
    expect(seen).toContain('complaints');
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from assay.history where user_id = ${id}`.execute(kysely());
    expect(body.changes).toHaveLength(rows[0]!.n);
  });

  it('tells of a colleague who changed the account what was changed, and neither address nor browser', async () => {
    const [owner, developer] = [await demo.signIn(accounts.owner), await demo.signIn(accounts.developer)];
    const id = await idOf(developer);
    const changed = await owner('PUT', `/users/${id}`, { phone_number: '+49 1234' }, { 'user-agent': 'Of the owner' });
    expect(changed.status).toBe(200);
    const { body } = await download(developer);
    const line = body.security_log!.find(({ event }) => event === 'user_changed')!;
    expect(line).toMatchObject({ by_yourself: false, address: null, agent: null, request_id: null });
    expect(body.profile_changes!.at(-1)).toMatchObject({
      by_yourself: false,
      new_values: { phone_number: '+49 1234' },
    });
    expect(JSON.stringify(body)).not.toContain('Of the owner');
  });

  it('requires a proof of identity, is recorded, runs once at a time, and cannot be read by other users', async () => {
    expect((await download(demo.call)).status).toBe(401);
    const call = await demo.signIn(accounts.manager);
    const id = await idOf(call);
    const both = await Promise.all([download(call), download(call)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 429]);
    const viewing = await call<OwnData>('GET', '/profile/data', undefined, { 'x-view-as': 'user 4' });
    expect([viewing.status, viewing.body.profile?.[0]!.id]).toEqual([200, id]);
    const { rows } =
      await sql`select from assay.security_log where event = 'data_downloaded' and user_id = ${id}`.execute(kysely());
    // Once in the list above, and twice here.
    expect(rows).toHaveLength(3);
    await demo.program.database.transaction(async (trx) => {
      await sql`update assay.tokens set proven_at = now() - interval '11 minutes' where user_id = ${id}`.execute(trx);
      await clearAccessCache(demo.program.database, trx);
    });
    expect(await download(call)).toMatchObject({ status: 403, body: { code: 'PROOF_REQUIRED' } });
  });

  it('is limited to ten downloads an hour', async () => {
    const call = await demo.signIn(accounts.external);
    let status = 200;
    for (let times = 0; status === 200 && times < 12; times++) ({ status } = await download(call));
    expect(status).toBe(429);
  });
});
