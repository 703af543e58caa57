import { afterAll, beforeAll, expect, test } from 'vitest';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

interface Place {
  readonly id: number;
  readonly parent_id: number | null;
}

let demo: DemoProgram;
let owner: Client;

beforeAll(async () => {
  demo = await startFixtureProgram();
  const places = sourceOf(
    'places',
    { name: { required: true }, parent_id: { type: 'relation', to: 'places', maxDepth: 9 } },
    { labels: { one: 'Place', many: 'Places' }, scope: 'company' },
  );
  const made = await (await demo.signIn(accounts.admin))('POST', '/modules', { definition: places });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  owner = await demo.signIn(accounts.owner);
});
afterAll(() => demo?.close());

const create = async (name: string) => (await owner<Place>('POST', '/places', { name })).body.id;
const place = (id: number, parent: number) => owner<{ errors?: object }>('PUT', `/places/${id}`, { parent_id: parent });

test('two changes at once cannot place records below each other', async () => {
  for (let round = 0; round < 8; round++) {
    const ids = [await create('One'), await create('Two'), await create('Three')] as const;
    const answers = await Promise.all(ids.map((id, index) => place(id, ids[(index + 1) % 3]!)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.errors])).toEqual([
      [422, { parent_id: 'A place cannot be placed below itself.' }],
    ]);
  }
});

test('calls that place several records cannot place records below each other, at once with a single change', async () => {
  for (let round = 0; round < 4; round++) {
    const ids = [await create('One'), await create('Two'), await create('Three'), await create('Four')] as const;
    const bulk = (update: readonly (readonly [number, number])[]) =>
      owner('POST', '/places/bulk', {
        update: update.map(([at, parent]) => ({ id: ids[at], parent_id: ids[parent] })),
      });
    const answers = await Promise.all([
      bulk([
        [0, 1],
        [2, 3],
      ]),
      bulk([
        [3, 0],
        [1, 2],
      ]),
      place(ids[1], ids[0]),
    ]);
    expect(answers.filter(({ status }) => status !== 200 && status !== 422)).toEqual([]);
    const above = new Map<number, number | null>();
    for (const id of ids) above.set(id, (await owner<Place>('GET', `/places/${id}`)).body.parent_id);
    for (const id of ids) {
      const path = new Set<number>();
      for (let at: number | null = id; at !== null; at = above.get(at) ?? null) {
        expect(path.has(at)).toBe(false);
        path.add(at);
      }
    }
  }
});
