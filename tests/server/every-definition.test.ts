// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actions, type Definition, type Field, type ResourceRecord } from '../../src/engine/definitions/definition';
import { createRegistry } from '../../src/engine/registry/registry';
import { columnTypeOf, fieldTypeOf } from '../../src/engine/field-types';
import { isEmpty } from '../../src/engine/values/is-empty';
import { writableFields } from '../../src/engine/validation/record-schema';
import { fixtureDefinitions } from '../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram, type RestrictedUser } from '../support/program';
import { sampleRecord, unwrap, wrongValue } from '../support/samples';

const shipped = fixtureDefinitions();
const registry = createRegistry(shipped);
/** What the program alone writes has no field that anybody could send. */
const definitions = shipped.filter((one) => writableFields(one).some(({ system }) => !system));

let program: DemoProgram;
let admin: Client;
let owner: Client;
let harbour: Client;
let restricted: RestrictedUser;

beforeAll(async () => {
  program = await startFixtureProgram();
  admin = await program.signIn(accounts.admin);
  owner = await program.signIn(accounts.owner);
  harbour = await program.signIn(accounts.harbour);
  restricted = await program.restricted();
});
afterAll(() => program?.close());

type Row = ResourceRecord & { id: number };
interface Problem {
  message: string;
  errors: Record<string, string>;
}

/** Whether owners do everything with the records of their company. */
const isOwners = ({ scope, grants }: Definition) =>
  scope !== 'installation' && scope !== 'self' && actions.every((action) => grants[2].includes(action));
/** Who may write a resource in the ordinary course: a company's owner, or the installation's administrator. */
const writer = (definition: Definition): Client => (isOwners(definition) ? owner : admin);
/** The company, which the administrator has to name. */
const place = (definition: Definition, site_id = 1) =>
  definition.scope === 'company' && !isOwners(definition) ? { site_id } : {};
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const rowsOf = (definition: Definition, body: unknown) => unwrap<Row[]>(definition, body);

let made = 0;
const sample = (definition: Definition, call = writer(definition), site?: number): Promise<ResourceRecord> =>
  sampleRecord(definition, registry, call, `${definition.name.slice(0, 4)}${++made}`, place(definition, site));

async function make(definition: Definition, call = writer(definition), site?: number): Promise<Row> {
  const answer = await call('POST', `/${definition.name}`, await sample(definition, call, site));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return unwrap(definition, answer.body);
}

const isRequired = (field: Field) => field.required && !field.system && field.default === undefined;
const isHidden = (field: Field) => field.secret || fieldTypeOf(field).isHashed === true;

describe.each(definitions.map((definition) => [definition.name, definition] as const))('%s', (name, definition) => {
  const fields = Object.values(definition.fields);

  test('is created as sent, listed, read, updated and deleted, with its history', async () => {
    const call = writer(definition);
    const sent = await sample(definition);
    const created = await call('POST', `/${name}`, sent);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const record = unwrap<Row>(definition, created.body);
    for (const [field, value] of Object.entries(sent)) {
      if (isHidden(definition.fields[field]!)) expect(record).not.toHaveProperty(field);
      else if (definition.fields[field]!.embed !== field)
        expect({ [field]: record[field] }).toMatchObject({ [field]: value });
    }
    for (const field of fields) {
      if (field.embed && field.type === 'relation') expect(record).toHaveProperty(field.embed);
      if (field.type === 'inverse') expect(record).toHaveProperty(field.name, []);
    }
    expect(Number(record.id)).toBeGreaterThan(0);

    const list = await call('GET', `/${name}?filter=${json({ id: [record.id] })}`);
    expect(list.status).toBe(200);
    expect(list.headers['content-range']).toBe(`${name} 0-0/1`);
    expect(Array.isArray(list.body)).toBe(definition.envelope === null);
    expect(rowsOf(definition, list.body).map(({ id }) => id)).toEqual([record.id]);

    const read = await call('GET', `/${name}/${record.id}`);
    expect(read.status).toBe(200);
    expect(unwrap(definition, read.body)).toEqual(record);

    const fresh = await sample(definition);
    const written = fields.filter((one) => ['text', 'textarea'].includes(one.type) && !one.system);
    const field = written.find((one) => typeof fresh[one.name] === 'string')!;
    const change = { [field.name]: fresh[field.name], updated_at: record.updated_at };
    const changed = await call('PUT', `/${name}/${record.id}`, change);
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    const after = unwrap<Row>(definition, changed.body);
    expect(after[field.name]).toBe(fresh[field.name]);
    expect(String(after.updated_at) > String(record.updated_at)).toBe(true);
    for (const one of Object.keys(sent)) if (one !== field.name) expect(after[one], one).toEqual(record[one]);

    const stale = await call<Problem>('PUT', `/${name}/${record.id}`, { ...record, [field.name]: sent[field.name] });
    expect(stale.status, JSON.stringify(stale.body)).toBe(409);
    expect(stale.body.message).toMatch(/changed by .+/);
    expect(unwrap(definition, (await call('GET', `/${name}/${record.id}`)).body)).toEqual(after);

    const history = await call<{ data: Row[] }>('GET', `/${name}/${record.id}/history`);
    expect(history.body.data.map(({ event }) => event)).toEqual(definition.history ? ['updated', 'created'] : []);
    if (definition.history) {
      const [update, creation] = history.body.data;
      expect(update).toMatchObject({
        old_values: { [field.name]: sent[field.name] },
        new_values: { [field.name]: fresh[field.name] },
        user: { id: expect.any(Number), name: expect.any(String) },
        created_at: expect.stringMatching(/Z$/),
      });
      expect(creation!.old_values).toBeNull();
      for (const hidden of fields.filter(isHidden)) {
        expect(JSON.stringify(history.body)).not.toContain(`"${hidden.name}"`);
      }
    }

    const removed = await call('DELETE', `/${name}/${record.id}`);
    expect(removed.status, JSON.stringify(removed.body)).toBe(200);
    expect(unwrap(definition, removed.body)).toEqual(after);
    const gone = await call('GET', `/${name}?filter=${json({ id: record.id })}`);
    expect(gone.headers['content-range']).toBe(`${name} */0`);
    if (definition.archive) {
      const archived = await call('GET', `/${name}?archive=1&filter=${json({ id: record.id })}`);
      expect(rowsOf(definition, archived.body)).toMatchObject([{ id: record.id, archive: true }]);
      expect((await call('PUT', `/${name}/${record.id}`, change)).status).toBe(409);
      const restored = await call('PATCH', `/${name}/restore/${record.id}`, {});
      expect(restored.status).toBe(200);
      expect(unwrap(definition, restored.body)).toMatchObject({ id: record.id, archive: false });
    } else {
      expect((await call('GET', `/${name}/${record.id}`)).status).toBe(404);
      expect((await call('DELETE', `/${name}/${record.id}`)).status).toBe(404);
    }
  });

  test('sorts by every sortable field, in both directions, and pages with the correct total', async () => {
    const call = writer(definition);
    for (let some = 0; some < 3; some++) await make(definition);
    const idsOf = (body: unknown) => rowsOf(definition, body).map(({ id }) => id);
    const embeds = fields.flatMap(({ sortable, embed, type }) =>
      sortable && embed && type === 'relation' ? [embed] : [],
    );
    for (const by of [
      ...fields.filter(({ sortable, secret }) => sortable && !secret).map((one) => one.name),
      ...embeds,
    ]) {
      const up = await call('GET', `/${name}?sort_by=${by}&range=[0,9999]`);
      expect(up.status, `${by}: ${JSON.stringify(up.body)}`).toBe(200);
      const down = await call('GET', `/${name}?sort=${json([by, 'DESC'])}&range=[0,9999]`);
      expect(idsOf(down.body), by).toEqual(idsOf(up.body).reverse());
    }
    const all = idsOf((await call('GET', `/${name}?sort_by=id`)).body);
    const page = await call('GET', `/${name}?sort_by=id&range=[1,2]`);
    expect(page.headers['content-range']).toBe(`${name} 1-2/${all.length}`);
    expect(idsOf(page.body)).toEqual(all.slice(1, 3));
    const beyond = await call('GET', `/${name}?range=[${all.length},${all.length + 9}]`);
    expect(beyond.headers['content-range']).toBe(`${name} */${all.length}`);
  });

  test('filters by every filter, in both query formats, and finds by title', async () => {
    const call = writer(definition);
    const record = await make(definition);
    const found = async (query: string) => {
      const answer = await call('GET', `/${name}?${query}`);
      expect(answer.status, `${query}: ${JSON.stringify(answer.body)}`).toBe(200);
      expect(
        rowsOf(definition, answer.body).map(({ id }) => id),
        query,
      ).toContain(record.id);
    };
    for (const field of fields.filter(
      ({ filterable, secret, embed, name: one }) => filterable && !secret && embed !== one,
    )) {
      const value = record[field.name];
      if (isEmpty(value) || field.type === 'inverse') {
        if (field.type !== 'relations' && field.type !== 'inverse')
          await found(`filter=${json({ [field.name]: null })}`);
        continue;
      }
      const [one] = Array.isArray(value) ? value : [value];
      await found(`filter=${json({ [field.name]: one })}`);
      if (!Object.hasOwn(definition.parameters, field.name) && field.computed === undefined) {
        await found(`filter=${json({ [field.name]: [one] })}`);
        await found(`${field.name}=${encodeURIComponent(String(one))}`);
      }
      if (!fieldTypeOf(field).hasRangeFilter) continue;
      await found(
        `${field.name}_from=${encodeURIComponent(String(one))}&${field.name}_to=${encodeURIComponent(String(one))}`,
      );
    }
    const title = String(record[definition.titleField]);
    if (definition.fields[definition.titleField]!.searchable)
      await found(`q=${encodeURIComponent(title.toUpperCase())}`);
  });

  test('refuses invalid filters, sorts and ranges, and names them', async () => {
    const call = writer(definition);
    const refusedFields = fields.filter(({ filterable, secret }) => !filterable || secret);
    const typed = fields.filter(
      (one) => one.filterable && !one.secret && columnTypeOf(one) !== 'text' && !one.computed,
    );
    for (const query of [
      'nonsense=1',
      'nonsense_from=1',
      'sort_by=nonsense',
      'sort_by=',
      'range=[5,1]',
      'range=x',
      `sort=${json(['id', 'SIDEWAYS'])}`,
      `sort=${json(['nonsense', 'ASC'])}`,
      'filter={"x":',
      `filter=${json({ nonsense: 1 })}`,
      `filter=${json({ id: { $nonsense: 1 } })}`,
      'id=abc',
      '__proto__=1',
      'constructor=1',
      ...refusedFields.map((field) => `${field.name}=1`),
      ...refusedFields.filter(({ sortable }) => !sortable).map((field) => `sort_by=${field.name}`),
      ...typed.map((field) => `${field.name}=no-such-value`),
      ...typed.map((field) => `filter=${json({ [field.name]: 'no-such-value' })}`),
    ]) {
      const refused = await call<Problem>('GET', `/${name}?${query}`);
      expect(refused.status, `${query}: ${JSON.stringify(refused.body).slice(0, 200)}`).toBe(400);
      expect(refused.body).toEqual({ message: expect.stringMatching(/\S/), code: expect.stringMatching(/^[A-Z_]+$/) });
    }
  });

  test('reports required, unknown and mistyped properties all at once', async () => {
    const call = writer(definition);
    const empty = await call<Problem>('POST', `/${name}`, place(definition));
    const required = writableFields(definition).filter(isRequired);
    if (required.length > 0) {
      expect(empty.status).toBe(422);
      expect(empty.body.errors).toEqual(
        Object.fromEntries(required.map((field) => [field.name, `${field.label} is required.`])),
      );
    }
    const sent = await sample(definition);
    const unknown = await call<Problem>('POST', `/${name}`, { ...sent, no_such_field: 1 });
    expect(unknown.status).toBe(422);
    expect(Object.keys(unknown.body.errors)).toEqual(['no_such_field']);

    const before = (await call('GET', `/${name}?range=[0,0]`)).headers['content-range'];
    const wrong = writableFields(definition).filter((field) => wrongValue(field) !== undefined);
    const bad = Object.fromEntries(wrong.map((field) => [field.name, wrongValue(field)]));
    const refused = await call<Problem>('POST', `/${name}`, { ...place(definition), ...bad });
    expect(refused.status, JSON.stringify(refused.body)).toBe(422);
    expect(Object.keys(refused.body.errors).sort()).toEqual(Object.keys(bad).sort());
    expect((await call('GET', `/${name}?range=[0,0]`)).headers['content-range']).toBe(before);
  });

  test('refuses references to missing records, and offers choices for each', async () => {
    const call = writer(definition);
    const relations = writableFields(definition).filter((field) => field.to && !field.system);
    for (const field of relations) {
      const choices = await call<{ data: unknown }>('GET', `/${name}/choices/${field.name}`);
      expect(choices).toMatchObject({ status: 200, body: { data: expect.any(Array) } });
      expect(choices.headers['content-range']).toMatch(/^choices (\*|\d+-\d+)\/\d+$/);
      const nobody = field.type === 'relations' ? [999_999] : 999_999;
      const refused = await call<Problem>('POST', `/${name}`, { ...(await sample(definition)), [field.name]: nobody });
      expect(refused.status, field.name).toBe(422);
      expect(refused.body.errors).toHaveProperty(field.name);
    }
    for (const field of ['nonsense', definition.titleField, 'constructor']) {
      expect((await call('GET', `/${name}/choices/${field}`)).status, field).toBe(404);
    }
  });

  test.each(actions)('without the grant to %s it is refused, with the reason', async (action) => {
    const id = rowsOf(definition, (await writer(definition)('GET', `/${name}?range=[0,0]`)).body)[0]!.id;
    const calls = {
      list: [['GET', '']],
      view: [
        ['GET', `/${id}`],
        ['GET', `/${id}/history`],
      ],
      create: [['POST', '']],
      edit: [['PUT', `/${id}`], ...(definition.archive ? [['PATCH', `/restore/${id}`]] : [])],
      delete: [['DELETE', `/${id}`]],
    }[action] as [string, string][];
    const reason = `You don't have permission to ${action} ${definition.labels.many}.`;
    const everything = shipped
      .filter(({ system }) => !system)
      .flatMap((one) => actions.map((each) => `${one.name}.${each}`));
    await restricted.grant(everything.filter((one) => one !== `${name}.${action}`));
    for (const [method, path] of calls) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const refused = await restricted.call<Problem>(method, `/${name}${path}`, body);
      expect(refused, `${method} ${path}`).toMatchObject({ status: 403, body: { message: reason } });
    }
    await restricted.grant([`${name}.${action}`]);
    for (const [method, path] of calls) {
      if (method === 'DELETE') continue;
      const allowed = await restricted.call<Problem>(method, `/${name}${path}`, method === 'GET' ? undefined : {});
      expect(allowed.status).toBeLessThan(500);
      expect(allowed.body.message ?? '', `${method} ${path}`).not.toMatch(/You don't have permission to [^:]+\.$/);
    }
  });
});

const ofCompanies = definitions.filter(({ scope }) => scope === 'company' || scope === 'both');
test.each(ofCompanies.map((definition) => [definition.name, definition] as const))(
  '%s: a record of another company does not exist',
  async (name, definition) => {
    const theirs = await make(definition, isOwners(definition) ? harbour : admin, 2);
    const calls = [
      ['GET', `/${theirs.id}`],
      ['GET', `/${theirs.id}/history`],
      ['PUT', `/${theirs.id}`, {}],
      ['DELETE', `/${theirs.id}`],
      ['PATCH', `/restore/${theirs.id}`, {}],
    ] as const;
    for (const [method, path, body] of calls) {
      const answer = await owner(method, `/${name}${path}`, body);
      const told = method === 'GET' || isOwners(definition) ? 'Not found.' : expect.any(String);
      expect(answer, `${method} ${path}`).toMatchObject({ body: { message: told } });
      const nothing = await owner(method, `/${name}${path.replace(/\d+/, '999999')}`, body);
      expect([answer.status, answer.body]).toEqual([nothing.status, nothing.body]);
    }
    for (const query of [`filter=${json({ id: [theirs.id] })}`, `id=${theirs.id}`, `filter=${json({ site_id: 2 })}`]) {
      expect(rowsOf(definition, (await owner('GET', `/${name}?${query}`)).body), query).toEqual([]);
    }
    if (isOwners(definition)) expect((await harbour('GET', `/${name}/${theirs.id}`)).status).toBe(200);
    // What somebody keeps for themselves is not even the administrator's.
    expect((await admin('GET', `/${name}/${theirs.id}`)).status).toBe(
      ['views', 'pages', 'snippets'].includes(name) ? 404 : 200,
    );
  },
);
