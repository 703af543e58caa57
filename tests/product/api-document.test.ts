import { afterAll, beforeAll, expect, test } from 'vitest';
import { schemaFaults } from '../support/openapi';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../support/program';

let program: DemoProgram;
let admin: Client;
beforeAll(async () => {
  program = await startDemoProgram();
  admin = await program.signIn(accounts.admin);
});
afterAll(() => program?.close());

test('the calls of the product are in the API document, beside those of the program', async () => {
  const { paths } = (await admin<{ paths: object }>('GET', '/openapi.json')).body;
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(['/login', '/dashboard', '/timesheet', '/task-analytics', '/sharable-test-case']),
  );
});

test('every schema of a declared call compiles in strict mode', async () => {
  const { describedCalls } = program.app;
  expect(describedCalls.filter(({ path }) => path.endsWith('/sharable-test-case'))).toHaveLength(1);
  expect(await schemaFaults(describedCalls, admin)).toEqual([]);
});
