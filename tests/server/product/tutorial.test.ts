// @module-tag slow
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readProduct } from '../../../src/server/read-product';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';

// docs/guide/tutorial.md, followed as a reader does: the files of each step are saved over those of the step before.

type Json = Record<string, unknown>;
interface Step {
  readonly title: string;
  readonly files: readonly { readonly path: string; readonly isAdded: boolean; readonly value: Json }[];
}
interface Row extends Json {
  id: number;
}

const steps: readonly Step[] = readFileSync('docs/guide/tutorial.md', 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    files: [...section.matchAll(/^(In|Add to) `([\w./-]+\.json)`:\n\n```json\n([^]*?)\n```$/gm)].map(
      ([, verb, path, text]) => ({ path: path!, isAdded: verb === 'Add to', value: JSON.parse(text!) as Json }),
    ),
  }));

/** What a file becomes with the keys of a block: objects are merged, everything else is replaced. */
function merge(one: unknown, other: unknown): unknown {
  const isObject = (value: unknown): value is Json =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(one) || !isObject(other)) return other;
  return Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((key) => [
      key,
      key in other ? merge(one[key], other[key]) : one[key],
    ]),
  );
}

const folder = mkdtempSync(join(tmpdir(), 'tutorial-'));
let database: TestDatabase;
let program: DemoProgram | undefined;
let manager: Client;
let camera: Client;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await program?.close();
  await database?.close();
  rmSync(folder, { recursive: true });
});

async function follow({ files }: Step): Promise<void> {
  for (const { path, isAdded, value } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const before: unknown = isAdded ? JSON.parse(readFileSync(file, 'utf8')) : {};
    writeFileSync(file, JSON.stringify(merge(before, value)));
  }
  await program?.close();
  program = await startDemoProgram({ product: readProduct(folder), database });
  manager = await program.signIn(accounts.manager);
  camera = await program.signIn(accounts.qa);
}

async function create(call: Client, path: string, values: object): Promise<Row> {
  const { status, body } = await call<Row>('POST', path, values);
  expect([path, status], JSON.stringify(body)).toEqual([path, 201]);
  return body;
}

const today = new Date().toISOString().slice(0, 10);
const found = async (path: string) => (await manager<Row[]>('GET', path)).body;

/** What the text of a step promises, by the beginning of its title. */
const promises: Readonly<Record<string, () => Promise<void>>> = {
  '1.': async () => {
    await create(manager, '/assets', { name: 'Camera', serial: 'C-1', bought_on: today });
    await create(manager, '/assets', { name: 'Display', serial: 'D-1', bought_on: today });
    expect((await camera('POST', '/assets', { name: 'Mine', serial: 'M-1', bought_on: today })).status).toBe(403);
  },
  '2.': async () => {
    const maker = await create(manager, '/makers', { name: 'Nordic Optics' });
    const [camera] = await found('/assets?q=Camera');
    expect((await manager('PUT', `/assets/${camera!.id}`, { maker_id: maker.id })).status).toBe(200);
    const same = { name: 'Copy', serial: 'C-1', bought_on: today, maker_id: maker.id };
    const { status, body } = await manager<{ errors: object }>('POST', '/assets', same);
    expect([status, Object.values(body.errors)]).toEqual([
      422,
      ['An asset of this maker with this serial number exists.'],
    ]);
  },
  '3.': async () => {
    const house = await create(manager, '/locations', { name: 'House' });
    const shelf = await create(manager, '/locations', { name: 'Shelf', parent_id: house.id });
    const [camera] = await found('/assets?q=Camera');
    await manager('PUT', `/assets/${camera!.id}`, { location_id: shelf.id });
    expect((await found(`/assets?at=${house.id}`)).map(({ name }) => name)).toEqual(['Camera']);
  },
  '4.': async () => {
    expect((await found('/assets?sort_by=id')).map(({ key }) => key)).toEqual(['A-1', 'A-2']);
    const asset = await create(manager, '/assets', { name: 'Phone', serial: 'P-1', bought_on: today, price: 360.5 });
    expect(asset).toMatchObject({ key: 'A-3', months: 36, book_value: 360.5 });
  },
  '6.': async () => {
    const [phone] = await found('/assets?q=Phone');
    const refused = await manager<{ errors: object }>('PUT', `/assets/${phone!.id}`, { state: 'retired' });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['retired_because']]);
    const { status } = await manager('PUT', `/assets/${phone!.id}`, { state: 'repair' });
    expect(status).toBe(200);
  },
  '7.': async () => {
    const [asset] = await found('/assets?q=Camera');
    const loan = await create(camera, '/loans', { asset_id: asset!.id });
    expect(loan).toMatchObject({ state: 'requested', from_on: today });
    const again = await camera<{ errors: object }>('POST', '/loans', { asset_id: asset!.id });
    expect(again.body.errors).toEqual({ asset_id: 'This asset is checked out or asked for already.' });
    const [phone] = await found('/assets?q=Phone');
    const broken = await camera<{ errors: object }>('POST', '/loans', { asset_id: phone!.id });
    expect(broken.body.errors).toEqual({ asset_id: 'This asset is in repair or retired.' });
    expect((await manager('PATCH', `/loans-state-approved/${loan.id}`)).status).toBe(200);
  },
  '8.': async () => {
    const [asset] = await found('/assets?sort_by=-times_out');
    expect(asset).toMatchObject({ name: 'Camera', times_out: 1, last_out: today });
  },
  '9.': async () => {
    const { status, body } = await manager<{ data: object[] }>(
      'GET',
      '/assets/aggregate?group=location_id&take=count,sum:price',
    );
    expect([status, body.data.length]).toEqual([200, 2]);
  },
};

test.each(steps)('$title', async (step) => {
  await follow(step);
  await promises[step.title.split(' ')[0]!]?.();
});
