import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { titleOf } from '../../../src/engine/lists/titles';
import { accounts, type Client } from '../../support/program';
import { type StudioProgram, startStudio } from '../modules/studio';

let { program, owner, studio } = {} as StudioProgram;
let developer: Client;

beforeAll(async () => {
  ({ program, owner, studio } = await startStudio());
  developer = await program.signIn(accounts.developer);
  await studio.publish('tasks', ({ fields }) => {
    fields.extra = { type: 'json' };
    fields.state = { type: 'text', readOnly: { '$actor.level': { $gt: 3 } }, default: 'new' };
    fields.locked = { type: 'text', readOnly: { status_id: 1 } };
  });
});
afterAll(() => program?.close());

type Row = Record<string, unknown> & { id: number };

async function newTask(call: Client, more: object): Promise<Row> {
  const [{ project_id, project_module_id }] = (await owner<{ data: [Row] }>('GET', '/tasks?range=[0,0]')).body.data;
  const task = { name: 'Values', project_id, project_module_id, ...more };
  const answer = await call<{ data: Row }>('POST', '/tasks', task);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

const read = async (id: number) => (await owner<{ data: Row }>('GET', `/tasks/${id}`)).body.data;

describe('ordinary text is stored as it is', () => {
  test.each([
    ['a path of Windows', 'C:\\udata\\log.txt'],
    ['an escaped NUL', 'prints \\u0000 and goes on'],
    ['an escaped half of a pair', '{"glyph": "\\ud83d"}'],
    ['a whole pair', 'done 😀'],
    ['backslashes and wildcards', '\\\\server\\share %_\\'],
  ])('%s', async (_, text) => {
    const made = await newTask(owner, { name: text, extra: { [text]: [text] } });
    expect(await read(made.id)).toMatchObject({ name: text, extra: { [text]: [text] } });
    await owner('PUT', `/tasks/${made.id}`, { name: 'Another', milestone: text });
    expect(await read(made.id)).toMatchObject({ name: 'Another', milestone: text });
    const ids = async (query: string) =>
      (await owner<{ data: Row[] }>('GET', `/tasks?${query}`)).body.data.map(({ id }) => id);
    expect(await ids(`q=${encodeURIComponent(text)}`)).toContain(made.id);
    expect(await ids(`milestone=${encodeURIComponent(text)}`)).toEqual([made.id]);
    const history = await owner('GET', `/tasks/${made.id}/history`);
    expect(JSON.stringify(history.body)).toContain(JSON.stringify(text).slice(1, -1));
  });

  test.each([
    ['a NUL', 'a\0b'],
    ['half of a pair', 'a\ud83d'],
  ])('but not %s, at any depth', async (_, text) => {
    const made = await newTask(owner, {});
    for (const body of [{ name: text }, { extra: text }, { extra: [{ a: text }] }, { extra: { [text]: 1 } }]) {
      const answer = await owner('PUT', `/tasks/${made.id}`, body);
      expect(answer.status, JSON.stringify(body)).toBe(422);
    }
    expect((await read(made.id)).updated_at).toBe(made.updated_at);
  });
});

test.each<[string, unknown, unknown, boolean]>([
  ['the order of a list', [3, 1, 2], [1, 2, 3], true],
  ['an empty list and none', [], null, true],
  ['none and an empty list', null, [], true],
  ['a number and its text', [1], ['1'], true],
  ['a member more', { a: 1 }, { a: 1, b: null }, true],
  ['a list and an object', [], {}, true],
  ['the order of names', { a: 1, b: [1] }, { b: [1], a: 1 }, false],
  ['the same', { a: [1, { b: null }] }, { a: [1, { b: null }] }, false],
])('JSON differs by %s', async (_, before, after, differs) => {
  const made = await newTask(owner, { extra: before });
  expect((await owner('PUT', `/tasks/${made.id}`, { extra: after })).status).toBe(200);
  const now = await read(made.id);
  expect(now.extra).toEqual(after);
  expect(now.updated_at !== made.updated_at).toBe(differs);
});

describe('a field that is read-only by a condition', () => {
  test('is left as it begins for whom the condition holds, on create as on update', async () => {
    const theirs = await newTask(developer, { state: 'chosen' });
    expect(theirs.state).toBe('new');
    await developer('PUT', `/tasks/${theirs.id}`, { state: 'chosen' });
    expect((await read(theirs.id)).state).toBe('new');
    expect((await newTask(owner, { state: 'chosen' })).state).toBe('chosen');
  });

  test('follows the values with which a record begins', async () => {
    expect((await newTask(owner, { locked: 'x', status_id: 2 })).locked).toBeNull();
    const open = await newTask(owner, { status_id: 2 });
    await owner('PUT', `/tasks/${open.id}`, { locked: 'x' });
    expect((await read(open.id)).locked).toBe('x');
  });
});

describe('titles of several fields', () => {
  beforeAll(async () => {
    await studio.make('browsers', { maker: {}, system: {}, note: {} }, { recordTitle: '{maker} on {system}, {note}' });
    await studio.make(
      'runs',
      { task_id: { type: 'relation', to: 'tasks', embed: 'task' }, state: {} },
      { recordTitle: '{task.name}: {state}' },
    );
    await studio.publish('tasks', ({ fields }) => {
      fields.browser_id = { type: 'relation', to: 'browsers', embed: 'browser' };
      fields.runs = { type: 'inverse', of: 'runs.task_id', inLists: 'records' };
      fields.run_id = { type: 'relation', to: 'runs', embed: 'run' };
    });
  });

  test('come whole with every embed, and name what lies behind a relation', async () => {
    const make = async (path: string, body: object) => {
      const { status, body: answer } = await owner<Row & { data: Row }>('POST', path, body);
      expect(status, JSON.stringify(answer)).toBe(201);
      return (answer.data ?? answer).id;
    };
    const browser_id = await make('/browsers', { maker: 'Chrome', system: 'Linux', note: 'beta' });
    const task = await newTask(owner, { browser_id });
    const run_id = await make('/runs', { task_id: task.id, state: 'green' });
    await owner('PUT', `/tasks/${task.id}`, { run_id });
    const [{ browser, runs, run }] = (await owner<{ data: [Row] }>('GET', `/tasks?id=${task.id}`)).body.data;
    expect(browser).toEqual({ id: browser_id, maker: 'Chrome', system: 'Linux', note: 'beta' });
    expect(run).toEqual({ id: run_id, task: { id: task.id, name: 'Values' }, state: 'green' });
    expect(runs).toEqual([run]);
    const registry = program.program.definitions.registry();
    expect(titleOf(registry.need('browsers'), browser as Row)).toBe('Chrome on Linux, beta');
    expect(titleOf(registry.need('runs'), run as Row)).toBe('Values: green');
    expect(titleOf(registry.need('runs'), { id: 1, title: 'As it was chosen', state: null })).toBe('As it was chosen');
  });

  test('are described', async () => {
    const { status, body } = await owner('GET', '/openapi.json');
    expect(status, JSON.stringify(body)).toBe(200);
    expect(JSON.stringify(body)).toContain('"maker"');
  });
});

describe('what is offered for a relation', () => {
  const titles = async (field: string, query = '') =>
    (await owner<{ data: { title: string }[] }>('GET', `/tasks/choices/${field}${query}`)).body.data.map(
      ({ title }) => title,
    );

  test('stands in the order of its list, or by name where the list begins with what is new', async () => {
    expect(await titles('priority_id')).toEqual(['Urgent', 'High', 'Medium', 'Low']);
    const projects = await titles('project_id');
    expect(projects.length).toBeGreaterThan(2);
    expect(projects).toEqual([...projects].sort((one, other) => one.localeCompare(other)));
  });

  test('stands in falling order where the list says so', async () => {
    await studio.make('sizes', { name: {}, rank: { type: 'number' } }, { list: { columns: ['name'], sort: '-rank' } });
    await studio.publish('tasks', ({ fields }) => void (fields.size_id = { type: 'relation', to: 'sizes' }));
    for (const [name, rank] of [['Small', 1], ['Huge', 9], ['Big', 5]]) await owner('POST', '/sizes', { name, rank }); // prettier-ignore
    expect(await titles('size_id')).toEqual(['Huge', 'Big', 'Small']);
    expect(await titles('size_id', '?q=g')).toEqual(['Huge', 'Big']);
  });
});
