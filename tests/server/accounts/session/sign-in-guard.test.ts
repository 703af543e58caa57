import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailboxKey } from '../../../../src/server/accounts/session/attempts';
import { freeFailures, waitAfter } from '../../../../src/server/accounts/session/sign-in-guard';
import { codeIn } from '../../mail/mailbox';
import { startPosting, type Posting } from '../../mail/posting';

let started: Posting;
beforeAll(async () => {
  started = await startPosting({ TRUST_PROXY: '10.9.0.1' });
});
afterAll(() => started?.close());

/** Signs in from a network behind the proxy. */
async function login(email: string, from: string, password = 'Wrong@1234') {
  const answer = await started.app.inject({
    method: 'POST',
    url: '/api/login',
    remoteAddress: '10.9.0.1',
    headers: { 'x-forwarded-for': from },
    payload: { email, password },
  });
  const { status, message } = answer.json<{ status?: boolean; message: string }>();
  return { code: answer.statusCode, status, message, wait: Number(answer.headers['retry-after'] ?? 0) };
}
const right = 'Demo@1234';
const failures = (from: string, times: number) =>
  sql`insert into assay.attempts (key, at) select ${`sign-in ${from}`}, now() from generate_series(1, ${times})`.execute(
    started.test.database.kysely,
  );
/** An account failed so often from elsewhere, long enough ago that the next try is allowed. */
const guessedAt = (email: string, times: number) =>
  sql`insert into assay.sign_in_guards (key, failures, last_at) values (${mailboxKey(email)}, ${times}, now() - interval '16 minutes')
    on conflict (key) do update set failures = excluded.failures, last_at = excluded.last_at`.execute(
    started.test.database.kysely,
  );
/** Everything that was counted happened so many seconds earlier. */
const pass = (seconds: number) =>
  sql`update assay.sign_in_guards set last_at = last_at - make_interval(secs => ${seconds})`.execute(
    started.test.database.kysely,
  );

test('the wait grows from a minute to 15', () => {
  const minutes = [19, 20, 21, 22, 23, 24, 25, 1000].map((times) => waitAfter(times) / 60_000);
  expect(minutes).toEqual([0, 1, 2, 4, 8, 15, 15, 15]);
});

test('many concurrent sign-ins from a new network all succeed', async () => {
  const answers = await Promise.all(Array.from({ length: 9 }, () => login('owner@demo.test', '198.51.100.9', right)));
  expect(answers.map(({ code, status }) => [code, status])).toEqual(answers.map(() => [200, true]));
});

describe('an account that is attacked from changing networks', () => {
  const email = 'qa@demo.test';

  test('has to wait after 20 failures, and its owner is notified once', async () => {
    expect((await login(email, '198.51.100.200', right)).status).toBe(true);
    for (let i = 0; i < freeFailures; i++) expect((await login(email, `203.0.113.${i}`)).code).toBe(200);
    const refused = await login(email, '203.0.113.99', right);
    expect([refused.code, refused.message]).toEqual([
      429,
      expect.stringContaining('in a minute, or reset your password'),
    ]);
    expect(refused.wait).toBeGreaterThan(50);
    const mail = await started.office.next();
    expect([mail.to, mail.headers.subject]).toEqual([[email], 'Someone is trying to sign in as you']);

    await pass(61);
    expect((await login(email, '203.0.113.98')).code).toBe(200);
    const longer = await login(email, '203.0.113.97', right);
    expect([longer.code, longer.wait > 110]).toEqual([429, true]);
  });

  test('lets its owner sign in from known networks, and others are not affected', async () => {
    expect((await login('manager@demo.test', '203.0.113.99', right)).status).toBe(true);
    expect((await login(email, '198.51.100.200', right)).status).toBe(true);
  });

  test('is unblocked by a reset link, and stays unblocked where the link was used', async () => {
    await guessedAt('developer@demo.test', freeFailures - 1);
    expect((await login('developer@demo.test', '203.0.113.1')).code).toBe(200);
    expect((await login('developer@demo.test', '198.51.100.7', right)).code).toBe(429);
    expect((await started.office.next()).to).toEqual(['developer@demo.test']);
    await started.call('POST', '/forgot-password', { body: { email: 'developer@demo.test' } });
    const code = codeIn(await started.office.next());
    const fresh = 'Quiet@Harbour9spring';
    const answer = await started.app.inject({
      method: 'POST',
      url: '/api/reset-password',
      remoteAddress: '10.9.0.1',
      headers: { 'x-forwarded-for': '198.51.100.7' },
      payload: { verification_code: code, new_password: fresh, confirm_password: fresh },
    });
    expect(answer.json()).toMatchObject({ status: true });
    const told = await started.office.next();
    expect([told.to, told.headers.subject]).toEqual([['developer@demo.test'], expect.stringMatching(/password/i)]);
    expect((await login('developer@demo.test', '198.51.100.7', fresh)).status).toBe(true);
    await guessedAt('developer@demo.test', freeFailures);
    expect((await login('developer@demo.test', '203.0.113.2')).code).toBe(200);
    expect((await login('developer@demo.test', '203.0.113.1', fresh)).code).toBe(429);
    expect((await login('developer@demo.test', '198.51.100.7', fresh)).status).toBe(true);
  });

  test('an address without an account is treated in the same way, and no mail is sent', async () => {
    const before = started.office.received.length;
    await guessedAt('ghost@demo.test', freeFailures - 1);
    expect((await login('ghost@demo.test', '203.0.113.1')).code).toBe(200);
    const refused = await login('ghost@demo.test', '203.0.113.99');
    expect([refused.code, refused.wait > 50]).toEqual([429, true]);
    await started.call('POST', '/forgot-password', { body: { email: 'owner@demo.test' } });
    expect((await started.office.next()).to).toEqual(['owner@demo.test']);
    expect(started.office.received.length).toBe(before + 1);
  });
});

describe('a network with many failures', () => {
  test('has one attempt per account, other networks are not affected', async () => {
    const office = '192.0.2.10';
    expect((await login('owner@demo.test', office, right)).status).toBe(true);
    await failures(office, 100);
    expect((await login('manager@demo.test', office)).code).toBe(200);
    expect((await login('manager@demo.test', office, right)).code).toBe(429);
    expect((await login('external@demo.test', office, right)).status).toBe(true);
    for (let i = 0; i < 3; i++) expect((await login('owner@demo.test', office)).code).toBe(200);
    expect((await login('owner@demo.test', office, right)).status).toBe(true);
    expect((await login('manager@demo.test', '192.0.2.11', right)).status).toBe(true);
  });

  test('that searches for accounts is blocked for users who never signed in from there, and no others', async () => {
    const office = '192.0.2.20';
    expect((await login('owner@demo.test', office, right)).status).toBe(true);
    await failures(office, 1000);
    expect((await login('admin@demo.test', office, right)).code).toBe(429);
    expect((await login('owner@demo.test', office, right)).status).toBe(true);
  });
});
