import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMailComposer } from '../../../src/server/accounts/mails/mails';
import { retryDelay, startMailSender } from '../../../src/server/mail/sender';
import { startProgram } from '../accounts/session/program';
import { openPostOffice, readMail } from './mailbox';
import { startPosting, type Posting } from './posting';

let started: Posting;
let address = 0;
beforeAll(async () => {
  started = await startPosting();
});
afterAll(() => started.close());

const forgot = (email: string) =>
  started.call('POST', '/forgot-password', { body: { email }, ip: `192.0.2.${++address}` });
const kept = () => started.program.database.kysely.withSchema('assay').selectFrom('mails').selectAll().execute();

/** Resolves once the outbox looks as expected; each change of it is told by the sender's own writes. */
async function until(holds: (rows: Awaited<ReturnType<typeof kept>>) => boolean): Promise<void> {
  while (!holds(await kept())) await new Promise((resolve) => setImmediate(resolve));
}

describe('a mail that cannot be sent', () => {
  test('is stored with the reason, and sent once the server accepts it', async () => {
    started.office.refuse(2);
    expect((await forgot('qa@demo.test')).body.status).toBe(true);
    await until(([mail]) => mail?.attempts === 1);
    const [first] = await kept();
    expect(first).toMatchObject({
      occasion: 'forgot_password',
      last_error: expect.stringContaining('Come back later'),
    });
    expect(Date.parse(first!.next_at as string) - Date.now()).toBeGreaterThan(20_000);
    await started.hurry();
    await until(([mail]) => mail?.attempts === 2);
    await started.hurry();
    expect((await started.office.next()).to).toEqual(['qa@demo.test']);
    await until((rows) => rows.length === 0);
  });

  test('does not delay others, and is sent after a restart', async () => {
    started.office.refuse(1);
    await forgot('qa@demo.test');
    await until(([mail]) => mail?.attempts === 1);
    await forgot('developer@demo.test');
    expect((await started.office.next()).to).toEqual(['developer@demo.test']);
    await started.stopSender();
    const { kysely } = started.program.database;
    await kysely
      .withSchema('assay')
      .updateTable('mails')
      .set({ next_at: new Date(0) })
      .execute();
    await started.restartSender();
    expect((await started.office.next()).to).toEqual(['qa@demo.test']);
  });

  test('does not delay requests', async () => {
    const silent = await openPostOffice({ onConnect: () => undefined });
    const own = await startProgram({ DEMO: '1', SMTP_URL: silent.url });
    const sender = startMailSender(own.program, createMailComposer(own.program));
    const begun = performance.now();
    const { status } = await own.call('POST', '/forgot-password', { body: { email: 'qa@demo.test' } });
    expect(status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(2000);
    await sender.stop();
    await own.close();
    await silent.close();
  });

  test.each([
    [1, 30],
    [2, 90],
    [3, 270],
    [7, 21_600],
    [50, 21_600],
  ])('after failure %i the pause is %i seconds', (failures, seconds) => expect(retryDelay(failures)).toBe(seconds));
});

test('only one of several senders sends a mail', async () => {
  const others = [1, 2, 3].map(() => startMailSender(started.program, createMailComposer(started.program)));
  const before = started.office.received.length;
  const people = ['owner', 'manager', 'external', 'admin'].map((name) => `${name}@demo.test`);
  await Promise.all(people.map(forgot));
  const mails = [];
  for (const _ of people) mails.push(await started.office.next());
  await until((rows) => rows.length === 0);
  for (const other of others) await other.stop();
  expect(mails.flatMap(({ to }) => to).sort()).toEqual([...people].sort());
  expect(started.office.received.length).toBe(before + people.length);
});

test('without an SMTP server each mail is a file that only its owner can read', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-mail-'));
  const own = await startProgram({ DEMO: '1', DATA_DIR: dataDir });
  const sender = startMailSender(own.program, createMailComposer(own.program));
  await own.call('POST', '/forgot-password', { body: { email: 'qa@demo.test' } });
  const folder = join(dataDir, 'mail');
  let names: string[] = [];
  while (names.length === 0) names = await readdir(folder).catch(() => []);
  await sender.stop();
  await own.close();
  expect(names).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z-1\.eml$/)]);
  const path = join(folder, names[0]!);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const mail = readMail(await readFile(path, 'utf8'));
  expect(mail.headers.to).toBe('Quentin Marsh <qa@demo.test>');
  expect(mail.text).toContain('http://localhost:3000/auth/reset-password?verification_code=');
});
