import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeAbandonedCompanies } from '../../../../src/server/accounts/companies/abandoned-companies';
import { clearAccessCache } from '../../../../src/server/accounts/session/access-cache';
import { issueCode } from '../../../../src/server/accounts/session/codes';
import { startProgram, type TestProgram } from './program';

let started: TestProgram;
let address = 0;
beforeAll(async () => {
  started = await startProgram({ DEMO: '0', SMTP_URL: 'smtp://127.0.0.1:1' });
});
afterAll(() => started.close());

const password = 'Quiet#Harbour7';
const kysely = () => started.program.database.kysely;
const register = async (email: string, secret = password) => {
  const body = { first_name: 'Ada', last_name: 'Novak', site_name: 'Novak Testing', email, password: secret };
  const answer = await started.call('POST', '/register', { body, ip: `192.0.2.${++address}` });
  return answer.body as { token: string; status: boolean; user: { id: number; site_id: number } };
};
const signIn = async (email: string, secret = password) =>
  (await started.call('POST', '/login', { body: { email, password: secret } })).body as {
    status: boolean;
    user: { id: number };
  };

/** Everything of a company, and of its sign-ins, was so many hours earlier. */
async function age(site: number, hours: number): Promise<void> {
  await started.program.database.transaction(async (trx) => {
    const earlier = sql`make_interval(hours => ${hours})`;
    await sql`update sites set created_at = created_at - ${earlier} where id = ${site}`.execute(trx);
    await sql`update assay.tokens set created_at = created_at - ${earlier}, last_used_at = last_used_at - ${earlier}
      where user_id in (select id from users where site_id = ${site})`.execute(trx);
    await clearAccessCache(started.program.database, trx);
  });
}

/** In which tables something of a company, or of its people, is left. */
async function leftOf(site: number, user: number): Promise<string[]> {
  const { rows } = await sql<{ schema: string; name: string; column: string }>`
    select table_schema as schema, table_name as name, column_name as column from information_schema.columns c
    join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and column_name in ('user_id', 'site_id', 'created_by') and table_name <> 'security_log'
    and table_schema in ('public', 'assay')`.execute(kysely());
  const found = new Set<string>();
  for (const { schema, name, column } of rows) {
    const { rows: left } =
      await sql`select from ${sql.id(schema, name)} where ${sql.id(column)} = ${column === 'site_id' ? site : user} limit 1`.execute(
        kysely(),
      );
    if (left.length > 0) found.add(`${name}.${column}`);
  }
  return [...found].sort();
}

test('an unconfirmed registration is deleted with all its data after 24 hours, which frees its address', async () => {
  const first = await register('ada@novak.test');
  await age(first.user.site_id, 23);
  expect(await removeAbandonedCompanies(started.program)).toBe(0);
  expect((await signIn('ada@novak.test')).user.id).toBe(first.user.id);
  await sql`update assay.tokens set last_used_at = now() - interval '25 hours', created_at = now() - interval '25 hours'`.execute(
    kysely(),
  );
  await age(first.user.site_id, 2);
  expect(await removeAbandonedCompanies(started.program)).toBe(1);
  expect(await leftOf(first.user.site_id, first.user.id)).toEqual([]);

  const second = await register('ada@novak.test', 'Spring#Morning9');
  expect(second.status).toBe(true);
  expect((await signIn('ada@novak.test')).status).toBe(false);
  expect((await signIn('ada@novak.test', 'Spring#Morning9')).user.id).toBe(second.user.id);
  const { rows } = await sql`select subject, site_id from assay.security_log where event = 'company_removed'`.execute(
    kysely(),
  );
  expect(rows).toEqual([{ subject: 'Novak Testing', site_id: null }]);
});

test.each<[string, number, (made: Awaited<ReturnType<typeof register>>) => Promise<unknown>, number]>([
  [
    'one that is confirmed stays',
    500,
    async ({ user }) => {
      const code = await started.program.database.transaction((trx) => issueCode(trx, user.id, 'confirm'));
      expect((await started.call('POST', '/confirm-address', { body: { verification_code: code } })).body.status).toBe(
        true,
      );
    },
    0,
  ],
  ['one with records stays for a day', 25, async ({ token }) => addClient(token), 0],
  ['one with records stays for as long as its link is good', 160, async ({ token }) => addClient(token), 0],
  ['one with records that nobody used for a week goes', 170, async ({ token }) => addClient(token), 1],
])('%s', async (name, hours, prepare, removed) => {
  const made = await register(`${name.replaceAll(' ', '-')}@novak.test`);
  await prepare(made);
  await age(made.user.site_id, hours);
  expect(await removeAbandonedCompanies(started.program)).toBe(removed);
  expect((await leftOf(made.user.site_id, made.user.id)).length > 0).toBe(removed === 0);
  await sql`insert into assay.confirmed_addresses (user_id, email) select id, lower(email) from users
    where id = ${made.user.id} on conflict do nothing`.execute(kysely());
});

test('without outgoing mail, a registration with records is never deleted', async () => {
  const made = await register('files@novak.test');
  await addClient(made.token);
  await age(made.user.site_id, 1000);
  const settings = { ...started.program.settings, smtpUrl: undefined };
  expect(await removeAbandonedCompanies({ ...started.program, settings })).toBe(0);
});

async function addClient(token: string): Promise<void> {
  const body = {
    name: 'Client',
    code: 'C',
    email: 'client@novak.test',
    territory_id: 1,
    city: 'Oslo',
    address: 'x',
    post_code: '1',
  };
  const answer = await started.call('POST', '/studios', { token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
}
