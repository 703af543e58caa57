import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepFiles } from '../../../src/server/files/sweep';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { png } from './pictures';

interface Picture {
  name: string;
  size: number;
  url: string;
}
type Row = Record<string, unknown> & { id: number; screenshot: Picture | null };
type One = { data: Row };

let program: DemoProgram;
let owner: Client;
let origin: string;
let token: string;

beforeAll(async () => {
  program = await startFixtureProgram();
  owner = await program.signIn(accounts.owner);
  const { body } = await program.call<{ token: string }>('POST', '/login', {
    email: accounts.owner,
    password: 'Demo@1234',
  });
  token = body.token;
  await program.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(program.app.server.address() as AddressInfo).port}`;
});
afterAll(() => program?.close());

const picture = png(3, 2);
const [film] = [1];

async function original(): Promise<Row> {
  const form = new FormData();
  form.append('name', 'Seen on the screen');
  form.append('film_id', String(film));
  form.append('screenshot', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'seen.png');
  const answer = await fetch(`${origin}/api/screenings`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as One).data;
}
const content = async (row: Row) => {
  const answer = await fetch(origin + row.screenshot!.url);
  return answer.status === 200 ? Buffer.from(await answer.arrayBuffer()) : answer.status;
};
const copy = (of: Row, change: object = {}) =>
  owner<One & { errors?: object }>('POST', '/screenings', {
    name: `${of.name as string} - Copy`,
    film_id: film,
    copyOf: of.id,
    screenshot: of.screenshot,
    ...change,
  });

test('a copy gets a separate file with the picture of its original, which survives the original and the sweep', async () => {
  const first = await original();
  const { status, body } = await copy(first);
  expect(status, JSON.stringify(body)).toBe(201);
  const second = body.data;
  expect(second.screenshot).toMatchObject({ name: 'seen.png', size: picture.length });
  expect(second.screenshot!.url.split('?')[0]).not.toBe(first.screenshot!.url.split('?')[0]);
  expect(await content(second)).toEqual(picture);

  expect((await owner('DELETE', `/screenings/${first.id}`)).status).toBe(200);
  await sql`update assay.files set created_at = now() - interval '2 hours'`.execute(program.program.database.kysely);
  await sweepFiles(program.program);
  expect(await content(first)).toBe(404);
  expect(await content(second)).toEqual(picture);
});

test('a copy without the picture has none, and pictures of records other than the original are ignored', async () => {
  const first = await original();
  expect((await copy(first, { screenshot: null })).body.data.screenshot).toBeNull();
  const plain = await copy(first, { copyOf: undefined });
  expect([plain.status, plain.body.data.screenshot]).toEqual([201, null]);
});

test('a copy of a record that the caller cannot see is rejected, with its picture', async () => {
  const first = await original();
  const stranger = await program.signIn(accounts.harbour);
  const answer = await stranger<{ errors: object }>('POST', '/screenings', {
    name: 'Taken',
    film_id: film,
    copyOf: first.id,
    screenshot: first.screenshot,
  });
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body.errors)).toContain('copyOf');
});
