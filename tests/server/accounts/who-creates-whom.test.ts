// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProgram, type TestProgram } from './session/program';

const actors = ['admin', 'owner', 'manager', 'developer', 'qa', 'external'] as const;
type Account = (typeof actors)[number];

/** What somebody may do with a person of a role, one sign each; `-` where it is refused. */
const whole = 'lricpd';
/** l: sees them in the list, r: reads them; and no more. */
const seen = 'lr----';
const none = '------';

/**
 * i: invites somebody into the role, c: changes a person of that role into another one, p: gives the role to somebody,
 * d: deletes. An administrator belongs to no company, so that nobody becomes one, or ceases to be one, by a change.
 */
const table = {
  'grants as they are shipped': {
    admin: {
      installation: ['lri--d'],
      own: [whole, whole, whole, whole, whole],
      other: [whole, whole, whole, whole, whole],
    },
    owner: { installation: [none], own: [whole, whole, whole, whole, whole], other: [none, none, none, none, none] },
    manager: { installation: [none], own: [seen, seen, seen, seen, seen], other: [none, none, none, none, none] },
    developer: { installation: [none], own: [none, none, none, none, none], other: [none, none, none, none, none] },
    qa: { installation: [none], own: [none, none, none, none, none], other: [none, none, none, none, none] },
    external: { installation: [none], own: [none, none, none, none, none], other: [none, none, none, none, none] },
  },
  'everything on users granted to all levels': {
    admin: {
      installation: ['lri--d'],
      own: [whole, whole, whole, whole, whole],
      other: [whole, whole, whole, whole, whole],
    },
    owner: { installation: [none], own: [whole, whole, whole, whole, whole], other: [none, none, none, none, none] },
    manager: { installation: [none], own: [seen, whole, whole, whole, whole], other: [none, none, none, none, none] },
    developer: { installation: [none], own: [seen, seen, whole, whole, whole], other: [none, none, none, none, none] },
    qa: { installation: [none], own: [seen, seen, seen, whole, whole], other: [none, none, none, none, none] },
    // They see those alone who are on a film with them: whom they invite is on none yet.
    external: { installation: [none], own: [none, none, none, none, '--i---'], other: [none, none, none, none, none] },
  },
} as const;

const companies = { installation: null, own: 1, other: 2 } as const;
type Place = keyof typeof companies;
const rolesOf = (place: Place) => (place === 'installation' ? [1] : [2, 3, 4, 5, 6]);

describe.each(Object.entries(table))('%s', (grants, rows) => {
  let started: TestProgram;
  let made = 0;
  const tokens: Partial<Record<Account, string>> = {};
  beforeAll(async () => {
    started = await startProgram();
    if (grants !== 'grants as they are shipped') {
      const actions = ['list', 'view', 'create', 'edit', 'delete'];
      const all = [3, 4, 5, 6].flatMap((role_id) => actions.map((action) => ({ role_id, module: 'users', action })));
      const table = started.program.database.kysely.withSchema('assay').insertInto('grants').values(all);
      await table.onConflict((already) => already.doNothing()).execute();
    }
    for (const actor of actors) tokens[actor] = await started.signIn(actor);
  });
  afterAll(() => started?.close());

  /** A person who was there before; an owner or administrator is never the last one. */
  async function person(role_id: number, site_id: number | null): Promise<{ id: number; name: string }> {
    const name = `Matrix${++made}x`;
    const row = { first_name: 'Mara', last_name: name, email: `${name}@matrix.test`, role_id, site_id, status_id: 1 };
    const { id } = await started.program.database.kysely
      .insertInto('users')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id: id as number, name };
  }

  /** What the actor may do, sign by sign, and the answers' states. */
  async function whatOf(actor: Account, role: number, company: number | null) {
    const call = (method: string, path: string, body?: unknown) =>
      started.call(method, path, { token: tokens[actor], body });
    const level = actors.indexOf(actor) + 1;
    const target = await person(role, company);
    const list = await call('GET', `/users?q=${target.name}&all=1`);
    const found = list.status === 200 ? (list.body.data as { id: number }[]).map(({ id }) => id) : [];
    const isListed = found.length === 1 && found[0] === target.id;

    const email = `invited${++made}@matrix.test`;
    const wanted = {
      first_name: 'Ina',
      last_name: 'Matrix',
      email,
      role_id: role,
      ...(company !== null && { site_id: company }),
    };
    const invited = await call('POST', '/users', wanted);
    const other = await person(6, company ?? 1);
    const states = {
      l: isListed ? 200 : list.status === 200 ? 404 : list.status,
      r: (await call('GET', `/users/${target.id}`)).status,
      // Into the company that was meant, not into one's own instead.
      i: invited.status === 201 && invited.body.data.site_id !== company ? 403 : invited.status,
      c: (await call('PUT', `/users/${target.id}`, { role_id: role === 6 ? Math.max(level, 2) : 6 })).status,
      p: (await call('PUT', `/users/${other.id}`, { role_id: role })).status,
      d: (await call('DELETE', `/users/${target.id}`)).status,
    };
    const signs = Object.entries(states).map(([sign, status]) =>
      status < 300 ? sign : [403, 404, 422].includes(status) ? '-' : `${sign}${status}`,
    );
    return { may: signs.join(''), states };
  }

  const cases = actors.flatMap((actor) =>
    (Object.keys(companies) as Place[]).flatMap((place) =>
      rolesOf(place).map((role, index) => [actor, role, place, rows[actor][place][index]!] as const),
    ),
  );
  test.each(cases)('%s with role %i, company %s: %s', async (actor, role, place, expected) => {
    const { may, states } = await whatOf(actor, role, companies[place]);
    expect(may).toBe(expected);
    // What lies elsewhere is not to be told from what is not there.
    const mayList = grants !== 'grants as they are shipped' || actor === 'owner';
    if (expected === none && mayList) expect([states.r, states.c, states.d]).toEqual([404, 404, 404]);
  });
});
