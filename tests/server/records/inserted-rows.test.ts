// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

// Recipes whose rows are their own steps, and those of basics that many recipes have in common.
const steps = {
  action: { type: 'text', required: true },
  minutes: { type: 'number', integer: true },
} as const;
const basics: Source = sourceOf(
  'basics',
  { name: { type: 'text', required: true }, steps: { type: 'rows', fields: steps } },
  {
    labels: { one: 'Basic', many: 'Basics' },
    scope: 'company',
    list: { columns: ['name'] },
    grants: { '4': 'read', '5': 'none', '6': 'none' },
  },
);
const recipes: Source = sourceOf(
  'recipes',
  {
    name: { type: 'text', required: true },
    steps: {
      type: 'rows',
      maxItems: 10,
      insertedRows: 'basic_id.steps',
      fields: { ...steps, basic_id: { type: 'relation', to: 'basics', embed: 'basic', label: 'Basic' } },
    },
    secret_of: { type: 'relation', to: 'users' },
  },
  {
    labels: { one: 'Recipe', many: 'Recipes' },
    scope: 'company',
    list: { columns: ['name', 'steps'] },
    export: true,
    import: { match: ['name'] },
    copy: {},
    rules: [{ levels: [4], action: ['list', 'view'], where: { secret_of: null }, reason: 'no secret recipes' }],
    grants: { '4': 'read', '5': 'read', '6': 'none' },
  },
);

type Row = Record<string, unknown> & { id: number };
type Failure = { message: string; code?: string; errors?: Record<string, string> };

let demo: DemoProgram;
let [admin, owner, developer, tester, harbour]: Client[] = [];

const add = async (path: string, body: object, by = owner!) => {
  const answer = await by<Row>('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const read = async (path: string, by = owner!) => {
  const { status, body } = await by<Row>('GET', path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
let made = 0;
const makeBasic = (rows: object[] = [{ action: 'Mix', minutes: 5 }, { action: 'Rest' }]) =>
  add('/basics', { name: `Dough ${++made}`, steps: rows });
const makeRecipe = (rows: object[], change: object = {}) =>
  add('/recipes', { name: `Pie ${++made}`, steps: rows, ...change });

beforeAll(async () => {
  demo = await startFixtureProgram();
  admin = await demo.signIn(accounts.admin);
  const partOf = { type: 'inverse', source: 'recipes.steps.basic_id', label: 'Used In', showFields: ['name'] } as const;
  for (const definition of [basics, recipes]) {
    const answer = await admin('POST', '/modules', { definition });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  }
  const definition = {
    ...basics,
    fields: { ...basics.fields, part_of: partOf },
    list: { columns: ['name', 'part_of'] },
  };
  const answer = await admin('PUT', '/modules/basics', { definition, version: 1 });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  [owner, developer, tester, harbour] = await Promise.all(
    [accounts.owner, accounts.developer, accounts.qa, accounts.harbour].map((one) => demo.signIn(one)),
  );
});
afterAll(() => demo?.close());

test('a row stands for the rows of the record that it inserts, as these are now', async () => {
  const basic = await makeBasic();
  const recipe = await makeRecipe([{ action: 'Heat' }, { basic_id: basic.id }, { action: 'Bake', minutes: 40 }]);
  const inserted = [
    { action: 'Mix', minutes: 5 },
    { action: 'Rest', minutes: null },
  ];
  expect(recipe.steps).toMatchObject([
    { action: 'Heat', basic_id: null, inserted: null },
    { action: null, minutes: null, basic_id: basic.id, basic: { id: basic.id, name: basic.name }, inserted },
    { action: 'Bake', inserted: null },
  ]);
  const list = await owner!<Row[]>('GET', `/recipes?name=${encodeURIComponent(String(recipe.name))}`);
  expect(list.body).toMatchObject([{ steps_count: 4 }]);
  await owner!('PUT', `/basics/${basic.id}`, { steps: [{ action: 'Knead' }] });
  expect((await read(`/recipes/${recipe.id}`)).steps).toMatchObject([
    { action: 'Heat' },
    { inserted: [{ action: 'Knead' }] },
    { action: 'Bake' },
  ]);
});

test('what was read can be sent back, and a copy refers to the same record', async () => {
  const basic = await makeBasic();
  const recipe = await makeRecipe([{ basic_id: basic.id }, { action: 'Bake' }]);
  const again = await owner!<Row>('PUT', `/recipes/${recipe.id}`, {
    steps: recipe.steps,
    updated_at: recipe.updated_at,
  });
  expect(again.status, JSON.stringify(again.body)).toBe(200);
  expect(again.body.updated_at).toBe(recipe.updated_at);
  const copy = await makeRecipe(recipe.steps as object[]);
  expect(copy.steps).toMatchObject([{ basic_id: basic.id, inserted: [{ action: 'Mix' }, { action: 'Rest' }] }, {}]);
});

test('a row that inserts has no other cells; without the reference it needs its own again', async () => {
  const basic = await makeBasic();
  const wrong = await owner!<Failure>('POST', '/recipes', {
    name: 'Both',
    steps: [{ action: 'Heat' }, { action: 'Mix', basic_id: basic.id }],
  });
  expect(wrong.status).toBe(422);
  expect(wrong.body.errors).toEqual({
    'steps[1].action': 'Action must be empty: this row stands for the rows of the record that it inserts.',
  });
  const recipe = await makeRecipe([{ action: 'Heat', minutes: 3 }, { basic_id: basic.id }]);
  const [own, other] = recipe.steps as Row[];
  // Its own cells go when it is made to stand for others.
  const turned = await owner!<Row>('PUT', `/recipes/${recipe.id}`, { steps: [{ id: own!.id, basic_id: basic.id }] });
  expect(turned.body.steps).toMatchObject([{ id: own!.id, action: null, minutes: null, basic_id: basic.id }]);
  const bare = await owner!<Failure>('PUT', `/recipes/${recipe.id}`, { steps: [{ id: own!.id, basic_id: null }] });
  expect(bare.status).toBe(422);
  expect(Object.keys(bare.body.errors!)).toEqual(['steps[0].action']);
  const detached = await owner!<Row>('PUT', `/recipes/${recipe.id}`, {
    steps: [{ id: own!.id, basic_id: null, action: 'Mix', minutes: 5 }, { action: 'Rest' }],
  });
  expect(detached.body.steps).toMatchObject([{ action: 'Mix', basic_id: null, inserted: null }, { action: 'Rest' }]);
  expect(other!.basic_id).toBe(basic.id);
});

test('who may not see the record neither opens nor inserts it, but reads its rows where they are inserted', async () => {
  const basic = await makeBasic();
  const recipe = await makeRecipe([{ basic_id: basic.id }]);
  const seen = (await read(`/recipes/${recipe.id}`, tester)).steps as Row[];
  expect(seen).toMatchObject([{ basic_id: basic.id, inserted: [{ action: 'Mix' }, { action: 'Rest' }] }]);
  expect((await tester!('GET', `/basics/${basic.id}`)).status).toBe(403);
  const foreign = await harbour!<Failure>('POST', '/recipes', { name: 'Theirs', steps: [{ basic_id: basic.id }] });
  expect(foreign.status).toBe(422);
  expect(Object.keys(foreign.body.errors!)).toEqual(['steps[0].basic_id']);
  expect((await harbour!('GET', `/recipes/${recipe.id}`)).status).toBe(404);
});

test('a record that is inserted is not deleted, and says by how many, as far as the caller may know', async () => {
  const [basic, unused] = [await makeBasic(), await makeBasic()];
  const [recipe, hidden] = [
    await makeRecipe([{ basic_id: basic.id }, { basic_id: basic.id }]),
    await makeRecipe([{ basic_id: basic.id }], { secret_of: 2 }),
  ];
  const refused = await owner!<Failure>('DELETE', `/basics/${basic.id}`);
  expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT_REFERENCED' } });
  expect(refused.body.message).toContain('is used by 2 recipes.');
  expect((await owner!('DELETE', `/basics/${unused.id}`)).status).toBeLessThan(300);
  const list = await owner!<Row[]>('GET', `/basics?name=${encodeURIComponent(String(basic.name))}`);
  expect(list.body).toMatchObject([{ part_of_count: 2 }]);
  expect((await read(`/basics/${basic.id}`)).part_of).toMatchObject([{ id: recipe.id }, { id: hidden.id }]);
  expect((await read(`/basics/${basic.id}`, developer)).part_of).toMatchObject([{ id: recipe.id, name: recipe.name }]);
  const among = encodeURIComponent(JSON.stringify({ steps: { $some: { basic_id: basic.id } } }));
  expect((await owner!<Row[]>('GET', `/recipes?where=${among}`)).body).toHaveLength(2);
});

test('the definition says what can be inserted', async () => {
  const wrong = async (steps: object) => {
    const fields = { ...recipes.fields, steps: { ...recipes.fields.steps, ...steps } };
    const answer = await admin!<{ problems: { path: string; message: string }[] }>('POST', '/modules/recipes/plan', {
      definition: { ...recipes, fields },
    });
    return JSON.stringify(answer.body);
  };
  expect(await wrong({ insertedRows: 'minutes.steps' })).toContain('"minutes\\" is of type number');
  expect(await wrong({ insertedRows: 'basic_id.name' })).toContain('has no rows');
  const cascade = { basic_id: { type: 'relation', to: 'basics', onDelete: 'cascade' } };
  expect(await wrong({ fields: { ...steps, ...cascade } })).toContain('would take its rows away');
});

test('says in how many records it is used, and of hidden ones only that there are some', async () => {
  const [basic, unused] = [await makeBasic(), await makeBasic()];
  await makeRecipe([{ basic_id: basic.id }, { basic_id: basic.id }]);
  await makeRecipe([{ basic_id: basic.id }], { secret_of: 2 });
  const uses = async (id: number, by: Client) => (await by<{ data: object }>('GET', `/basics/${id}/uses/part_of`)).body;
  expect(await uses(basic.id, owner!)).toEqual({ data: { count: 2, others: false } });
  expect(await uses(basic.id, developer!)).toEqual({ data: { count: 1, others: true } });
  expect(await uses(unused.id, developer!)).toEqual({ data: { count: 0, others: false } });
  const status = async (path: string, by: Client) => (await by('GET', path)).status;
  expect(await status(`/basics/${basic.id}/uses/part_of`, tester!)).toBe(403);
  expect(await status(`/basics/${basic.id}/uses/part_of`, harbour!)).toBe(404);
  expect(await status(`/basics/${basic.id}/uses/name`, owner!)).toBe(404);
});

test('files have the inserted rows themselves, and bring them back without a change', async () => {
  const basic = await makeBasic();
  const name = `Cake ${++made}`;
  const { id } = await makeRecipe([{ action: 'Heat' }, { basic_id: basic.id }, { action: 'Bake' }], { name });
  const file = await owner!<string>(
    'GET',
    `/recipes-export?name=${encodeURIComponent(name)}&format=csv&columns=name,steps`,
  );
  const lines = String(file.body).replace('\uFEFF', '').trim().split('\r\n');
  expect(lines[0]).toBe('Name,Steps: Action,Steps: Minutes');
  expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(['Heat', 'Mix', 'Rest', 'Bake']);

  const store = async (text: string) => {
    const form = new FormData();
    form.set('import_file', new Blob([text]), 'recipes.csv');
    const encoded = new Response(form);
    const headers = { 'content-type': encoded.headers.get('content-type')! };
    const answer = await owner!<object>(
      'POST',
      '/recipes/import?again=1',
      Buffer.from(await encoded.arrayBuffer()),
      headers,
    );
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const stepsOf = async () => (await read(`/recipes/${id}`)).steps as Row[];
  const before = await stepsOf();
  expect(await store(lines.join('\n'))).toMatchObject({ success: true, unchanged: 1 });
  // Another row of the file changes: the reference stays.
  expect(await store(lines.join('\n').replace('Bake', 'Bake long'))).toMatchObject({ changed: 1 });
  const after = await stepsOf();
  expect(after.map((row) => row.id)).toEqual(before.map((row) => row.id));
  expect(after).toMatchObject([{ action: 'Heat' }, { basic_id: basic.id }, { action: 'Bake long' }]);
  // A row that the file adds behind the others: the reference stays too.
  const [heading, ...cells] = lines;
  const added = [heading, ...cells, ['', 'Eat', ''].join(',')].join('\n').replace('Bake', 'Bake long');
  expect(await store(added)).toMatchObject({ changed: 1 });
  expect(await stepsOf()).toMatchObject([
    { action: 'Heat' },
    { basic_id: basic.id },
    { action: 'Bake long' },
    { action: 'Eat', basic_id: null },
  ]);
  // A row of the reference changes: the file's rows are the record's own.
  await store(lines.join('\n').replace('Rest', 'Rest long'));
  expect((await stepsOf()).map((row) => [row.action, row.basic_id])).toEqual([
    ['Heat', null],
    ['Mix', null],
    ['Rest long', null],
    ['Bake', null],
  ]);
});

test('a search finds a record by the words of the rows that it inserts, as these are now', async () => {
  const publish = async (name: string, fields: Source['fields']) => {
    const { body } = await admin!<{ data: { version: number } }>('GET', `/modules/${name}`);
    const definition = { ...(name === 'basics' ? basics : recipes), fields };
    const answer = await admin!('PUT', `/modules/${name}`, { definition, version: body.data.version });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  // One column that the recipes do not have, and so do not show.
  const theirs = { ...steps, secret: { type: 'text' } } as const;
  await publish('basics', { ...basics.fields, steps: { type: 'rows', searchable: true, fields: theirs } });
  await publish('recipes', { ...recipes.fields, steps: { ...recipes.fields!.steps!, searchable: true } });
  const basic = await makeBasic([{ action: 'Fold in the saffron', secret: 'Grandmother' }, { action: 'Rest' }]);
  const user = await makeRecipe([{ action: 'Heat the oven' }, { basic_id: basic.id }]);
  const hidden = await makeRecipe([{ basic_id: basic.id }], { secret_of: 2 });
  const other = await makeRecipe([{ action: 'Fold the napkins' }]);
  const found = async (q: string, by = owner!) => {
    const { status, body } = await by<Row[]>('GET', `/recipes?filter=${encodeURIComponent(JSON.stringify({ q }))}`);
    expect(status).toBe(200);
    return body.map(({ id }) => id).toSorted((a, b) => a - b);
  };
  // With an index, and without one for words of two letters; its own rows; what is not shown.
  expect(await found('saffron')).toEqual([user.id, hidden.id]);
  expect(await found('ff')).toEqual(expect.arrayContaining([user.id, hidden.id]));
  expect(await found('ff')).not.toContain(other.id);
  expect(await found('the oven')).toEqual([user.id]);
  expect(await found('Grandmother')).toEqual([]);
  // Only what the caller may list, and may see of it; nothing of another company.
  expect(await found('saffron', developer)).toEqual([user.id]);
  expect(await found('saffron', harbour)).toEqual([]);

  // What becomes of the inserted rows, and of the rows that insert them.
  const change = async (path: string, body: object) => {
    const answer = await owner!('PUT', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  await change(`/basics/${basic.id}`, { steps: [{ action: 'Fold in the cardamom' }] });
  expect([await found('saffron'), await found('cardamom')]).toEqual([[], [user.id, hidden.id]]);
  await change(`/recipes/${user.id}`, { steps: [{ action: 'Serve' }] });
  expect(await found('cardamom')).toEqual([hidden.id]);
});
