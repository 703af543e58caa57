import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renameFieldStatements, renameResourceStatements } from '../../src/server/sync/stored-names';
import { accounts, startFixtureProgram, type Client, type DemoProgram, type RestrictedUser } from '../support/program';

// Snippets: who reads and changes which, for which modules they may be, and what follows when a module or a field is renamed.

interface Snippet {
  readonly id: number;
  readonly title: string;
  readonly modules: string | null;
  readonly text: string;
}

let program: DemoProgram;
let restricted: RestrictedUser;
const people = new Map<string, Client>();
const names = ['admin', 'owner', 'manager', 'developer', 'qa', 'external', 'harbour'] as const;
type Name = (typeof names)[number];
let count = 0;

beforeAll(async () => {
  program = await startFixtureProgram();
  for (const name of names) people.set(name, await program.signIn(accounts[name]));
  restricted = await program.restricted();
});
afterAll(() => program?.close());

const person = (name: Name) => people.get(name)!;
const values = (more: object = {}) => ({ title: `Snippet ${++count}`, text: '<p>Thanks, {name}</p>', ...more });

async function save(by: Name, more: object = {}): Promise<Snippet> {
  const { status, body } = await person(by)<Snippet>('POST', '/snippets', values(more));
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** The people who find a snippet by its id; its list, choices and export have it for the same people. */
async function readersOf({ id, title }: Snippet): Promise<Name[]> {
  const readers: Name[] = [];
  for (const name of names) {
    const isRead = (await person(name)('GET', `/snippets/${id}`)).status === 200;
    for (const path of ['?range=[0,999]', `?q=${encodeURIComponent(title)}`, '-export?format=csv']) {
      const { body } = await person(name)('GET', `/snippets${path}`);
      expect(new RegExp(`${title}\\b`).test(JSON.stringify(body)), `${name} ${path}`).toBe(isRead);
    }
    if (isRead) readers.push(name);
  }
  return readers;
}

describe('a snippet is read', () => {
  test.each<[string, Name, object, readonly Name[]]>([
    ['by its author alone, if it is personal', 'qa', {}, ['qa']],
    ['by its author alone, if it is that of an owner', 'owner', { audience: 'me' }, ['owner']],
    [
      'by the people of the company that it is shared with',
      'manager',
      { audience: 'everyone' },
      ['owner', 'manager', 'developer', 'qa', 'external'],
    ],
    ['by those of no other company', 'harbour', { audience: 'everyone' }, ['harbour']],
    ['by everyone, if the installation shares it', 'admin', { audience: 'everyone', site_id: null }, names],
  ])('%s', async (_, by, more, readers) => {
    expect(await readersOf(await save(by, more))).toEqual(readers);
  });

  test('by no user whose role may not list snippets', async () => {
    await save('owner', { audience: 'everyone' });
    await restricted.grant(['films.list']);
    expect((await restricted.call('GET', '/snippets')).status).toBe(403);
  });
});

describe('a snippet is changed', () => {
  test.each(['developer', 'qa', 'external'] as const)('by %s only as an own one, which is not shared', async (by) => {
    expect((await person(by)('POST', '/snippets', values({ audience: 'everyone' }))).status).toBe(403);
    const personal = await save(by);
    expect((await person(by)('PUT', `/snippets/${personal.id}`, { audience: 'everyone' })).status).toBe(403);
    expect((await person(by)('PUT', `/snippets/${personal.id}`, { title: 'Greeting' })).status).toBe(200);
    const shared = await save('owner', { audience: 'everyone' });
    expect((await person(by)('PUT', `/snippets/${shared.id}`, { title: 'Changed' })).status).toBe(403);
    expect((await person(by)('DELETE', `/snippets/${shared.id}`)).status).toBe(403);
    expect((await person(by)('DELETE', `/snippets/${personal.id}`)).status).toBe(200);
  });

  test('by a manager also if a colleague shared it, but not if it is personal or another company’s', async () => {
    const shared = await save('owner', { audience: 'everyone' });
    expect((await person('manager')('PUT', `/snippets/${shared.id}`, { title: 'Better' })).status).toBe(200);
    for (const { id } of [await save('qa'), await save('harbour', { audience: 'everyone' })])
      expect((await person('manager')('PUT', `/snippets/${id}`, { title: 'Mine' })).status).toBe(404);
  });
});

describe('the modules of a snippet', () => {
  test.each<[string, string, string | null]>([
    ['are separated by a comma and a space', ' films,shots , films', 'films, shots'],
    ['are all of them if none is named', ' , ', null],
  ])('%s', async (_, modules, stored) => {
    expect((await save('owner', { modules })).modules).toBe(stored);
  });

  test.each(['filmz', 'films; shots', '__proto__'])('are lists that their author may open, not %s', async (modules) => {
    const { status, body } = await person('owner')('POST', '/snippets', values({ modules }));
    expect([status, JSON.stringify(body)]).toEqual([
      422,
      expect.stringContaining(`You have no list named ${modules}.`),
    ]);
  });

  test('read the same if the author may not list one and if there is none', async () => {
    await restricted.grant(['snippets.create', 'snippets.list', 'snippets.view', 'studios.list']);
    const answer = async (modules: string) => {
      const { status, body } = await restricted.call('POST', '/snippets', { ...values(), title: 'One', modules });
      return { status, text: JSON.stringify(body).replaceAll(modules, '…') };
    };
    expect(await answer('films')).toEqual(await answer('fillms'));
    expect((await answer('films')).status).toBe(422);
    expect((await answer('studios')).status).toBe(201);
  });

  test('stay when the text is changed by somebody who may not list them', async () => {
    const grants = ['snippets.create', 'snippets.list', 'snippets.view', 'snippets.edit'];
    await restricted.grant([...grants, 'films.list']);
    const made = await restricted.call<Snippet>('POST', '/snippets', values({ modules: 'films' }));
    await restricted.grant(grants);
    const change = { title: 'Better', modules: 'films' };
    const { status, body } = await restricted.call<Snippet>('PUT', `/snippets/${made.body.id}`, change);
    expect([status, body.modules], JSON.stringify(body)).toEqual([200, 'films']);
  });
});

test('a renamed module and field are renamed in the snippets for it', async () => {
  const text = '<p>{name} of {name.first}, {named}</p>';
  const snippets = [
    await save('owner', { modules: 'films', text }),
    await save('owner', { modules: 'shots, films', text }),
    await save('owner', { modules: 'shots', text }),
  ];
  const { pool } = program.program.database;
  for (const statement of [
    ...renameFieldStatements('films', 'name', 'title'),
    ...renameResourceStatements('films', 'movies'),
  ])
    await pool.query(statement);
  const { rows } = await pool.query('select modules, text from public.snippets where id = any($1) order by id', [
    snippets.map(({ id }) => id),
  ]);
  expect(rows).toEqual([
    { modules: 'movies', text: '<p>{title} of {title.first}, {named}</p>' },
    { modules: 'shots, movies', text },
    { modules: 'shots', text },
  ]);
});
