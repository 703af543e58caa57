// @module-tag slow
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueCode, type CodePurpose } from '../../../../src/server/accounts/session/codes';
import { startProgram, type TestProgram } from './program';

let started: TestProgram;
beforeAll(async () => {
  started = await startProgram();
});
afterAll(() => started.close());

const codeOf = (user: number, purpose: CodePurpose) =>
  started.program.database.transaction((trx) => issueCode(trx, user, purpose));
const attempts = async (key: string) =>
  (
    await sql<{ n: number }>`select count(*)::integer as n from assay.attempts where key = ${key}`.execute(
      started.program.database.kysely,
    )
  ).rows[0]!.n;

/** How many there are beyond the limit: strangers who never bring a code back, and people of an office who do. */
const more = 2;

test.each<[string, (ip: string, n: number, isReal: boolean) => Promise<number>, string, number]>([
  [
    'registrations',
    async (ip, n, isReal) => {
      const body = {
        first_name: 'Ada',
        last_name: 'Novak',
        site_name: `Company ${n}`,
        email: `${ip}-${n}@office.test`,
        password: 'Quiet#Harbour7',
      };
      const { status, body: answer } = await started.call('POST', '/register', { ip, body });
      if (!isReal || status !== 200) return status;
      const code = await codeOf(answer.user.id, 'confirm');
      return (await started.call('POST', '/confirm-address', { ip, body: { verification_code: code } })).body.status
        ? status
        : 0;
    },
    'registration',
    20,
  ],
  [
    'forgotten passwords',
    async (ip, n, isReal) => {
      const { status } = await started.call('POST', '/forgot-password', {
        ip,
        body: { email: `${ip}-${n}@office.test` },
      });
      if (!isReal || status !== 200) return status;
      const next = `Quiet#Harbour${n + 10}`;
      const body = { verification_code: await codeOf(5, 'reset'), new_password: next, confirm_password: next };
      return (await started.call('POST', '/reset-password', { ip, body })).body.status ? status : 0;
    },
    'asking',
    30,
  ],
  [
    'tries to use a code',
    async (ip, n, isReal) => {
      const next = `Quiet#Harbour${n + 10}`;
      const code = isReal ? await codeOf(4, 'reset') : 'x'.repeat(24);
      return (
        await started.call('POST', '/reset-password', {
          ip,
          body: { verification_code: code, new_password: next, confirm_password: next },
        })
      ).status;
    },
    'reset',
    30,
  ],
])('%s from one address: an office gets on, a stranger does not', async (_, ask, key, most) => {
  const people = most + more;
  const [office, stranger] = [`192.0.2.${most + key.length}`, `203.0.113.${most + key.length}`];
  for (let n = 0; n < people; n++) expect([n, await ask(office, n, true)]).toEqual([n, 200]);
  expect(await attempts(`${key} ${office}`)).toBe(0);
  const answers: number[] = [];
  for (let n = 0; n < people; n++) answers.push(await ask(stranger, n, false));
  expect(answers.filter((status) => status === 200)).toHaveLength(most);
  expect(answers.slice(most)).toEqual(Array.from({ length: people - most }, () => 429));
});
