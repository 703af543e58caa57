import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../../../src/server/http/app';
import { openDatabase } from '../../../../src/server/database/database';
import { clearAccessCache } from '../../../../src/server/accounts/session/access-cache';
import { startProgram, type TestProgram } from './program';

let started: TestProgram;
beforeAll(async () => {
  started = await startProgram();
});
afterAll(() => started.close());

const password = 'Demo@1234';
const own = { 'x-session': 'renewable', origin: 'http://localhost:3000' };

interface Session {
  token: string;
  id: number;
  /** `name=value` of the cookie. */
  cookie: string;
}

const inject = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  headers: Record<string, string>,
  body?: object,
) => started.app.inject({ method, url: `/api${path}`, headers, payload: body });

async function signIn(account = 'manager', headers: Record<string, string> = own): Promise<Session> {
  const answer = await inject('POST', '/login', headers, { email: `${account}@demo.test`, password });
  const { token, sign_in_id, expires_in } = answer.json();
  expect(expires_in).toBe(900);
  return { token, id: sign_in_id, cookie: String(answer.headers['set-cookie']).split(';')[0]! };
}

const renew = ({ cookie, id }: Pick<Session, 'cookie' | 'id'>, headers: Record<string, string> = own) =>
  inject('POST', '/session/renew', { ...headers, cookie }, { sign_in_id: id });

async function renewed(session: Session): Promise<Session> {
  const answer = await renew(session);
  expect(answer.statusCode).toBe(200);
  const set = answer.headers['set-cookie'];
  return { ...session, token: answer.json().token, ...(set && { cookie: String(set).split(';')[0]! }) };
}

const me = async (token: string) => (await inject('GET', '/me', { authorization: `Bearer ${token}` })).statusCode;

/** Moves what is stored of a sign-in into the past. */
async function age(id: number, columns: Record<string, number>): Promise<void> {
  const { database } = started.program;
  const values = Object.fromEntries(
    Object.entries(columns).map(([name, minutes]) => [name, new Date(Date.now() - minutes * 60_000)]),
  );
  await database.transaction(async (trx) => {
    await trx.withSchema('assay').updateTable('tokens').set(values).where('id', '=', id).execute();
    await clearAccessCache(database, trx);
  });
}

describe("a browser's sign-in", () => {
  test('has a cookie only for renewal, which scripts cannot read and other sites cannot send', async () => {
    const answer = await inject('POST', '/login', own, { email: 'manager@demo.test', password });
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/^assay_session_3000=[\w-]{43}\.[\w-]{43}; /);
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/api/session', 'Max-Age=2592000']) {
      expect(cookie.split('; ')).toContain(part);
    }
    expect(cookie).not.toContain('Secure');
    expect(answer.body).not.toContain(cookie.split(/[=;]/)[1]!);
  });

  test('has a Secure cookie if the public URL is encrypted', async () => {
    const { program } = started;
    const settings = { ...program.settings, publicUrl: 'https://assay.example.test' };
    const app = await buildApp({ ...program, settings }, { appFolder: 'none' });
    const headers = { 'x-session': 'renewable', origin: 'https://assay.example.test' };
    const payload = { email: 'manager@demo.test', password };
    const answer = await app.inject({ method: 'POST', url: '/api/login', headers, payload });
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Secure-assay_session=.*; Secure/);
    await app.close();
  });

  test('a script that signs in gets a token for twelve hours, and no cookie', async () => {
    const answer = await inject('POST', '/login', {}, { email: 'manager@demo.test', password });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.json()).not.toHaveProperty('expires_in');
    const { kysely } = started.program.database;
    const row = await kysely
      .withSchema('assay')
      .selectFrom('tokens')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect([row.expires_at, row.renewal_hash]).toEqual([null, null]);
    await age(row.id as number, { last_used_at: 12 * 60 - 1, created_at: 30 * 24 * 60 - 1 });
    expect(await me(answer.json().token)).toBe(200);
    await age(row.id as number, { created_at: 30 * 24 * 60 + 1 });
    expect(await me(answer.json().token)).toBe(401);
  });

  test('registration and sign-out support it too', async () => {
    const values = {
      first_name: 'Ada',
      last_name: 'Novak',
      site_name: 'Novak',
      email: 'ada@novak.test',
      password: 'Quiet#Harbour7',
    };
    const answer = await inject('POST', '/register', own, values);
    const { token, sign_in_id } = answer.json();
    const cookie = String(answer.headers['set-cookie']).split(';')[0]!;
    const out = await inject('POST', '/logout', { ...own, authorization: `Bearer ${token}` });
    expect(String(out.headers['set-cookie'])).toMatch(/^assay_session_3000=; Max-Age=0; Path=\/api\/session/);
    expect((await renew({ cookie, id: sign_in_id })).statusCode).toBe(401);
  });
});

describe('a short-lived token', () => {
  test('expires exactly, though it is cached', async () => {
    const session = await signIn();
    const { database } = started.program;
    const expires_at = new Date(Date.now() + 700);
    await database.transaction(async (trx) => {
      await trx.withSchema('assay').updateTable('tokens').set({ expires_at }).where('id', '=', session.id).execute();
      await clearAccessCache(database, trx);
    });
    expect(await me(session.token)).toBe(200);
    await expect.poll(() => me(session.token), { interval: 50 }).toBe(401);
    expect(Date.now()).toBeGreaterThanOrEqual(expires_at.getTime());
    expect(await me((await renewed(session)).token)).toBe(200);
  });

  test('stays valid until its expiry after the next one was issued, for requests on their way', async () => {
    const first = await signIn();
    const second = await renewed(first);
    expect([await me(first.token), await me(second.token)]).toEqual([200, 200]);
    await age(first.id, { former_expires_at: 0.01 });
    expect([await me(first.token), await me(second.token)]).toEqual([401, 200]);
  });

  test('many renewals belong to one sign-in', async () => {
    const first = await signIn('qa');
    const second = await renewed(await renewed(first));
    const { data } = (await inject('GET', '/sign-ins', { authorization: `Bearer ${second.token}` })).json();
    expect(data.filter(({ id }: { id: number }) => id === first.id)).toEqual([
      expect.objectContaining({ current: true }),
    ]);
  });
});

describe('POST session/renew', () => {
  test('two tabs that renew at the same moment both continue, with one cookie', async () => {
    const session = await signIn();
    const answers = await Promise.all([renew(session), renew(session), renew(session)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const cookies = answers.flatMap(({ headers }) => headers['set-cookie'] ?? []);
    expect(cookies).toHaveLength(1);
    const next = await renewed({ ...session, cookie: cookies[0]!.split(';')[0]! });
    expect(await me(next.token)).toBe(200);
  });

  test('two servers on one database do the same', async () => {
    const session = await signIn();
    const database = openDatabase(started.test.url, pino({ level: 'silent' }));
    const other = await buildApp({ ...started.program, database }, { appFolder: 'none' });
    const headers = { ...own, cookie: session.cookie };
    const elsewhere = () =>
      other.inject({ method: 'POST', url: '/api/session/renew', headers, payload: { sign_in_id: session.id } });
    const answers = await Promise.all([renew(session), elsewhere()]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const [one] = answers.flatMap(({ headers: sent }) => sent['set-cookie'] ?? []);
    const next = await renewed({ ...session, cookie: one!.split(';')[0]! });
    await age(session.id, { renewed_at: 1 });
    expect((await elsewhere()).statusCode).toBe(401);
    await expect.poll(() => me(next.token)).toBe(401);
    await other.close();
    await database.close();
  });

  test.each<[string, number]>([
    ['the former cookie', 1],
    ['one from long ago', 2],
  ])('%s ends the sign-in of whoever has the new one', async (_, renewals) => {
    const stolen = await signIn();
    let last = stolen;
    for (let i = 0; i < renewals; i++) last = await renewed(last);
    await age(stolen.id, { renewed_at: 0.6 });
    const answer = await renew(stolen);
    expect(answer.statusCode).toBe(401);
    expect(String(answer.headers['set-cookie'])).toContain('Max-Age=0');
    expect([await me(last.token), (await renew(last)).statusCode]).toEqual([401, 401]);
  });

  test.each<[string, Record<string, number>]>([
    ['after twelve hours without use', { last_used_at: 12 * 60 + 1 }],
    ['after thirty days', { created_at: 30 * 24 * 60 + 1 }],
  ])('%s nothing is renewed', async (_, columns) => {
    const session = await signIn();
    await age(session.id, columns);
    expect((await renew(session)).statusCode).toBe(401);
    expect(await me(session.token)).toBe(401);
  });

  test('does not count as use of the sign-in', async () => {
    const session = await signIn();
    await age(session.id, { last_used_at: 12 * 60 - 1 });
    await renewed(session);
    await age(session.id, { last_used_at: 12 * 60 + 1 });
    expect((await renew(session)).statusCode).toBe(401);
  });

  type Change = (session: Session) => Promise<unknown>;
  const users = () => started.program.database.kysely.updateTable('users').where('email', '=', 'developer@demo.test');
  test.each<[string, Change, Change]>([
    ['a sign-out', ({ token }) => inject('POST', '/logout', { authorization: `Bearer ${token}` }), async () => {}],
    [
      'an end from elsewhere',
      async ({ id }) => {
        const { token } = await signIn('developer');
        return inject('DELETE', `/sign-ins/${id}`, { authorization: `Bearer ${token}` });
      },
      async () => {},
    ],
    ['a suspension', () => users().set({ status_id: 3 }).execute(), () => users().set({ status_id: 1 }).execute()],
    [
      'a deletion',
      () => users().set({ deleted_at: new Date() }).execute(),
      () => users().set({ deleted_at: null }).execute(),
    ],
  ])('%s ends it', async (_, change, restore) => {
    const session = await signIn('developer');
    await change(session);
    const answer = await renew(session);
    await restore(session);
    expect(answer.statusCode).toBe(401);
    expect((await renew(session)).statusCode).toBe(401);
  });

  test.each<[string, Record<string, string>, number]>([
    ['without the header', { origin: own.origin }, 403],
    ['from another site', { ...own, origin: 'https://evil.test' }, 403],
    ['from another port', { ...own, origin: 'http://localhost:3001' }, 403],
    ['from a page without an origin', { ...own, origin: 'null' }, 403],
    ['from the host that is asked', { ...own, origin: 'http://assay.test:81', host: 'assay.test:81' }, 200],
    ['from a program without an origin', { 'x-session': 'renewable' }, 200],
  ])('%s: %j → %i', async (_, headers, status) => {
    const session = await signIn();
    const answer = await renew(session, headers);
    expect(answer.statusCode).toBe(status);
    if (status === 403) expect((await renew(session)).statusCode).toBe(200);
  });

  test.each<[string, (session: Session, other: Session) => { cookie: string; id: number }]>([
    ['no cookie', ({ id }) => ({ cookie: '', id })],
    ['a made-up cookie', ({ id }) => ({ cookie: `assay_session_3000=${'x'.repeat(43)}.${'y'.repeat(43)}`, id })],
    ['a broken cookie', ({ id }) => ({ cookie: 'assay_session_3000=%E0%A4%A', id })],
    ["another person's cookie", ({ id }, other) => ({ cookie: other.cookie, id })],
  ])('with %s nobody gets a token, and nobody loses one', async (_, send) => {
    const [session, other] = [await signIn(), await signIn('qa')];
    const answer = await renew(send(session, other));
    expect([answer.statusCode, answer.json().token]).toEqual([401, undefined]);
    expect([(await renew(session)).statusCode, (await renew(other)).statusCode]).toEqual([200, 200]);
  });

  test('the secret is not stored anywhere', async () => {
    const session = await signIn();
    const rows = await started.program.database.kysely.withSchema('assay').selectFrom('tokens').selectAll().execute();
    const text = JSON.stringify(rows);
    for (const part of session.cookie.split('=')[1]!.split('.')) expect(text).not.toContain(part);
  });
});
