import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../support/program';
import { createServiceAccount } from '../support/service-account';

let program: DemoProgram;
let owner: Client;

beforeAll(async () => {
  program = await startDemoProgram();
  owner = await program.signIn(accounts.owner);
});
afterAll(() => program?.close());

const ofAny = ['GET /definitions', 'GET /openapi.json'];
const ofLists = ['GET /export-progress/:name', 'GET /menu-marks', 'GET /search'];
const ofNewTests = ['POST /test-runs/:id/tests', 'POST /test-runs/:id/matching'];
const ofTests = [
  'POST /run-entries/end-retest',
  'POST /run-entries/:id/version',
  'POST /test-runs/:id/assign',
  'PUT /run-entries/:id/result',
];
const ofRuns = ['GET /test-runs/:id/gate', 'GET /test-runs/:id/ci-results'];

// What a call needs besides is refused too: figures of a run are of its tests.
test.each<[scope: string, opened: readonly string[]]>([
  [
    'tasks.list',
    [...ofAny, ...ofLists, 'GET /dashboard', 'GET /dashboard/deadlines', 'GET /dashboard/now', 'GET /task-analytics'],
  ],
  ['tasks.view', [...ofAny, 'GET /:type/:id/comments', 'GET /:type/:id/comments/:comment/versions']],
  ['time-logs.list', [...ofAny, ...ofLists, 'GET /timesheet']],
  ['test-runs.view', [...ofAny, ...ofRuns]],
  ['test-runs.create', [...ofAny, 'POST /test-runs/retest', 'POST /test-runs/start']],
  ['run-entries.create', [...ofAny, ...ofNewTests]],
  ['run-entries.edit', [...ofAny, ...ofTests]],
  ['test-cases.list', [...ofAny, ...ofLists, 'GET /dashboard', 'GET /test-case-analytics']],
  ['automated-tests.view', [...ofAny]],
  ['milestones.view', [...ofAny]],
  ['requirements.list', [...ofAny, ...ofLists, 'GET /requirement-coverage']],
  ['requirements.view', [...ofAny]],
  ['clients.view', ofAny],
])('of the calls that the product and the program declare, %s opens its own', async (scope, opened) => {
  const { call } = await createServiceAccount(program, owner, { limited: true, scopes: [scope] });
  const found: string[] = [];
  for (const { method, path, scope: callers } of program.app.describedCalls) {
    if (callers === 'public') continue;
    const route = `${method.toUpperCase()} ${path}`;
    const filled = path.replace(':type', 'tasks').replace(/:\w+/g, '1');
    const { status } = await call(method.toUpperCase(), filled, method === 'get' ? undefined : {});
    expect(status, route).not.toBe(500);
    if (status !== 403) found.push(route);
  }
  expect(found.toSorted()).toEqual(opened.toSorted());
});
