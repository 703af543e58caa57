// @module-tag slow
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sweepFiles } from '../../../src/server/files/sweep';
import { product } from '../../fixtures/product';
import { sourceOf } from '../../support/definitions';
import { resolveReferences } from '../../support/openapi';
import { passUndoHour } from '../../support/deletions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { gif, jpeg, png } from './pictures';
import { storages, type Storage } from './storages';

interface FileValue {
  name: string;
  size: number;
  type: string;
  url: string;
}
type Row = Record<string, unknown> & { id: number; papers: FileValue[] | null };
type Answer = {
  status: number;
  body: { data: Row & FileValue } & Row & { message: string; errors: Record<string, string> };
};
type Part = { bytes: Uint8Array | string; name: string };

const assets = sourceOf(
  'parts',
  {
    name: { label: 'Name', required: true },
    copy_of: { type: 'relation', to: 'parts', onDelete: 'clear' },
    papers: { type: 'files', accept: ['image/*', 'application/pdf', 'text/plain'], maxItems: 3, maxSize: '64 kB' },
    anything: { type: 'files' },
  },
  {
    scope: 'company',
    list: { columns: ['name', 'papers'] },
    export: true,
    import: {},
    history: true,
    copy: { field: 'name', suffix: ' (copy)', originalField: 'copy_of' },
  },
);

const pdf = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF';

describe.each(storages)('several files in %s', (_name, open) => {
  let program: DemoProgram;
  let owner: Client;
  let token: string;
  let origin: string;
  let storage: Storage;
  let refusal: ((name: string) => string | undefined) | undefined;

  beforeAll(async () => {
    storage = await open();
    const scanFile = ({ name }: { name: string }) => Promise.resolve().then(() => refusal?.(name));
    program = await startFixtureProgram({ env: storage.env, product: { ...product, scanFile } });
    const admin = await program.signIn(accounts.admin);
    expect(await admin('POST', '/modules', { definition: assets })).toMatchObject({ status: 201 });
    owner = await program.signIn(accounts.owner);
    token = await tokenOf(accounts.owner);
    await program.app.listen({ port: 0, host: '127.0.0.1' });
    origin = `http://127.0.0.1:${(program.app.server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    refusal = undefined;
  });
  afterAll(async () => {
    await program?.close();
    await storage?.close();
  });

  async function tokenOf(email: string): Promise<string> {
    const { body } = await program.call<{ token: string }>('POST', '/login', { email, password: 'Demo@1234' });
    return body.token;
  }

  async function send(method: string, path: string, parts: [string, string | Part][], as = token): Promise<Answer> {
    const form = new FormData();
    for (const [name, part] of parts) {
      if (typeof part === 'string') form.append(name, part);
      else form.append(name, new Blob([part.bytes as never], { type: 'text/html' }), part.name);
    }
    const headers = { authorization: `Bearer ${as}` };
    const answer = await fetch(`${origin}/api${path}`, { method, body: form, headers });
    return { status: answer.status, body: (await answer.json()) as never };
  }
  const recordOf = ({ status, body }: Answer | { status: number; body: unknown }) => {
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return ((body as { data?: Row }).data ?? body) as Row;
  };
  const upload = async (part: Part, field = 'papers', as = token) =>
    recordOf(await send('POST', `/parts/files?field=${field}`, [['file', part]], as)) as unknown as FileValue;
  const shot = { bytes: png(3, 2), name: 'login – ü.png' };
  const paper = { bytes: pdf, name: 'invoice.pdf' };
  const names = ({ papers }: Row) => papers?.map(({ name }) => name) ?? null;
  const read = async (id: number) => recordOf(await owner('GET', `/parts/${id}`));

  test('come with the record, each told by its content, in the order of the form', async () => {
    const record = recordOf(
      await send('POST', '/parts', [
        ['name', 'Lamp'],
        ['papers', paper],
        ['papers', shot],
        ['papers', { bytes: 'notes\n', name: 'readme' }],
      ]),
    );
    expect(record.papers!.map(({ name, size, type }) => [name, size, type])).toEqual([
      ['invoice.pdf', pdf.length, 'application/pdf'],
      [shot.name, shot.bytes.length, 'image/png'],
      ['readme', 6, 'text/plain'],
    ]);
    for (const [index, { url, type }] of record.papers!.entries()) {
      const answer = await fetch(origin + url);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain(type);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-disposition')).toMatch(index === 1 ? /^inline/ : /^attachment/);
      expect((await answer.arrayBuffer()).byteLength).toBe(record.papers![index]!.size);
    }
    // A moving picture is shown as well.
    const moving = await fetch(origin + (await upload({ bytes: gif, name: 'moving.gif' })).url);
    expect(moving.headers.get('content-disposition')).toMatch(/^inline/);
    // Nobody learns the keys but by the URLs, and a list has them too.
    const { body } = await owner<Row[]>('GET', `/parts?id=${record.id}`);
    const [listed] = (body as unknown as { data?: Row[] }).data ?? body;
    expect(listed!.papers!.map((file) => Object.keys(file).sort())[0]).toEqual(['name', 'size', 'type', 'url']);
  });

  test('are uploaded first and become the record’s when it is saved, once and by nobody else', async () => {
    const [one, two] = [await upload(shot), await upload(paper)];
    const other = await program.signIn(accounts.harbour);
    const stolen = await other('POST', '/parts', { name: 'Thief', papers: [one] });
    expect(stolen.status).toBeGreaterThanOrEqual(400);
    const twice = await Promise.all(
      [1, 2].map((n) => owner('POST', '/parts', { name: `Lamp ${n}`, papers: [two, one] })),
    );
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 422]);
    const record = recordOf(twice.find(({ status }) => status === 201)!);
    expect(names(record)).toEqual(['invoice.pdf', shot.name]);
    expect(twice.find(({ status }) => status === 422)!.body).toMatchObject({
      errors: { papers: 'Papers: “invoice.pdf” is no longer there. Add it again.' },
    });
    // For another field, it is none.
    expect(await owner('PUT', `/parts/${record.id}`, { anything: [await upload(shot)] })).toMatchObject({
      status: 422,
    });
    expect(await read(record.id)).toMatchObject({ anything: null });
  });

  test('change as one list: kept, added, put in order, removed; a removed file is deleted', async () => {
    const made = recordOf(
      await owner('POST', '/parts', { name: 'Desk', papers: [await upload(shot), await upload(paper)] }),
    );
    const before = storage.stored().length;
    const [first, second] = made.papers!;
    const turned = recordOf(await owner('PUT', `/parts/${made.id}`, { papers: [second, first] }));
    expect(names(turned)).toEqual(['invoice.pdf', shot.name]);
    expect(storage.stored()).toHaveLength(before);
    const added = recordOf(
      await send('PUT', `/parts/${made.id}`, [
        ['papers', JSON.stringify([turned.papers![1]])],
        ['papers', { bytes: jpeg(1, 1), name: 'b.jpg' }],
      ]),
    );
    expect(names(added)).toEqual([shot.name, 'b.jpg']);
    await vi.waitFor(() => expect(storage.stored()).toHaveLength(before));
    expect((await fetch(origin + second!.url)).status).toBe(404);
    // The same as it is: no change, no new entry.
    expect(recordOf(await owner('PUT', `/parts/${made.id}`, { papers: added.papers })).updated_at).toBe(
      added.updated_at,
    );
    const { body } = await owner<{ data: { old_values: Row; new_values: Row }[] }>('GET', `/parts/${made.id}/history`);
    expect(body.data.map(({ old_values, new_values }) => [old_values?.papers, new_values.papers])).toEqual([
      [
        ['invoice.pdf', shot.name],
        [shot.name, 'b.jpg'],
      ],
      [
        [shot.name, 'invoice.pdf'],
        ['invoice.pdf', shot.name],
      ],
      [undefined, [shot.name, 'invoice.pdf']],
    ]);
    expect(names(recordOf(await owner('PUT', `/parts/${made.id}`, { papers: [] })))).toBeNull();
    await vi.waitFor(() => expect(storage.stored()).toHaveLength(before - 2));
    const bulk = await owner('POST', '/parts/bulk', {
      create: [{ name: 'One', papers: [await upload(shot)] }],
      update: [{ id: made.id, papers: [await upload(paper)] }],
    });
    expect(bulk, JSON.stringify(bulk.body)).toMatchObject({
      body: {
        data: { created: [{ papers: [{ name: shot.name }] }], updated: [{ papers: [{ name: 'invoice.pdf' }] }] },
      },
    });
    expect((await owner('DELETE', `/parts/${made.id}`)).status).toBe(200);
    await passUndoHour(program.program);
    await vi.waitFor(() => expect(storage.stored()).toHaveLength(before - 2 + 1));
  });

  test.each<[string, Part, number, string]>([
    ['a page', { bytes: '<!doctype html><script>1</script>', name: 'a.png' }, 415, '“a.png” is none, by its content'],
    ['a program', { bytes: Buffer.from('4d5a9000ff00', 'hex'), name: 'a.pdf' }, 415, 'takes pictures, PDF or TXT'],
    ['a picture cut off', { bytes: png(3, 2).subarray(0, 20), name: 'a.png' }, 415, 'none, by its content'],
    ['nothing', { bytes: '', name: 'a.txt' }, 415, '“a.txt” is empty.'],
    ['too much', { bytes: 'a'.repeat(64 * 1024 + 1), name: 'a.txt' }, 413, '64 kB'],
  ])('%s is refused, whichever way it comes, and nothing is stored', async (_what, part, status, message) => {
    const before = storage.stored();
    for (const [path, field] of [
      ['/parts/files?field=papers', 'file'],
      ['/parts', 'papers'],
    ] as const) {
      const answer = await send(
        'POST',
        path,
        [
          ['name', 'Lamp'],
          ['papers', shot],
          [field, part],
        ].slice(field === 'file' ? 2 : 0) as never,
      );
      expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(message) as string } });
    }
    expect(storage.stored()).toEqual(before);
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from assay.files`.execute(
      program.program.database.kysely,
    );
    expect(rows[0]!.count).toBe(before.length);
  });

  test('active content is served so that nothing in it runs', async () => {
    for (const [bytes, type] of [
      ['<!doctype html><script>alert(1)</script>', 'text/html'],
      ['<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'image/svg+xml'],
    ] as const) {
      const file = await upload({ bytes, name: 'harmless.png' }, 'anything');
      expect(file.type).toBe(type);
      const answer = await fetch(origin + file.url);
      expect(await answer.text()).toBe(bytes);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-disposition': "attachment; filename*=UTF-8''harmless.png",
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
    }
  });

  test('too many, files of a stranger, and what is none are refused', async () => {
    const four = Array.from({ length: 4 }, (_, index): [string, Part] => ['papers', { ...shot, name: `${index}.png` }]);
    expect(await send('POST', '/parts', [['name', 'x'], ...four])).toMatchObject({
      status: 422,
      body: { errors: { papers: 'Papers must have at most 3 entries.' } },
    });
    for (const papers of ['a.png', [{ key: 'a.png', name: 'a', size: 1, type: 'image/png' }], { url: 1 }, 7])
      expect(await owner('POST', '/parts', { name: 'x', papers })).toMatchObject({
        status: 422,
        body: { errors: { papers: expect.any(String) as string } },
      });
    const url = '/api/files/0123456789abcdef0123456789abcdef.png';
    expect(await owner('POST', '/parts', { name: 'x', papers: [{ name: 'a.png', url }] })).toMatchObject({
      status: 422,
    });
    expect(await send('POST', '/parts/files?field=name', [['file', shot]])).toMatchObject({
      status: 400,
      body: { code: 'UNKNOWN_FIELD', message: expect.stringContaining('papers, anything') as string },
    });
    expect(await send('POST', '/parts/files?field=papers', [])).toMatchObject({ status: 400 });
    expect(await owner('POST', '/parts/files?field=papers', {})).toMatchObject({ status: 400 });
    const viewer = await tokenOf(accounts.qa);
    expect((await send('POST', '/parts/files?field=papers', [['file', shot]], viewer)).status).toBe(403);
  });

  test('a scanner’s refusal says why, and without its answer nothing is stored', async () => {
    const before = storage.stored();
    refusal = (name) => (name === 'eicar.txt' ? 'it contains Eicar' : undefined);
    const bad = { bytes: 'X5O!P%@AP', name: 'eicar.txt' };
    expect(
      await send('POST', '/parts', [
        ['name', 'x'],
        ['papers', shot],
        ['papers', bad],
      ]),
    ).toMatchObject({
      status: 422,
      body: { errors: { papers: '“eicar.txt” was refused: it contains Eicar.' } },
    });
    refusal = () => {
      throw new Error('connection refused');
    };
    expect(await send('POST', '/parts/files?field=papers', [['file', shot]])).toMatchObject({ status: 503 });
    await vi.waitFor(() => expect(storage.stored()).toEqual(before));
  });

  test('a copy has files of its own', async () => {
    const made = recordOf(await owner('POST', '/parts', { name: 'Desk', papers: [await upload(shot)] }));
    const copy = recordOf(await owner('POST', '/parts', { name: 'Copy', copy_of: made.id, papers: made.papers }));
    expect(names(copy)).toEqual([shot.name]);
    expect(copy.papers![0]!.url).not.toBe(made.papers![0]!.url);
    expect((await owner('DELETE', `/parts/${made.id}`)).status).toBe(200);
    await passUndoHour(program.program);
    expect((await fetch(origin + copy.papers![0]!.url)).status).toBe(200);
    // Not a copy: the file is another record's.
    expect(await owner('POST', '/parts', { name: 'Steal', papers: copy.papers })).toMatchObject({ status: 422 });
  });

  test('conditions ask for them, downloads have their names', async () => {
    const made = recordOf(
      await owner('POST', '/parts', { name: 'Find me', papers: [await upload(shot), await upload(paper)] }),
    );
    await owner('POST', '/parts', { name: 'Find me not' });
    const found = async (where: object) => {
      const filter = encodeURIComponent(JSON.stringify({ name: { $contains: 'Find me' }, ...where }));
      const { status, body } = await owner<Row[]>('GET', `/parts?where=${filter}&sort_by=id`);
      return status === 200 ? body.map(({ name }) => name) : body;
    };
    expect(await found({ papers: { $ne: null } })).toEqual(['Find me']);
    expect(await found({ papers: null })).toEqual(['Find me not']);
    expect(await found({ papers: 'login.png' })).toMatchObject({
      message: expect.stringContaining('whether') as string,
    });
    const csv = await fetch(`${origin}/api/parts-export?format=csv&id=${made.id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await csv.text()).toContain('"login – ü.png, invoice.pdf"');
  });

  test('what no record has is swept: after a day if it waits for one, else after an hour', async () => {
    await sql`update assay.files set created_at = now() - interval '3 days' where is_waiting`.execute(
      program.program.database.kysely,
    );
    await sweepFiles(program.program);
    const kept = recordOf(await owner('POST', '/parts', { name: 'Kept', papers: [await upload(shot)] }));
    const before = storage.stored();
    const waiting = await upload(paper);
    const age = (hours: number) =>
      sql`update assay.files set created_at = now() - make_interval(hours => ${sql.lit(hours)})`.execute(
        program.program.database.kysely,
      );
    await age(3);
    await sweepFiles(program.program);
    expect((await fetch(origin + waiting.url)).status).toBe(200);
    await age(25);
    await sweepFiles(program.program);
    expect(storage.stored()).toEqual(before);
    expect((await fetch(origin + kept.papers![0]!.url)).status).toBe(200);
    expect(await owner('PUT', `/parts/${kept.id}`, { papers: [waiting] })).toMatchObject({ status: 422 });
  });

  test('the API document describes them', async () => {
    const { body } = await owner<{ paths: object; components: object }>('GET', '/openapi.json');
    const paths = resolveReferences<Record<string, Record<string, { requestBody?: object }>>>(body, body.paths);
    expect(paths['/parts/files']!.post).toMatchObject({ operationId: 'upload-parts' });
    expect(JSON.stringify(paths['/parts']!.post!.requestBody)).toContain(
      'At most 3: pictures, PDF or TXT, each of at most 64 kB.',
    );
  });
});

test('ClamAV’s daemon is asked if the settings name it', async () => {
  const received: string[] = [];
  const daemon: Server = createServer((socket) => {
    let all = Buffer.alloc(0);
    socket.on('data', (part: Buffer) => {
      all = Buffer.concat([all, part]);
      if (!all.subarray(-4).equals(Buffer.alloc(4))) return;
      const content = all.toString('latin1');
      received.push(content.slice(0, 10));
      socket.end(content.includes('EICAR') ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0');
    });
  }).listen(0, '127.0.0.1');
  await once(daemon, 'listening');
  const { port } = daemon.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), 'assay-scanned-'));
  const env = { VIRUS_SCANNER: `clamd://127.0.0.1:${port}`, DATA_DIR: folder };
  const program = await startFixtureProgram({ env });
  try {
    const { temporary, store } = program.program.files;
    const { Readable } = await import('node:stream');
    const file = (content: string) => temporary.receive('a.txt', Readable.from([content]), 1_000_000);
    const owner = { resource: 'screenings', field: 'screenshot' };
    await expect(store(await file('EICAR'), 'text/plain', owner)).rejects.toMatchObject({
      errors: { screenshot: '“a.txt” was refused: it contains Eicar-Signature.' },
    });
    await expect(store(await file('a'.repeat(300_000)), 'text/plain', owner)).resolves.toMatchObject({ size: 300_000 });
    expect(received).toEqual(['zINSTREAM\0', 'zINSTREAM\0']);
    daemon.close();
    await expect(store(await file('a'), 'text/plain', owner)).rejects.toMatchObject({ status: 503 });
  } finally {
    await program.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
