import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareData } from '../../../src/server/domain/first-start';
import { holdImport } from '../../../src/server/domain/interrupted-imports';
import { startProgram, type TestProgram } from '../session/program';
import { csv, send } from './files';

let started: TestProgram;
let token: string;

beforeAll(async () => {
  started = await startProgram();
  token = await started.signIn('owner');
  const people = csv([['First Name', 'Last Name', 'Email', 'Role'], ['Ina', 'Long', 'ina@long.test', 'QA']]); // prettier-ignore
  expect((await send(started, token, '/users/import', people, {}, 'people.csv')).body.success).toBe(true);
});
afterAll(() => started?.close());

const imports = () => started.program.database.kysely;
const state = async () =>
  (await started.call<{ data: { state: string }[] }>('GET', '/imports?type=users', { token })).body.data[0]!.state;

test('an import whose server was killed is not running any more after the next start', async () => {
  await imports().updateTable('imports').set({ state: 'running' }).execute();
  await prepareData(started.program);
  expect(await state()).toBe('interrupted');
});

test('an import of a server that lives goes on while another one starts', async () => {
  const { file_key } = await imports().selectFrom('imports').select('file_key').executeTakeFirstOrThrow();
  await imports().updateTable('imports').set({ state: 'running' }).execute();
  const letGo = await holdImport(started.program.database, file_key as string);
  try {
    await prepareData(started.program);
    expect(await state()).toBe('running');
  } finally {
    await letGo();
  }
});

test('what is done stays done', async () => {
  await imports().updateTable('imports').set({ state: 'done' }).execute();
  await prepareData(started.program);
  expect(await state()).toBe('done');
});
