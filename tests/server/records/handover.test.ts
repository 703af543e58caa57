// @module-tag slow
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accounts, type Client } from '../../support/program';
import { startStudio, type Refusal, type StudioProgram } from '../modules/studio';

// Records assigned to a deleted person are counted before, and handed over in the same transaction.

interface Handover {
  changed: number;
  unchanged: { count: number; records: { resource: string; id: number; title: string; message: string }[] };
  others: boolean;
}
type Person = { id: number; name: string };

let server: StudioProgram;
let [owner, developer]: Client[] = [];
let leaver: Person;
let heir: Person;
let people = 0;

beforeAll(async () => {
  server = await startStudio();
  owner = server.owner;
  await server.studio.make(
    'visits',
    {
      name: { type: 'text', required: true },
      agent_id: { type: 'relation', to: 'users', embed: 'agent' },
      second_id: { type: 'relation', to: 'users' },
      told_by: { type: 'relation', to: 'users', readOnly: true, default: '$actor.id' },
    },
    {
      labels: { one: 'Visit', many: 'Visits' },
      envelope: null as never,
      archive: true,
      validate: [{ condition: { name: { $ne: 'Fixed' } }, field: 'name', message: 'A fixed visit does not change.' }],
      rules: [{ levels: [4], action: ['list', 'view'], where: { name: { $ne: 'Secret' } }, reason: 'no secrets' }],
      grants: { '2': 'all', '3': 'all', '4': 'read', '5': 'none', '6': 'none' },
    } as never,
  );
  developer = await server.program.signIn(accounts.developer);
});
beforeEach(async () => {
  leaver = await makePerson('Lena');
  heir = await makePerson('Hugo');
});
afterAll(() => server?.program.close());

async function makePerson(first_name: string): Promise<Person> {
  const body = { first_name, last_name: `Larsen ${++people}`, email: `p${people}@demo.test`, role_id: 4, status_id: 1 };
  const answer = await owner!<{ data: Person }>('POST', '/users', { ...body, password: 'Demo@1234' });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
async function visit(values: object, count = 1): Promise<number[]> {
  const create = Array.from({ length: count }, () => ({ name: 'Tour', ...values }));
  const answer = await owner!<{ data: { created: { id: number }[] } }>('POST', '/visits/bulk', { create });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data.created.map(({ id }) => id);
}
const read = async (id: number) => (await owner!<Record<string, unknown>>('GET', `/visits/${id}`)).body;
const assignments = (ids: readonly number[], by = owner!) =>
  by<{ data: object } & Refusal>('GET', `/users/assignments?id=${ids.join()}`);
const remove = (id: number, successor: unknown) =>
  owner!<{ data: Person; handover: Handover } & Refusal>('DELETE', `/users/${id}?successor=${String(successor)}`);

describe('work that is assigned to a person', () => {
  test('is counted by resource, once per record, without the archive and without what they only did', async () => {
    await visit({ agent_id: leaver.id }, 3);
    await visit({ agent_id: leaver.id, second_id: leaver.id });
    const [archived] = await visit({ agent_id: leaver.id });
    await owner!('DELETE', `/visits/${archived}`);
    await visit({ agent_id: heir.id }, 2);
    expect((await assignments([leaver.id])).body.data).toEqual({
      resources: [{ resource: 'visits', count: 4 }],
      others: false,
    });
    const both = await assignments([leaver.id, heir.id]);
    expect(both.body.data).toEqual({ resources: [{ resource: 'visits', count: 6 }], others: false });
  });

  test('is nothing for somebody without work', async () => {
    expect((await assignments([leaver.id])).body.data).toEqual({ resources: [], others: false });
  });

  test.each<[string, string, number]>([
    ['no ids', '/users/assignments', 400],
    ['no number', '/users/assignments?id=abc', 400],
    ['an unknown person', '/users/assignments?id=999999', 404],
    ['records that are not kept', '/visits/assignments?id=1', 404],
  ])('is refused for %s', async (_, path, status) => {
    expect((await owner!('GET', path)).status).toBe(status);
  });

  test('is not shown to users who may not delete people', async () => {
    expect((await assignments([leaver.id], developer!)).status).toBe(403);
  });
});

describe('a deletion with a successor', () => {
  test('hands everything over, with the history of each record', async () => {
    const [first, second] = await visit({ agent_id: leaver.id }, 2);
    const [both] = await visit({ agent_id: heir.id, second_id: leaver.id });
    const { status, body } = await remove(leaver.id, heir.id);
    expect([status, body.data.id]).toEqual([200, leaver.id]);
    expect(body.handover).toEqual({ changed: 3, unchanged: { count: 0, records: [] }, others: false });
    expect([(await read(first!)).agent_id, (await read(second!)).agent_id]).toEqual([heir.id, heir.id]);
    expect(await read(both!)).toMatchObject({ agent_id: heir.id, second_id: heir.id });
    const history = (await owner!<{ data: { new_values: object }[] }>('GET', `/visits/${first}/history`)).body.data;
    expect(history.map(({ new_values }) => new_values)).toContainEqual({ agent_id: heir.id });
    expect((await owner!('GET', `/users/${leaver.id}`)).status).toBe(404);
  });

  test('names what a rule refuses, which stays', async () => {
    const [free] = await visit({ agent_id: leaver.id });
    const [fixed] = await visit({ agent_id: leaver.id });
    await server.query(`update visits set name = 'Fixed' where id = ${fixed}`);
    const { status, body } = await remove(leaver.id, heir.id);
    expect(status).toBe(200);
    expect(body.handover.changed).toBe(1);
    expect(body.handover.unchanged).toEqual({
      count: 1,
      records: [{ resource: 'visits', id: fixed, title: 'Fixed', message: 'A fixed visit does not change.' }],
    });
    expect([(await read(free!)).agent_id, (await read(fixed!)).agent_id]).toEqual([heir.id, leaver.id]);
  });

  test.each<[string, () => unknown]>([
    ['nobody', () => ''],
    ['the person themselves', () => leaver.id],
    ['somebody unknown', () => 999_999],
    ['somebody of another company', () => 'harbour'],
  ])('to %s is refused, and changes nothing', async (_, successor) => {
    const [id] = await visit({ agent_id: leaver.id });
    const [row] = await server.query("select id from users where email = 'owner@harbour.test'");
    const chosen = successor() === 'harbour' ? row!.id : successor();
    const { status, body } = await remove(leaver.id, chosen);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['successor']]);
    expect((await read(id!)).agent_id).toBe(leaver.id);
    expect((await owner!('GET', `/users/${leaver.id}`)).status).toBe(200);
  });

  test('that is refused hands nothing over', async () => {
    const [last] = await server.query("select id from users where email = 'owner@demo.test'");
    const [id] = await visit({ agent_id: last!.id });
    expect((await remove(last!.id as number, heir.id)).status).toBe(409);
    expect((await read(id!)).agent_id).toBe(last!.id);
  });

  test('of several people at once hands over the work of all', async () => {
    const other = await makePerson('Otto');
    const [mine] = await visit({ agent_id: leaver.id });
    const [theirs] = await visit({ agent_id: other.id });
    const path = `/users/bulk?successor=${heir.id}`;
    const { status, body } = await owner!<{ data: { deleted: number[]; handover: Handover } }>('POST', path, {
      delete: [leaver.id, other.id],
    });
    expect([status, body.data.deleted]).toEqual([200, [leaver.id, other.id]]);
    expect(body.data.handover.changed).toBe(2);
    expect([(await read(mine!)).agent_id, (await read(theirs!)).agent_id]).toEqual([heir.id, heir.id]);
  });

  test('works through more records than it changes at a time', async () => {
    await visit({ agent_id: leaver.id });
    await server.query(`insert into visits (id, name, agent_id, site_id, created_at, updated_at)
      select 1000000 + n, 'Tour ' || n, ${leaver.id}, 1, now(), now() from generate_series(1, 1400) n`);
    const { status, body } = await remove(leaver.id, heir.id);
    expect([status, body.handover.changed]).toEqual([200, 1401]);
    const [left] = await server.query(`select count(*)::integer as count from visits where agent_id = ${leaver.id}`);
    expect(left!.count).toBe(0);
    const [entries] = await server.query(`select count(*)::integer as count from assay.history
      where resource = 'visits' and record_id > 1000000`);
    expect(entries!.count).toBe(1400);
  });

  test('is refused for records that nothing can be assigned to', async () => {
    const [id] = await visit({});
    expect((await owner!('DELETE', `/visits/${id}?successor=1`)).status).toBe(400);
  });
});

describe('filters offer a deleted person', () => {
  const offered = async (path: string, by = owner!) => {
    const { status, body } = await by<{ data: { id: number; deleted?: true }[] }>('GET', path);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data.find(({ id }) => id === leaver.id);
  };

  test.each(['/users/choices?referred_by=visits.agent_id', '/visits/choices/agent_id?referred_by=visits.agent_id'])(
    'who has records there, marked: %s',
    async (path) => {
      await visit({ agent_id: leaver.id });
      expect(await offered(path)).not.toHaveProperty('deleted');
      await owner!('DELETE', `/users/${leaver.id}`);
      expect(await offered(path)).toMatchObject({ id: leaver.id, title: leaver.name, deleted: true });
      expect(
        await offered(
          path
            .replace('agent_id?referred_by=visits.agent_id', 'agent_id?q=')
            .replace('?referred_by=visits.agent_id', '?q='),
        ),
      ).toBeUndefined();
      expect(
        await offered(path.replaceAll('referred_by=visits.agent_id', 'referred_by=visits.second_id')),
      ).toBeUndefined();
      const search = `&q=${encodeURIComponent(leaver.name)}`;
      expect(await offered(path + search)).toMatchObject({ id: leaver.id, deleted: true });
    },
  );

  test('only to those who have such a record in lists', async () => {
    const [id] = await visit({ agent_id: leaver.id });
    await owner!('DELETE', `/users/${leaver.id}`);
    await owner!('DELETE', `/visits/${id}`);
    expect(await offered('/users/choices?referred_by=visits.agent_id')).toBeUndefined();
  });

  test.each(['visits.name', 'visits.nothing', 'nothing.agent_id', 'agent_id', 'visits.__proto__'])(
    'by a relation, not by %s',
    async (referredBy) => {
      expect((await owner!('GET', `/users/choices?referred_by=${referredBy}`)).status).toBe(400);
    },
  );
});
