import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileKeyOf } from '../../../src/engine/field-types/stored-files';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

let started: DemoProgram;
let admin: Client;
beforeAll(async () => {
  started = await startFixtureProgram();
  admin = await started.signIn(accounts.admin);
});
afterAll(() => started?.close());

const check = (address: string) =>
  started.program.files.verifyUrl(fileKeyOf(address), Object.fromEntries(new URL(address, 'http://x').searchParams));

test('a new key signs from now on; URLs signed with the previous one stay valid until they expire', async () => {
  const file = `${'0'.repeat(32)}.png`;
  const before = started.program.files.signedUrl(file);
  expect((await admin('POST', '/rotate-keys', {})).body).toMatchObject({ status: true });
  await expect.poll(() => started.program.files.signedUrl(file)).not.toBe(before);
  expect([check(before), check(started.program.files.signedUrl(file))]).toEqual(['good', 'good']);
  await admin('POST', '/rotate-keys', {});
  await expect.poll(() => check(before)).toBe('foreign');
});

test('with sign_out everybody is signed out; only an administrator may do this', async () => {
  const owner = await started.signIn(accounts.owner);
  expect((await owner('POST', '/rotate-keys', { sign_out: true })).status).toBe(403);
  expect((await admin('POST', '/rotate-keys', { sign_out: 'yes' })).status).toBe(422);
  expect((await admin('POST', '/rotate-keys', { sign_out: true })).status).toBe(200);
  expect([(await owner('GET', '/me')).status, (await admin('GET', '/me')).status]).toEqual([401, 401]);
});
