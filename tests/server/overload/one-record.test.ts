// @module-tag slow
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { currentRequest } from '../../../src/server/requests/current-request';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

interface Case {
  readonly id: number;
  readonly operator: { readonly id: number };
}

let own: TestDatabase;
let demo: DemoProgram;
let people: Client[];
let record: Case;
beforeAll(async () => {
  own = await createTestDatabase(inject('fixture'));
  demo = await startFixtureProgram({ database: own });
  people = await Promise.all([accounts.owner, accounts.manager, accounts.qa].map((email) => demo.signIn(email)));
  const { body } = await people[0]!<{ data: Case[] }>('GET', '/screenings?range=[0,14]&sort_by=-id');
  record = body.data.find(({ operator }) => operator)!;
});
afterAll(async () => {
  await demo.close();
  await own.close();
});

const comment = (person: Client, text: string) =>
  person('PATCH', `/screening/${record.id}`, { status_id: 2, operator_id: record.operator.id, comments: text });

/** The statements that requests send while something is done, and on how many connections at once at most. */
async function watched(act: () => Promise<unknown>): Promise<{ statements: string[]; connections: number }> {
  const statements: string[] = [];
  let connections = 0;
  /** How many statements of requests each connection has not answered yet. */
  const unanswered = new Map<unknown, number>();
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  const { query } = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  sent.mockRestore();
  const spy = vi.spyOn(pg.Client.prototype as unknown as { query: typeof query }, 'query').mockImplementation(function (
    this: unknown,
    ...args
  ) {
    const result = query.apply(this, args);
    // Work in the background belongs to no request.
    if (!currentRequest()) return result;
    statements.push(typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text);
    unanswered.set(this, (unanswered.get(this) ?? 0) + 1);
    connections = Math.max(connections, unanswered.size);
    const answered = () => {
      const left = unanswered.get(this)! - 1;
      if (left === 0) unanswered.delete(this);
      else unanswered.set(this, left);
    };
    Promise.resolve(result).then(answered, answered);
    return result;
  });
  try {
    await act();
  } finally {
    spy.mockRestore();
  }
  return { statements, connections };
}

test('a comment takes seven statements, and locks its record only against deletion', async () => {
  for (let time = 0; time < 3; time++) expect((await comment(people[2]!, 'Looked at')).status).toBe(200);
  const { statements } = await watched(() => comment(people[2]!, 'Looked at again'));
  const own = statements.filter((text) => !text.includes('pg_notify'));
  expect(own).toHaveLength(7);
  expect(
    own.filter((text) => /\bfor (key share|share|(no key )?update)\b/.test(text)).map((text) => text.slice(-18)),
  ).toEqual(['for key share of t']);
});

test('forty concurrent comments on one record are all stored, and use few connections', async () => {
  const texts = Array.from({ length: 40 }, (_, at) => `At once ${at}`);
  let statuses: number[] = [];
  const { statements, connections } = await watched(async () => {
    const answers = await Promise.all(texts.map((text, at) => comment(people[at % people.length]!, text)));
    statuses = answers.map(({ status }) => status);
  });
  expect(new Set(statuses)).toEqual(new Set([200]));
  // Of twenty: three for the comments, others for what is told to other servers and read of who calls.
  expect(connections).toBeLessThanOrEqual(8);
  expect(statements.filter((text) => !text.includes('pg_notify')).length).toBeLessThanOrEqual(10 * texts.length);
  const path = `/screening-notes?screening_id=${record.id}&range=[0,99]`;
  const { body } = await people[0]!<{ comments: string }[]>('GET', path);
  const stored = new Set(body.map(({ comments }) => comments));
  expect(texts.filter((text) => !stored.has(text))).toEqual([]);
});

/** What a write sends: `write`, `look` at a row, `hold` it, `check`, `answer`, the ends of a transaction, and others. */
function kindOf(text: string): string {
  if (/\b(insert into|update) "public"/.test(text)) return 'write';
  if (/\bfor (no key )?update\b/.test(text)) return 'hold';
  if (text.includes('"row version"')) return 'look';
  if (/^(begin|start transaction|commit|rollback)/.test(text)) return text.split(/[ ;]/)[0]!;
  return text.startsWith('select exists') ? 'check' : /^select "t"\./.test(text) ? 'answer' : 'other';
}

test('an ordinary create takes one statement, and an ordinary update two', async () => {
  const [owner] = people as [Client];
  const { body } = await owner<{ data: Record<string, unknown> }>('GET', `/screenings/${record.id}`);
  const { film_id, scene, kind_id } = body.data;
  const fresh = { name: 'Counted', film_id, scene, kind_id, description: '<p>As usual</p>' };
  const made = await owner<{ data: { id: number } }>('POST', '/screenings', fresh);
  const path = `/screenings/${made.body.data.id}`;
  const others = people[2]!;
  const calls: readonly [
    what: string,
    call: (turn: number) => Promise<{ status: number }>,
    kinds: readonly string[],
  ][] = [
    ['create', () => owner('POST', '/screenings', fresh), ['write']],
    ['create in the plainest way', (turn) => owner('POST', '/films', { name: `Counted ${turn}` }), ['write']],
    ['title', (turn) => owner('PUT', path, { name: `Counted ${turn}` }), ['look', 'write']],
    [
      'references',
      (turn) => owner('PUT', path, { status_id: 1 + (turn % 4), urgency_id: 1 + (turn % 3) }),
      ['look', 'write'],
    ],
    ['by another, with what was seen', (turn) => others('PUT', path, { status_id: 1 + (turn % 4) }), ['look', 'write']],
    ['nothing', () => owner('PUT', path, {}), ['look', 'begin', 'hold', 'answer', 'commit']],
    ['refused', () => owner('POST', '/screenings', { ...fresh, kind_id: 999_999 }), ['write']],
  ];
  for (const [what, call, kinds] of calls) {
    for (let turn = 0; turn < 3; turn++) await call(turn);
    let status = 0;
    const { statements } = await watched(async () => void ({ status } = await call(3)));
    const own = statements.filter((text) => !text.includes('pg_notify')).map(kindOf);
    expect(own, what).toEqual(kinds);
    expect(status, what).toBe(what === 'refused' ? 422 : what.startsWith('create') ? 201 : 200);
  }
});

test('a change waits for a concurrent change of the same record, and applies to its result', async () => {
  const [owner] = people as [Client];
  const seen = (await owner<{ data: Record<string, unknown> }>('GET', `/screenings/${record.id}`)).body.data;
  const editor = new pg.Client(own.url);
  await editor.connect();
  const isWaiting = (count: number) =>
    vi.waitFor(async () => {
      const { rows } = await editor.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      expect(rows).toHaveLength(count);
    });
  await editor.query(
    `begin; update screenings set projection_notes = 'Of the first', updated_at = now() where id = ${record.id}`,
  );
  const second = owner<{ data: object }>('PUT', `/screenings/${record.id}`, { projection_notes: 'Of the second' });
  const stale = people[1]!('PUT', `/screenings/${record.id}`, { ...seen, name: 'Of somebody who has seen neither' });
  await isWaiting(2);
  await editor.query('commit');
  expect(await second).toMatchObject({
    status: 200,
    body: { data: { projection_notes: 'Of the second', name: seen.name } },
  });
  expect((await stale).status).toBe(409);
  const history = await owner<{ data: object[] }>('GET', `/screenings/${record.id}/history?range=[0,0]`);
  expect(history.body.data[0]).toMatchObject({
    old_values: { projection_notes: 'Of the first' },
    new_values: { projection_notes: 'Of the second' },
  });
  await editor.query(`begin; delete from screenings where id = ${record.id}`);
  const late = owner('PUT', `/screenings/${record.id}`, { projection_notes: 'Of nobody' });
  await isWaiting(1);
  await editor.query('rollback');
  await editor.end();
  expect((await late).status).toBe(200);
});

test('a comment does not wait for a concurrent edit of the record; one that changes its status does', async () => {
  const editor = new pg.Client(own.url);
  await editor.connect();
  await editor.query(`begin; update screenings set name = 'Being edited' where id = ${record.id}`);
  expect((await comment(people[2]!, 'Beside an edit')).status).toBe(200);
  const body = { status_id: 3, operator_id: record.operator.id, comments: 'With another status' };
  const changing = people[2]!<{ data: { name: string; status_id: number } }>('PATCH', `/screening/${record.id}`, body);
  await vi.waitFor(async () => {
    const { rows } = await editor.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    expect(rows).toHaveLength(1);
  });
  await editor.query('commit');
  await editor.end();
  expect(await changing).toMatchObject({ status: 200, body: { data: { name: 'Being edited', status_id: 3 } } });
  expect((await people[0]!('PATCH', `/screening/${record.id}`, { ...body, status_id: 2 })).status).toBe(200);
});

test('referring to a record does not wait for its edits, and vice versa', async () => {
  const other = new pg.Client(own.url);
  await other.connect();
  // What an insert does to the rows that it refers to.
  await other.query(`begin; select from screenings where id = ${record.id} for key share`);
  const { status } = await people[0]!('PUT', `/screenings/${record.id}`, { name: 'Edited beside a new reference' });
  await other.query('rollback');
  await other.end();
  expect(status).toBe(200);
});

test('concurrently added relations of one record are all in its history, with previous values', async () => {
  const { body: page } = await people[0]!<{ data: { id: number; users: { id: number }[] }[] }>(
    'GET',
    '/films?range=[0,0]',
  );
  const { body: team } = await people[0]!<{ data: { id: number }[] }>('GET', '/films/choices/user_ids?range=[0,99]');
  const ids = team.data.map(({ id }) => id).slice(0, 3);
  const film = (Array.isArray(page) ? page : page.data)[0]!.id;
  expect((await people[0]!('PUT', `/films/${film}`, { user_ids: [] })).status).toBe(200);
  const holder = new pg.Client(own.url);
  await holder.connect();
  await holder.query(`begin; insert into films__user_ids (site_id, record_id, target_id) select site_id, id, ${ids[0]} from films where id = ${film};
    update films set updated_at = now() where id = ${film}`);
  // It waits for the other change, and meets what that one stored.
  const waiting = people[0]!('PUT', `/films/${film}`, { user_ids: [] });
  await vi.waitFor(async () => {
    const { rows } = await holder.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    expect(rows).toHaveLength(1);
  });
  await holder.query('commit');
  expect((await waiting).status).toBe(200);
  const { rows } = await holder.query(`select from films__user_ids where record_id = ${film}`);
  await holder.end();
  expect(rows).toHaveLength(0);
});
