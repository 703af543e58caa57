// @module-tag slow
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actions, type Definition } from '../../../src/engine/definitions/definition';
import { registerEvents } from '../../../src/server/events/events-route';
import { Unavailable } from '../../../src/server/errors/errors';
import { buildApp } from '../../../src/server/http/app';
import { registerDefinitions } from '../../../src/server/http/definitions-route';
import { registerOpenApi } from '../../../src/server/http/openapi/routes';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { apiRoutes } from '../../support/routes';
import { createServiceAccount, type ServiceAccount } from '../../support/service-account';
import { insertJob } from '../../../src/server/jobs/store';
import { csv, send } from '../imports/files';

// Every route of the API, with an account of one scope: each is refused with 403 unless that scope opens it.

type Row = Record<string, unknown> & { id: number };

let program: DemoProgram;
let app: FastifyInstance;
let owner: Client;
let definitions: Definition[];
let own: ServiceAccount;
const ids = new Map<string, number>();

beforeAll(async () => {
  program = await startFixtureProgram();
  owner = await program.signIn(accounts.owner);
  const admin = await program.signIn(accounts.admin);
  app = await buildApp(program.program, {
    appFolder: 'none',
    routes: [
      registerDefinitions,
      registerOpenApi,
      (api) =>
        registerEvents(api, program.program, {
          // Whoever may open a stream gets this, instead of one that never ends.
          authenticate: () => Promise.reject(new Unavailable('No stream is opened.')),
          currentActor: async () => undefined,
          filterVisible: async () => [],
          onAccessChange: () => () => undefined,
        }),
    ],
  });
  definitions = [...program.program.definitions.registry().definitions.values()];
  own = await createServiceAccount(program, owner);
  for (const { name } of definitions) {
    const { body } = await admin<Row[]>('GET', `/${name}?range=[0,0]&envelope=none&site_id=1`);
    const any = Array.isArray(body) && body[0] ? body : (await admin<Row[]>('GET', `/${name}?envelope=none`)).body;
    ids.set(name, (Array.isArray(any) && any[0]?.id) || 1);
  }
});
afterAll(async () => {
  await app?.close();
  await program?.close();
});

/** The calls that anybody may make, signed in or not, and the files of the documentation. */
function isOpenToAll(route: string): boolean {
  const [method, path] = route.split(' ') as [string, string];
  if (path.startsWith('/docs')) return true;
  const described = app.describedCalls.find((call) => call.method.toUpperCase() === method && call.path === path);
  return described?.scope === 'public';
}

/** The resources that the calls are tried on: of the product, of the system, with and without forms of their own. */
const tried = ['shots', 'screenings', 'studios', 'users', 'roles', 'imports', 'service-accounts', 'views', 'sites'];

/** Every call: the routes with their parameters filled in, for each resource that is tried, and its declared paths. */
function calls(): string[] {
  const generic = '/:type|:resource';
  return apiRoutes(app)
    .filter((route) => !isOpenToAll(route))
    .flatMap((route) => (route.includes(generic) ? tried.map((name) => route.replace(generic, `/${name}`)) : [route]))
    .concat(tried.flatMap(declaredPaths));
}

function declaredPaths(name: string): string[] {
  const { requests, export: exported } = definitions.find((one) => one.name === name)!;
  return [
    ...Object.values(requests).map(({ path }) => `PATCH /${path.replace('{id}', ':id')}`),
    ...(exported ? [`GET /${exported.path}`] : []),
  ];
}

function fill(route: string): string {
  const [, name = ''] = /^\w+ \/([\w-]+)/.exec(route) ?? [];
  const definition = definitions.find(
    (one) => one.name === name || Object.values(one.requests).some(({ path }) => path.startsWith(`${name}/`)),
  );
  const relation = Object.values(definition?.fields ?? {}).find(({ to, system }) => to && !system)?.name;
  return route
    .replace(':id', String(ids.get(definition?.name ?? '') ?? 1))
    .replace('/:field', route.includes('similar') ? '/name' : `/${relation ?? 'user_ids'}`)
    .replace(':type', 'shots')
    .replace(':name', 'shots')
    .replace(/:\w+/g, '1');
}

/** The calls that are not refused with 403. */
async function opened(account: ServiceAccount): Promise<string[]> {
  const found: string[] = [];
  for (const route of calls()) {
    const [method, path] = fill(route).split(' ') as [string, string];
    const answer = await app.inject({
      method: method as 'GET',
      url: `/api${path}`,
      headers: { authorization: `Bearer ${account.token}` },
      ...(method !== 'GET' && { payload: {} }),
    });
    expect(answer.statusCode, route).not.toBe(500);
    if (answer.statusCode !== 403) found.push(route);
  }
  return found.toSorted();
}

/** Their answers have what the scopes of the account allow, and nothing else. */
const ofAny = ['GET /definitions', 'GET /openapi.json'];
const ofLists = ['GET /search', 'GET /events', 'GET /export-progress/:name', 'GET /menu-marks'];
const ofJobs = ['GET /jobs', 'GET /jobs/:id', 'DELETE /jobs/:id', 'POST /jobs/:id/retry'];

/** The calls that each action opens on a resource, besides those of any. */
const ofAction: Readonly<Record<(typeof actions)[number], (path: string) => string[]>> = {
  list: (path) => [
    `GET ${path}`,
    `GET ${path}/aggregate`,
    `GET ${path}/tree`,
    `GET ${path}/choices`,
    `GET ${path}-export`,
    ...ofLists,
  ],
  view: (path) => [
    `GET ${path}/:id`,
    `GET ${path}/:id/history`,
    `GET ${path}/:id/print`,
    `GET ${path}/:id/uses/:field`,
    `GET ${path}/:id/comments`,
    `GET ${path}/:id/comments/:comment/versions`,
  ],
  create: (path) => [
    `POST ${path}`,
    `POST ${path}/bulk`,
    `POST ${path}/files`,
    `GET ${path}/choices/:field`,
    `GET ${path}/similar/:field`,
  ],
  edit: (path) => [
    `PUT ${path}/:id`,
    `PATCH ${path}/:id`,
    `POST ${path}/bulk`,
    `POST ${path}/files`,
    `GET ${path}/choices/:field`,
    `GET ${path}/similar/:field`,
    `PATCH ${path}/:id/restore`,
    `PATCH ${path}/restore/:id`,
    `POST ${path}/:id/history/:version/restore`,
    `POST ${path}/:id/share`,
    `DELETE ${path}/:id/share`,
    `POST ${path}/:id/comments`,
    `POST ${path}/:id/comments/files`,
    `PUT ${path}/:id/comments/:comment`,
    `DELETE ${path}/:id/comments/:comment`,
    `PATCH ${path}/:id/comments/:comment/restore`,
    `GET ${path}/:id/mentionable`,
  ],
  delete: (path) => [`DELETE ${path}/:id`, `GET ${path}/assignments`, `POST ${path}/bulk`, `POST ${path}/restore`],
};

const limitedTo = (...scopes: string[]) => createServiceAccount(program, owner, { limited: true, scopes });

describe('of all calls, those are open to a service account', () => {
  test('without any scope: none', async () => {
    expect(apiRoutes(app).length).toBeGreaterThan(150);
    expect(await opened(await limitedTo())).toEqual([]);
  });

  test.each<[scope: string, more: readonly string[]]>([
    ...actions.map((action): [string, readonly string[]] => [
      `shots.${action}`,
      { create: ['GET /imports/:type/download-sample'], edit: ['PATCH /shot/:id'] }[action as string] ?? [],
    ]),
    ['studios.view', []],
    ['studios.edit', []],
    ['imports.create', [...ofJobs, ...tried.map((name) => `POST /${name}/import`)]],
    ['roles.list', ['GET /permissions', 'GET /module-permissions']],
    ['roles.view', ['GET /permissions/why']],
  ])('of the scope %s', async (scope, more) => {
    const [name, action] = scope.split('.') as [string, (typeof actions)[number]];
    const known = new Set(calls());
    const expected = [...ofAny, ...ofAction[action](`/${name}`).filter((route) => known.has(route)), ...more];
    const refused = action === 'create' ? [...importable, 'POST /imports'] : [];
    const found = await opened(await limitedTo(scope));
    expect(found).toEqual(expected.filter((route) => !refused.includes(route)).toSorted());
  });

  /** Importing a type needs its grant too, and nobody writes into the history of imports. */
  const importable = ['shots', 'screenings', 'users'].map((name) => `POST /${name}/import`);
});

describe('jobs', () => {
  let started: number;
  beforeAll(async () => {
    const { database } = program.program;
    started = await database.transaction(async (trx) => {
      const { id: user_id } = (await owner<{ data: { user: { id: number } } }>('GET', '/me')).body.data.user;
      const job = { kind: 'import', title: 'Of the owner', site_id: 1, user_id, input: {} };
      return (await insertJob(trx, job)).id;
    });
  });

  const attempts = async ({ call }: Pick<ServiceAccount, 'call'>) => [
    (await call('GET', `/jobs/${started}`)).status,
    (await call('POST', `/jobs/${started}/retry`)).status,
    (await call('DELETE', `/jobs/${started}`)).status,
    (await call<{ data?: Row[] }>('GET', '/jobs')).body.data?.map(({ id }) => id),
  ];

  test('of others are not there for an account that is limited, whatever its scopes', async () => {
    expect(await attempts(await limitedTo('shots.list'))).toEqual([403, 403, 403, undefined]);
    expect(await attempts(await limitedTo('imports.create', 'shots.create'))).toEqual([404, 404, 404, []]);
  });

  test('of its own are there as long as it has the scope that starts them', async () => {
    const account = await limitedTo('imports.create', 'screenings.create');
    const [{ id: film }] = (await owner<Row[]>('GET', '/films?envelope=none')).body as [Row];
    const headers = { accept: 'application/json; jobs=1' };
    const form = { film_id: String(film) };
    const answer = await send(
      program,
      account.token,
      '/screenings/import',
      csv([['Title'], ['A']]),
      form,
      'a.csv',
      headers,
    );
    const { job } = (answer.body as unknown as { data: { job: number } }).data;
    await expect
      .poll(async () => (await account.call<{ data: Row }>('GET', `/jobs/${job}`)).body.data.state)
      .toBe('done');
    expect((await account.call<{ data: Row[] }>('GET', '/jobs')).body.data.map(({ id }) => id)).toEqual([job]);
    expect((await owner('PUT', `/service-accounts/${account.id}`, { scopes: ['screenings.create'] })).status).toBe(200);
    expect((await account.call('GET', `/jobs/${job}`)).status).toBe(403);
  });

  test('of its company are there for an account of the owner that is not limited', async () => {
    expect((await own.call('GET', `/jobs/${started}`)).status).toBe(200);
  });
});

describe('the API document', () => {
  type Operation = { security?: { bearer: string[] }[] };
  const documentOf = async (call: Client) => {
    const { body } = await call<{ paths: Record<string, Record<string, Operation>> }>('GET', '/openapi.json');
    return Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]): [string, Operation][] =>
        method === 'parameters' ? [] : [[`${method.toUpperCase()} ${path}`, operation]],
      ),
    );
  };
  const scopes = ({ security }: Operation) => security?.flatMap(({ bearer }) => bearer);

  test('says of every call which scopes open it', async () => {
    const all = new Map(await documentOf(owner));
    const expected: Record<string, string[]> = {
      'POST /login': [],
      'GET /shots': ['shots.list'],
      'POST /shots/bulk': ['shots.create', 'shots.edit', 'shots.delete'],
      'GET /jobs': ['imports.create'],
      'GET /search': ['*.list'],
      'GET /permissions': ['roles.list'],
    };
    for (const [name, names] of Object.entries(expected)) expect(scopes(all.get(name)!), name).toEqual(names);
    for (const name of ['GET /me', 'GET /outbox']) expect(all.get(name), name).not.toHaveProperty('security');
  });

  test('has the calls that the scopes of the account open', async () => {
    const { call } = await limitedTo('shots.list', 'shots.view');
    const names = (await documentOf(call)).filter(([, { security }]) => security?.length !== 0).map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['GET /shots', 'GET /shots/{id}', 'GET /search', 'GET /definitions']));
    for (const name of names)
      expect(name).toMatch(/^GET \/(shots|search|events|export-progress|menu-marks|definitions|openapi)/);
  });
});
