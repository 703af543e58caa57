// @module-tag slow
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { password } from '../../support/accounts';
import { accounts, type Client } from '../../support/program';
import { book, send } from '../imports/files';
import { startStudio, type Refusal, type StudioProgram } from '../modules/studio';

type Row = Record<string, unknown> & { id: number };
type Answer = Row & Refusal;

let server: StudioProgram;
let owner: Client;
let admin: Client;
let harbour: Client;
let developer: Client;
/** The phases of the first company, and of the other one, by name. */
let phases: Record<string, number>;
let others: Record<string, number>;

const names = ['Open', 'Doing', 'Done', 'Dropped', 'Secret'];
const transitions: Source['fields'][string]['transitions'] = [
  { from: 'Open', to: ['Doing', 'Dropped'] },
  { from: 'Doing', to: 'Done', levels: [1, 2, 3], requiredFields: ['result'] },
  { from: 'Doing', to: 'Open', label: 'Put back', where: { hours: { $gt: 0 } } },
  { from: 'Done', to: 'Secret' },
];

async function makePhases(call: Client): Promise<Record<string, number>> {
  const made = names.map(async (name) => [name, (await call<Row>('POST', '/phases', { name })).body.id] as const);
  return Object.fromEntries(await Promise.all(made));
}

beforeAll(async () => {
  server = await startStudio();
  ({ owner, admin } = server);
  harbour = await server.program.signIn(accounts.harbour);
  await server.studio.make(
    'phases',
    { name: { required: true, unique: true } },
    {
      labels: { one: 'Phase', many: 'Phases' },
      grants: { 2: 'all', 4: 'read' },
      rules: [
        { levels: [4], action: ['list', 'view'], where: { name: { $ne: 'Secret' } }, reason: 'no secret phases' },
      ],
    },
  );
  phases = await makePhases(owner);
  others = await makePhases(harbour);
  await server.studio.make(
    'orders',
    {
      name: { required: true },
      phase_id: { type: 'relation', to: 'phases', embed: 'phase', label: 'Phase', initial: 'Open', transitions },
      result: {},
      hours: { type: 'number' },
      note: { readOnly: true },
    },
    {
      labels: { one: 'Order', many: 'Orders' },
      grants: { 2: 'all', 4: 'all' },
      requests: { move: { label: 'Move', path: 'order/{id}', sets: ['phase_id', 'result'] } },
      import: {},
      list: {
        views: ['list', 'kanban'],
        kanban: { column: 'phase_id' },
        inlineEdit: ['phase_id'],
        bulkEdit: ['phase_id'],
      },
      automations: [
        { name: 'done', transition: { field: 'phase_id', to: 'Done' }, steps: [{ set: { note: 'Finished' } }] },
        {
          name: 'drop',
          changedFields: ['hours'],
          events: ['update'],
          where: { hours: 99 },
          steps: [{ set: { phase_id: 'Dropped' } }],
        },
      ],
    },
  );
  developer = await server.program.signIn(accounts.developer);
});
afterAll(() => server?.program.close());

async function job(values: object = {}, as = owner): Promise<number> {
  const answer = await as<Answer>('POST', '/orders', { name: 'job', ...values });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}
async function doing(values: object = {}): Promise<number> {
  const id = await job(values);
  expect(await owner('PUT', `/orders/${id}`, { phase_id: phases.Doing })).toMatchObject({ status: 200 });
  return id;
}
async function done(): Promise<number> {
  const id = await doing({ result: 'Fine.' });
  expect(await owner('PUT', `/orders/${id}`, { phase_id: phases.Done })).toMatchObject({ status: 200 });
  return id;
}
const phaseOf = async (id: number, as = owner) =>
  (await as<{ phase: Row | null }>('GET', `/orders/${id}`)).body.phase?.name;

describe('a new record', () => {
  test.each<[string, object, number, string?]>([
    ['starts in the initial state', {}, 201],
    ['starts in it if none is sent', { phase_id: null }, 201],
    ['cannot start in another', { phase_id: 'Doing' }, 422, 'Phase of a new record must be Open.'],
  ])('%s', async (_, values: { phase_id?: string | null }, status, message) => {
    const named = values.phase_id ? { phase_id: phases[values.phase_id] } : values;
    const answer = await owner<Answer>('POST', '/orders', { name: 'x', ...named });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(message ? { errors: { phase_id: message } } : { phase_id: phases.Open });
  });

  test('of another company starts in the state of that name there', async () => {
    expect((await harbour<Answer>('POST', '/orders', { name: 'x' })).body).toMatchObject({ phase_id: others.Open });
    const site = (await server.query(`select site_id from phases where id = ${others.Open}`))[0]!.site_id;
    expect((await admin<Answer>('POST', '/orders', { name: 'x', site_id: site })).body).toMatchObject({
      phase_id: others.Open,
    });
  });

  test('gets it where nobody may write the field, and in bulk', async () => {
    const { body } = await developer<{ data: { created: Row[] } }>('POST', '/orders/bulk', {
      create: [{ name: 'a' }, { name: 'b', phase_id: phases.Open }],
    });
    expect(body.data.created).toMatchObject([{ phase_id: phases.Open }, { phase_id: phases.Open }]);
    const refused = await owner<Refusal>('POST', '/orders/bulk', {
      create: [{ name: 'a' }, { name: 'b', phase_id: phases.Done }],
    });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('Phase of a new record must be Open.');
  });
});

describe('a change is refused at its field, and changes nothing,', () => {
  test.each<[string, () => Promise<number>, string | null, Record<string, string>]>([
    [
      'if no transition leads there',
      () => job(),
      'Done',
      { phase_id: 'Phase cannot change from Open to Done. From Open it can become Doing or Dropped.' },
    ],
    [
      'if the state is final',
      async () => {
        const id = await job();
        await owner('PUT', `/orders/${id}`, { phase_id: phases.Dropped });
        return id;
      },
      'Open',
      { phase_id: 'Phase cannot change from Dropped to Open. Dropped is final.' },
    ],
    [
      'if it is emptied',
      () => job(),
      null,
      { phase_id: 'Phase cannot change from Open to nothing. From Open it can become Doing or Dropped.' },
    ],
    ['without what it needs', () => doing(), 'Done', { result: 'Result is required to change Phase to Done.' }],
    [
      'if its condition does not hold',
      () => doing(),
      'Open',
      { phase_id: 'Phase can change from Doing to Open only if hours > 0.' },
    ],
  ])('%s', async (_, make, to, errors) => {
    const id = await make();
    const before = await owner('GET', `/orders/${id}`);
    const phase_id = to === null ? null : phases[to];
    for (const [method, path] of [
      ['PUT', `/orders/${id}`],
      ['PATCH', `/orders/${id}`],
      ['PATCH', `/order/${id}`],
    ] as const)
      expect(await owner(method, path, { phase_id })).toMatchObject({ status: 422, body: { errors } });
    const bulk = await owner<Refusal>('POST', '/orders/bulk', { update: [{ id, phase_id }] });
    expect(bulk.status).toBe(422);
    expect(JSON.stringify(bulk.body)).toContain(Object.values(errors)[0]);
    expect(await owner('GET', `/orders/${id}`)).toMatchObject({ body: before.body as object });
  });

  test('for another level', async () => {
    const id = await doing({ result: 'x' });
    expect(await developer('PUT', `/orders/${id}`, { phase_id: phases.Done })).toMatchObject({
      status: 422,
      body: {
        errors: {
          phase_id:
            'You may not change Phase from Doing to Done: this is for Administrator, Company Owner and Manager.',
        },
      },
    });
    expect(await developer('PATCH', `/orders-phase-id-done/${id}`, { result: 'x' })).toMatchObject({ status: 403 });
    expect(await developer('PUT', `/orders/${id}`, { name: 'renamed' })).toMatchObject({ status: 200 });
  });

  test('if the record is not one that the caller may choose: its name stays unknown', async () => {
    const id = await done();
    const site = { status: 422, body: { errors: { phase_id: 'Phase: this choice is not available.' } } };
    for (const phase_id of [phases.Secret, others.Doing, 2_000_000_000])
      expect(await developer('PUT', `/orders/${id}`, { phase_id })).toMatchObject(site);
    expect(await developer('PATCH', `/orders-phase-id-secret/${id}`)).toMatchObject({
      status: 422,
      body: { errors: { phase_id: expect.stringContaining('there is no phase “Secret” that can be chosen here') } },
    });
    expect(await owner('PATCH', `/orders-phase-id-secret/${id}`)).toMatchObject({ status: 200 });
    // It is still shown what the record's state is.
    expect(await phaseOf(id, developer)).toBe('Secret');
  });
});

describe('its button', () => {
  test('changes it, with what it needs, and only from where it leads', async () => {
    const id = await doing();
    expect(await owner('PATCH', `/orders-phase-id-done/${id}`, {})).toMatchObject({
      status: 422,
      body: { errors: { result: 'Result is required.' } },
    });
    expect(await owner('PATCH', `/orders-phase-id-done/${id}`, { result: 'Fine.' })).toMatchObject({
      status: 200,
      body: { phase_id: phases.Done, result: 'Fine.' },
    });
    expect(await owner('PATCH', `/orders-phase-id-done/${id}`, { result: 'Again.' })).toMatchObject({ status: 409 });
  });

  test('means the record of that name in the company of the record, for whoever makes it', async () => {
    const id = await job({}, harbour);
    expect(await admin('PATCH', `/orders-phase-id-doing/${id}`)).toMatchObject({
      status: 200,
      body: { phase_id: others.Doing },
    });
  });

  test('of 16 at once, one changes it', async () => {
    const id = await job();
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        owner('PATCH', `/orders-phase-id-${index % 2 ? 'doing' : 'dropped'}/${id}`),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(15).fill(409)]);
    const history = await owner<{ data: { event: string }[] }>('GET', `/orders/${id}/history`);
    expect(history.body.data.filter(({ event }) => event === 'updated')).toHaveLength(1);
  });

  test('of 16 writers that change it with PUT, those that come later meet the new state', async () => {
    const id = await job();
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        owner<Row>('PUT', `/orders/${id}`, { phase_id: index % 2 ? phases.Doing : phases.Dropped }),
      ),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ body }) => body.phase_id)).size).toBe(1);
    expect(answers.filter(({ status }) => status !== 200 && status !== 422)).toEqual([]);
  });
});

test('the choices of the field are those of the states that are asked for', async () => {
  const choices = async (query: string, as = owner) =>
    (await as<{ data: Row[] }>('GET', `/orders/choices/phase_id?${query}`)).body.data;
  expect(await choices(`states=${encodeURIComponent('["Open","Doing"]')}`)).toEqual([
    { id: phases.Doing, title: 'Doing', state: 'Doing' },
    { id: phases.Open, title: 'Open', state: 'Open' },
  ]);
  expect((await choices('', developer)).map(({ state }) => state)).toEqual(['Doing', 'Done', 'Dropped', 'Open']);
  for (const wrong of ['Open', '["Open",3]', '{}', '["\\u0000"]'])
    expect(await owner('GET', `/orders/choices/phase_id?states=${encodeURIComponent(wrong)}`)).toMatchObject({
      status: 400,
    });
});

test('an import follows the transitions', async () => {
  const { body } = await server.program.call<{ token: string }>('POST', '/login', { email: accounts.owner, password });
  const file = book([
    ['Name', 'Phase'],
    ['a', 'Open'],
    ['b', 'Done'],
    ['c', ''],
  ]);
  const seen = await send(server.program, body.token, '/orders/import?preview=1', file);
  expect(seen.body).toMatchObject({
    ready: 2,
    errors: [{ row: 3, column: 'Phase', message: 'Phase of a new record must be Open.' }],
  });
});

test('automations wait for a state and set one, by its name', async () => {
  const id = await done();
  await vi.waitFor(async () =>
    expect((await owner<Row>('GET', `/orders/${id}`)).body).toMatchObject({ note: 'Finished' }),
  );
  const open = await job();
  await owner('PUT', `/orders/${open}`, { hours: 99 });
  await vi.waitFor(async () => expect(await phaseOf(open)).toBe('Dropped'));
  // Where no transition leads to it, the run says why.
  const finished = await done();
  await owner('PUT', `/orders/${finished}`, { hours: 99 });
  const filter = encodeURIComponent(JSON.stringify({ resource: 'orders', record_id: finished, automation: 'drop' }));
  await vi.waitFor(async () =>
    expect((await admin<Row[]>('GET', `/automation-runs?filter=${filter}`)).body).toMatchObject([
      { state: 'refused', message: expect.stringContaining('Phase cannot change from Done to Dropped.') },
    ]),
  );
});

test('“Why?” lists what it can change to', async () => {
  const id = await doing();
  const [user] = await server.query(`select id from users where email = '${accounts.developer}'`);
  const { body } = await admin<{ data: { steps: { kind: string; text: string }[] } }>(
    'GET',
    `/permissions/why?user_id=${user!.id as number}&module=orders&action=edit&id=${id}&field=phase_id`,
  );
  expect(body.data.steps.find(({ kind }) => kind === 'transition')?.text).toBe(
    'Phase can change from Doing to Open only if hours > 0. You may not change Phase from Doing to Done: this is for Administrator, Company Owner and Manager.',
  );
});

describe('a record that is a state', () => {
  test('stays one if it is deleted: its transitions lead on, and none leads to it', async () => {
    const [phase] = await server.query(`select id, site_id from phases where id = ${phases.Open}`);
    const id = await job();
    const other = await doing({ hours: 1 });
    expect(await owner('DELETE', `/phases/${phase!.id as number}`)).toMatchObject({ status: 409 });
    expect(await phaseOf(id)).toBe('Open');
    expect(await owner('PUT', `/orders/${other}`, { phase_id: phases.Open })).toMatchObject({ status: 200 });
  });

  test('means another state, or none, when it is renamed', async () => {
    const id = await doing({ hours: 1, result: 'x' });
    expect(await owner('PUT', `/phases/${phases.Doing}`, { name: 'Busy' })).toMatchObject({ status: 200 });
    try {
      expect(await owner('PUT', `/orders/${id}`, { phase_id: phases.Done })).toMatchObject({
        status: 422,
        body: {
          errors: {
            phase_id:
              'Phase cannot change from Busy to Done. No transition of Phase names Busy: it was perhaps renamed.',
          },
        },
      });
      expect(await owner('PATCH', `/orders-phase-id-doing/${await job()}`)).toMatchObject({
        status: 422,
        body: { errors: { phase_id: expect.stringContaining('there is no phase “Doing” that can be chosen here') } },
      });
      expect(await owner('PUT', `/orders/${id}`, { name: 'renamed' })).toMatchObject({ status: 200 });
    } finally {
      await owner('PUT', `/phases/${phases.Doing}`, { name: 'Doing' });
    }
    expect(await owner('PUT', `/orders/${id}`, { phase_id: phases.Done })).toMatchObject({ status: 200 });
  });

  test('is missing for new records if it has another name', async () => {
    expect(await harbour('PUT', `/phases/${others.Open}`, { name: 'Begun' })).toMatchObject({ status: 200 });
    try {
      expect(await harbour('POST', '/orders', { name: 'x' })).toMatchObject({
        status: 422,
        body: { errors: { phase_id: expect.stringContaining('there is no phase “Open” that can be chosen here') } },
      });
    } finally {
      await harbour('PUT', `/phases/${others.Open}`, { name: 'Open' });
    }
  });
});
