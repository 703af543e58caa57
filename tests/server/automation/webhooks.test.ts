// @module-tag slow
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { callUrl, urlProblem, type LookupAll } from '../../../src/server/automation/webhooks/call-url';
import { readWebhookAllowPrivate } from '../../../src/server/settings/webhooks';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { studioOf, type Studio } from '../modules/studio';
import { isSigned, startReceiver, type Receiver } from './receiver';

type Row = Record<string, unknown> & { id: number };
interface Delivery extends Row {
  readonly state: string;
  readonly attempts: number;
  readonly message: string | null;
  readonly next_at: string | null;
  readonly attempted_at: string;
  readonly message_id: string;
}

let program: DemoProgram;
let admin: Client;
let owner: Client;
let studio: Studio;
let receiver: Receiver;
let hook: number;
let secret: string;

const query = async (text: string) => (await program.program.database.pool.query(text)).rows as Row[];

beforeAll(async () => {
  program = await startFixtureProgram({ env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } });
  [admin, owner] = [await program.signIn(accounts.admin), await program.signIn(accounts.owner)];
  studio = studioOf(admin);
  receiver = await startReceiver();
  await studio.make(
    'songs',
    { name: { required: true }, code: { secret: true } },
    {
      automations: [{ name: 'publish', events: ['create'], steps: [{ webhook: 'chat' }] }],
    },
  );
});
afterAll(async () => {
  await program?.close();
  await receiver?.close();
});
beforeEach(async () => {
  receiver.calls.length = 0;
  receiver.answer = { status: 204 };
  await query("delete from webhooks where name = 'chat'");
  const made = await admin<Row>('POST', '/webhooks', { name: 'chat', url: receiver.url });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  hook = made.body.id;
  secret = (await admin<{ data: { secret: string } }>('POST', `/webhooks/${hook}/secret`)).body.data.secret;
});

const deliveries = async () =>
  (await admin<Delivery[]>('GET', `/webhook-deliveries?filter={"webhook_id":${hook}}&sort=["id","ASC"]`)).body;
const song = async (name: string) => (await owner<Row>('POST', '/songs', { name, code: 'hidden' })).body;
const attempted = (attempts: number, index = 0) =>
  vi.waitFor(async () => {
    const all = await deliveries();
    expect(all[index]).toMatchObject({ attempts });
    return all[index]!;
  });
/** The clock of a delivery: its next attempt is due now. */
async function becomesDue(id: number): Promise<void> {
  await query(`update assay.webhook_deliveries set next_at = now() where id = ${id}`);
  await program.program.database.transaction((trx) =>
    program.program.queue.send(trx, 'deliveries', [{ delivery: id }]),
  );
}

describe('a webhook', () => {
  test('gets what the user may read, signed so that any implementation verifies it', async () => {
    await song('Blue');
    const delivery = await attempted(1);
    expect(delivery).toMatchObject({
      state: 'delivered',
      status: 204,
      message: null,
      next_at: null,
      type: 'songs.created',
    });
    expect(receiver.calls).toHaveLength(1);
    const [call] = receiver.calls;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(isSigned(call!, secret)).toBe(true);
    expect(isSigned({ ...call!, body: call!.body.replace('Blue', 'Red') }, secret)).toBe(false);
    expect(call!.headers['webhook-id']).toBe(delivery.message_id);
    expect(JSON.parse(call!.body)).toMatchObject({ type: 'songs.created', data: { record: { name: 'Blue' } } });
    expect(call!.body).not.toContain('hidden');
  });

  test('shows its secret once, and keeps it encrypted', async () => {
    const everything = JSON.stringify([
      await admin('GET', '/webhooks'),
      await admin('GET', `/webhooks/${hook}`),
      await admin('GET', `/webhooks/${hook}/history`),
    ]);
    expect(everything).not.toContain(secret);
    const [stored] = await query(`select secret from assay.webhook_secrets where webhook_id = ${hook}`);
    expect(String(stored!.secret)).not.toContain(secret.slice(6));
  });

  test('is tried again later and later, and then given up', async () => {
    receiver.answer = { status: 503, text: 'Not now' };
    await song('Green');
    const waits: number[] = [];
    let delivery = await attempted(1);
    for (let attempt = 2; delivery.next_at !== null; attempt++) {
      waits.push(Math.round((Date.parse(delivery.next_at) - Date.parse(delivery.attempted_at)) / 1_000));
      await becomesDue(delivery.id);
      delivery = await attempted(attempt);
    }
    const hours = (count: number) => count * 3_600;
    expect(waits).toEqual([5, 300, 1_800, ...[2, 5, 10, 14, 20, 24].map(hours)]);
    expect(delivery).toMatchObject({
      state: 'failed',
      attempts: 10,
      status: 503,
      answer: 'Not now',
      message: 'The receiver answered 503.',
    });
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    receiver.answer = { status: 200, text: 'ok' };
    const replayed = await admin<{ data: { id: number } }>('POST', `/webhook-deliveries/${delivery.id}/replay`);
    expect(replayed.status).toBe(200);
    expect(await attempted(1, 1)).toMatchObject({
      id: replayed.body.data.id,
      state: 'delivered',
      message_id: delivery.message_id,
    });
  });

  test('that answers 410 is switched off', async () => {
    receiver.answer = { status: 410 };
    await song('Gone');
    expect(await attempted(1)).toMatchObject({ state: 'failed', message: expect.stringContaining('switched off') });
    expect((await admin<Row>('GET', `/webhooks/${hook}`)).body).toMatchObject({ active: false });
    const { id } = await song('Later');
    await vi.waitFor(async () =>
      expect(
        await query(`select state, message from assay.automation_runs where resource = 'songs' and record_id = ${id}`),
      ).toMatchObject([{ state: 'refused', message: expect.stringContaining('is switched off') }]),
    );
  });

  test('that redirects is not followed, and one that echoes its signature is not stored', async () => {
    receiver.answer = { status: 302, headers: { location: 'http://169.254.169.254/' } };
    await song('Round');
    expect(await attempted(1)).toMatchObject({
      state: 'waiting',
      status: 302,
      message: expect.stringContaining('not followed'),
    });
    receiver.answer = { status: 200, text: `You sent ${secret}` };
    const [waiting] = await deliveries();
    await becomesDue(waiting!.id);
    expect(await attempted(2)).toMatchObject({ state: 'delivered', answer: 'You sent …' });
    expect(receiver.calls).toHaveLength(2);
  });

  test.each([
    ['GET', '/webhooks'],
    ['POST', '/webhooks'],
    ['GET', '/webhook-deliveries'],
  ])('%s %s is for administrators of the installation', async (method, path) => {
    expect(
      (await owner(method, path, method === 'POST' ? { name: 'mine', url: 'https://example.com' } : undefined)).status,
    ).toBe(403);
  });

  test('neither its secret nor a replay is for others', async () => {
    expect((await owner('POST', `/webhooks/${hook}/secret`)).status).toBe(403);
    expect((await owner('POST', '/webhook-deliveries/1/replay')).status).toBe(403);
  });
});

describe('only public addresses are called', () => {
  test.each([
    'http://example.com/',
    'ftp://example.com/',
    'https://user:pass@example.com/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://metadata.google.internal/',
    'https://printer.local/',
  ])('%s is refused', async (url) => {
    expect(urlProblem(url, [])).toMatch(/must/);
    const resolve: LookupAll = () => expect.unreachable('No name is looked up.');
    await expect(callUrl(url, { headers: {}, body: '', allowedTargets: [], resolve })).rejects.toThrow(/must/);
  });

  test('private addresses are refused by the API too', async () => {
    const answer = await admin<{ errors: Record<string, string> }>('POST', '/webhooks', {
      name: 'inside',
      url: 'https://10.0.0.1/',
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: { url: expect.stringContaining('WEBHOOK_ALLOW_PRIVATE') } },
    });
  });

  const answering =
    (...answers: string[][]): LookupAll =>
    (_host, _options, done) =>
      done(
        null,
        (answers.length > 1 ? answers.shift()! : answers[0]!).map((address) => ({
          address,
          family: address.includes(':') ? 6 : 4,
        })),
      );

  test.each([
    ['a private address', ['10.0.0.7']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['an IPv4 address in IPv6', ['::ffff:127.0.0.1']],
    ['a public and a private address', ['93.184.216.34', '127.0.0.1']],
  ])('a name with %s is refused', async (_, addresses) => {
    const call = callUrl('https://rebind.example/', {
      headers: {},
      body: '',
      allowedTargets: [],
      resolve: answering(addresses),
    });
    await expect(call).rejects.toThrow(/private networks/);
  });

  test('a name that changes between the check and the connection reaches the address that was checked', async () => {
    const inside = await startReceiver('127.0.0.2');
    const { port } = new URL(receiver.url);
    const resolve = vi.fn(answering(['127.0.0.1'], ['127.0.0.2']));
    const allowed = readWebhookAllowPrivate({ WEBHOOK_ALLOW_PRIVATE: '127.0.0.1/32, hooks.example' });
    const target = `http://hooks.example:${port}/`;
    expect(await callUrl(target, { headers: {}, body: '{}', allowedTargets: allowed, resolve })).toMatchObject({
      status: 204,
    });
    expect(resolve).toHaveBeenCalledTimes(1);
    expect([receiver.calls.length, inside.calls.length]).toEqual([1, 0]);
    await inside.close();
  });

  test('an answer is read up to a limit, and waited for only so long', async () => {
    receiver.answer = { status: 200, text: 'x'.repeat(5_000_000) };
    const allowed = readWebhookAllowPrivate({ WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' });
    const { text } = await callUrl(receiver.url, { headers: {}, body: '', allowedTargets: allowed });
    expect(text).toHaveLength(16 * 1024);
    const silent = (await import('node:net')).createServer();
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const { port } = silent.address() as { port: number };
    const call = callUrl(`http://127.0.0.1:${port}/`, { headers: {}, body: '', allowedTargets: allowed, timeout: 200 });
    await expect(call).rejects.toThrow('There was no complete answer within 0.2 seconds.');
    silent.close();
  });
});
