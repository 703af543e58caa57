// @module-tag slow
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeSpool, type ImportRow } from '../../../src/server/imports/spool';
import { FairSlots } from '../../../src/server/jobs/fair-slots';
import { password } from '../../support/accounts';
import { accounts, startFixtureProgram, type DemoProgram } from '../../support/program';
import { csv, send } from './files';

const folder = mkdtempSync(join(tmpdir(), 'assay-spool-'));
let demo: DemoProgram;
beforeAll(async () => {
  // Its own data folder: other programs receive files in the one that they share.
  demo = await startFixtureProgram({ env: { DATA_DIR: join(folder, 'data') } });
});
afterAll(async () => {
  await demo.close();
  rmSync(folder, { recursive: true, force: true });
});

const record = (number: number): ImportRow => ({
  rows: [{ number, cells: [`Title ${number}`, 'Line one\nLine two', 'ä€😀'] }],
  cells: [`Title ${number}`, 'Line one\nLine two', 'ä€😀'],
  formulas: number % 7 === 0 ? [`${number}:1`] : [],
});

async function* records(count: number) {
  for (let number = 2; number < count + 2; number++) yield Promise.resolve(record(number));
}

describe('records on disk', () => {
  test('are read back unchanged, in parts, and from a given row', async () => {
    const path = join(folder, 'one');
    const kept = await writeSpool(path, records(1_000));
    const sizes: number[] = [];
    const numbers: number[] = [];
    for await (const part of kept.parts(300, 101)) {
      sizes.push(part.length);
      for (const one of part) {
        expect(one).toEqual(record(one.rows[0]!.number));
        numbers.push(one.rows[0]!.number);
      }
    }
    expect([kept.total, sizes, numbers[0], numbers.at(-1)]).toEqual([1_000, [300, 300, 300], 102, 1_001]);
    await kept.close();
    expect(existsSync(path)).toBe(false);
  });

  test('leave no file behind if they cannot be read, or if reading stops early', async () => {
    const path = join(folder, 'two');
    const broken = async function* () {
      yield* records(10);
      throw new Error('broken');
    };
    await expect(writeSpool(path, broken())).rejects.toThrow('broken');
    expect(existsSync(path)).toBe(false);
    const kept = await writeSpool(path, records(500));
    for await (const part of kept.parts(10)) if (part[0]!.rows[0]!.number > 20) break;
    await kept.close();
    expect(existsSync(path)).toBe(false);
  });
});

describe('a file of many pages', () => {
  /** A thousand screenings, each with its steps in three rows: pages end within them. */
  const rows = Array.from({ length: 3_000 }, (_, at) =>
    at % 3 === 0 ? [`Case ${at / 3}`, `Step ${at}`] : ['', at === 1_501 ? 'Changed' : `Step ${at}`],
  );
  const token = async () => {
    const { body } = await demo.call<{ token: string }>('POST', '/login', { email: accounts.owner, password });
    return body.token;
  };

  test('is joined across its pages and leaves nothing on disk', async () => {
    const owner = await demo.signIn(accounts.owner);
    const { body: page } = await owner<{ data: { id: number }[] } | { id: number }[]>('GET', '/films?range=[0,0]');
    const [film] = Array.isArray(page) ? page : page.data;
    const file = csv([['Title', 'Steps'], ...rows]);
    const preview = await send(
      demo,
      await token(),
      '/screenings/import?preview=1',
      file,
      { film_id: String(film!.id) },
      'cases.csv',
    );
    expect(preview.body).toMatchObject({ total: 1_000, ready: 1_000, failed: 0, errors: [] });
    const imported = await send(
      demo,
      await token(),
      '/screenings/import',
      file,
      { film_id: String(film!.id) },
      'cases.csv',
    );
    expect(imported.body).toMatchObject({ success: true, imported: 1_000 });
    const path = '/screenings?range=[0,1]&filter={"name":"Case 500"}';
    const { body } = await owner<{ data: { running_order: string }[] }>('GET', path);
    expect(body.data.map(({ running_order: steps }) => steps)).toEqual(['1. Step 1500\n2. Changed\n3. Step 1502']);
    // What was sent goes once the answer is out.
    await expect.poll(() => readdir(join(demo.program.settings.dataDir, 'uploads'))).toEqual([]);
  });
});

describe('slots for reading', () => {
  const soon = <T>(place: Promise<T>) => Promise.race([place, new Promise((done) => setTimeout(done, 20, 'waits'))]);
  const patient = new AbortController().signal;

  test('are shared by companies: each has its share, and waiting files are served in turn', async () => {
    const places = new FairSlots(2, 1);
    const first = await places.acquire(1, patient);
    const second = places.acquire(1, patient);
    expect(await soon(second)).toBe('waits');
    const other = await places.acquire(2, patient);
    const third = places.acquire(null, patient);
    expect([typeof first, typeof other, await soon(third)]).toEqual(['function', 'function', 'waits']);
    other!();
    other!();
    // The installation comes after the company that waits for longer, but that one has its share.
    expect(typeof (await third)).toBe('function');
    expect(await soon(second)).toBe('waits');
    first!();
    expect(typeof (await second)).toBe('function');
  });

  test('are not reserved for a caller that gave up waiting', async () => {
    const places = new FairSlots(1, 1);
    const first = await places.acquire(1, patient);
    const gone = new AbortController();
    const second = places.acquire(1, gone.signal);
    gone.abort();
    expect(await second).toBeUndefined();
    first!();
    expect(typeof (await places.acquire(1, patient))).toBe('function');
  });
});
