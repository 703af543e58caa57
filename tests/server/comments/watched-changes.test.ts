import { Writable } from 'node:stream';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { tellOfWatchedChanges } from '../../../src/server/comments/watched-changes';
import { password } from '../../support/accounts';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { csv, send } from '../imports/files';
import { studioOf, type Studio } from '../modules/studio';

type Who = keyof typeof accounts;
interface Notice {
  id: number;
  title: string;
  content: string;
  link: string | null;
}

let demo: DemoProgram;
let studio: Studio;
const as = {} as Record<Who, Client>;
const ids = {} as Record<Who, number>;
/** The statements that ran, while it is a list. */
let statements: string[] | undefined;
const everybody = Object.keys(accounts) as Who[];

/** Ideas: developers may not read their budget, external users see only their own, QA engineers only cheap ones. */
beforeAll(async () => {
  const log = pino(
    { level: 'trace' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        const { msg, sql: text } = JSON.parse(chunk.toString()) as { msg: string; sql: string };
        if (msg === 'A statement') statements?.push(text);
        done();
      },
    }),
  );
  demo = await startFixtureProgram({ log });
  for (const who of everybody) {
    as[who] = await demo.signIn(accounts[who]);
    ids[who] = (await as[who]<{ data: { user: { id: number } } }>('GET', '/me')).body.data.user.id;
  }
  studio = studioOf(as.admin);
  await studio.make(
    'ideas',
    {
      name: { type: 'text', required: true },
      budget: { type: 'number', integer: true },
      due: { type: 'date' },
      notes: { type: 'textarea' },
      is_secret: { type: 'boolean' },
      film_id: { type: 'relation', to: 'films' },
      helper_id: { type: 'relation', to: 'users' },
    },
    {
      labels: { one: 'Idea', many: 'Ideas' },
      comments: { watchers: ['helper_id'] },
      grants: { 2: 'all', 3: 'all', 4: 'read', 5: 'read', 6: 'read' },
      rules: [
        { levels: [4], action: ['list', 'view'], exceptFields: ['budget'] },
        { levels: [5], action: ['list', 'view'], where: { is_secret: { $ne: true } } },
        { levels: [6], action: ['list', 'view'], where: { helper_id: '$actor.id' } },
      ],
    },
  );
});
afterAll(() => demo?.close());

/** The id of a new record. */
async function made(path: string, values: object): Promise<number> {
  const { status, body } = await as.owner<{ id: number; data?: { id: number } }>('POST', path, values);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data?.id ?? body.id;
}
const newIdea = (values: object = {}) => made('/ideas', { name: 'Tunnel', ...values });
const change = async (id: number, values: object, by: Client = as.owner) => {
  const answer = await by('PUT', `/ideas/${id}`, values);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};
const watch = async (id: number, who: Who, state: string | null = 'watching', of = 'ideas') =>
  expect((await as[who]('PUT', `/${of}/${id}/watch`, { state })).status).toBe(200);
/** Also who may not view the record, as if they had once been allowed to. */
const watchAnyway = (id: number, people: readonly Who[], of = 'ideas') =>
  sql`insert into assay.watches (site_id, resource, record_id, user_id, state)
    select coalesce(site_id, 0), ${of}, id, unnest(${people.map((who) => ids[who])}::bigint[]), 'watching'
    from ${sql.table(of)} where id = ${id} on conflict do nothing`.execute(demo.program.database.kysely);
/** All that was changed until now is told of. */
const tell = () => tellOfWatchedChanges(demo.program, new Date(Date.now() + 600_000));
const notices = async (who: Who): Promise<Notice[]> =>
  (await as[who]<{ data: Notice[] }>('GET', '/notifications?range=[0,99]')).body.data;
const about = async (who: Who, id: number, of = 'ideas') =>
  (await notices(who)).filter(({ link }) => link === `/${of}/${id}`);
/** All that tells of changed ideas, also of several at once. */
const ofIdeas = async (who: Who) => (await notices(who)).filter(({ link }) => link?.startsWith('/ideas'));
const texts = async (who: Who, id: number) => (await about(who, id)).map(({ content }) => content.split('\n\n')[1]);

describe('a change of a record', () => {
  it('is told to those who chose to watch it, in words, with a link; not to who did it, muted it, or is only named in it', async () => {
    const id = await newIdea({ helper_id: ids.qa, budget: 5 });
    for (const who of ['owner', 'developer', 'admin'] as const) await watch(id, who);
    await watch(id, 'developer', 'muted');
    await change(id, { name: 'Bridge', budget: 1200, notes: 'x'.repeat(200) });
    await tell();
    expect(await about('admin', id)).toMatchObject([
      {
        title: 'Olivia Berg changed Bridge',
        content: 'Olivia Berg changed “Bridge”:\n\nName: Tunnel → Bridge\nBudget: 5 → 1,200\nNotes',
        link: `/ideas/${id}`,
      },
    ]);
    for (const who of ['owner', 'developer', 'manager', 'qa', 'external'] as const)
      expect(await about(who, id), who).toEqual([]);
  });

  it('is told to who commented, and is written as each reads days', async () => {
    const id = await newIdea();
    expect((await as.manager('POST', `/ideas/${id}/comments`, { text: 'Good' })).status).toBe(201);
    await as.manager('PATCH', '/preferences', { formats: 'de-DE' });
    await change(id, { due: '2027-03-09' });
    await tell();
    expect(await texts('manager', id)).toEqual(['Due: empty → 09.03.2027']);
    await as.manager('PATCH', '/preferences', { formats: null });
  });

  it.each<[string, object, Partial<Record<Who, string>>]>([
    [
      'a field that developers may not read, with one that they may',
      { budget: 7, notes: 'b' },
      {
        admin: 'Budget: 1 → 7\nNotes: a → b',
        manager: 'Budget: 1 → 7\nNotes: a → b',
        developer: 'Notes: a → b',
        qa: 'Budget: 1 → 7\nNotes: a → b',
      },
    ],
    [
      'only a field that developers may not read',
      { budget: 7 },
      { admin: 'Budget: 1 → 7', manager: 'Budget: 1 → 7', qa: 'Budget: 1 → 7' },
    ],
    [
      'what hides it from QA engineers',
      { is_secret: true },
      { admin: 'Is Secret: No → Yes', manager: 'Is Secret: No → Yes', developer: 'Is Secret: No → Yes' },
    ],
  ])('tells each role of both companies only what it may read: %s', async (_, values, expected) => {
    const id = await newIdea({ budget: 1, notes: 'a', is_secret: false });
    await watchAnyway(id, everybody);
    await change(id, values);
    await tell();
    const told: Partial<Record<Who, string>> = {};
    for (const who of everybody) for (const text of await texts(who, id)) told[who] = text;
    expect(told).toEqual(expected);
  });

  it('names no record that its reader may not read, and no other company', async () => {
    await studio.make('plans', { title: {} }, { grants: { 2: 'all', 3: 'none', 4: 'none', 5: 'none', 6: 'none' } });
    await studio.publish('ideas', (source) => {
      source.fields = { ...source.fields, plan_id: { type: 'relation', to: 'plans' } };
    });
    const plan_id = await made('/plans', { title: 'Hidden plan' });
    const id = await newIdea();
    await watchAnyway(id, everybody);
    await change(id, { plan_id });
    await tell();
    const history = await as.manager<{ data: { names: Record<string, Record<string, string>> }[] }>(
      'GET',
      `/ideas/${id}/history?names=1`,
    );
    // As the history of the record says it to the same person.
    const said = Object.values(history.body.data[0]!.names.plan_id ?? {})[0] ?? '';
    expect(await texts('manager', id)).toEqual([`Plan: empty → ${said}`]);
    expect(await ofIdeas('harbour')).toEqual([]);
  });

  it('of what was assigned to somebody is told to them once', async () => {
    await studio.publish('shots', (source) => {
      source.comments = true;
    });
    const film_id = await made('/films', { name: 'Film', user_ids: [ids.qa, ids.developer] });
    const scene_id = await made('/scenes', { name: 'Scene', film_id });
    const values = { description: '<p>x</p>', status_id: 1, urgency_id: 1 };
    const id = await made('/shots', { name: 'Shot', film_id, scene_id, operator_id: ids.qa, ...values });
    await watch(id, 'developer', 'watching', 'shots');
    await watch(id, 'manager', 'watching', 'shots');
    const assigned = await as.owner('PUT', `/shots/${id}`, { operator_id: ids.developer });
    expect(assigned.status, JSON.stringify(assigned.body)).toBe(200);
    await tell();
    expect(await about('developer', id, 'shots')).toHaveLength(1);
    expect((await about('developer', id, 'shots'))[0]!.title).not.toContain('changed');
    expect((await about('manager', id, 'shots')).map(({ title }) => title)).toEqual(['Olivia Berg changed Shot']);
    await as.owner('PUT', `/shots/${id}`, { name: 'Long shot' });
    await tell();
    expect((await about('developer', id, 'shots')).map(({ title }) => title)).toContain(
      'Olivia Berg changed Long shot',
    );
  });
});

describe('several changes', () => {
  it('by one person are one notification while it is unread, and say what was before the first', async () => {
    const id = await newIdea({ budget: 1 });
    await watch(id, 'manager');
    await change(id, { budget: 2 });
    await change(id, { budget: 3 });
    await tell();
    expect(await texts('manager', id)).toEqual(['Budget: 1 → 3']);
    await change(id, { budget: 4, name: 'Road' });
    await tell();
    const [notice, ...others] = await about('manager', id);
    expect([notice!.title, notice!.content.split('\n\n')[1], others]).toEqual([
      'Olivia Berg changed Road',
      'Name: Tunnel → Road\nBudget: 1 → 4',
      [],
    ]);
    await as.manager('POST', '/notifications/read-all');
    await change(id, { budget: 5 });
    await change(id, { budget: 6 }, as.admin);
    await tell();
    expect((await texts('manager', id)).sort()).toEqual([
      'Budget: 4 → 5',
      'Budget: 5 → 6',
      'Name: Tunnel → Road\nBudget: 1 → 4',
    ]);
  });

  it('that take each other back are none', async () => {
    const id = await newIdea({ budget: 1 });
    await watch(id, 'manager');
    await change(id, { budget: 2 });
    await change(id, { budget: 1 });
    await tell();
    expect(await about('manager', id)).toEqual([]);
  });

  it('wait until their author is done, at most five minutes', async () => {
    const id = await newIdea({ budget: 1 });
    await watch(id, 'manager');
    await change(id, { budget: 2 });
    const { kysely } = demo.program.database;
    const { rows } = await sql<{ at: string }>`select created_at as at from assay.history
      where resource = 'ideas' and record_id = ${id} and event = 'updated'`.execute(kysely);
    const after = (seconds: number) =>
      tellOfWatchedChanges(demo.program, new Date(new Date(rows[0]!.at).getTime() + seconds * 1000));
    expect(await after(59)).toBe(0);
    await sql`update assay.history set created_at = created_at + interval '50 seconds' where resource = 'ideas'
      and record_id = ${id} and event = 'updated'`.execute(kysely);
    expect(await after(61)).toBe(0);
    await change(id, { budget: 3 });
    await sql`update assay.history set created_at = ${rows[0]!.at}::timestamptz + interval '299 seconds'
      where resource = 'ideas' and record_id = ${id} and new_values->>'budget' = '3'`.execute(kysely);
    await sql`update assay.history set created_at = ${rows[0]!.at}::timestamptz
      where resource = 'ideas' and record_id = ${id} and new_values->>'budget' = '2'`.execute(kysely);
    expect(await after(299)).toBe(0);
    expect(await after(300)).toBe(2);
    expect(await texts('manager', id)).toEqual(['Budget: 1 → 3']);
  });

  it('of many records are one notification for each person, which leads to the list', async () => {
    const create = Array.from({ length: 120 }, (_, index) => ({ name: `Many ${index}`, budget: 1 }));
    expect((await as.owner('POST', '/ideas/bulk', { create })).status).toBe(200);
    const { rows } = await sql<{ id: number }>`select id from public.ideas where name like 'Many %'`.execute(
      demo.program.database.kysely,
    );
    const all = rows.map(({ id }) => id);
    for (const id of all) await watchAnyway(id, ['manager', 'developer', 'harbour']);
    const before = { manager: await notices('manager'), developer: await notices('developer') };
    const changed = await as.owner('POST', '/ideas/bulk', { update: all.map((id) => ({ id, notes: 'done' })) });
    expect(changed.status).toBe(200);
    statements = [];
    await tell();
    const ran = statements;
    statements = undefined;
    // Other work of the program may run beside it, but nothing is asked for each record.
    expect(ran.length, ran.join('\n')).toBeLessThan(60);
    for (const who of ['manager', 'developer'] as const) {
      const known = new Set(before[who].map(({ id }) => id));
      const fresh = (await notices(who)).filter(({ id }) => !known.has(id));
      expect(fresh).toMatchObject([{ title: 'Olivia Berg changed 120 Ideas that you watch', link: '/ideas' }]);
      expect(fresh[0]!.content).toMatch(/Many \d+\n.*and 110 more$/s);
    }
    expect(await ofIdeas('harbour')).toEqual([]);
  });
});

/** Tasks of a board, whose hours developers may not read: with requests, an import that finds records by their names. */
async function makeChores(): Promise<void> {
  const grants = { 2: 'all', 3: 'all', 4: 'all', 5: 'all', 6: 'read' } as const;
  await studio.make(
    'chores',
    {
      name: { type: 'text', required: true },
      hours: { type: 'number', integer: true },
      state: { type: 'select', options: ['open', 'done'].map((value) => ({ value, label: value })) },
    },
    {
      labels: { one: 'Chore', many: 'Chores' },
      comments: true,
      grants,
      rules: [
        { levels: [4], action: ['list', 'view'], exceptFields: ['hours'] },
        { levels: [6], action: ['list', 'view'], where: { created_by: '$actor.id' } },
      ],
      import: { match: ['name'] },
      list: { views: ['list', 'kanban'], kanban: { column: 'state' } },
    },
  );
  await studio.make(
    'chore-notes',
    { text: { required: true }, chore_id: { type: 'relation', to: 'chores' } },
    { grants },
  );
  await studio.publish('chores', (source) => {
    source.requests = {
      work: {
        label: 'Work',
        path: 'chore-work/{id}',
        sets: ['state', 'hours'],
        adds: { resource: 'chore-notes', relation: 'chore_id', fields: ['text'] },
      },
      finish: { label: 'Finish', path: 'chore-end/{id}', sets: { state: 'done' } },
    };
  });
}

/** What everybody was told of a record, each as often as they were told. */
async function toldOf(of: string, id: number): Promise<Partial<Record<Who, string[]>>> {
  const told: Partial<Record<Who, string[]>> = {};
  for (const who of everybody) {
    const own = (await about(who, id, of)).map(({ content }) => content.split('\n\n')[1]!);
    if (own.length > 0) told[who] = own;
  }
  return told;
}

describe('everybody who may see a change is told of it once, except who made it, and of no field hidden from them', () => {
  let token: string;
  beforeAll(async () => {
    await makeChores();
    const { body } = await demo.call<{ token: string }>('POST', '/login', { email: accounts.owner, password });
    token = body.token;
  });
  const newChore = async (name: string) => {
    const id = await made('/chores', { name, hours: 1, state: 'open' });
    await watchAnyway(id, everybody, 'chores');
    return id;
  };
  const key = (name: string) => ({ 'idempotency-key': `watched ${name}` });
  const stateAlone = 'State: open → done';
  const both = 'Hours: 1 → 2\nState: open → done';

  it.each<[string, (id: number, name: string) => Promise<{ status: number; body: unknown }>, string, string?]>([
    ['a board’s plain move', (id) => as.owner('PUT', `/chores/${id}`, { state: 'done' }), stateAlone, stateAlone],
    [
      'a request with a comment',
      (id) => as.owner('PATCH', `/chore-work/${id}`, { state: 'done', hours: 2, text: 'Done' }),
      both,
      stateAlone,
    ],
    [
      'a request that is sent twice with its key',
      async (id, name) => {
        const body = { hours: 2, text: 'More' };
        await as.owner('PATCH', `/chore-work/${id}`, body, key(name));
        return as.owner('PATCH', `/chore-work/${id}`, body, key(name));
      },
      'Hours: 1 → 2',
    ],
    ['a request without a form', (id) => as.owner('PATCH', `/chore-end/${id}`, {}), stateAlone, stateAlone],
    [
      'PATCH that is sent twice with its key',
      async (id, name) => {
        await as.owner('PATCH', `/chores/${id}`, { state: 'done', hours: 2 }, key(name));
        return as.owner('PATCH', `/chores/${id}`, { state: 'done', hours: 2 }, key(name));
      },
      both,
      stateAlone,
    ],
    ['PATCH of a hidden field alone', (id) => as.owner('PATCH', `/chores/${id}`, { hours: 2 }), 'Hours: 1 → 2'],
    [
      'an import that finds it',
      (_, name) =>
        send(
          demo,
          token,
          '/chores/import?again=1',
          csv([
            ['Name', 'Hours', 'State'],
            [name, '2', 'done'],
            [`${name} too`, '3', 'open'],
          ]),
          {},
          'rows.csv',
        ),
      both,
      stateAlone,
    ],
    [
      'Undo of what was told and not read',
      async (id) => {
        const { body } = await as.owner<{ updated_at: string }>('PUT', `/chores/${id}`, { state: 'done', hours: 2 });
        await tell();
        return as.owner('PUT', `/chores/${id}`, { state: 'open', hours: 1, updated_at: body.updated_at });
      },
      'Hours: 2 → 1\nState: done → open',
      'State: done → open',
    ],
  ])('%s', async (name, run, said, toDevelopers) => {
    const id = await newChore(name);
    const answer = await run(id, name);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    await tell();
    // A second look, as of another server, tells nothing more.
    await tell();
    expect(await toldOf('chores', id)).toEqual({
      admin: [said],
      manager: [said],
      qa: [said],
      ...(toDevelopers && { developer: [toDevelopers] }),
    });
  });

  it('a request that adds a comment and changes nothing, and what is refused, tell nobody', async () => {
    const id = await newChore('Refused');
    expect((await as.owner('PATCH', `/chore-work/${id}`, { text: 'Only said' })).status).toBe(200);
    expect((await as.owner('PATCH', `/chore-work/${id}`, { hours: 'many', text: 'No' })).status).toBe(422);
    expect((await as.harbour('PATCH', `/chores/${id}`, { hours: 9 })).status).toBe(404);
    expect((await as.external('PATCH', `/chore-end/${id}`, {})).status).toBe(403);
    await tell();
    expect(await toldOf('chores', id)).toEqual({});
  });

  it('several records changed together, by two people at once, each of them a watcher', async () => {
    const all = [await newChore('First of two'), await newChore('Second of two')];
    const answers = await Promise.all([
      as.owner('POST', '/chores/bulk', { update: all.map((id) => ({ id, state: 'done' })) }),
      as.developer('POST', '/chores/bulk', { update: all.map((id) => ({ id, name: 'Of two' })) }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await Promise.all([tell(), tell()]);
    for (const id of all) {
      const told = await toldOf('chores', id);
      const named = (await about('owner', id, 'chores'))[0]!.content.split('\n\n')[1];
      expect(named).toMatch(/^Name: (First|Second) of two → Of two$/);
      expect(told).toEqual({
        owner: [named],
        developer: [stateAlone],
        admin: expect.toSatisfy((own: string[]) => isSame(own, [named!, stateAlone])),
        manager: expect.toSatisfy((own: string[]) => isSame(own, [named!, stateAlone])),
        qa: expect.toSatisfy((own: string[]) => isSame(own, [named!, stateAlone])),
      });
    }
  });
  const isSame = (one: readonly string[], other: readonly string[]) =>
    JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());
});

describe('every way to change a record', () => {
  it.each<[string, (id: number) => Promise<{ status: number }>, string]>([
    ['PUT', (id) => as.owner('PUT', `/ideas/${id}`, { budget: 2 }), 'Budget: 1 → 2'],
    ['bulk', (id) => as.owner('POST', '/ideas/bulk', { update: [{ id, budget: 2 }] }), 'Budget: 1 → 2'],
    [
      'bringing back a version',
      async (id) => {
        await as.owner('PUT', `/ideas/${id}`, { budget: 2 });
        await tell();
        await as.manager('POST', '/notifications/read-all');
        const { body } = await as.owner<{ data: { id: number }[] }>('GET', `/ideas/${id}/history`);
        return as.owner('POST', `/ideas/${id}/history/${body.data.at(-1)!.id}/restore`, {});
      },
      'Budget: 2 → 1',
    ],
  ])('%s', async (_, run, text) => {
    const id = await newIdea({ budget: 1 });
    await watch(id, 'manager');
    const answer = await run(id);
    expect(answer.status, JSON.stringify(answer)).toBe(200);
    await tell();
    expect((await texts('manager', id))[0]).toBe(text);
  });

  it('an automation', async () => {
    await studio.make(
      'quests',
      { name: {}, state: {}, note: {} },
      {
        comments: true,
        grants: { 2: 'all', 3: 'all' },
        automations: [
          { name: 'note_it', events: ['update'], changedFields: ['state'], steps: [{ set: { note: 'By itself' } }] },
        ],
      },
    );
    const id = await made('/quests', { name: 'One', state: 'open' });
    await watch(id, 'manager', 'watching', 'quests');
    expect((await as.owner('PUT', `/quests/${id}`, { state: 'done' })).status).toBe(200);
    await vi.waitFor(
      async () =>
        expect((await as.owner<Record<string, unknown>>('GET', `/quests/${id}`)).body).toMatchObject({
          note: 'By itself',
        }),
      { timeout: 60_000 },
    );
    await tell();
    expect((await about('manager', id, 'quests')).map(({ content }) => content.split('\n\n')[1])).toEqual([
      'State: open → done\nNote: empty → By itself',
    ]);
  });

  it('deleting says so and leads nowhere; bringing back says only that', async () => {
    const id = await newIdea({ budget: 1 });
    await watchAnyway(id, everybody);
    await change(id, { budget: 2 });
    await tell();
    expect((await as.owner('DELETE', `/ideas/${id}`)).status).toBe(200);
    const deleted = async (who: Who) =>
      (await notices(who)).filter(({ title }) => title === 'Olivia Berg deleted Tunnel');
    for (const who of everybody)
      expect(
        (await deleted(who)).map(({ link }) => link),
        who,
      ).toEqual(['admin', 'manager', 'developer', 'qa'].includes(who) ? [null] : []);
    await tell();
    expect(await about('manager', id)).toEqual([]);
    const back = await as.owner('POST', '/ideas/restore', { ids: [id] });
    expect(back.status, JSON.stringify(back.body)).toBe(200);
    await as.manager('POST', '/notifications/read-all');
    await tell();
    expect((await texts('manager', id)).sort()).toEqual(['Budget: 1 → 2', 'Restored']);
  });

  it('deleting several at once: each is told of up to five, more in one; nothing to another company', async () => {
    const deletionsFor = async (who: Who) =>
      (await notices(who)).filter(({ title }) => /deleted (Gone |7 Ideas)/.test(title)).map(({ title }) => title);
    const remove = async (count: number) => {
      const ids: number[] = [];
      for (let at = 1; at <= count; at++) ids.push(await newIdea({ name: `Gone ${at}` }));
      for (const id of ids) await watchAnyway(id, everybody);
      const answer = await as.owner('POST', '/ideas/bulk', { delete: ids });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    };
    await remove(2);
    await remove(7);
    await tell();
    const told = [
      'Olivia Berg deleted 7 Ideas that you watch',
      'Olivia Berg deleted Gone 1',
      'Olivia Berg deleted Gone 2',
    ];
    for (const who of everybody)
      expect((await deletionsFor(who)).toSorted(), who).toEqual(
        ['admin', 'manager', 'developer', 'qa'].includes(who) ? told : [],
      );
  });

  it('archiving and bringing back from there', async () => {
    await studio.publish('films', (source) => {
      source.comments = true;
    });
    const id = await made('/films', { name: 'Old film' });
    await watch(id, 'manager', 'watching', 'films');
    await as.owner('DELETE', `/films/${id}`);
    await tell();
    expect((await about('manager', id, 'films'))[0]!.content).toMatch(/\n\nArchived$/);
    await as.manager('POST', '/notifications/read-all');
    await as.owner('PATCH', `/films/${id}/restore`, {});
    await tell();
    expect((await about('manager', id, 'films'))[0]!.content).toMatch(/\n\nRestored$/);
  });

  it('a record that nobody chose to watch leaves nothing behind', async () => {
    const id = await newIdea({ helper_id: ids.qa });
    await watch(id, 'developer', 'muted');
    await change(id, { budget: 2 });
    const { rows } = await sql`select from assay.watched_changes c join assay.history h on h.id = c.history_id
      where h.resource = 'ideas' and h.record_id = ${id}`.execute(demo.program.database.kysely);
    expect(rows).toEqual([]);
  });
});

describe('the text of a notification of changes', () => {
  it('follows a field that was renamed in the meantime', async () => {
    await studio.make('wishes', { name: {}, size: { type: 'number', integer: true } }, { comments: true });
    const id = await made('/wishes', { name: 'One', size: 1 });
    await watch(id, 'manager', 'watching', 'wishes');
    await as.owner('PUT', `/wishes/${id}`, { size: 2 });
    await studio.publish('wishes', (source) => {
      const { size, ...fields } = source.fields as Record<string, object>;
      source.fields = { ...fields, weight: { ...size, formerName: 'size' } } as never;
    });
    await tell();
    expect((await about('manager', id, 'wishes')).map(({ content }) => content.split('\n\n')[1])).toEqual([
      'Weight: 1 → 2',
    ]);
  });

  it('is empty for a resource that was removed, or has no comments', async () => {
    await studio.make('hints', { name: {} }, { comments: true });
    const id = await made('/hints', { name: 'One' });
    await watch(id, 'manager', 'watching', 'hints');
    await as.owner('PUT', `/hints/${id}`, { name: 'Two' });
    await studio.publish('hints', (source) => {
      delete source.comments;
    });
    await tell();
    expect(await about('manager', id, 'hints')).toEqual([]);
  });

  it('is not sent to a user who chose no notifications', async () => {
    const id = await newIdea({ budget: 1 });
    await watch(id, 'manager');
    await watch(id, 'admin');
    await as.manager('PATCH', '/preferences/notifications', { channels: { change: 'none' } });
    await change(id, { budget: 2 });
    await tell();
    expect(await about('manager', id)).toEqual([]);
    expect(await about('admin', id)).toHaveLength(1);
    await as.manager('PATCH', '/preferences/notifications', { channels: { change: null } });
  });
});
