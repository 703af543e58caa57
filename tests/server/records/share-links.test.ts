import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/definitions/source';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';

interface Row {
  id: number;
  [name: string]: unknown;
}

const folder = mkdtempSync(join(tmpdir(), 'assay-links-'));
let program: DemoProgram;
let owner: Client;
let developer: Client;
let qa: Client;

/** Test cases that developers may only read, and testers edit only where they made them. */
function narrowed(text: string): string {
  const source = JSON.parse(text) as Source;
  const others = (source.rules ?? []).filter(({ action }) => action !== 'edit');
  const own = { levels: [5 as const], action: 'edit' as const, where: { created_by: '$actor.id' } };
  return JSON.stringify({ ...source, rules: [...others, own], grants: { ...source.grants, '4': 'read' } });
}

beforeAll(async () => {
  cpSync('resources', folder, { recursive: true });
  const file = join(folder, 'test-cases.json');
  writeFileSync(file, narrowed(readFileSync(file, 'utf8')));
  program = await startDemoProgram({ folder });
  owner = await program.signIn(accounts.owner);
  developer = await program.signIn(accounts.developer);
  qa = await program.signIn(accounts.qa);
});
afterAll(async () => {
  await program?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function seen(call: Client, id: number): Promise<unknown[]> {
  const one = await call<{ data: Row }>('GET', `/test-cases/${id}`);
  const many = await call<{ data: Row[] }>('GET', `/test-cases?filter=${encodeURIComponent(`{"id":[${id}]}`)}`);
  expect([one.status, many.status]).toEqual([200, 200]);
  return [one.body.data.sharable_link, many.body.data[0]!.sharable_link];
}

test('the link of a record is read by who may edit that very record', async () => {
  const project = (await owner<Row[]>('GET', '/projects')).body[0]!.id;
  const make = async (call: Client) => {
    const { body } = await call<{ data: Row }>('POST', '/test-cases', { name: 'Case', project_id: project });
    return body.data;
  };
  const [theirs, own] = [await make(owner), await make(qa)];
  const link = expect.stringMatching(/^[\w-]{22,}$/) as unknown;
  expect(own.sharable_link).toEqual(link);
  expect(await seen(qa, own.id)).toEqual([own.sharable_link, own.sharable_link]);
  expect(await seen(qa, theirs.id)).toEqual([null, null]);
  expect(await seen(developer, own.id)).toEqual([undefined, undefined]);
  expect(await seen(owner, own.id)).toEqual([own.sharable_link, own.sharable_link]);

  expect((await qa('POST', `/test-cases/${theirs.id}/share`)).status).toBe(403);
  expect((await developer('DELETE', `/test-cases/${own.id}/share`)).status).toBe(403);
  expect(await seen(owner, own.id)).toEqual([own.sharable_link, own.sharable_link]);
});
