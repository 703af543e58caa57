// @module-tag slow
import { existsSync, utimesSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifyFileUrl, signFileUrl } from '../../../src/server/files/signed-url';
import { sweepFiles } from '../../../src/server/files/sweep';
import { passUndoHour } from '../../support/deletions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { jpeg, png, webp } from './pictures';
import { storages, type Storage } from './storages';

interface Picture {
  name: string;
  size: number;
  type: string;
  url: string;
}
type Row = Record<string, unknown> & { id: number; screenshot: Picture | null };

describe.each(storages)('files in %s', (_name, open) => {
  let program: DemoProgram;
  let owner: Client;
  let token: string;
  let origin: string;
  let storage: Storage;
  /** The files that lie where the program keeps them. */
  const stored = () => storage.stored();

  beforeAll(async () => {
    storage = await open();
    program = await startFixtureProgram({ env: storage.env });
    owner = await program.signIn(accounts.owner);
    const { body } = await program.call<{ token: string }>('POST', '/login', {
      email: accounts.owner,
      password: 'Demo@1234',
    });
    token = body.token;
    await program.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(program.app.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await program?.close();
    await storage?.close();
  });

  async function send(
    method: string,
    path: string,
    values: Record<string, string | Blob>,
    file?: { bytes: Uint8Array; name: string; type?: string; field?: string },
  ): Promise<{ status: number; body: { data: Row } & Row & { message: string; errors: Record<string, string> } }> {
    const form = new FormData();
    for (const [name, value] of Object.entries(values)) form.append(name, value);
    if (file)
      form.append(
        file.field ?? 'screenshot',
        new Blob([new Uint8Array(file.bytes)], { type: file.type ?? 'image/png' }),
        file.name,
      );
    const answer = await fetch(`${origin}/api${path}`, {
      method,
      body: form,
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: answer.status, body: (await answer.json()) as never };
  }

  const recordOf = (body: { data?: Row } & Row) => body.data ?? body;

  let least: Record<string, string>;
  beforeAll(async () => {
    const { body } = await owner<{ data?: Row[] } & Row[]>('GET', '/screenings?range=[0,0]');
    const [one] = body.data ?? body;
    const full = recordOf((await owner<{ data?: Row } & Row>('GET', `/screenings/${one!.id}`)).body);
    const names = ['name', 'film_id', 'scene', 'kind_id', 'description', 'urgency_id', 'status_id', 'operator_id'];
    least = Object.fromEntries(
      names.flatMap((name) =>
        full[name] === null || full[name] === undefined
          ? []
          : [[name, String((full[name] as { id?: number }).id ?? full[name])]],
      ),
    );
  });

  const make = async (file?: Parameters<typeof send>[3]) => {
    const { status, body } = await send('POST', '/screenings', least, file);
    expect(status, JSON.stringify(body)).toBe(201);
    return recordOf(body);
  };
  const picture = { bytes: png(3, 2), name: 'login fails – ü.png' };

  describe('a picture', () => {
    test.each([
      ['image/png', png(3, 2)],
      ['image/jpeg', jpeg(3, 2)],
      ['image/webp', webp(3, 2)],
    ])('of %s is stored, and told by its content', async (type, bytes) => {
      const record = await make({ bytes, name: 'shot.bin', type: 'text/html' });
      expect(record.screenshot).toEqual({
        name: 'shot.bin',
        size: bytes.length,
        type,
        url: expect.stringMatching(/^\/api\/files\//),
      });
      const answer = await fetch(origin + record.screenshot!.url);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe(type);
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array(bytes));
    });

    test('is served so that nothing in it can run, and only at its own URL', async () => {
      const { url } = (await make(picture)).screenshot!;
      const answer = await fetch(origin + url);
      await answer.arrayBuffer();
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-disposition': `inline; filename*=UTF-8''login%20fails%20%E2%80%93%20%C3%BC.png`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, max-age=600',
      });
      const other = (await make(picture)).screenshot!.url;
      const query = url.slice(url.indexOf('?'));
      for (const wrong of [
        url.split('?')[0]!,
        other.split('?')[0]! + query,
        url.replace(/expires=(\d)/, 'expires=9$1'),
      ]) {
        expect((await fetch(origin + wrong)).status).toBe(404);
      }
      expect((await fetch(`${origin}/api/files/..%2f..%2fetc%2fpasswd${query}`)).status).toBe(404);
    });

    test('is referenced only by its URL for users who can see the record; the history contains its name', async () => {
      const record = await make(picture);
      const { body } = await owner<{ data?: Row[] } & Row[]>('GET', `/screenings?id=${record.id}`);
      expect(Object.keys((body.data ?? body)[0]!.screenshot!).sort()).toEqual(['name', 'size', 'type', 'url']);
      const history = await owner<{ data: { new_values: object }[] }>('GET', `/screenings/${record.id}/history`);
      expect(history.body.data[0]!.new_values).toMatchObject({ screenshot: picture.name });
      expect(JSON.stringify(history.body)).not.toContain('.png"}');
    });

    test('stays when the record is restored unchanged, and is deleted when it is replaced, emptied or deleted', async () => {
      const record = await make(picture);
      const before = stored();
      const same = await owner<{ data?: Row } & Row>('PUT', `/screenings/${record.id}`, {
        screenshot: record.screenshot,
        name: 'Renamed',
      });
      expect(same.status, JSON.stringify(same.body)).toBe(200);
      expect(recordOf(same.body).screenshot).toMatchObject({ name: picture.name });
      expect(stored()).toEqual(before);

      const replaced = await send('PUT', `/screenings/${record.id}`, {}, { bytes: jpeg(1, 1), name: 'b.jpg' });
      expect(recordOf(replaced.body).screenshot).toMatchObject({ name: 'b.jpg', type: 'image/jpeg' });
      await vi.waitFor(() => expect(stored()).toHaveLength(before.length));
      expect((await fetch(origin + record.screenshot!.url)).status).toBe(404);

      const emptied = await owner<{ data?: Row } & Row>('PUT', `/screenings/${record.id}`, { screenshot: null });
      expect(recordOf(emptied.body).screenshot).toBeNull();
      await vi.waitFor(() => expect(stored()).toHaveLength(before.length - 1));

      const last = await make(picture);
      expect((await owner('DELETE', `/screenings/${last.id}`)).status).toBe(200);
      expect(stored()).toHaveLength(before.length);
      await passUndoHour(program.program);
      await vi.waitFor(() => expect(stored()).toHaveLength(before.length - 1));
    });
  });

  const storedRow = async (key: string) =>
    (await sql`select from assay.files where key = ${key}`.execute(program.program.database.kysely)).rows[0];

  test('a missing file is not found, and its record can be deleted', async () => {
    const record = await make(picture);
    const { url } = record.screenshot!;
    const key = url.split('/').at(-1)!.split('?')[0]!;
    storage.lose(key);
    const answer = await fetch(origin + url);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ message: 'Not found.', code: 'NOT_FOUND' });
    expect((await owner('DELETE', `/screenings/${record.id}`)).status).toBe(200);
    await passUndoHour(program.program);
    await vi.waitFor(async () => expect(await storedRow(key)).toBeUndefined());
  });

  describe('rejects', () => {
    let before: string[];
    const unchanged = async () => {
      expect(stored()).toEqual(before);
      const { rows } = await sql<{ count: number }>`select count(*)::integer as count from assay.files`.execute(
        program.program.database.kysely,
      );
      expect(rows[0]!.count).toBe(before.length);
    };
    beforeAll(() => {
      before = stored();
    });

    test.each([
      ['a page that calls itself a picture', Buffer.from('<html><script>alert(1)</script></html>')],
      ['a drawing with scripts', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
      ['a picture cut off', png(3, 2).subarray(0, 20)],
      ['the header of a picture, and nothing behind it', png(3, 2).subarray(0, 33)],
      ['a picture without a width', png(0, 2)],
      ['a picture that begins with its last part', Buffer.concat([Buffer.from('ffd8ffda', 'hex'), jpeg(3, 2)])],
      ['nothing', Buffer.alloc(0)],
    ])('%s is of another type', async (_what, bytes) => {
      const { status, body } = await send('POST', '/screenings', least, { bytes, name: 'a.png' });
      expect(status).toBe(415);
      expect(body.message).toBe('Screenshot must be a JPG, PNG or WebP image.');
      await unchanged();
    });

    test('files of more than 5 MB, but not of exactly 5 MB', async () => {
      const limit = 5 * 1024 * 1024;
      const large = (size: number) => Buffer.concat([png(3, 2), Buffer.alloc(size - png(3, 2).length)]);
      const { status, body } = await send('POST', '/screenings', least, { bytes: large(limit + 1), name: 'a.png' });
      expect(status).toBe(413);
      expect(body.message).toContain('5 MB');
      await unchanged();
      const record = await make({ bytes: large(limit), name: 'a.png' });
      expect(record.screenshot!.size).toBe(limit);
      await owner('DELETE', `/screenings/${record.id}`);
      await passUndoHour(program.program);
      await vi.waitFor(unchanged);
    });

    test('a valid picture with an invalid record, or for a field that is not a file', async () => {
      const bad = await send('POST', '/screenings', { ...least, trailer_url: 'no address' }, picture);
      expect(bad.status).toBe(422);
      expect(Object.keys(bad.body.errors)).toEqual(['trailer_url']);
      const wrong = await send('POST', '/screenings', least, { ...picture, field: 'name' });
      expect(wrong).toMatchObject({
        status: 422,
        body: { errors: { name: expect.stringContaining('does not accept a file') as string } },
      });
      const unknown = await send('POST', '/screenings', least, { ...picture, field: 'nonsense' });
      expect(unknown).toMatchObject({ status: 422, body: { errors: { nonsense: expect.any(String) as string } } });
      const missing = await send('PUT', '/screenings/999999', {}, picture);
      expect(missing.status).toBe(404);
      await unchanged();
    });

    test('a reference to a stored file sent by a client', async () => {
      const other = await make(picture);
      const key = other.screenshot!.url.split('/').at(-1)!.split('?')[0]!;
      const made = await make();
      const answer = await owner<{ errors: object }>('PUT', `/screenings/${made.id}`, {
        screenshot: { key, name: 'a', size: 1, type: 'image/png' },
      });
      expect(answer).toMatchObject({ status: 422, body: { errors: { screenshot: expect.any(String) as string } } });
    });
  });

  test('files without a record are deleted once they are old', async () => {
    await make(picture);
    const { files, database } = program.program;
    const before = stored();
    const lost = await files.temporary.receive('lost.png', Readable.from([png(1, 1)]), 1_000);
    const { key } = await files.store(lost, 'image/png', {
      resource: 'screenings',
      field: 'screenshot',
    });
    await sweepFiles(program.program);
    expect(stored()).toContain(key);
    // As an import that is killed before it is written down leaves it.
    const imported = await files.store(lost, 'text/csv', { resource: 'imports', field: 'file_key' });
    await sql`update assay.files set created_at = now() - interval '2 hours'`.execute(database.kysely);
    // A process that is killed leaves what was on its way in.
    const old = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(lost.path, old, old);
    const young = await files.temporary.receive('young.png', Readable.from([png(1, 1)]), 1_000);
    await sweepFiles(program.program);
    expect(stored()).toEqual(before);
    expect(await files.find(imported.key)).toBeUndefined();
    expect([existsSync(lost.path), existsSync(young.path)]).toEqual([false, true]);
    await young.deleteFile();
  });
});

test('a URL expires after at most 20 minutes, and stays the same for a while', () => {
  const secret = Buffer.from('a'.repeat(32));
  const at = Date.parse('2026-11-16T10:04:00Z');
  const address = signFileUrl(secret, 'a.png', at);
  expect(signFileUrl(secret, 'a.png', at + 60_000)).toBe(address);
  const query = Object.fromEntries(new URLSearchParams(address.split('?')[1]));
  expect(verifyFileUrl(secret, 'a.png', query, at + 10 * 60_000)).toBe('good');
  expect(verifyFileUrl(secret, 'a.png', query, at + 20 * 60_000)).toBe('expired');
  expect(verifyFileUrl(secret, 'b.png', query, at)).toBe('foreign');
  expect(verifyFileUrl(Buffer.from('b'.repeat(32)), 'a.png', query, at)).toBe('foreign');
});
