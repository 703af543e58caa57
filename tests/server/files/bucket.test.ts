// @module-tag slow
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openStorage } from '../../../src/server/files/storage';
import { openLog } from '../../../src/server/settings/log';
import { readSettings } from '../../../src/server/settings/settings';
import { passUndoHour } from '../../support/deletions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { openBucket, type Bucket } from '../../support/s3';
import { png } from './pictures';

type Row = Record<string, unknown> & { id: number; screenshot: { url: string } };

/** A log that is kept. */
function listen() {
  const lines: string[] = [];
  const log = openLog('trace', { write: (line) => void lines.push(line) });
  return { log, said: () => lines.join('') };
}

describe('settings of a bucket', () => {
  let bucket: Bucket;
  beforeAll(async () => {
    bucket = await openBucket();
  });
  afterAll(() => bucket?.close());

  test.each([
    ['S3_BUCKET', 'nobodys-bucket', 'this bucket does not exist'],
    ['S3_ACCESS_KEY_ID', 'NOBODYSKEY', 'is unknown to the service'],
    ['S3_SECRET_ACCESS_KEY', 'wr0ng/+secret', 'does not belong to S3_ACCESS_KEY_ID'],
    ['S3_REGION', 'us-east-1', 'is not the region of the bucket'],
  ])('%s is tried at the start', async (name, value, rule) => {
    const { log, said } = listen();
    const opened = openStorage(readSettings({ ...bucket.env, [name]: value }), log);
    await expect(opened).rejects.toThrow(`${name}: ${rule}`);
    expect(said()).toBe('');
  });

  test('an unreachable bucket is logged and blocks nothing', async () => {
    const { log, said } = listen();
    await openStorage(readSettings({ ...bucket.env, S3_ENDPOINT: 'http://127.0.0.1:9' }), log);
    expect(said()).toContain('The bucket for files is not responding: connect ECONNREFUSED');
    expect(said()).not.toContain(bucket.env.S3_SECRET_ACCESS_KEY);
  });
});

describe('a bucket that goes away', () => {
  const { log, said } = listen();
  let bucket: Bucket;
  let program: DemoProgram;
  let owner: Client;
  let values: object;
  beforeAll(async () => {
    bucket = await openBucket();
    program = await startFixtureProgram({ env: bucket.env, log });
    owner = await program.signIn(accounts.owner);
    const { film_id, scene } = (await owner<{ data: Row[] }>('GET', '/screenings?range=[0,0]')).body.data[0]!;
    values = { film_id, scene, description: '<p>x</p>', status_id: 1, urgency_id: 1 };
  });
  afterAll(() => program?.close());

  const send = async (name: string, path = '/screenings', method = 'POST', key?: string) => {
    const form = new FormData();
    for (const [field, value] of Object.entries({ ...values, name })) form.append(field, String(value));
    form.append('screenshot', new Blob([new Uint8Array(png(3, 2))]), 'a.png');
    const body = new Response(form);
    const type = { 'content-type': body.headers.get('content-type')!, ...(key && { 'idempotency-key': key }) };
    return owner<{ data: Row; message: string }>(method, path, Buffer.from(await body.arrayBuffer()), type);
  };

  test('a slow bucket blocks no transaction, and a repeated call leaves nothing behind', async () => {
    const made = await send('Held');
    const { id } = made.body.data;
    const open = async () => {
      const { rows } = await program.program.database.pool.query(`select query from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and backend_type = 'client backend'`);
      return rows;
    };
    for (const [path, method, key] of [
      ['/screenings', 'POST', 'key-post'],
      [`/screenings/${id}`, 'PUT', 'key-put'],
      [`/screenings/${id}`, 'PUT', undefined],
    ] as const) {
      const seen: unknown[] = [];
      bucket.held = async (verb) => {
        if (verb !== 'PUT') return;
        // What began elsewhere at this very moment ends soon; what waits for the bucket does not.
        await vi.waitFor(async () => expect(await open()).toEqual([]));
        seen.push(await open());
        // The very record is changed meanwhile.
        const { status } = await owner('PUT', `/screenings/${id}`, { projection_notes: `while ${method}` });
        seen.push(status);
      };
      const answer = await send(`Held ${method}`, path, method, key);
      expect([answer.status, seen]).toEqual([method === 'POST' ? 201 : 200, [[], 200]]);
      bucket.held = undefined;
      if (!key) continue;
      const again = await send(`Held ${method}`, path, method, key);
      expect([again.body.data.id, again.headers['idempotency-replayed']]).toEqual([answer.body.data.id, 'true']);
    }
    // Two records have a picture each.
    await vi.waitFor(() => expect(bucket.objects.size).toBe(2));
  });

  test('results in an error message, changes nothing, and logs no secret', async () => {
    const made = await send('Before');
    const { id, screenshot } = made.body.data;
    const { url } = screenshot;
    expect((await owner('GET', url.slice('/api'.length))).status).toBe(200);
    expect(bucket.refused).toEqual([]);
    await bucket.close();

    const words = (advice: string) => expect.stringContaining(`Something went wrong on our side. ${advice}`) as string;
    const unsure = words('Your change may or may not have been saved: reload and check before you try again.');
    expect(await send('After')).toMatchObject({ status: 500, body: { message: unsure } });
    expect((await owner<{ data: Row[] }>('GET', '/screenings?name=After')).body).toEqual({ data: [] });
    expect(await owner('GET', url.slice('/api'.length))).toMatchObject({
      status: 500,
      body: { message: words('Please try again.') },
    });
    expect((await owner('DELETE', `/screenings/${id}`)).status).toBe(200);
    await passUndoHour(program.program);
    await vi.waitFor(() => expect(said()).toContain('A file could not be deleted'));

    expect(said().match(/ECONNREFUSED/g)!.length).toBeGreaterThanOrEqual(3);
    for (const secret of [bucket.env.S3_SECRET_ACCESS_KEY!, 'AWS4-HMAC-SHA256', 'Signature=', 'Bearer ']) {
      expect(said()).not.toContain(secret);
    }
  });
});
