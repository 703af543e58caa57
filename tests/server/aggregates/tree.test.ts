import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { studioOf, type Refusal, type Studio } from '../modules/studio';

// `list.tree`: a tree beside a list with the number of its records in each branch, and the filter by a branch.

interface Node {
  readonly id: number;
  readonly title: string;
  readonly parent: number | null;
  readonly count: number;
  readonly own: number;
  readonly of: string | null;
  readonly values: Readonly<Record<string, unknown>>;
}
interface Tree {
  readonly nodes: readonly Node[];
  readonly none: number;
  readonly total: number;
}
interface Wing {
  readonly id: number;
  readonly name: string;
  readonly house_id: number;
  readonly parent_id: number | null;
}
interface Piece {
  readonly id: number;
  readonly wing_id: number | null;
  readonly room_id: number | null;
}

let program: DemoProgram;
let studio: Studio;
const callers: Record<string, Client> = {};
const wings: Wing[] = [];
let houses: readonly number[];

async function make<T>(call: Client, path: string, values: object): Promise<T> {
  const { status, body } = await call<T>('POST', path, values);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

beforeAll(async () => {
  program = await startFixtureProgram();
  studio = studioOf(await program.signIn(accounts.admin));
  for (const name of ['admin', 'owner', 'manager', 'developer', 'qa', 'harbour'] as const)
    callers[name] = await program.signIn(accounts[name]);
  const { owner, harbour } = callers as { owner: Client; harbour: Client };
  await studio.make(
    'houses',
    { name: { required: true }, levels: { type: 'number', integer: true, min: 1 } },
    { labels: { one: 'House', many: 'Houses' }, archive: true, grants: { '4': 'read', '5': 'read' } },
  );
  await studio.make(
    'wings',
    {
      name: { required: true },
      house_id: { type: 'relation', to: 'houses', required: true, container: true },
      parent_id: {
        type: 'relation',
        to: 'wings',
        maxDepth: 6,
        depth: 'house_id.levels',
        choices: { house_id: '$form.house_id' },
      },
      is_closed: { type: 'boolean' },
    },
    {
      labels: { one: 'Wing', many: 'Wings' },
      archive: true,
      grants: { '4': 'read', '5': 'read' },
      rules: [{ levels: [5], action: ['list', 'view'], where: { is_closed: { $ne: true } }, reason: 'only open ones' }],
    },
  );
  await studio.make(
    'pieces',
    {
      name: { required: true },
      house_id: { type: 'relation', to: 'houses' },
      wing_id: { type: 'relation', to: 'wings', choices: { house_id: '$form.house_id' } },
      room_id: { type: 'relation', to: 'wings', choices: { parent_id: { $below: '$form.wing_id' } } },
      worth: { type: 'number', integer: true },
    },
    {
      labels: { one: 'Piece', many: 'Pieces' },
      grants: { '4': 'read', '5': 'read', '6': 'read' },
      list: { tree: ['room_id', 'wing_id'], filters: { house_id: {} }, bulkEdit: ['worth'] },
      rules: [{ levels: [4], action: ['list', 'view'], where: { worth: { $gt: 2 } }, reason: 'only of some worth' }],
    },
  );
  const small = await make<{ id: number }>(owner, '/houses', { name: 'Small' });
  const big = await make<{ id: number }>(owner, '/houses', { name: 'Big', levels: 5 });
  houses = [small.id, big.id];
  const places: [house: number, parent: number | null, closed?: boolean][] = [
    [0, null],
    [0, 0],
    [0, 0],
    [0, null],
    [1, null],
    [1, 4],
    [1, 5, true],
    [1, 6],
    [1, 7],
    [1, null],
  ];
  for (const [index, [house, parent, closed = false]] of places.entries())
    wings.push(
      await make<Wing>(owner, '/wings', {
        name: `Wing ${index}`,
        house_id: houses[house],
        parent_id: parent === null ? null : wings[parent]!.id,
        is_closed: closed,
      }),
    );
  const pieces: [wing: number | null, room: number | null][] = [
    [null, null],
    [0, null],
    [0, 1],
    [0, 1],
    [0, 2],
    [3, null],
    [4, 5],
    [4, 6],
    [4, 8],
    [4, 8],
    [9, null],
  ];
  for (const [index, [wing, room]] of pieces.entries())
    await make(owner, '/pieces', {
      name: `Piece ${index}`,
      house_id: wing === null ? null : wings[wing]!.house_id,
      wing_id: wing === null ? null : wings[wing]!.id,
      room_id: room === null ? null : wings[room]!.id,
      worth: index,
    });
  const there = await make<{ id: number }>(harbour, '/houses', { name: 'Harbour' });
  const dock = await make<Wing>(harbour, '/wings', { name: 'Dock', house_id: there.id });
  await make(harbour, '/pieces', { name: 'Anchor', house_id: there.id, wing_id: dock.id, worth: 9 });
  expect((await owner('DELETE', `/wings/${wings[9]!.id}`)).status).toBe(200);
});
afterAll(() => program?.close());

async function treeOf(call: Client, query = ''): Promise<Tree> {
  const { status, body } = await call<{ data: Tree }>('GET', `/pieces/tree?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}
async function piecesOf(call: Client, query = ''): Promise<readonly Piece[]> {
  const { status, body } = await call<Piece[]>('GET', `/pieces?range=[0,999]&sort=["id","ASC"]&${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
const filters = ['', 'q=Piece%201', 'worth_from=3', 'name=Piece%204', 'where={"worth":{"$lt":8}}'];

describe.each(['admin', 'owner', 'manager', 'developer', 'qa', 'harbour'])('as %s', (caller) => {
  test.each(filters)('each count is that of the list in the branch, with "%s"', async (query) => {
    const call = callers[caller]!;
    const { nodes, none, total } = await treeOf(call, query);
    const all = await piecesOf(call, query);
    expect(total).toBe(all.length);
    const known = new Map(nodes.map((node) => [node.id, node]));
    for (const node of nodes) {
      const listed = await piecesOf(call, `${query}&tree=${node.id}`);
      expect([node.title, node.count]).toEqual([node.title, listed.length]);
      if (node.parent !== null) expect(known.has(node.parent), node.title).toBe(true);
    }
    expect((await piecesOf(call, `${query}&tree=none`)).length).toBe(none);
    const roots = nodes.filter(({ parent }) => parent === null);
    expect(roots.reduce((sum, { count }) => sum + count, none)).toBe(total);
    // The branch that is chosen changes no count.
    if (nodes[0]) expect(await treeOf(call, `${query}&tree=${nodes[0].id}`)).toEqual({ nodes, none, total });
  });
});

test('a tree has what the caller may list, of the own company alone', async () => {
  const titles = async (caller: string) => (await treeOf(callers[caller]!)).nodes.map(({ title }) => title);
  expect(await titles('harbour')).toEqual(['Dock']);
  expect(await titles('admin')).toEqual(expect.arrayContaining(['Dock', 'Wing 0']));
  expect(await titles('owner')).not.toContain('Dock');
  // What is below a closed wing has no place above for those who do not know of it.
  const { nodes, none } = await treeOf(callers.qa!);
  const [closed, inside, deepest] = [6, 7, 8].map((index) => nodes.find(({ title }) => title === `Wing ${index}`));
  expect(closed).toBeUndefined();
  expect(inside).toMatchObject({ parent: null, count: 2, own: 0 });
  expect(deepest).toMatchObject({ parent: inside!.id, count: 2, own: 2 });
  // One piece has none, that of the closed wing counts as none.
  expect(none).toBe(2);
  expect(await piecesOf(callers.qa!, `tree=${wings[6]!.id}`)).toEqual([]);
});

test('archived records are there while something is in them', async () => {
  const archived = async (query: string) =>
    (await treeOf(callers.owner!, query)).nodes.some(({ id }) => id === wings[9]!.id);
  expect(await archived('')).toBe(true);
  expect(await archived('q=Piece%201')).toBe(true);
  expect(await archived('name=Piece%204')).toBe(false);
});

test('a filter on which the choices of its relations depend narrows the tree', async () => {
  const { nodes, total, none } = await treeOf(callers.owner!, `house_id=${houses[0]}`);
  expect(nodes.map(({ title }) => title)).toEqual(['Wing 0', 'Wing 1', 'Wing 2', 'Wing 3']);
  expect(nodes.every(({ of, values }) => of === 'Small' && values.house_id === houses[0])).toBe(true);
  expect([total, none]).toEqual([5, 0]);
  const json = encodeURIComponent(JSON.stringify({ house_id: [houses[0]!], tree: 'none' }));
  expect(await treeOf(callers.owner!, `filter=${json}`)).toEqual({ nodes, total, none });
});

test('several branches, in JSON and in an address, and every record in a branch or in none', async () => {
  const some = fc.uniqueArray(fc.nat({ max: wings.length - 1 }), { minLength: 1, maxLength: 3 });
  const pathOf = (id: number | null): number[] => {
    const wing = wings.find((one) => one.id === id);
    return wing ? [wing.id, ...pathOf(wing.parent_id)] : [];
  };
  const all = await piecesOf(callers.owner!);
  await fc.assert(
    fc.asyncProperty(some, async (places) => {
      const ids = places.map((index) => wings[index]!.id);
      const inside = all.filter((piece) => pathOf(piece.room_id ?? piece.wing_id).some((id) => ids.includes(id)));
      expect(await piecesOf(callers.owner!, `tree=${ids.join()}`)).toEqual(inside);
      const json = encodeURIComponent(JSON.stringify({ tree: ids }));
      expect(await piecesOf(callers.owner!, `filter=${json}`)).toEqual(inside);
    }),
    { numRuns: 15 },
  );
});

test('a download and a change of many follow the branch', async () => {
  const bulk = await callers.owner!<{ data: { updated: number } } & Refusal>('POST', '/pieces/bulk', {
    update: (await piecesOf(callers.owner!, `tree=${wings[5]!.id}`)).map(({ id }) => ({ id, worth: 50 })),
  });
  expect(bulk.status, JSON.stringify(bulk.body)).toBe(200);
  const { nodes } = await treeOf(callers.owner!, 'worth=50');
  expect(nodes.find(({ id }) => id === wings[4]!.id)).toMatchObject({ count: 4, own: 0 });
  const file = await callers.owner!<string>('GET', `/pieces-export?columns=name&format=csv&tree=${wings[5]!.id}`);
  expect(file.status, JSON.stringify(file.body)).toBe(200);
});

test.each([
  ['/pieces?tree=x', 400, 'tree must be the ids of records of the tree, or none'],
  ['/pieces?tree=', 400, 'tree must be'],
  ['/pieces?filter={"tree":{"$gt":1}}', 400, 'tree must be'],
  ['/pieces?tree=9007199254740992', 400, 'tree must be'],
  ['/pieces/tree?nope=1', 400, 'Unknown filter nope'],
  ['/houses/tree', 404, 'Not found'],
  ['/houses?tree=1', 400, 'Unknown filter tree'],
])('%s is refused', async (path, status, message) => {
  const answer = await callers.owner!<Refusal>('GET', path);
  expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(message)]);
});

test('whoever may not list the records of the tree has none, and no filter by it', async () => {
  const external = await program.signIn(accounts.external);
  expect((await external('GET', '/pieces')).status).toBe(200);
  expect((await external('GET', '/pieces/tree')).status).toBe(404);
  const refused = await external<Refusal>('GET', `/pieces?tree=${wings[0]!.id}`);
  expect([refused.status, refused.body.message]).toEqual([400, 'Unknown filter tree.']);
});

test('a related record says how deep the tree may be', async () => {
  const owner = callers.owner!;
  const add = (house: number, parent: Wing) =>
    owner<Refusal & Wing>('POST', '/wings', { name: 'New', house_id: houses[house], parent_id: parent.id });
  const offered = async (house: number) => {
    const path = `/wings/choices/parent_id?house_id=${houses[house]}`;
    return (await owner<{ data: { title: string }[] }>('GET', path)).body.data.map(({ title }) => title);
  };
  expect(await offered(0)).toEqual(['Wing 0', 'Wing 3']);
  expect(await offered(1)).toEqual(['Wing 4', 'Wing 5', 'Wing 6', 'Wing 7']);
  const refused = await add(0, wings[1]!);
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { parent_id: 'Wings can be nested at most 2 levels deep. "Levels" of House allows more, up to 6.' },
  ]);
  expect((await add(1, wings[8]!)).status).toBe(422);
  expect((await owner('PUT', `/houses/${houses[0]}`, { levels: 3 })).status).toBe(200);
  expect(await offered(0)).toEqual(['Wing 0', 'Wing 1', 'Wing 2', 'Wing 3']);
  const deeper = await add(0, wings[1]!);
  expect(deeper.status).toBe(201);
  expect((await add(0, deeper.body)).status).toBe(422);
  // More than the definition allows is never allowed.
  expect((await owner('PUT', `/houses/${houses[0]}`, { levels: 60 })).status).toBe(200);
  let last = deeper.body;
  for (let level = 4; level <= 6; level++) last = (await add(0, last)).body;
  const most = await add(0, last);
  expect(most.body.errors).toEqual({ parent_id: 'Wings can be nested at most 6 levels deep.' });
  // A lower number keeps what is there, and refuses what would be placed too deep.
  expect((await owner('PUT', `/houses/${houses[0]}`, { levels: 1 })).status).toBe(200);
  expect((await owner('PUT', `/wings/${last.id}`, { name: 'Still there' })).status).toBe(200);
  expect((await owner('PUT', `/wings/${wings[2]!.id}`, { parent_id: wings[3]!.id })).status).toBe(422);
});

test('a branch stays below the record that others chose it by', async () => {
  const owner = callers.owner!;
  const move = (wing: number, parent: number | null) =>
    owner<Refusal>('PUT', `/wings/${wings[wing]!.id}`, { parent_id: parent === null ? null : wings[parent]!.id });
  const refused = await move(5, null);
  expect([refused.status, refused.body.errors?.parent_id]).toEqual([
    422,
    expect.stringMatching(/^Parent.* cannot change: this wing is used by 4 pieces there/),
  ]);
  // Within the same wing it moves freely, with all that is in it.
  expect((await move(7, 5)).status).toBe(200);
  const { nodes } = await treeOf(owner);
  expect(nodes.find(({ id }) => id === wings[6]!.id)).toMatchObject({ count: 1 });
  expect(nodes.find(({ id }) => id === wings[4]!.id)).toMatchObject({ count: 4 });
});

test('a tree of too many records is refused in words', async () => {
  await program.program.database.pool.query(
    `insert into wings (name, house_id, site_id) select 'Many ' || n, $1, (select site_id from houses where id = $1) from generate_series(1, 5001) n`,
    [houses[1]],
  );
  const { status, body } = await callers.owner!<Refusal & { code: string }>('GET', '/pieces/tree');
  expect([status, body.code, body.message]).toEqual([
    400,
    'TREE_TOO_LARGE',
    expect.stringMatching(/^These are more than 5000 Wings, too many for a tree: filter the list/),
  ]);
  expect((await treeOf(callers.owner!, `house_id=${houses[0]}`)).nodes.length).toBeGreaterThan(3);
});

test.each([
  [{ tree: ['name'] }, /"name" must be a stored relation to one record of a tree/],
  [{ tree: ['house_id'] }, /Houses are no tree\. Give houses a relation to its own resource/],
  [{ tree: ['missing'] }, /missing/],
])('a list with %j is refused by the check', async (list, message) => {
  const { status, body } = await studio.tryPublish('pieces', (source) =>
    Object.assign(source, { list: { ...source.list, ...list } }),
  );
  expect([status, Object.values(body.errors ?? {}).join()]).toEqual([422, expect.stringMatching(message)]);
});

test('a definition that has the name of the filter, or a depth without a number, is refused', async () => {
  const taken = await studio.tryPublish('pieces', (source) => Object.assign(source.fields, { tree: {} }));
  expect(JSON.stringify(taken.body)).toMatch(/filtered by \\"tree\\", which is a field here: rename the field/);
  const depth = (value: string) =>
    studio.tryPublish('wings', (source) => Object.assign(source.fields.parent_id!, { depth: value }));
  expect(JSON.stringify((await depth('house_id.name')).body)).toMatch(/must be a stored whole number/);
  expect(JSON.stringify((await depth('name.levels')).body)).toMatch(/must be a stored relation to one record/);
});
