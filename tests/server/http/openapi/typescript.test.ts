import { Ajv } from 'ajv';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formats } from '../../../../src/engine/validation/formats';
import { studioOf } from '../../modules/studio';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../../support/program';

interface ApiDocument {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, object> }>>;
  readonly components: Record<string, Record<string, object>>;
}

const roles = ['admin', 'owner', 'manager', 'developer', 'external'] as const;
let program: DemoProgram;
const as = {} as Record<(typeof roles)[number], Client>;
beforeAll(async () => {
  program = await startFixtureProgram();
  for (const role of roles) as[role] = await program.signIn(accounts[role]);
});
afterAll(() => program?.close());

const documentOf = async (call: Client, query = '') => (await call<ApiDocument>('GET', `/openapi.json${query}`)).body;

/** The resources whose list a document has. */
const listedIn = ({ paths }: ApiDocument) =>
  Object.keys(paths).flatMap((path) => {
    const name = path.slice(1);
    return program.program.definitions.registry().get(name) && paths[path]!.get ? [name] : [];
  });

describe.each(roles)('what %s gets', (role) => {
  test('is as the document says: what is required is there, and only what may be null is null', async () => {
    const document = await documentOf(as[role]);
    const ajv = new Ajv({ allowUnionTypes: true, strict: false, validateFormats: true, formats: { ...formats } });
    ajv.addSchema({ $id: 'api', ...document });
    const faults: string[] = [];
    let records = 0;
    const check = (path: string, method: string, body: unknown, from: string) => {
      const pointer = `${path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}`;
      const response = document.paths[path]![method]!.responses[200] as { $ref?: string };
      const at = response.$ref?.slice(1) ?? `/paths/${pointer}/responses/200`;
      const validate = ajv.compile({ $ref: `api#${at}/content/application~1json/schema` });
      if (!validate(body)) faults.push(`${from}: ${ajv.errorsText(validate.errors)}`);
    };
    for (const name of listedIn(document)) {
      const { status, body } = await as[role]<unknown>('GET', `/${name}?range=[0,49]&envelope=none`);
      if (status !== 200) continue;
      records += (body as unknown[]).length;
      const plain = await as[role]('GET', `/${name}?range=[0,49]`);
      check(`/${name}`, 'get', plain.body, `GET /${name}`);
      const [first] = body as { id: number }[];
      if (!first || !document.paths[`/${name}/{id}`]?.get) continue;
      check(`/${name}/{id}`, 'get', (await as[role]('GET', `/${name}/${first.id}`)).body, `GET /${name}/${first.id}`);
    }
    expect(faults).toEqual([]);
    expect(records).toBeGreaterThan(20);
  });

  test('names no path that another one could be meant by', async () => {
    const { paths } = await documentOf(as[role]);
    const split = Object.keys(paths).map((path) => path.split('/'));
    const isVariable = (part: string) => part.startsWith('{');
    const ambiguous = split.flatMap((one, index) =>
      split.slice(index + 1).flatMap((other) => {
        if (one.length !== other.length) return [];
        const pairs = one.map((part, place) => [part, other[place]!] as const);
        if (pairs.some(([a, b]) => a !== b && !isVariable(a) && !isVariable(b))) return [];
        // One of them is more concrete in each place where they differ: tools prefer it.
        const concrete = (side: 0 | 1) => pairs.every((pair) => !isVariable(pair[side]) || isVariable(pair[1 - side]!));
        return concrete(0) !== concrete(1) ? [] : [`${one.join('/')} ${other.join('/')}`];
      }),
    );
    expect(ambiguous).toEqual([]);
  });
});

describe('the records of a document', () => {
  interface Schema {
    readonly type?: string | readonly string[];
    readonly anyOf?: readonly Schema[];
    readonly items?: Schema;
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly $ref?: string;
    readonly allOf?: readonly Schema[];
  }
  beforeAll(async () => {
    const fields = {
      name: { type: 'text', required: true },
      key: { type: 'sequence', partitionBy: 'company', format: 'N-{n}' },
      reel_id: { type: 'relation', to: 'reels' },
      user_ids: { type: 'relations', to: 'users' },
    };
    await studioOf(as.admin).make('numbered', fields as never);
  });
  const resolve = (document: ApiDocument, schema: Schema): Schema =>
    schema.$ref
      ? resolve(document, (document.components.schemas as Record<string, Schema>)[schema.$ref.split('/').at(-1)!]!)
      : schema;
  /** The properties of a schema, with those of the parts that it is made of. */
  const propertiesOf = (document: ApiDocument, schema: Schema): Record<string, Schema> => {
    const whole = resolve(document, schema);
    return Object.assign({}, ...(whole.allOf ?? []).map((part) => propertiesOf(document, part)), whole.properties);
  };
  const mayBeNull = (document: ApiDocument, schema: Schema): boolean => {
    const whole = resolve(document, schema);
    return [whole.type].flat().includes('null') || (whole.anyOf ?? []).some((one) => mayBeNull(document, one));
  };
  const schemasOf = (document: ApiDocument) => Object.entries(document.components.schemas as Record<string, Schema>);

  test.each(['', '?paths=generic'])('always have an id, stamps and a key: openapi.json%s', async (query) => {
    const document = await documentOf(as.owner, query);
    const faults: string[] = [];
    let records = 0;
    for (const [type, schema] of schemasOf(document)) {
      const properties = propertiesOf(document, schema);
      if (!properties.id || !properties.created_at || /(Input|Change|Query)$/.test(type)) continue;
      records++;
      for (const name of ['id', 'created_at', 'updated_at', 'key'])
        if (properties[name] && !(name === 'key' && type !== 'Numbered') && mayBeNull(document, properties[name]))
          faults.push(`${type}.${name}`);
    }
    expect(faults).toEqual([]);
    expect(records).toBeGreaterThan(10);
  });

  test('are filtered by one related record or by several', async () => {
    const generic = await documentOf(as.owner, '?paths=generic');
    const [, query] = schemasOf(generic).find(([type]) => type === 'NumberedQuery')!;
    const properties = propertiesOf(generic, query);
    const oneOrSeveral = { anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }] };
    for (const name of ['reel_id', 'user_ids', 'created_by', 'id'])
      expect([name, properties[name]]).toEqual([
        name,
        name === 'id' ? expect.objectContaining({ anyOf: expect.any(Array) }) : oneOrSeveral,
      ]);
    const { status, body } = await as.owner<{ id: number }>('POST', '/numbered', {
      name: 'One',
      reel_id: 1,
      user_ids: [],
    });
    expect(status, JSON.stringify(body)).toBe(201);
    for (const value of ['1', '1,2']) {
      const found = await as.owner<{ id: number }[]>('GET', `/numbered?reel_id=${value}`);
      expect([value, found.body.map(({ id }) => id)]).toEqual([value, [body.id]]);
    }
  });
});

describe('types for scripts', () => {
  test('have the names of resources, and of what is sent', async () => {
    const resources = [...program.program.definitions.registry().definitions.keys()].slice(0, 6);
    const document = await documentOf(as.owner, `?resources=${['users', ...resources].join()}`);
    const text = astToString(await openapiTS(document as never, { silent: true }));
    expect(text.split('\n').length).toBeLessThan(6000);
    for (const name of ['User', 'UserInput', 'UserChange', 'Problem', 'History', 'Choices'])
      expect(text).toContain(`        ${name}: {\n`);
    expect(text).toContain('"list-users": {');
  });

  test('can be asked for by resource', async () => {
    const document = await documentOf(as.admin, '?resources=roles, users');
    const firsts = new Set(Object.keys(document.paths).map((path) => path.split('/')[1]));
    expect(firsts).toContain('roles');
    expect(firsts).toContain('users');
    expect(firsts).toContain('login');
    expect([...firsts].filter((first) => program.program.definitions.registry().get(first!))).toHaveLength(2);
    const { status, body } = await as.admin<{ message: string }>('GET', '/openapi.json?resources=roles,nothing');
    expect([status, body.message]).toEqual([400, 'resources: there is no resource "nothing".']);
  });
});
