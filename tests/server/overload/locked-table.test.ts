// @module-tag slow
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { accounts, startFixtureProgram, type DemoProgram } from '../../support/program';

let own: TestDatabase;
let demo: DemoProgram;
beforeAll(async () => {
  own = await createTestDatabase(inject('fixture'));
  demo = await startFixtureProgram({ database: own });
});
afterAll(async () => {
  await demo.close();
  await own.close();
});

test('a lock on one table blocks neither other lists nor sign-in', async () => {
  const admin = await demo.signIn(accounts.admin);
  await admin('GET', '/projectors');
  const holder = new pg.Client(own.url);
  await holder.connect();
  await holder.query('begin; lock table shots in access exclusive mode');
  const stuck = Array.from({ length: 300 }, () => admin<{ code: string }>('GET', '/shots?range=[0,14]'));
  let over = 0;
  for (const call of stuck) void call.then(() => over++);

  const others = await Promise.all([
    admin('GET', '/projectors'),
    demo.signIn(accounts.owner).then((owner) => owner('GET', '/projectors')),
    admin('POST', '/projectors', { option_name: 'Beside a lock' }),
  ]);
  expect(others.map(({ status }) => status)).toEqual([200, 200, 201]);
  // They did not have to wait for the lock to be given up.
  expect(over).toBeLessThan(stuck.length);

  const answers = await Promise.all(stuck);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(['UNAVAILABLE']));
  expect(answers.every(({ headers }) => headers['retry-after'])).toBe(true);
  await holder.query('rollback');
  await holder.end();
  expect((await admin('GET', '/shots?range=[0,14]')).status).toBe(200);
});
