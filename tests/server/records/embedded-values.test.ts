// @module-tag slow
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fieldTypeNames, type FieldTypeName } from '../../../src/engine/definitions/definition';
import type { FieldSource } from '../../../src/engine/language/source';
import { fileKeyOf } from '../../../src/engine/field-types/stored-files';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { png } from '../files/pictures';

/** A field of every type that a record can have, with what is stored in it. */
const kinds: Partial<Record<FieldTypeName, { field: FieldSource; value?: unknown }>> = {
  text: { field: { type: 'text' }, value: 'Lamp' },
  textarea: { field: { type: 'textarea' }, value: 'Two\nlines' },
  richText: { field: { type: 'richText' }, value: '<p>Bright</p>' },
  number: { field: { type: 'number', decimal: true, digits: 2 }, value: 0.1 },
  money: { field: { type: 'money', currency: 'EUR' }, value: 12.5 },
  boolean: { field: { type: 'boolean' }, value: true },
  date: { field: { type: 'date' }, value: '2026-01-31' },
  time: { field: { type: 'time', dateField: 'a_date' }, value: '08:00' },
  datetime: { field: { type: 'datetime' }, value: '2026-01-31T10:00:00.000Z' },
  email: { field: { type: 'email' }, value: 'lamp@lamps.test' },
  url: { field: { type: 'url' }, value: 'https://lamps.test/' },
  phone: { field: { type: 'phone' }, value: '+43 1 234567' },
  select: { field: { type: 'select', multiple: true, options: [{ value: 'a', label: 'A' }] }, value: ['a'] },
  icon: { field: { type: 'icon' }, value: 'building' },
  relation: {
    field: { type: 'relation', to: 'makers', embed: 'a_relation', embedFields: ['logo', 'papers'], pin: true },
  },
  json: { field: { type: 'json' }, value: { key: 'not a file', list: [1] } },
  permissions: { field: { type: 'permissions' }, value: [] },
  image: { field: { type: 'image' } },
  files: { field: { type: 'files' } },
  duration: { field: { type: 'duration', startField: 'a_time', endField: 'until' } },
  sequence: { field: { type: 'sequence', format: 'L-{n}' } },
  lookup: { field: { type: 'lookup', source: 'a_relation.name' } },
  rollup: { field: { type: 'rollup', source: 'parts', aggregate: 'sum', field: 'amount' } },
};
/** Why a type is in no embed: the check says it. */
const refused: Partial<Record<FieldTypeName, { field: FieldSource; reason: string }>> = {
  password: { field: { type: 'password' }, reason: 'it is secret or a list' },
  relations: { field: { type: 'relations', to: 'makers' }, reason: 'it is secret or a list' },
  inverse: { field: { type: 'inverse', source: 'holders.thing_id' }, reason: 'it is secret or a list' },
  rows: { field: { type: 'rows', fields: { amount: { type: 'number' } } }, reason: 'it is secret or a list' },
  shareLink: { field: { type: 'shareLink', path: 'lamp' }, reason: 'it is secret or a list' },
};

const nameOf = (type: string) => `a_${type}`;
const embedded = Object.keys(kinds).map(nameOf);
const own = Object.fromEntries(Object.entries(kinds).map(([type, { field }]) => [nameOf(type), field]));
const makers = sourceOf(
  'makers',
  { name: { type: 'text' }, logo: { type: 'image' }, papers: { type: 'files' } },
  { scope: 'company', list: { columns: ['name'] } },
);
const things = sourceOf(
  'things',
  {
    name: { type: 'text' },
    until: { type: 'time' },
    parts: { type: 'rows', fields: { amount: { type: 'number' } } },
    ...own,
    holder_id: { type: 'relation', to: 'things' },
  },
  { scope: 'company' },
);
const shown = embedded;
const holders = sourceOf(
  'holders',
  {
    name: { type: 'text' },
    thing_id: { type: 'relation', to: 'things', embed: 'thing', embedFields: shown },
    all_things: { type: 'relations', to: 'things', embed: 'all', embedFields: shown, inLists: 'records' },
    lines: {
      type: 'rows',
      fields: { part_id: { type: 'relation', to: 'things', embed: 'part', embedFields: shown } },
      inLists: 'records',
    },
    picture_of: { type: 'lookup', source: 'thing_id.name' },
  },
  { scope: 'company', export: true, list: { columns: ['name', 'thing.a_files', 'thing.a_image', 'all_things'] } },
);
const carriers = sourceOf(
  'carriers',
  {
    name: { type: 'text' },
    loads: { type: 'inverse', source: 'loads.carrier_id', showFields: ['thing', 'paper'], inLists: 'records' },
  },
  { scope: 'company' },
);
const loads = sourceOf(
  'loads',
  {
    name: { type: 'text' },
    paper: { type: 'files' },
    carrier_id: { type: 'relation', to: 'carriers' },
    thing_id: { type: 'relation', to: 'things', embed: 'thing', embedFields: shown },
  },
  { scope: 'company' },
);

type Row = Record<string, unknown> & { id: number };
let program: DemoProgram;
let admin: Client;
let owner: Client;
let thing: Row;
let holder: Row;
let carrier: Row;

beforeAll(async () => {
  program = await startFixtureProgram();
  admin = await program.signIn(accounts.admin);
  owner = await program.signIn(accounts.owner);
  const publish = async (method: string, path: string, body: object) => {
    const answer = await admin(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  };
  const bare = { ...carriers, fields: { name: carriers.fields.name! } };
  for (const definition of [makers, things, holders, bare, loads]) await publish('POST', '/modules', { definition });
  await publish('PUT', '/modules/carriers', { definition: carriers, version: 1 });
  await program.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = program.app.server.address() as AddressInfo;
  const { body: session } = await program.call<{ token: string }>('POST', '/login', {
    email: accounts.owner,
    password: 'Demo@1234',
  });
  const send = async (path: string, values: Record<string, unknown>, files: readonly string[]) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(values))
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
    for (const name of files) form.append(name, new Blob([png(2, 2) as never]), `${name}.png`);
    const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${session.token}` },
    });
    const body = (await answer.json()) as Row;
    expect(answer.status, JSON.stringify(body)).toBe(201);
    return body;
  };
  const make = async (path: string, body: object) => {
    const answer = await owner<Row>('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const maker = await send('/makers', { name: 'Osram' }, ['logo', 'papers']);
  const values = Object.entries(kinds).flatMap(([type, { value }]) =>
    value === undefined ? [] : [[nameOf(type), value]],
  );
  const stored = { name: 'Lamp', until: '09:30', parts: [{ amount: 2 }], ...Object.fromEntries(values) } as object;
  const created = await make('/things', { ...stored, a_relation: maker.id });
  // Files come by a form, everything else as JSON.
  const form = new FormData();
  for (const name of ['a_image', 'a_files']) form.append(name, new Blob([png(2, 2) as never]), `${name}.png`);
  const changed = await fetch(`http://127.0.0.1:${port}/api/things/${created.id}`, {
    method: 'PUT',
    body: form,
    headers: { authorization: `Bearer ${session.token}` },
  });
  expect(changed.status, await changed.clone().text()).toBe(200);
  thing = (await owner<Row>('GET', `/things/${created.id}`)).body;
  holder = await make('/holders', {
    name: 'Holder',
    thing_id: thing.id,
    all_things: [thing.id],
    lines: [{ part_id: thing.id }],
  });
  carrier = await make('/carriers', { name: 'Carrier' });
  await send('/loads', { name: 'Load', carrier_id: carrier.id, thing_id: thing.id }, ['paper']);
});
afterAll(() => program?.close());

/** URLs of one file differ, for they expire: they are compared by the file that they lead to. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (key, one: unknown) => (key === 'url' ? fileKeyOf(String(one)) : one)),
  );
}
const read = async (path: string) => (await owner<Row>('GET', path)).body;
const listed = async (path: string) => (await owner<Row[]>('GET', path)).body[0]!;

test('every type is in the table', () => {
  expect([...Object.keys(kinds), ...Object.keys(refused)].sort()).toEqual([...fieldTypeNames].sort());
});

/** Every answer that carries the record within another one. */
const places: Record<string, () => Promise<Row | undefined>> = {
  'the answer of a write': () => Promise.resolve(holder.thing as Row),
  'the embed of a record': async () => (await read(`/holders/${holder.id}`)).thing as Row,
  'the embed of a list': async () => (await listed('/holders')).thing as Row,
  'a list with some fields': async () => (await listed('/holders?fields=thing')).thing as Row,
  'records of a relation to many': async () => ((await read(`/holders/${holder.id}`)).all as Row[])[0],
  'records of a relation to many, in a list': async () => ((await listed('/holders')).all as Row[])[0],
  'a row': async () => ((await read(`/holders/${holder.id}`)).lines as Row[])[0]!.part as Row,
  'a row in a list': async () => ((await listed('/holders?fields=lines')).lines as Row[])[0]!.part as Row,
  'an embed of a record that points here': async () =>
    ((await read(`/carriers/${carrier.id}`)).loads as Row[])[0]!.thing as Row,
  'an embed of a record that points here, in a list': async () =>
    ((await listed('/carriers')).loads as Row[])[0]!.thing as Row,
  'the answer of many writes': async () => {
    const body = { update: [{ id: holder.id, name: 'Again' }] };
    const answer = await owner<{ data: { updated: Row[] } }>('POST', '/holders/bulk', body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data.updated[0]!.thing as Row;
  },
};

test.each(Object.keys(places))('%s has the values that the record’s own API gives', async (place) => {
  const found = (await places[place]!())!;
  for (const name of embedded) expect([name, comparable(found[name])]).toEqual([name, comparable(thing[name])]);
  // What is compared is no place where a key of the storage could hide.
  expect(found.a_image).toEqual({
    name: 'a_image.png',
    size: expect.any(Number),
    type: 'image/png',
    url: expect.any(String),
  });
  expect(found.a_relation).toMatchObject({ logo: { url: expect.any(String) }, papers: [{ url: expect.any(String) }] });
});

test('the record’s own values are those that were sent', () => {
  for (const [type, { value }] of Object.entries(kinds))
    if (value !== undefined && !['time', 'permissions'].includes(type))
      expect([type, thing[nameOf(type)]]).toEqual([type, value]);
  expect(thing).toMatchObject({ a_time: '2026-01-31 08:00', a_duration: '1.30', a_rollup: 2, a_lookup: 'Osram' });
});

test('files of records that point here have addresses', async () => {
  const [load] = (await read(`/carriers/${carrier.id}`)).loads as Row[];
  expect(load!.paper).toEqual([
    { name: 'paper.png', size: expect.any(Number), type: 'image/png', url: expect.any(String) },
  ]);
});

test('the address in an embed leads to the file', async () => {
  const { a_image } = (await read(`/holders/${holder.id}`)).thing as { a_image: { url: string } };
  const answer = await program.app.inject({ method: 'GET', url: a_image.url });
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload).toEqual(png(2, 2));
});

test('spreadsheets have the names of files', async () => {
  const { body } = await owner<string>('GET', '/holders-export?format=csv&columns=name,thing.a_files,thing.a_image');
  expect(body.trim().split('\r\n')[1]).toMatch(/,a_files\.png,a_image\.png$/);
});

test('the API document says the same of an embed as of the record', async () => {
  const { body } = await owner<{ components: { schemas: Record<string, { properties: Row }> } }>(
    'GET',
    '/openapi.json',
  );
  const { schemas } = body.components;
  const summary = Object.entries(schemas).find(
    ([name, { properties }]) =>
      name.startsWith('Thing') &&
      properties &&
      'a_image' in properties &&
      'id' in properties &&
      !('parts' in properties),
  );
  for (const type of ['image', 'files', 'money', 'duration'] as const)
    expect(summary?.[1].properties[nameOf(type)]).toEqual(schemas.Things!.properties[nameOf(type)]);
});

test('what no embed can contain is refused in words', async () => {
  const more = Object.fromEntries(Object.entries(refused).map(([type, { field }]) => [nameOf(type), field]));
  const wider = { ...things, fields: { ...things.fields, ...more } };
  const answer = await admin('PUT', '/modules/things', { definition: wider, version: 1, confirm: true });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const names = Object.keys(more);
  const definition = {
    ...holders,
    fields: { ...holders.fields, thing_id: { ...holders.fields.thing_id!, embedFields: names } },
  };
  const { status, body } = await admin<{ errors: object }>('PUT', '/modules/holders', { definition, version: 1 });
  expect(status).toBe(422);
  const told = Object.values(body.errors);
  for (const [type, { reason }] of Object.entries(refused))
    expect(told).toContain(`An embed cannot contain "${nameOf(type)}": ${reason}.`);
});
