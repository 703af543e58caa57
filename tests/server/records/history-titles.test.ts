import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

interface Line {
  old_values: Record<string, unknown> | null;
  new_values: Record<string, unknown> | null;
  names?: Record<string, Record<string, string>>;
}
interface Lines {
  data: Line[];
}

let program: DemoProgram;
let owner: Client;
let qa: Client;

beforeAll(async () => {
  program = await startFixtureProgram();
  [owner, qa] = [await program.signIn(accounts.owner), await program.signIn(accounts.qa)];
});
afterAll(() => program?.close());

test('a history includes the titles of related records, for callers who may read it', async () => {
  const { body } = await qa<{ data: { id: number; status_id: number }[] }>('GET', '/shots?status_id=1');
  const { id } = body.data[0]!;
  await owner('PATCH', `/shot/${id}`, { status_id: 2, comments: 'Begun' });
  const plain = await qa<Lines>('GET', `/shots/${id}/history`);
  expect(plain.body.data[0]).not.toHaveProperty('names');
  const named = await qa<Lines>('GET', `/shots/${id}/history?names=1`);
  const change = named.body.data.find((line) => line.new_values?.status_id === 2)!;
  expect(change.old_values).toMatchObject({ status_id: 1 });
  expect(change.names?.status_id).toEqual({ 1: 'Not Started', 2: 'In Progress' });
  // The list of people is not open to everybody; a name that a record shows is.
  const all = named.body.data.flatMap((line) => Object.values(line.names?.operator_id ?? {}));
  expect(all.every((name) => /^\S+ \S+/.test(name))).toBe(true);
});

test('it includes titles of many relations and of deleted users, but not of removed records', async () => {
  const people = (await owner<{ data: { id: number; name: string }[] }>('GET', '/users?range=[0,3]')).body.data;
  const [first, second] = people as [{ id: number; name: string }, { id: number; name: string }];
  const gone = (await owner<{ id: number }>('POST', '/genres', { option_name: 'Short lived' })).body as never as {
    id: number;
    data?: { id: number };
  };
  const type = gone.data?.id ?? gone.id;
  const made = await owner<{ id: number }>('POST', '/films', {
    name: 'Told by name',
    kind_id: type,
    user_ids: [first.id, second.id],
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id } = made.body;
  expect((await owner('PUT', `/films/${id}`, { kind_id: 1, user_ids: [first.id] })).status).toBe(200);
  expect((await owner('DELETE', `/genres/${type}`)).status).toBe(200);
  const { body } = await owner<Lines>('GET', `/films/${id}/history?names=1`);
  const change = body.data.find((line) => line.old_values?.kind_id === type)!;
  expect(change.old_values).toMatchObject({ user_ids: [first.id, second.id] });
  expect(change.names?.user_ids).toEqual({ [first.id]: first.name, [second.id]: second.name });
  expect(Object.keys(change.names!.kind_id!)).toEqual(['1']);
});
