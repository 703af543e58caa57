// @module-tag slow
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorCodes } from '../../src/server/errors/codes';
import type { Definition } from '../../src/engine/definitions/definition';
import { createRegistry } from '../../src/engine/registry/registry';
import { fixtureDefinitions } from '../support/definitions';
import { encodePathPart, hostileBody, hostileId, hostileNames, hostileText, hostileValue } from '../support/hostile';
import { accounts, startFixtureProgram, type ApiResponse, type Client, type DemoProgram } from '../support/program';
import { sampleRecord, unwrap } from '../support/samples';
import { resolveReferences } from '../support/openapi';

// FUZZ_SEED and FUZZ_RUNS look elsewhere, and longer; a failure prints the seed that it was found with.
const seed = Number(process.env.FUZZ_SEED ?? 20_261_116);
const numRuns = Number(process.env.FUZZ_RUNS ?? 1_000);

/** One call of the API: of the OpenAPI document, or one that no definition knows of. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly definition?: Definition;
  readonly names: readonly string[];
  readonly fields: readonly string[];
}

interface Document {
  paths: Record<string, Record<string, { parameters?: { name: string }[]; requestBody?: Body } | unknown[]>>;
}
interface Body {
  content: Record<string, { schema: { properties: object } }>;
}

/** What would sign the callers out, or never ends. */
const leftOut = ['POST /logout', 'DELETE /sign-ins/{id}', 'GET /events'];

const others: Operation[] = [
  { method: 'GET', path: '/{id}', names: [], fields: [] },
  { method: 'POST', path: '/studios/{id}/history/{id}', names: [], fields: ['a'] },
];

const definitions = fixtureDefinitions();
const registry = createRegistry(definitions);
let program: DemoProgram;
let callers: Client[];
let operations: Operation[];
const ids: Record<string, string[]> = {};
const valid: Record<string, Record<string, unknown>> = {};

beforeAll(async () => {
  program = await startFixtureProgram();
  const [admin, owner] = [await program.signIn(accounts.admin), await program.signIn(accounts.owner)];
  callers = [
    admin,
    owner,
    await program.signIn(accounts.developer),
    await program.signIn(accounts.external),
    program.call,
  ];
  const { body: named } = await admin<Document & { components: object }>('GET', '/openapi.json');
  const body = resolveReferences<Document>(named, { paths: named.paths });
  operations = [...operationsOf(body), ...others].filter(({ method, path }) => !leftOut.includes(`${method} ${path}`));
  for (const definition of definitions) {
    const call = definition.scope === 'installation' || definition.scope === 'self' ? admin : owner;
    ids[definition.name] = [];
    for (const number of [1, 2]) {
      const sample = await sampleRecord(definition, registry, call, `F${number}`);
      const made = await call('POST', `/${definition.name}`, sample);
      // What the program alone writes has a number all the same.
      ids[definition.name]!.push(String(unwrap<{ id: number } | undefined>(definition, made.body)?.id ?? number));
    }
    valid[definition.name] = await sampleRecord(definition, registry, call, 'F3');
  }
});
afterAll(() => program?.close());

function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): Operation[] => {
      if (Array.isArray(operation)) return [];
      return [
        {
          method: method.toUpperCase(),
          path,
          definition: registry.get(path.split('/')[1]!),
          names: (operation.parameters ?? []).map(({ name }) => name),
          fields: Object.keys(Object.values(operation.requestBody?.content ?? {})[0]?.schema.properties ?? {}),
        },
      ];
    }),
  );
}

interface Request {
  readonly caller: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly text?: string;
}

const zones = fc.constantFrom('Europe/Berlin', '', 'x', '__proto__', 'Etc/GMT+99', '../UTC', 'x'.repeat(500));
const someOf = (names: readonly string[]) => fc.constantFrom(...(names.length > 0 ? names : hostileNames));

function requests(): fc.Arbitrary<Request> {
  // Most writes are refused at the door, because most bodies are broken: they are tried twice as often as reading.
  const writes = operations.filter(({ method, definition }) => method !== 'GET' && definition);
  return fc.constantFrom(...operations, ...writes).chain((operation) => {
    const { method, definition, names, fields } = operation;
    const known = (definition && ids[definition.name]) ?? ['1'];
    const relations = Object.values(definition?.fields ?? {}).flatMap(({ name, to }) => (to ? [name] : []));
    const name = (own: readonly string[]) =>
      fc.oneof({ weight: 4, arbitrary: someOf(own) }, { weight: 1, arbitrary: fc.constantFrom(...hostileNames) });
    const query = fc.array(fc.tuple(name(names), fc.oneof(hostileText, filterText(operation))), { maxLength: 3 });
    const changes = fc.array(fc.tuple(name(fields), hostileValue), { maxLength: 4 });
    const whole = fc.constant<[boolean, [string, unknown][]]>([true, []]);
    // As somebody sends it who has not seen what others did meanwhile.
    const stale = fc.constant<[boolean, [string, unknown][]]>([true, [['updated_at', '2001-01-01T00:00:00.000Z']]]);
    const object = fc
      .oneof(
        { weight: 6, arbitrary: fc.tuple(fc.boolean(), changes) },
        { weight: 2, arbitrary: whole },
        { weight: 1, arbitrary: stale },
      )
      .map(([based, changes]) => written({ ...(based && definition && valid[definition.name]) }, changes));
    const json = object.map((text) => ({ type: 'application/json', text }));
    return fc
      .record({
        caller: fc.nat(callers.length - 1),
        method: fc.constant(method),
        path: fc
          .tuple(
            fc.oneof({ weight: 2, arbitrary: someOf(known) }, { weight: 1, arbitrary: hostileId }),
            fc.oneof(
              { weight: 3, arbitrary: someOf(relations).map(encodePathPart) },
              { weight: 1, arbitrary: hostileId },
            ),
            method === 'GET' ? query : fc.constant([]),
          )
          .map(([id, field, pairs]) => {
            const path = operation.path.replaceAll('{id}', id).replaceAll('{field}', field);
            return pairs.length === 0
              ? path
              : `${path}?${pairs.map(([key, value]) => `${encodePathPart(key)}=${encodePathPart(value)}`).join('&')}`;
          }),
        body:
          method === 'GET'
            ? fc.constant(undefined)
            : fc.oneof({ weight: 5, arbitrary: json }, { weight: 1, arbitrary: hostileBody }),
        zone: fc.option(zones, { freq: 8, nil: undefined }),
      })
      .map(({ body, zone, ...request }) => ({
        ...request,
        headers: { ...(body && { 'content-type': body.type }), ...(zone !== undefined && { 'x-timezone': zone }) },
        ...(body && { text: body.text }),
      }));
  });
}

/** A filter, sort or range in JSON that is nearly one. */
function filterText({ names }: Operation): fc.Arbitrary<string> {
  const operators = [
    '$eq',
    '$ne',
    '$in',
    '$nin',
    '$exists',
    '$contains',
    '$gt',
    '$lte',
    '$some',
    '$regex',
    '__proto__',
    '$or',
    '$not',
  ];
  const name = someOf([...names, ...hostileNames]);
  return fc.oneof(
    fc.tuple(name, hostileValue).map((pair) => written({}, [pair])),
    fc
      .tuple(name, fc.constantFrom(...operators), hostileValue)
      .map(([key, operator, value]) => written({}, [[key, { [operator]: value }]])),
    fc.tuple(name, fc.constantFrom('ASC', 'DESC', 'asc', 'x')).map((pair) => JSON.stringify(pair)),
    fc
      .tuple(fc.integer({ min: -1, max: 3 }), fc.constantFrom(-1, 0, 5, 1e10, 2_147_483_647))
      .map((pair) => JSON.stringify(pair)),
    name.map((key) => (key.startsWith('-') ? key : `-${key}`)),
  );
}

/** JSON in which names such as `__proto__` stand as they are. */
function written(base: object, changes: readonly (readonly [string, unknown])[]): string {
  const entries = new Map<string, unknown>([...Object.entries(base), ...changes]);
  return `{${Array.from(entries, ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
}

/** Everything that is stored, as one text: any change of any row shows. Sign-ins and attempts may come and go. */
async function fingerprint(): Promise<string> {
  const { kysely } = program.program.database;
  const { rows: tables } = await sql<{ name: string }>`select format('%I.%I', table_schema, table_name) as name
    from information_schema.tables where table_type = 'BASE TABLE' and (table_schema = 'public'
    or (table_schema = 'assay' and table_name in ('history', 'grants', 'grid_configurations', 'notifications')))
    order by 1`.execute(kysely);
  const each = tables.map(
    ({ name }) => `select '${name}', count(*), sum(hashtextextended(t::text, 0)::numeric) from ${name} t`,
  );
  const { rows } = await sql.raw(each.join(' union all ')).execute(kysely);
  return JSON.stringify(rows);
}

/** What a stack, or a message of the database, looks like. */
const betrays =
  /node_modules|\.ts:\d|syntax error|violates|invalid input|out of range|(relation|column|function) "?\w+"? does not/i;

function mustBeAProblem(
  answer: ApiResponse<{ message?: unknown; code?: unknown; errors?: unknown; success?: unknown }>,
): void {
  expect(String(answer.headers['content-type'])).toContain('application/json');
  const { message, code, errors, success, ...rest } = answer.body;
  // A file that cannot be imported is refused as a whole, in words of imports.
  expect([undefined, false]).toContain(success);
  expect(success === undefined ? Object.keys(errorCodes) : [undefined]).toContain(code);
  expect(rest).toEqual({});
  expect(message).toEqual(expect.stringMatching(/\S/));
  expect(Object.hasOwn(answer.body, 'errors')).toBe(answer.status === 422 && success === undefined);
  const words = Object.values((errors ?? {}) as Record<string, unknown>);
  expect(words.every((one) => typeof one === 'string' && one.trim() !== '')).toBe(true);
  expect(String(message).length).toBeLessThan(2_000);
  expect(JSON.stringify(answer.body)).not.toMatch(betrays);
  if (answer.status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
}

test('every request gets a documented response, and refused ones store nothing', async () => {
  let stored = await fingerprint();
  const seen = new Map<number, number>();
  // Chance alone does not always come upon a conflict.
  const conflict: Request = {
    caller: 1,
    method: 'PUT',
    path: `/studios/${ids.studios![0]}`,
    headers: { 'content-type': 'application/json' },
    text: JSON.stringify({ ...valid.studios, updated_at: '2001-01-01T00:00:00.000Z' }),
  };
  await fc.assert(
    fc.asyncProperty(requests(), async ({ caller, method, path, headers, text }) => {
      const answer = await callers[caller]!<Record<string, unknown>>(method, path, text, headers);
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
      if (answer.status >= 400) {
        mustBeAProblem(answer);
      }
      if (method === 'GET') return;
      const now = await fingerprint();
      if (answer.status >= 400) expect(now).toBe(stored);
      stored = now;
    }),
    { seed, numRuns, examples: [[conflict]] },
  );
  // The requests reach more than the door.
  for (const status of [200, 201, 400, 401, 403, 404, 409, 415, 422]) expect([...seen.keys()]).toContain(status);
});

test('a body over the limit is refused on every route that accepts one', async () => {
  const before = await fingerprint();
  const text = `{"name":"${'x'.repeat(5 * 1024 * 1024)}"}`;
  // A body for an unknown path is not read at all.
  const unknown = new Set(others.map(({ path }) => path));
  for (const { method, path } of operations.filter((one) => one.fields.length > 0 && !unknown.has(one.path))) {
    const answer = await callers[0]!(method, path.replaceAll('{id}', '1'), text, {
      'content-type': 'application/json',
    });
    expect(answer, path).toMatchObject({
      status: 413,
      body: { message: expect.stringMatching(/at most (5 MB|64 kB)/) },
    });
  }
  expect(await fingerprint()).toBe(before);
});

const kinds: readonly unknown[] = [[], [[]], { id: [] }, { a: 1 }, true, 1.5, '', 'a'];

test('any kind of value in any place gets a documented response', async () => {
  const faults: string[] = [];
  const ask = async (caller: Client, method: string, path: string, body: unknown) => {
    const answer = await caller<object>(method, path, body);
    if (answer.status >= 500) faults.push(`${method} ${path} ${JSON.stringify(body).slice(-80)}`);
    else if (answer.status >= 400) mustBeAProblem(answer);
  };
  for (const operation of operations.filter(({ method, fields }) => method !== 'GET' && fields.length > 0)) {
    const { method, definition, fields } = operation;
    const path = pathTo(operation);
    const base = method === 'POST' && definition ? valid[definition.name] : {};
    const caller = callers[definition?.scope === 'installation' ? 0 : 1]!;
    for (const field of fields) for (const kind of kinds) await ask(caller, method, path, { ...base, [field]: kind });
  }
  expect(faults).toEqual([]);
});

test('a repeated query parameter, as a list or as an object, gets a documented response', async () => {
  const faults: string[] = [];
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const path = pathTo(operation);
    const isList = operation.path === `/${operation.definition?.name}`;
    for (const name of new Set([...operation.names, 'q', 'id', 'filter', 'sort', 'type'])) {
      // Where all is well one record will do: whole lists took most of the time.
      const rest = isList && name !== 'range' ? '&range=[0,0]' : '';
      for (const query of [`${name}=1&${name}=2${rest}`, `${name}[]=1&${name}[a]=1${rest}`]) {
        const answer = await callers[0]!<object>('GET', `${path}?${query}`);
        if (answer.status >= 500) faults.push(`${path}?${query}: ${answer.status}`);
        else if (answer.status >= 400) mustBeAProblem(answer);
      }
    }
  }
  expect(faults).toEqual([]);
});

/** The path of an operation on what is stored. */
function pathTo({ path, definition }: Operation): string {
  // Without a definition these are the choices of announcements.
  const relation = definition
    ? (Object.values(definition.fields).find(({ to }) => to)?.name ?? 'created_by')
    : 'user_ids';
  const id = (definition && ids[definition.name]?.[0]) ?? '1';
  return path.replaceAll('{id}', id).replaceAll('{field}', relation);
}
