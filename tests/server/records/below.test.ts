import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { studioOf, type Refusal, type Studio } from '../modules/studio';

// `$below`: records at or below others in a tree.

interface Vault {
  readonly id: number;
  readonly name: string;
  readonly parent_id: number | null;
}
interface Crate {
  readonly id: number;
  readonly vault_id: number | null;
}

let program: DemoProgram;
let owner: Client;
let qa: Client;
let studio: Studio;
let vaults: readonly Vault[];
let crates: readonly Crate[];

beforeAll(async () => {
  program = await startFixtureProgram();
  studio = studioOf(await program.signIn(accounts.admin));
  owner = await program.signIn(accounts.owner);
  qa = await program.signIn(accounts.qa);
  await studio.make(
    'vaults',
    {
      name: { required: true },
      parent_id: { type: 'relation', to: 'vaults', maxDepth: 9 },
      is_closed: { type: 'boolean' },
    },
    {
      grants: { '4': 'read', '5': 'read' },
      rules: [{ levels: [5], action: ['list', 'view'], where: { is_closed: { $ne: true } }, reason: 'only open ones' }],
    },
  );
  const parents = [null, 1, 1, 2, 4, 4, null, 7, 8, 9, 3, 11];
  const made: Vault[] = [];
  for (const [index, parent] of parents.entries()) {
    const values = {
      name: `Vault ${index + 1}`,
      parent_id: parent === null ? null : made[parent - 1]!.id,
      // Nothing below vault 8 is found by those who may not see it.
      is_closed: index + 1 === 8,
    };
    made.push((await owner<Vault>('POST', '/vaults', values)).body);
  }
  vaults = made;
  await studio.make(
    'crates',
    {
      vault_id: { type: 'relation', to: 'vaults', embed: 'vault' },
      seal: { required: { vault_id: { $below: made[2]!.id } } },
    },
    {
      grants: { '4': 'read', '5': 'read' },
      parameters: { at: { where: { vault_id: { $below: '$value' } }, resource: 'vaults', label: 'At or below' } },
      list: { filters: { at: {} } },
      recordTitle: '{seal}',
    },
  );
  const stored: Crate[] = [];
  for (const vault of [null, ...vaults, ...vaults])
    stored.push((await owner<Crate>('POST', '/crates', { vault_id: vault?.id ?? null, seal: 'wax' })).body);
  crates = stored;
});
afterAll(() => program?.close());

/** The ids of a vault and of those above it. */
function pathOf(id: number | null): readonly number[] {
  const vault = vaults.find((one) => one.id === id);
  return vault ? [vault.id, ...pathOf(vault.parent_id)] : [];
}

async function idsOf(call: Client, resource: string, query: string): Promise<readonly number[]> {
  const { status, body } = await call<{ id: number }[]>('GET', `/${resource}?range=[0,999]&sort=["id","ASC"]&${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.map(({ id }) => id);
}

const where = (condition: object) => `where=${encodeURIComponent(JSON.stringify(condition))}`;

test('conditions, parameters and their negation find what a walk up the tree does', async () => {
  const some = fc.uniqueArray(fc.nat({ max: vaults.length - 1 }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(some, async (places) => {
      const ids = places.map((index) => vaults[index]!.id);
      const isBelow = (vault: number | null) => pathOf(vault).some((id) => ids.includes(id));
      const inside = crates.filter((crate) => isBelow(crate.vault_id)).map(({ id }) => id);
      const outside = crates.filter((crate) => !isBelow(crate.vault_id)).map(({ id }) => id);
      const below = { vault_id: { $below: ids } };
      expect(await idsOf(owner, 'crates', where(below))).toEqual(inside);
      expect(await idsOf(owner, 'crates', where({ $not: below }))).toEqual(outside);
      if (ids.length > 0) expect(await idsOf(owner, 'crates', `at=${ids.join()}`)).toEqual(inside);
      // On the tree itself: those strictly below.
      const under = vaults.filter(({ parent_id }) => isBelow(parent_id)).map(({ id }) => id);
      expect(await idsOf(owner, 'vaults', where({ parent_id: { $below: ids } }))).toEqual(under);
    }),
    { numRuns: 25 },
  );
});

test('records that the caller may not list are no part of the tree', async () => {
  const [, , , , , , top, closed, inner] = vaults;
  const found = await idsOf(qa, 'crates', where({ vault_id: { $below: top!.id } }));
  expect(found).toEqual(crates.filter(({ vault_id }) => vault_id === top!.id).map(({ id }) => id));
  expect(await idsOf(qa, 'crates', where({ vault_id: { $below: closed!.id } }))).toEqual([]);
  expect(await idsOf(qa, 'crates', where({ vault_id: { $below: inner!.id } }))).not.toEqual([]);
});

test('a form requires a field for what lies below a record', async () => {
  const deep = vaults[11]!;
  expect(pathOf(deep.id)).toContain(vaults[2]!.id);
  const refused = await owner<Refusal>('POST', '/crates', { vault_id: deep.id });
  expect([refused.status, refused.body.errors]).toEqual([422, { seal: 'Seal is required.' }]);
  expect((await owner('POST', '/crates', { vault_id: vaults[3]!.id })).status).toBe(201);
});

test('a rule limits records to a part of the tree', async () => {
  const rule = {
    levels: [4],
    action: ['list', 'view'],
    where: { vault_id: { $below: vaults[1]!.id } },
    reason: 'only of vault 2',
  };
  await studio.publish('crates', (source) => Object.assign(source, { rules: [rule] }));
  const developer = await program.signIn(accounts.developer);
  const allowed = crates.filter(({ vault_id }) => pathOf(vault_id).includes(vaults[1]!.id)).map(({ id }) => id);
  const found = await idsOf(developer, 'crates', '');
  expect(found.filter((id) => crates.some((crate) => crate.id === id))).toEqual(allowed);
  expect((await developer('GET', `/crates/${allowed[0]}`)).status).toBe(200);
  const hidden = crates.find(({ id }) => !allowed.includes(id))!;
  expect((await developer('GET', `/crates/${hidden.id}`)).status).toBe(404);
});

test.each([
  [{ name: { $below: 1 } }, /related records/],
  [{ director_id: { $below: 1 } }, /Unknown|no field/i],
  [{ vault_id: { $below: 'one' } }, /takes the id of a record/],
  [{ vault_id: { $below: { id: 1 } } }, /takes the id of a record/],
])('a query with %j is refused', async (condition, message) => {
  const resource = 'name' in condition ? 'vaults' : 'crates';
  const { status, body } = await owner<Refusal>('GET', `/${resource}?${where(condition)}`);
  expect([status, Object.values(body.errors ?? {}).join()]).toEqual([422, expect.stringMatching(message)]);
});

test('a definition is refused where there is no tree, or where it is not known', async () => {
  const plain = await studio.tryPublish('crates', (source) =>
    Object.assign(source, {
      rules: [{ levels: [4], action: ['list'], where: { created_by: { $below: 1 } }, reason: 'x' }],
    }),
  );
  expect([plain.status, JSON.stringify(plain.body)]).toEqual([
    422,
    expect.stringContaining('$below needs a relation to records that are a tree'),
  ]);
  const screen = await studio.tryPublish('crates', (source) =>
    Object.assign(source, {
      list: { ...source.list, highlight: [{ where: { vault_id: { $below: 1 } }, tone: 'high' }] },
    }),
  );
  expect(screen.status, JSON.stringify(screen.body)).toBe(422);
});
