import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { openDatabaseProxy, type ConnectionCut, type DatabaseProxy } from '../../support/database-proxy';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

let own: TestDatabase;
let proxy: DatabaseProxy;
let demo: DemoProgram;
let admin: Client;
beforeAll(async () => {
  own = await createTestDatabase(inject('fixture'));
  proxy = await openDatabaseProxy(own.url);
  demo = await startFixtureProgram({ database: { ...own, url: proxy.url } });
  admin = await demo.signIn(accounts.admin);
});
afterAll(async () => {
  await demo.close();
  await proxy.close();
  await own.close();
});

const count = async (statement: string): Promise<number> =>
  Number((await own.database.pool.query(`select count(*) as n from ${statement}`)).rows[0].n);

interface Case {
  name: string;
  call: (label: string) => Parameters<Client>;
  /** What is there where the call was stored. */
  stored: (label: string) => string;
  cut: ConnectionCut;
  expected: { code: string; stored: boolean };
}

const created = (label: string): Parameters<Client> => ['POST', '/projectors', { option_name: label }];
const isCreated = (label: string) => `projectors where option_name = '${label}'`;
const changed = (label: string): Parameters<Client> => ['PUT', '/projectors/1', { option_name: label }];
const asked = (label: string): Parameters<Client> => ['PATCH', '/shot/1', { comments: label, status_id: 2 }];
const isAsked = (label: string) => `shot_notes where comments like '%${label}%'`;
const unknown = (stored: boolean) => ({ code: 'OUTCOME_UNKNOWN', stored });
const undone = { code: 'UNAVAILABLE', stored: false };
const insert = /insert into "public"."projectors"/i;
const comment = /insert into "public"."shot_notes"/i;
const update = /update "public"."projectors"/i;

describe('a connection that is lost during a write', () => {
  test.each<Case>([
    {
      name: 'a statement on its own that never arrived',
      call: created,
      stored: isCreated,
      cut: { at: insert, when: 'before' },
      expected: unknown(false),
    },
    {
      name: 'a statement on its own without its answer',
      call: created,
      stored: isCreated,
      cut: { at: insert, when: 'after' },
      expected: unknown(true),
    },
    {
      name: 'a statement on its own, its session ended',
      call: created,
      stored: isCreated,
      cut: { at: insert, when: 'terminated' },
      expected: unknown(true),
    },
    {
      name: 'a change on its own that never arrived',
      call: changed,
      stored: isCreated,
      cut: { at: update, when: 'before' },
      expected: unknown(false),
    },
    {
      name: 'a change on its own without its answer',
      call: changed,
      stored: isCreated,
      cut: { at: update, when: 'after' },
      expected: unknown(true),
    },
    {
      name: 'within a transaction',
      call: asked,
      stored: isAsked,
      cut: { at: comment, when: 'after' },
      expected: undone,
    },
    {
      name: 'within a transaction, its session ended',
      call: asked,
      stored: isAsked,
      cut: { at: comment, when: 'terminated' },
      expected: undone,
    },
    {
      name: 'a commit that never arrived',
      call: asked,
      stored: isAsked,
      cut: { at: /^commit/i, after: comment, when: 'before' },
      expected: unknown(false),
    },
    {
      name: 'a commit without its answer',
      call: asked,
      stored: isAsked,
      cut: { at: /^commit/i, after: comment, when: 'after' },
      expected: unknown(true),
    },
    {
      name: 'a commit, its session ended',
      call: asked,
      stored: isAsked,
      cut: { at: /^commit/i, after: comment, when: 'terminated' },
      expected: unknown(true),
    },
  ])('$name: $expected.code, stored $expected.stored', async ({ name, call, stored, cut, expected }) => {
    const label = `Cut ${name}`;
    const happened = proxy.cut(cut);
    const answer = await admin<{ code: string; message: string }>(...call(label));
    await happened;
    expect([answer.status, answer.body.code]).toEqual([503, expected.code]);
    expect(answer.headers['retry-after']).toBeDefined();
    const claims = answer.body.message.includes('Nothing was changed');
    expect(claims).toBe(expected.code === 'UNAVAILABLE');
    if (!claims) expect(answer.body.message).toMatch(/may or may not have been saved. Reload and check/);
    expect((await count(stored(label))) > 0).toBe(expected.stored);
  });

  test('a list gets 503, without a claim about changes', async () => {
    const happened = proxy.cut({ at: /from "public"."projectors"/, when: 'before' });
    const answer = await admin<{ code: string; message: string }>('GET', '/projectors?filter={"id":[1,2,3]}');
    await happened;
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The database cannot be reached at the moment. Please try again in a moment.',
    });
  });
});
