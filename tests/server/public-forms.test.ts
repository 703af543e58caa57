// @module-tag slow
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accounts, startFixtureProgram, type Client } from '../support/program';
import { startStudio, type Refusal, type StudioProgram } from './modules/studio';

// Forms for people without an account: `public` of a definition.

interface Row extends Record<string, unknown> {
  readonly id: number;
}
interface Address {
  readonly id: number;
  readonly address: string;
}

let server: StudioProgram;
let visitor: Client;
let owner: Client;
let harbour: Client;
let key: string;

const form = {
  title: 'Ask us',
  fields: ['name', 'email', 'topic_id', 'photos', 'code'],
  values: { source: 'website', stage_id: 1 },
  confirmation: 'Thank you very much.',
  mail: { address: 'email', subject: 'Received {{name}}', text: 'Thank you <b>.\nBye.' },
  hourlyLimit: 8,
};

beforeAll(async () => {
  server = await startStudio();
  ({ owner } = server);
  visitor = server.program.call;
  harbour = await server.program.signIn(accounts.harbour);
  await server.studio.make(
    'topics',
    { name: { required: true }, secret_note: {} },
    { public: { choices: true }, archive: true },
  );
  await server.studio.make(
    'leads',
    {
      name: { required: true, maxLength: 20 },
      email: { type: 'email', required: true },
      topic_id: { type: 'relation', to: 'topics', embed: 'topic' },
      stage_id: { type: 'relation', to: 'stages', embed: 'stage', required: true },
      photos: { type: 'files', maxItems: 9, accept: ['image/*'] },
      code: { unique: true },
      source: { required: true },
      owner_id: { type: 'relation', to: 'users', embed: 'owner', default: '$actor.id' },
      note: { default: 'new' },
    },
    {
      public: { create: form },
      validate: [{ condition: { name: { $ne: 'Wrong' } }, field: 'name', message: 'Not this name.' }],
    },
  );
  for (const [who, name] of [
    [owner, 'Repairs'],
    [harbour, 'Ships'],
  ] as const)
    expect((await who('POST', '/topics', { name, secret_note: 'hidden' })).status).toBe(201);
});
afterAll(() => server?.program.close());

const openForm = async (who = owner) => {
  const answer = await who<{ data: Address }>('POST', '/public-forms', { resource: 'leads' });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return { id: answer.body.data.id, key: answer.body.data.address.split('/form/')[1]! };
};
let network = 0;
/** Sends from a network of its own unless told otherwise, so that cases do not reach each other's limits. */
const send = (values: object, at = key, from = `10.1.${(network += 1) >> 8}.${network & 255}`) =>
  server.program.app
    .inject({ method: 'POST', url: `/api/public-forms/${at}`, payload: values, remoteAddress: from })
    .then((answer) => ({ status: answer.statusCode, body: answer.json<Refusal & { data: unknown }>() }));
const leads = async (who = owner) => (await who<Row[]>('GET', '/leads?sort=["id","DESC"]')).body;
const lead = { name: 'Ada', email: 'ada@visitor.test' };

describe('addresses of a public form', () => {
  test('are made, listed and revoked by owners, each for their company', async () => {
    const made = await openForm();
    expect(made.key).toMatch(/^[\w-]{32}$/);
    const listed = await owner<{ data: Address[] }>('GET', '/public-forms?resource=leads');
    expect(listed.body.data.map(({ id }) => id)).toContain(made.id);
    const others = await harbour<{ data: Address[] }>('GET', '/public-forms?resource=leads');
    expect(others.body.data).toEqual([]);
    expect((await harbour('DELETE', `/public-forms/${made.id}`)).status).toBe(404);
    expect((await visitor('GET', `/public-forms/${made.key}`)).status).toBe(200);
    expect((await owner('DELETE', `/public-forms/${made.id}`)).status).toBe(200);
    expect((await visitor('GET', `/public-forms/${made.key}`)).status).toBe(404);
    expect((await send(lead, made.key)).status).toBe(404);
    expect((await owner('DELETE', `/public-forms/${made.id}`)).status).toBe(404);
  });

  test('are for owners and administrators alone, and for modules that have a form', async () => {
    const developer = await server.program.signIn(accounts.developer);
    expect((await developer('POST', '/public-forms', { resource: 'leads' })).status).toBe(403);
    expect((await visitor('POST', '/public-forms', { resource: 'leads' })).status).toBe(401);
    expect((await owner('POST', '/public-forms', { resource: 'nothing' })).status).toBe(404);
    const other = await owner<{ data: Address }>('POST', '/public-forms', { resource: 'topics' });
    expect(other.status).toBe(404);
    expect((await server.admin('POST', '/public-forms', { resource: 'leads' })).status).toBe(422);
    const forCompany = await server.admin('POST', '/public-forms', { resource: 'leads', site_id: 1 });
    expect(forCompany.status).toBe(201);
  });
});

describe('a public form', () => {
  // An address of its own for each: what one sends is not counted for another.
  beforeEach(async () => {
    ({ key } = await openForm());
  });

  test('describes its fields, and nothing else of the resource', async () => {
    const { body } = await visitor<{ data: { definition: Record<string, Record<string, unknown>>; honeypot: string } }>(
      'GET',
      `/public-forms/${key}`,
    );
    const { definition } = body.data;
    expect(Object.keys(definition.fields!)).toEqual(expect.arrayContaining(form.fields));
    for (const name of ['source', 'owner_id', 'note', 'stage_id']) expect(definition.fields).not.toHaveProperty(name);
    expect(JSON.stringify(definition)).not.toContain('website');
    expect(definition.validate).toEqual([]);
  });

  test('stores a record of its company, with fixed values, defaults and nobody as its author', async () => {
    const answer = await send({ ...lead, name: 'Bea' });
    expect(answer).toEqual({ status: 201, body: { data: { confirmation: 'Thank you very much.' } } });
    const [stored] = await leads();
    expect(stored).toMatchObject({
      ...{ name: 'Bea', source: 'website', stage_id: 1, note: 'new', site_id: 1 },
      ...{ created_by: null, owner_id: null },
    });
    const history = await owner<{ data: { event: string; user: object }[] }>('GET', `/leads/${stored!.id}/history`);
    expect(history.body.data).toEqual([
      expect.objectContaining({ event: 'created', user: { id: null, name: 'Public form' } }),
    ]);
    expect((await leads(harbour)).map(({ name }) => name)).not.toContain('Bea');
  });

  test.each<[string, object, number, object]>([
    ['a missing value', { email: 'a@visitor.test' }, 422, { errors: { name: 'Name is required.' } }],
    ['a value that is too long', { ...lead, name: 'x'.repeat(21) }, 422, { errors: { name: expect.any(String) } }],
    ['a rule of the record', { ...lead, name: 'Wrong' }, 422, { errors: { name: 'Not this name.' } }],
    ['a fixed value', { ...lead, source: 'me' }, 400, { message: 'The form has no field "source".' }],
    ['the company', { ...lead, site_id: 2 }, 400, { message: 'The form has no field "site_id".' }],
    ['the author', { ...lead, created_by: 1 }, 400, { message: 'The form has no field "created_by".' }],
    ['a field that does not exist', { ...lead, nothing: 1 }, 400, { message: 'The form has no field "nothing".' }],
  ])('refuses %s', async (_, values, status, body) => {
    const before = (await leads()).length;
    expect(await send(values)).toMatchObject({ status, body });
    expect((await leads()).length).toBe(before);
  });

  test('says nothing of other records that stand against it', async () => {
    expect((await send({ ...lead, code: 'taken' })).status).toBe(201);
    const { status, body } = await send({ ...lead, code: 'taken' });
    expect([status, body.message, body.errors]).toEqual([
      422,
      'This could not be accepted as it is. Please check it, or tell us in another way.',
      {},
    ]);
  });

  test('offers related records of its company by id and title, and takes no others', async () => {
    const choices = await visitor<{ data: Row[] }>('GET', `/public-forms/${key}/choices/topic_id`);
    expect(choices.body.data).toEqual([{ id: expect.any(Number), title: 'Repairs' }]);
    const ships = (await harbour<Row[]>('GET', '/topics')).body[0]!;
    const refused = await send({ ...lead, topic_id: ships.id });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).not.toContain('Ships');
    expect((await send({ ...lead, topic_id: choices.body.data[0]!.id })).status).toBe(201);
    for (const field of ['stage_id', 'owner_id', 'nothing'])
      expect((await visitor('GET', `/public-forms/${key}/choices/${field}`)).status).toBe(404);
    const archived = (await owner<Row[]>('GET', '/topics')).body[0]!;
    expect((await owner('DELETE', `/topics/${archived.id}`)).status).toBe(200);
    expect((await send({ ...lead, topic_id: archived.id })).status).toBe(422);
  });

  test('gives no access to anything else', async () => {
    for (const path of ['/leads', '/topics', '/leads/choices/topic_id', '/definitions', '/public-forms?resource=leads'])
      expect([path, (await visitor('GET', path)).status]).toEqual([path, 401]);
    expect((await visitor('GET', `/public-forms/${'x'.repeat(32)}`)).status).toBe(404);
  });

  test('answers alike when its hidden field is filled in, and stores nothing', async () => {
    const before = (await leads()).length;
    const { status, body } = await send({ ...lead, _website: 'https://spam.test' });
    expect([status, body.data]).toEqual([201, { confirmation: 'Thank you very much.' }]);
    expect((await leads()).length).toBe(before);
    expect((await send({ ...lead, _website: '' })).status).toBe(201);
  });
});

describe('limits of a public form', () => {
  test('hold for each address of the form, and for what is refused too', async () => {
    const { key: own } = await openForm();
    for (let times = 0; times < form.hourlyLimit; times += 1)
      expect((await send(times % 2 ? lead : {}, own)).status).toBe(times % 2 ? 201 : 422);
    const { status, body } = await send(lead, own);
    expect([status, body.message]).toEqual([429, expect.stringContaining('Many people are using this form.')]);
    expect((await send(lead, (await openForm()).key)).status).toBe(201);
  });

  test('hold for each network, over all forms', async () => {
    const forms = await Promise.all(Array.from({ length: 5 }, () => openForm()));
    const answers = [];
    for (let times = 0; times < 31; times += 1) answers.push(await send({}, forms[times % 5]!.key, '10.9.9.9'));
    expect(answers.slice(0, 30).every(({ status }) => status === 422)).toBe(true);
    expect(answers[30]!.status).toBe(429);
    expect((await send({}, forms[0]!.key, '10.9.9.8')).status).toBe(422);
  });

  test('hold for the body and its files', async () => {
    const { key: own } = await openForm();
    expect((await send({ ...lead, name: 'x'.repeat(70_000) }, own)).status).toBe(413);
    const sendFiles = (sizes: readonly number[], type = 'png') => {
      const body = new FormData();
      for (const [name, value] of Object.entries(lead)) body.append(name, value);
      const head = type === 'png' ? Buffer.from('89504e470d0a1a0a', 'hex') : Buffer.from('text');
      for (const size of sizes) body.append('photos', new Blob([head, Buffer.alloc(size)]), `a.${type}`);
      return server.program.app
        .inject({
          method: 'POST',
          url: `/api/public-forms/${own}`,
          payload: body as never,
          remoteAddress: `10.2.0.${(network += 1) & 255}`,
        })
        .then(({ statusCode }) => statusCode);
    };
    const before = (await leads()).length;
    expect(await sendFiles([6 * 1024 * 1024])).toBe(413);
    expect(await sendFiles([1, 1, 1, 1, 1, 1])).toBeGreaterThanOrEqual(400);
    expect(await sendFiles([10], 'txt')).toBe(415);
    expect((await leads()).length).toBe(before);
  });
});

describe('the mail to the address that was entered', () => {
  test('is sent once a day, and says the same to everybody', async () => {
    const { key: own } = await openForm();
    await server.query(
      `insert into assay.confirmed_addresses (user_id, email) select id, lower(email) from users
       where email = '${accounts.owner}' on conflict do nothing`,
    );
    for (let times = 0; times < 2; times += 1)
      expect((await send({ name: 'Eve {{x}}', email: 'eve@visitor.test' }, own)).status).toBe(201);
    const mails = await server.query(
      `select about from assay.mails where about::text like '%eve@visitor.test%' and occasion = 'ready'`,
    );
    expect(mails).toHaveLength(1);
    const { message } = mails[0]!.about as { message: { to: object; subject: string; html: string; text: string } };
    expect(message.to).toEqual({ name: '', address: 'eve@visitor.test' });
    expect(message.html).toContain('Thank you &lt;b&gt;.<br');
    expect(JSON.stringify(message)).not.toContain('Eve');
  });
});

describe('a frame of another web site', () => {
  test('shows public forms where the setting names the site, and no other page', async () => {
    const framed = await startFixtureProgram({ env: { FORM_FRAMES: 'https://www.example.com' } });
    try {
      const headersOf = async (app: StudioProgram['program']['app'], url: string) =>
        (await app.inject({ url })).headers;
      const form = await headersOf(framed.app, `/form/${'x'.repeat(32)}`);
      expect(form['content-security-policy']).toContain("frame-ancestors 'self' https://www.example.com");
      expect(form).not.toHaveProperty('x-frame-options');
      for (const headers of [
        await headersOf(framed.app, '/'),
        await headersOf(framed.app, '/forms'),
        await headersOf(server.program.app, `/form/${'x'.repeat(32)}`),
      ]) {
        expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
        expect(headers).toHaveProperty('x-frame-options');
      }
    } finally {
      await framed.close();
    }
  });
});
