import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectDescriptions } from '../../../../src/server/routing/call-description';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../../support/program';
import { resolveReferences, schemaFaults } from '../../../support/openapi';

interface Operation {
  readonly operationId: string;
  readonly tags: string[];
  readonly summary: string;
  readonly security?: unknown[];
  readonly parameters?: { name: string; in: string }[];
  readonly requestBody?: { content: Record<string, { schema: { properties: object; required?: string[] } }> };
  readonly responses: Record<string, unknown>;
}
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}
type Paths = Record<string, Record<string, Operation>>;

let program: DemoProgram;
const paths: Record<string, Paths> = {};
beforeAll(async () => {
  program = await startFixtureProgram();
  for (const name of ['admin', 'owner', 'manager', 'developer', 'external'] as const) {
    const call: Client = await program.signIn(accounts[name]);
    const { body } = await call<{ paths: Paths; components: object }>('GET', '/openapi.json');
    paths[name] = resolveReferences<Paths>(body, body.paths);
  }
});
afterAll(() => program?.close());

/** The calls of a document, as `post /login`. */
const callsOf = (name: string) =>
  Object.entries(paths[name]!).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== 'parameters')
      .map((method) => `${method} ${path}`),
  );

const everybodys = [
  'post /login',
  'post /register',
  'post /forgot-password',
  'post /reset-password',
  'post /confirm-address',
  'post /resend-confirmation',
  'get /me',
  'post /logout',
  'get /sign-ins',
  'delete /sign-ins/{id}',
  'get /profile/{id}',
  'put /profile/{id}',
  'get /notifications',
  'get /notifications/{id}',
  'patch /notifications/{id}',
  'post /notifications/read-all',
  'get /grid-configurations',
  'post /grid-configurations',
  'get /definitions',
  'post /shared-records',
  'get /permissions/why',
];

test('what definitions call is a call, and what they show of its answer is there', () => {
  const actions = [...program.program.definitions.registry().definitions.values()].flatMap(({ list }) => list.actions);
  const calls = actions.flatMap((action) => ('calls' in action && action.calls ? [action.calls] : []));
  expect(calls.filter(({ shows }) => shows).length).toBeGreaterThan(2);
  for (const { path, shows } of calls) {
    const call = paths.admin![`/${path}`]?.post;
    expect(call, path).toBeDefined();
    const answer = call!.responses['200'] as { content: { 'application/json': { schema: Schema } } };
    const data = answer.content['application/json'].schema.properties?.data?.properties ?? {};
    expect(Object.keys(data), path).toEqual(expect.arrayContaining(Object.values(shows ?? {})));
  }
});

describe('calls without a definition', () => {
  test.each(['admin', 'owner', 'manager', 'developer', 'external'])('common calls are documented for %s', (name) => {
    expect(callsOf(name)).toEqual(expect.arrayContaining(everybodys));
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ['post /notifications', ['admin', 'owner'], ['manager', 'developer', 'external']],
    ['get /notifications/choices/{field}', ['admin', 'owner'], ['manager', 'external']],
    ['post /resend-invitation', ['admin', 'owner'], ['manager', 'developer', 'external']],
    ['post /email-templates/{id}/preview', ['admin', 'owner'], ['manager', 'external']],
    ['post /email-templates/{id}/test', ['admin', 'owner'], ['manager', 'external']],
    ['put /permissions/{id}', ['admin', 'owner'], ['manager', 'external']],
    ['post /shots/import', ['admin', 'owner', 'manager'], ['developer', 'external']],
    ['post /users/import', ['admin', 'owner'], ['manager', 'developer', 'external']],
    ['get /imports/screenings/download-sample', ['admin', 'manager', 'developer'], []],
    ['get /imports', ['admin', 'manager'], ['developer', 'external']],
    ['post /imports', [], ['admin', 'owner', 'manager', 'external']],
  ])('%s is for %j alone', (call, users, others) => {
    for (const name of users) expect(callsOf(name), name).toContain(call);
    for (const name of others) expect(callsOf(name), name).not.toContain(call);
  });

  test('every call has a unique id, a heading and a summary', () => {
    const all = Object.values(paths.admin!).flatMap(({ parameters: _, ...methods }) => Object.values(methods));
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
    for (const { tags, summary, responses } of all) {
      expect(tags[0]).toMatch(/\S/);
      expect(summary).toMatch(/\S/);
      expect(Object.keys(responses).length).toBeGreaterThan(1);
    }
  });

  test('bodies are documented from the form that validates them', () => {
    const body = (path: string, method = 'post') =>
      Object.values(paths.owner![path]![method]!.requestBody!.content)[0]!.schema;
    expect(body('/register').required).toEqual(['first_name', 'last_name', 'site_name', 'email', 'password']);
    expect(Object.keys(body('/reset-password').properties)).toEqual([
      'verification_code',
      'new_password',
      'confirm_password',
      'setup_account',
    ]);
    expect(body('/shots/import')).toMatchObject({ required: ['film_id', 'import_file'] });
    expect(body('/users/import')).toMatchObject({ required: ['import_file'] });
    expect(paths.owner!['/shots/import']!.post!.requestBody!.content).toHaveProperty('multipart/form-data');
  });

  test('every schema of a declared call compiles in strict mode', async () => {
    const admin = await program.signIn(accounts.admin);
    const { describedCalls } = program.app;
    expect(describedCalls.length).toBeGreaterThan(90);
    expect(await schemaFaults(describedCalls, admin)).toEqual([]);
    const undeclaredParams = describedCalls.filter(
      ({ path, params }) =>
        [...path.matchAll(/:(\w+)/g)].map(([, name]) => name).join() !== Object.keys(params?.properties ?? {}).join(),
    );
    expect(undeclaredParams.map(({ path }) => path)).toEqual([]);
  });

  test('a route that is not declared does not start', () => {
    const api = Fastify();
    collectDescriptions(api, '/api');
    api.get('/page', async () => '');
    expect(() => api.get('/api/things', async () => '')).toThrow('Declare GET /api/things with defineCall.');
  });

  test('generic paths name the resources that have a call, and each scope that opens it', async () => {
    const owner = await program.signIn(accounts.owner);
    const { body } = await owner<{ paths: Paths; components: object }>('GET', '/openapi.json?paths=generic');
    const generic = resolveReferences<Paths>(body, body.paths);
    const endings = {
      restore_version: '/{id}/history/{version}/restore',
      uses: '/{id}/uses/{field}',
      similar: '/similar/{field}',
      undelete: '/restore',
      bulk: '/bulk',
      choices: '/choices',
    };
    for (const [id, ending] of Object.entries(endings)) {
      const documented = Object.entries(paths.owner!).flatMap(([path, methods]) =>
        Object.values(methods).flatMap(({ operationId }) =>
          operationId?.startsWith(`${id}-`) && path.endsWith(ending) ? [path.slice(1, -ending.length)] : [],
        ),
      );
      const [call] = Object.values(generic[`/{resource}${ending}`] ?? {});
      const parameter = call?.parameters?.find(({ name }) => name === 'resource') as { schema?: { enum: string[] } };
      expect([id, [...(parameter?.schema?.enum ?? [])].sort()]).toEqual([id, documented.sort()]);
    }
    const scopesOf = (ending: string) =>
      Object.values(generic[`/{resource}/${ending}`] ?? {}).flatMap(({ security = [] }) =>
        (security as { bearer: string[] }[]).flatMap(({ bearer }) => bearer),
      );
    expect(scopesOf('bulk')).toEqual(['{resource}.create', '{resource}.edit', '{resource}.delete']);
    expect(scopesOf('choices')).toEqual(['{resource}.list', '{resource}.create', '{resource}.edit']);
  });

  test('calls without sign-in are documented as such', () => {
    expect(paths.owner!['/login']!.post!.security).toEqual([]);
    expect(paths.owner!['/me']!.get!.security).toBeUndefined();
  });

  test('path parameters are documented', () => {
    expect(paths.owner!['/sign-ins/{id}']!.delete!.parameters).toEqual([
      {
        name: 'id',
        in: 'path',
        required: true,
        schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      },
    ]);
  });
});
