import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actions, type Definition, type ResourceRecord } from '../../src/engine/definitions/definition';
import { createRegistry } from '../../src/engine/definitions/registry';
import { isEmpty } from '../../src/engine/validation/check-values';
import { accounts, startDemoProgram, type DemoProgram } from '../support/program';
import { shippedDefinitions } from '../support/definitions';
import { sampleRecord, type Call } from '../support/samples';

/** One loop over all definitions: a new file in `resources/` is covered without touching a test. */
const definitions = shippedDefinitions();
const registry = createRegistry(definitions);

let program: DemoProgram;
let admin: Call;
let owner: Call;
let harbour: Call;

beforeAll(async () => {
  program = await startDemoProgram();
  admin = await program.signIn(accounts.admin);
  owner = await program.signIn(accounts.owner);
  harbour = await program.signIn(accounts.harbour);
});
afterAll(() => program.close());

/** Who may write a resource in the ordinary course: a company's owner, or the installation's administrator. */
const writer = ({ scope }: Definition): Call => (scope === 'installation' || scope === 'self' ? admin : owner);

const unwrap = (definition: Definition, body: unknown): ResourceRecord & { id: number } =>
  (definition.envelope ? (body as { data: unknown }).data : body) as ResourceRecord & { id: number };

let made = 0;
async function make(definition: Definition, call: Call): Promise<ResourceRecord & { id: number }> {
  const sample = await sampleRecord(definition, registry, call, `${definition.name}${++made}`);
  const answer = await call('POST', `/${definition.name}`, sample);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  return unwrap(definition, answer.body);
}

describe.each(definitions.map((definition) => [definition.name, definition] as const))('%s', (name, definition) => {
  test('is created, listed, read, changed, and deleted, with its history', async () => {
    const call = writer(definition);
    const record = await make(definition, call);

    const list = await call('GET', `/${name}?filter=${encodeURIComponent(JSON.stringify({ id: [record.id] }))}`);
    expect(list.status).toBe(200);
    const rows = (
      definition.envelope || !Array.isArray(list.body) ? (list.body as { data: unknown }).data : list.body
    ) as ResourceRecord[];
    expect(Array.isArray(list.body)).toBe(definition.envelope === null);
    expect(rows.map((row) => row.id)).toEqual([record.id]);

    const read = await call('GET', `/${name}/${record.id}`);
    expect(unwrap(definition, read.body)).toMatchObject({ id: record.id });

    const sample = await sampleRecord(definition, registry, call, `${name}change`);
    const field = Object.values(definition.fields).find(
      ({ name: one, type }) => type === 'text' && !isEmpty(sample[one]),
    )!;
    const changed = await call('PUT', `/${name}/${record.id}`, {
      [field.name]: sample[field.name],
      updated_at: record.updated_at,
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(unwrap(definition, changed.body)[field.name]).toBe(sample[field.name]);

    const stale = await call<{ message: string }>('PUT', `/${name}/${record.id}`, {
      [field.name]: 'Stale1',
      updated_at: '2000-01-01T00:00:00.000Z',
    });
    expect(stale.status).toBe(409);

    const history = await call<
      { event: string; new_values: ResourceRecord }[] | { data: { event: string; new_values: ResourceRecord }[] }
    >('GET', `/${name}/${record.id}/history`);
    const changes = Array.isArray(history.body) ? history.body : history.body.data;
    expect(changes.map(({ event }) => event).sort()).toEqual(['created', 'updated']);
    expect(JSON.stringify(changes)).not.toMatch(/argon2/);

    const removed = await call('DELETE', `/${name}/${record.id}`);
    expect(removed.status, JSON.stringify(removed.body)).toBe(200);
    expect(unwrap(definition, removed.body).id).toBe(record.id);
    const gone = await call('GET', `/${name}?filter=${encodeURIComponent(JSON.stringify({ id: record.id }))}`);
    expect(JSON.stringify(gone.body)).not.toContain(`"id":${record.id},`);
    if (definition.archive) {
      const restored = await call('PATCH', `/${name}/restore/${record.id}`, {});
      expect(restored.status).toBe(200);
    } else {
      expect((await call('GET', `/${name}/${record.id}`)).status).toBe(404);
    }
  });

  test('a list tells the true total, pages, sorts, and refuses what makes no sense', async () => {
    const call = writer(definition);
    const page = await program.raw(call, `/${name}?range=[0,1]&sort=["id","DESC"]`);
    expect(page.headers['content-range']).toMatch(new RegExp(`^${name} (0-\\d+|\\*)/\\d+$`));
    for (const query of [
      'nonsense=1',
      'sort_by=nonsense',
      'range=[5,1]',
      'range=x',
      'sort=["id","SIDEWAYS"]',
      'filter={"x":',
      'id=abc',
      '__proto__=1',
    ]) {
      const refused = await call<{ message: string }>('GET', `/${name}?${query}`);
      expect(refused, query).toMatchObject({ status: 400, body: { message: expect.any(String) } });
    }
  });

  test('what is required is named, and an unknown property is refused', async () => {
    const call = writer(definition);
    const empty = await call<{ errors: Record<string, string> }>('POST', `/${name}`, {});
    const required = Object.values(definition.fields).filter(
      (field) => field.required && !field.readOnly && !field.system && field.default === undefined,
    );
    for (const field of required) expect(empty.body.errors).toHaveProperty(field.name, `${field.label} is required.`);
    const sample = await sampleRecord(definition, registry, call, `${name}extra`);
    const unknown = await call<{ errors: Record<string, string> }>('POST', `/${name}`, { ...sample, no_such_field: 1 });
    expect(unknown.status).toBe(422);
    expect(unknown.body.errors).toHaveProperty('no_such_field');
  });

  test.each(actions)('without the grant to %s it is refused with 403', async (action) => {
    const { call, grant } = await program.restricted();
    const everything = definitions.flatMap((one) => actions.map((each) => `${one.name}.${each}`));
    await grant(everything.filter((id) => id !== `${name}.${action}` && !id.startsWith('roles.')));
    const id = (await firstVisible(definition, call)) ?? 1;
    const calls = {
      list: ['GET', ''],
      view: ['GET', `/${id}`],
      create: ['POST', ''],
      edit: ['PUT', `/${id}`],
      delete: ['DELETE', `/${id}`],
    } as const;
    const [method, path] = calls[action];
    const refused = await call<{ message: string }>(
      method,
      `/${name}${path}`,
      method === 'GET' || method === 'DELETE' ? undefined : {},
    );
    expect(refused.status, JSON.stringify(refused.body)).toBe(403);
    expect(refused.body.message).toMatch(/\S/);
  });

  test.runIf(definition.scope === 'company' || definition.scope === 'both')(
    'a record of another company does not exist',
    async () => {
      const theirs = await make(definition, harbour);
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PUT', '', {}],
        ['DELETE', '', undefined],
        ['GET', '/history', undefined],
      ] as const) {
        const answer = await owner('' + method, `/${name}/${theirs.id}${path}`, body);
        expect(answer, `${method} ${path}`).toMatchObject({ status: 404, body: { message: 'Not found.' } });
      }
      const listed = await owner('GET', `/${name}?filter=${encodeURIComponent(JSON.stringify({ id: [theirs.id] }))}`);
      expect(JSON.stringify(listed.body)).not.toContain(`"id":${theirs.id}`);
      expect((await harbour('GET', `/${name}/${theirs.id}`)).status).toBe(200);
    },
  );
});

async function firstVisible(definition: Definition, call: Call): Promise<number | undefined> {
  const list = await call<unknown>('GET', `/${definition.name}?range=[0,0]`);
  if (list.status !== 200) return undefined;
  const rows = Array.isArray(list.body) ? list.body : (list.body as { data: { id: number }[] }).data;
  return rows[0]?.id;
}

