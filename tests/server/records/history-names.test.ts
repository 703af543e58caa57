import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';

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
  program = await startDemoProgram();
  [owner, qa] = [await program.signIn(accounts.owner), await program.signIn(accounts.qa)];
});
afterAll(() => program?.close());

test('a history says what the related records in it are called, to whoever may read it', async () => {
  const { body } = await qa<{ data: { id: number; status_id: number }[] }>('GET', '/tasks?status_id=1');
  const { id } = body.data[0]!;
  await owner('PATCH', `/task/${id}`, { status_id: 2, comments: 'Begun' });
  const plain = await qa<Lines>('GET', `/tasks/${id}/history`);
  expect(plain.body.data[0]).not.toHaveProperty('names');
  const named = await qa<Lines>('GET', `/tasks/${id}/history?names=1`);
  const change = named.body.data.find((line) => line.new_values?.status_id === 2)!;
  expect(change.old_values).toMatchObject({ status_id: 1 });
  expect(change.names?.status_id).toEqual({ 1: 'Not Started', 2: 'In Progress' });
  // The list of people is not open to everybody; a name that a record shows is.
  const all = named.body.data.flatMap((line) => Object.values(line.names?.assigned_to ?? {}));
  expect(all.every((name) => /^\S+ \S+/.test(name))).toBe(true);
});
