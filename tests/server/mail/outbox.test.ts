import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPosting, type Posting } from './posting';

interface Mail {
  id: number;
  label: string;
  name: string | null;
  address: string;
  state: string;
  attempts: number;
  reason: string | null;
  next_at: string | null;
}

let started: Posting;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  started = await startPosting();
  for (const account of ['admin', 'owner', 'manager']) tokens[account] = await started.signIn(account);
  tokens.harbour = await started.signIn('owner@harbour.test');
});
afterAll(() => started?.close());

const call = (who: string, method: string, path: string) => started.call(method, path, { token: tokens[who] });
const outbox = async (who: string) => (await call(who, 'GET', '/outbox')).body.data as Mail[];
const kysely = () => started.program.database.kysely;
const only = async (who: string, is: (mail: Mail) => boolean) => {
  await expect.poll(async () => (await outbox(who)).some(is)).toBe(true);
  return (await outbox(who)).find(is)!;
};

test('a mail that was given up stays with its reason, and is sent when retried', async () => {
  started.office.refuse(2);
  await started.call('POST', '/forgot-password', { body: { email: 'qa@demo.test' } });
  const waiting = await only('owner', ({ attempts }) => attempts === 1);
  expect(waiting).toMatchObject({
    state: 'waiting',
    label: 'Forgot password',
    address: 'q•••@demo.test',
    name: expect.stringMatching(/ /),
    reason: expect.stringMatching(/^The mail server/),
    next_at: expect.any(String),
  });
  await sql`update assay.mails set created_at = now() - interval '73 hours'`.execute(kysely());
  await started.hurry();
  const failed = await only('owner', ({ state }) => state === 'failed');
  expect(failed).toMatchObject({ id: waiting.id, attempts: 2, next_at: null });
  // Nothing of it is secret to the administrator; nobody else sees it, or may do anything about it.
  expect((await outbox('admin')).map(({ id }) => id)).toEqual([failed.id]);
  expect(await outbox('harbour')).toEqual([]);
  expect(JSON.stringify(await outbox('admin'))).not.toContain('qa@demo.test');
  const others: [string, string, string, number][] = [
    ['manager', 'GET', '/outbox', 403],
    ['manager', 'DELETE', `/outbox/${failed.id}`, 403],
    ['harbour', 'POST', `/outbox/${failed.id}/retry`, 404],
    ['harbour', 'DELETE', `/outbox/${failed.id}`, 404],
    ['owner', 'POST', '/outbox/x/retry', 404],
    ['owner', 'GET', '/outbox?range=x', 400],
  ];
  for (const [who, method, path, status] of others)
    expect((await call(who, method, path)).status, `${who} ${path}`).toBe(status);

  expect((await call('owner', 'POST', `/outbox/${failed.id}/retry`)).status).toBe(200);
  expect((await started.office.next()).to).toEqual(['qa@demo.test']);
  await expect.poll(() => outbox('admin')).toEqual([]);
  expect((await call('owner', 'POST', `/outbox/${failed.id}/retry`)).status).toBe(404);
});

test('a deleted mail is not sent', async () => {
  started.office.refuse(1);
  await started.call('POST', '/forgot-password', { body: { email: 'developer@demo.test' } });
  const { id } = await only('owner', ({ attempts }) => attempts === 1);
  expect((await call('owner', 'DELETE', `/outbox/${id}`)).status).toBe(200);
  expect(await outbox('admin')).toEqual([]);
});
