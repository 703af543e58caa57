import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

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
  cpSync('tests/fixtures/product/resources', folder, { recursive: true });
  const file = join(folder, 'screenings.json');
  writeFileSync(file, narrowed(readFileSync(file, 'utf8')));
  program = await startFixtureProgram({ folder });
  owner = await program.signIn(accounts.owner);
  developer = await program.signIn(accounts.developer);
  qa = await program.signIn(accounts.qa);
});
afterAll(async () => {
  await program?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function seen(call: Client, id: number): Promise<unknown[]> {
  const one = await call<{ data: Row }>('GET', `/screenings/${id}`);
  const many = await call<{ data: Row[] }>('GET', `/screenings?filter=${encodeURIComponent(`{"id":[${id}]}`)}`);
  expect([one.status, many.status]).toEqual([200, 200]);
  return [one.body.data.public_link, many.body.data[0]!.public_link];
}

test('the link of a record can be read by users who may edit that record', async () => {
  const film = (await owner<Row[]>('GET', '/films')).body[0]!.id;
  const make = async (call: Client) => {
    const { body } = await call<{ data: Row }>('POST', '/screenings', { name: 'Case', film_id: film });
    return body.data;
  };
  const [theirs, own] = [await make(owner), await make(qa)];
  const link = expect.stringMatching(/^[\w-]{22,}$/) as unknown;
  expect(own.public_link).toEqual(link);
  expect(await seen(qa, own.id)).toEqual([own.public_link, own.public_link]);
  expect(await seen(qa, theirs.id)).toEqual([null, null]);
  expect(await seen(developer, own.id)).toEqual([undefined, undefined]);
  expect(await seen(owner, own.id)).toEqual([own.public_link, own.public_link]);

  expect((await qa('POST', `/screenings/${theirs.id}/share`)).status).toBe(403);
  expect((await developer('DELETE', `/screenings/${own.id}/share`)).status).toBe(403);
  expect(await seen(owner, own.id)).toEqual([own.public_link, own.public_link]);
});

test('every shared module has a public page with its shared fields, and nothing else', async () => {
  const admin = await program.signIn(accounts.admin);
  const jars = sourceOf(
    'jars',
    {
      name: { required: true },
      story: { type: 'richText', label: 'Its story' },
      weight: { type: 'number', digits: 1 },
      filled: { type: 'date' },
      lid: { type: 'select', options: [{ value: 's', label: 'Screwed' }] },
      film_id: { type: 'relation', to: 'films', embed: 'film' },
      people: { type: 'relations', to: 'users', label: 'Kept by' },
      price: { type: 'number' },
      link: { type: 'shareLink', path: 'jar', sharedFields: ['story', 'weight', 'filled', 'lid', 'film_id', 'people'] },
    },
    { scope: 'company', labels: { one: 'Jar', many: 'Jars' }, archive: {} },
  );
  expect(await admin('POST', '/modules', { definition: jars })).toMatchObject({ status: 201 });
  const again = sourceOf('pots', { name: {}, link: { type: 'shareLink', path: 'jar' } });
  expect(await admin('POST', '/modules', { definition: again })).toMatchObject({
    status: 422,
    body: { errors: { '/fields/link/path': 'Links of jars already start with "jar". Choose another path.' } },
  });
  const film = (await owner<Row[]>('GET', '/films')).body[0]!;
  const [me] = (await owner<{ data: Row[] }>('GET', '/users?range=[0,0]')).body.data;
  const values = {
    name: 'Cumin',
    site_id: 1,
    story: '<p>From <b>Fez</b></p><script>x</script>',
    weight: 2,
    filled: '2026-11-03',
    lid: 's',
    film_id: film.id,
    people: [me!.id],
    price: 9,
  };
  const { body } = await admin<Row>('POST', '/jars', values);
  const read = (path: unknown, link: unknown) => program.call('POST', '/shared-records', { path, link });
  const field = (name: string, label: string, type: string, value: unknown, text: unknown) => ({
    name,
    label,
    type,
    value,
    text,
    width: expect.any(String) as unknown,
  });
  expect(await read('jar', body.link)).toMatchObject({
    status: 200,
    body: {
      data: {
        label: 'Jar',
        title: 'Cumin',
        fields: [
          field('story', 'Its story', 'richText', '<p>From <b>Fez</b></p>', expect.any(String)),
          field('weight', 'Weight', 'number', 2, '2.0'),
          field('filled', 'Filled', 'date', '2026-11-03', expect.stringContaining('2026')),
          field('lid', 'Lid', 'select', 's', 'Screwed'),
          field('film_id', 'Film', 'relation', film.name, film.name),
          field('people', 'Kept by', 'relations', [me!.name], me!.name),
        ],
      },
    },
  });
  const none = { status: 200, body: { data: null } };
  expect(await read('screening', body.link)).toMatchObject(none);
  expect(await read('jar', 'nothing-has-this-link-at-all')).toMatchObject(none);
  expect(await read('jar', 7)).toMatchObject({ status: 422 });
  await admin('DELETE', `/jars/${body.id}`);
  expect(await read('jar', body.link)).toMatchObject(none);
  await admin('PATCH', `/jars/restore/${body.id}`);
  expect(await read('jar', body.link)).toMatchObject({ body: { data: { title: 'Cumin' } } });
  await admin('DELETE', `/jars/${body.id}/share`);
  expect(await read('jar', body.link)).toMatchObject(none);
});
