// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import { password } from '../support/accounts';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../support/program';
import { studioOf } from './modules/studio';

/** Two companies, the roles of each, and the administrator, who is of none: what each of them finds of each secret record. */
const roles = { owner: 2, manager: 3, developer: 4, qa: 5, external: 6 } as const;
type Role = keyof typeof roles;

interface Person {
  readonly name: string;
  /** Undefined for the administrator. */
  readonly company?: 1 | 2;
  readonly role?: Role;
  readonly id: number;
  readonly call: Client;
}
interface Secret {
  readonly id: number;
  readonly key: string;
  readonly company: 1 | 2;
  readonly by: string;
  readonly word: string;
  readonly budget: string;
}

let program: DemoProgram;
const people: Person[] = [];
const secrets: Secret[] = [];

const join = async (name: string, call: Client, rest: Partial<Person> = {}) => {
  const me = await call<{ data: { user: { id: number } } }>('GET', '/me');
  people.push({ name, call, id: me.body.data.user.id, ...rest });
};
const person = (name: string) => people.find((one) => one.name === name)!;

/** Who may see a record: nobody of another company; developers their own; external users none. */
const maySee = ({ company, role, name }: Person, secret: Secret) =>
  role === undefined ||
  (company === secret.company && role !== 'external' && (role !== 'developer' || secret.by === name));
/** Level 5 reads everything but the budget. */
const mayReadBudget = (one: Person, secret: Secret) => maySee(one, secret) && one.role !== 'qa';

beforeAll(async () => {
  program = await startFixtureProgram();
  const admin = await program.signIn(accounts.admin);
  await join('admin', admin);
  for (const role of Object.keys(roles) as Role[]) {
    await join(`1.${role}`, await program.signIn(accounts[role]), { company: 1, role });
    const email = `${role}.leaks@demo.test`;
    const { status, body } = await admin('POST', '/users', {
      ...{ first_name: 'Second', last_name: role, email, password, status_id: 1 },
      ...{ role_id: roles[role], site_id: 2 },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    await join(`2.${role}`, await program.signIn(email), { company: 2, role });
  }
  await join('2.founder', await program.signIn(accounts.harbour), { company: 2, role: 'owner' });
  await studioOf(admin).make(
    'ledgers',
    {
      key: { type: 'sequence', format: 'LE-{n}', partitionBy: 'company' },
      name: { type: 'text', required: true },
      text: { type: 'textarea', searchable: true },
      budget: { type: 'text', searchable: true, filterable: true },
    },
    {
      recordTitle: '{name}',
      scope: 'company',
      comments: true,
      grants: { '2': 'all', '3': 'all', '4': 'all', '5': 'read', '6': 'none' },
      rules: [
        { levels: [5], action: ['list', 'view'], exceptFields: ['budget'] },
        { levels: [4], action: ['list', 'view'], where: { created_by: '$actor.id' }, reason: 'only your own' },
      ],
    },
  );
  for (const by of ['1.owner', '1.developer', '2.owner', '2.developer']) {
    const at = secrets.length;
    const [word, budget] = [`zq${at}word`, `zq${at}money`];
    const { status, body } = await person(by).call<{ id: number; key: string }>('POST', '/ledgers', {
      ...{ name: `Secret ${word}`, text: `About zqshared ${at}`, budget },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    secrets.push({ ...body, company: by.startsWith('1') ? 1 : 2, by, word, budget });
  }
});
afterAll(() => program?.close());

const filter = (value: object) => encodeURIComponent(JSON.stringify(value));
type Found = { data: { resource: string; id: number; title: string }[] };
const found = async ({ call }: Person, q: string, more = '') => {
  const { status, body } = await call<Found>('GET', `/search?q=${encodeURIComponent(q)}${more}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.filter(({ resource }) => resource === 'ledgers').map(({ id }) => id);
};

test('the palette finds a record by word, key and id for exactly those who may see it', async () => {
  for (const one of people)
    for (const secret of secrets) {
      const about = `${one.name} and the record of ${secret.by}`;
      const expected = maySee(one, secret) ? [secret.id] : [];
      expect(await found(one, secret.word), about).toEqual(expected);
      expect(
        (await found(one, `#${secret.id}`)).filter((id) => id === secret.id),
        about,
      ).toEqual(expected);
      // Both companies have a record of this key.
      expect(
        (await found(one, secret.key)).filter((id) => id === secret.id),
        about,
      ).toEqual(expected);
      expect(await found(one, secret.word, '&resources=ledgers'), about).toEqual(expected);
      expect(await found(one, secret.budget), about).toEqual(mayReadBudget(one, secret) ? [secret.id] : []);
      const { status } = await one.call('GET', `/ledgers/${secret.id}`);
      expect(status, about).toBe(expected.length > 0 ? 200 : one.role === 'external' ? 403 : 404);
    }
});

test('counts, choices and the palette agree on how many there are', async () => {
  for (const one of people) {
    const expected = secrets.filter((secret) => maySee(one, secret)).map(({ id }) => id);
    expect((await found(one, 'zqshared', '&limit=50')).toSorted(), one.name).toEqual(expected);
    const list = await one.call<{ id: number }[]>('GET', '/ledgers?range=[0,0]&sort=["id","ASC"]');
    if (one.role === 'external') {
      expect(list.status).toBe(403);
      continue;
    }
    expect(list.headers['content-range'], one.name).toBe(
      `ledgers ${expected.length > 0 ? '0-0' : '*'}/${expected.length}`,
    );
    const counted = await one.call<{ data: { count: number }[] }>('GET', '/ledgers/aggregate?take=count');
    expect(counted.body.data[0]?.count ?? 0, one.name).toBe(expected.length);
    const choices = await one.call<{ data: { id: number }[] }>('GET', '/ledgers/choices?q=Secret');
    expect(choices.body.data.map(({ id }) => id).toSorted(), one.name).toEqual(expected);
    // What may not be read is no filter either, which would tell what it is.
    for (const secret of secrets) {
      const guessed = await one.call<{ id: number }[]>('GET', `/ledgers?filter=${filter({ budget: secret.budget })}`);
      const ids = guessed.status === 200 ? guessed.body.map(({ id }) => id) : [];
      expect(ids, one.name).toEqual(mayReadBudget(one, secret) ? [secret.id] : []);
    }
  }
});

test('only users who may see a record are suggested, mentioned and notified, and only to others who may see it', async () => {
  for (const secret of secrets) {
    const path = `/ledgers/${secret.id}`;
    const readers = people.filter((one) => maySee(one, secret));
    for (const one of people) {
      const about = `${one.name} and the record of ${secret.by}`;
      const suggested = await one.call<{ data: { id: number; name: string }[] }>('GET', `${path}/mentionable?q=`);
      if (!readers.includes(one)) {
        expect([403, 404], about).toContain(suggested.status);
        expect((await one.call('GET', `${path}/comments`)).status, about).toBe(suggested.status);
        expect((await one.call('POST', `${path}/comments`, { text: 'x' })).status, about).toBe(suggested.status);
        expect((await one.call('GET', `${path}/history`)).status, about).toBe(suggested.status);
        continue;
      }
      const ids = suggested.body.data.map(({ id }) => id);
      for (const id of ids)
        expect(
          readers.map((reader) => reader.id),
          about,
        ).toContain(id);
      const colleagues = readers.filter(({ company, id }) => company === secret.company && id !== one.id);
      for (const { id, name } of colleagues) expect(ids, `${about}: ${name}`).toContain(id);
    }
    const author = person(secret.by);
    for (const other of people.filter((one) => !readers.includes(one))) {
      const said = await author.call('POST', `${path}/comments`, { text: 'x', mentions: [other.id] });
      expect(said.status, `${secret.by} mentions ${other.name}`).toBe(422);
      const told = await other.call<{ data: { link: string | null }[] }>('GET', '/notifications?range=[0,99]');
      expect(
        told.body.data.filter(({ link }) => link === path),
        other.name,
      ).toEqual([]);
    }
  }
});

test('a deleted record is found by nobody, and brought back by who deleted it alone', async () => {
  const [secret] = secrets;
  const owner = person('1.owner');
  expect((await owner.call('DELETE', `/ledgers/${secret!.id}`)).status).toBe(200);
  for (const one of people) {
    expect(await found(one, secret!.word), one.name).toEqual([]);
    expect(await found(one, `#${secret!.id}`), one.name).not.toContain(secret!.id);
    expect((await one.call('GET', `/ledgers/${secret!.id}/comments`)).status, one.name).toBeGreaterThanOrEqual(403);
    if (one === owner) continue;
    const { status } = await one.call('POST', '/ledgers/restore', { ids: [secret!.id] });
    expect([403, 404], one.name).toContain(status);
  }
  expect((await owner.call('POST', '/ledgers/restore', { ids: [secret!.id] })).status).toBe(200);
  for (const one of people)
    expect(await found(one, secret!.word), one.name).toEqual(maySee(one, secret!) ? [secret!.id] : []);
});
