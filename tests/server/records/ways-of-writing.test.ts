// @module-tag slow
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import type { Hook } from '../../../src/server/program';
import { product } from '../../fixtures/product';
import { sourceOf } from '../../support/definitions';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';
import { book, send } from '../imports/files';

// The same change through a single call, bulk, an import and an action: row, history, events, hooks and automations.

type Row = Record<string, unknown> & { id: number };

/** The moments of hooks, by the name of the record that they saw. */
let moments: Record<string, string[]> = {};
const noteMoment = ({ event, previousRow, values }: Parameters<Hook>[0]) =>
  void (moments[String(values.name)] ??= []).push(`${event} of a ${previousRow ? 'stored' : 'new'} record`);

const hooks: Record<string, Hook> = {
  codeParcel: async (context) => {
    noteMoment(context);
    const { values, fail, forbid } = context;
    if (values.note === 'refuse') fail('note', 'This note is refused.');
    if (values.note === 'forbid at once') forbid('This parcel is nobody’s.');
    return { code: `${String(values.carrier)}-${String(values.weight ?? '')}` };
  },
  labelParcel: async (context) => {
    noteMoment(context);
    const { values, forbid } = context;
    if (values.note === 'forbid') forbid('This parcel stays as it is.');
    return { label: `${String(values.code)} ${String(values.sent_on ?? '')}` };
  },
  noteParcel: async (context) => noteMoment(context),
};

const carriers = ['north', 'south', 'west'];
const parcelFields: Source['fields'] = {
  name: { required: true },
  carrier: { type: 'select', options: carriers.map((value) => ({ value, label: value })), default: 'south' },
  weight: { type: 'number', decimal: true, digits: 2, min: 0 },
  sent_on: { type: 'date' },
  note: { type: 'textarea' },
  maker_id: { type: 'relation', to: 'makers', embed: 'maker', label: 'Maker' },
  partner_ids: { type: 'relations', to: 'makers', label: 'Partners' },
  shelf_id: { type: 'relation', to: 'shelves', label: 'Shelf', required: true },
  starts_at: { type: 'time' },
  ends_at: { type: 'time' },
  length: { type: 'duration', startField: 'starts_at', endField: 'ends_at' },
  code: { readOnly: true },
  label: { readOnly: true },
  papers: { type: 'files', readOnly: { carrier: 'west' } },
};
const sentFields = ['carrier', 'weight', 'sent_on', 'note', 'maker_id', 'partner_ids', 'starts_at', 'ends_at'];

const parcels = (name: string, withHooks: boolean) =>
  sourceOf(name, parcelFields, {
    scope: 'company',
    ...(withHooks && {
      hooks: { beforeValidate: ['codeParcel'], beforeSave: ['labelParcel'], afterSave: ['noteParcel'] },
    }),
    import: { match: ['name'] },
    requests: { change: { label: 'Change', path: `${name}-change/{id}`, sets: sentFields } },
    automations: [
      {
        name: 'heavy',
        label: 'Check heavy ones',
        events: ['create', 'update'],
        changedFields: ['weight'],
        where: { weight: { $gte: 50 } },
        // It writes to another resource, so that it leaves these records as the change left them.
        steps: [{ create: 'checks', values: { name: 'Heavy' } }],
      },
    ],
  } as Partial<Source>);

let demo: DemoProgram;
let owner: Client;
let token: string;
let folder: string;
let makers: Row[];
let shelf: number;
const events: { resource: string; id: number; event: string }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-ways-'));
  cpSync(product.folder, folder, { recursive: true });
  const write = (source: Source) => writeFileSync(join(folder, `${source.name}.json`), JSON.stringify(source));
  for (const name of ['makers', 'checks']) write(sourceOf(name, { name: { required: true } }, { scope: 'company' }));
  write(
    sourceOf('shelves', { name: { required: true } }, {
      scope: 'company',
      requests: Object.fromEntries(
        ['parcels', 'letters'].map((resource) => [
          `put_${resource}`,
          {
            label: 'Put',
            path: `shelf-${resource}/{id}`,
            sets: [],
            adds: { resource, relation: 'shelf_id', fields: ['name', ...sentFields] },
          },
        ]),
      ),
    } as Partial<Source>),
  );
  write(parcels('parcels', true));
  write(parcels('letters', false));
  demo = await startDemoProgram({ product: { ...product, hooks: { ...product.hooks, ...hooks } }, folder });
  owner = await demo.signIn(accounts.owner);
  const login = { email: accounts.owner, password: 'Demo@1234' };
  token = (await demo.call<{ token: string }>('POST', '/login', login)).body.token;
  demo.program.live.subscribe((event) => events.push(event as (typeof events)[number]));
  makers = await Promise.all(['Acme', 'Bolt', 'Coil'].map((name) => must('POST', '/makers', { name })));
  shelf = (await must('POST', '/shelves', { name: 'Shelf' })).id;
});
afterAll(async () => {
  await demo?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function must(method: string, path: string, body: object): Promise<Row> {
  const answer = await owner<{ data: Row }>(method, path, body);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return (answer.body.data ?? answer.body) as Row;
}

/** A change as the API takes it, and as cells of a file. */
interface Sent {
  readonly carrier: string;
  readonly weight: number | null;
  readonly sent_on: string | null;
  readonly note: string | null;
  readonly maker: number | null;
  readonly partners: readonly number[];
  readonly times: readonly [string, string] | null;
}

const valuesOf = ({ maker, partners, times, ...plainValues }: Sent) => ({
  ...plainValues,
  maker_id: maker === null ? null : makers[maker]!.id,
  partner_ids: partners.map((index) => makers[index]!.id),
  starts_at: times?.[0] ?? null,
  ends_at: times?.[1] ?? null,
});
const headings = ['Name', 'Carrier', 'Weight', 'Sent On', 'Note', 'Maker', 'Partners', 'Shelf', 'Starts At', 'Ends At'];
const cellsOf = (name: string, { carrier, weight, sent_on, note, maker, partners, times }: Sent) => [
  name,
  carrier,
  weight ?? '',
  sent_on ?? '',
  note ?? '',
  maker === null ? '' : makers[maker]!.name,
  partners.map((index) => makers[index]!.name).join(', '),
  'Shelf',
  times?.[0] ?? '',
  times?.[1] ?? '',
];

async function importRow(resource: string, name: string, sentValues: Sent): Promise<void> {
  const { status, body } = await send(demo, token, `/${resource}/import`, book([headings, cellsOf(name, sentValues)]));
  expect([status, body.errors ?? []], JSON.stringify(body)).toEqual([200, []]);
}

/** The ways of creating a record; each stores one of that name. */
const creations = {
  'a single call': (resource: string, name: string, sentValues: Sent) =>
    must('POST', `/${resource}`, { name, shelf_id: shelf, ...valuesOf(sentValues) }),
  bulk: (resource: string, name: string, sentValues: Sent) =>
    must('POST', `/${resource}/bulk`, { create: [{ name, shelf_id: shelf, ...valuesOf(sentValues) }] }),
  'an import': importRow,
  'an action': (resource: string, name: string, sentValues: Sent) =>
    must('PATCH', `/shelf-${resource}/${shelf}`, { name, ...valuesOf(sentValues) }),
};

/** The ways of changing one. */
const changes = {
  'a single call': (resource: string, { id }: Row, sentValues: Sent) =>
    must('PUT', `/${resource}/${id}`, valuesOf(sentValues)),
  bulk: (resource: string, { id }: Row, sentValues: Sent) =>
    must('POST', `/${resource}/bulk`, { update: [{ id, ...valuesOf(sentValues) }] }),
  'an import': (resource: string, { name }: Row, sentValues: Sent) => importRow(resource, String(name), sentValues),
  'an action': (resource: string, { id }: Row, sentValues: Sent) =>
    must('PATCH', `/${resource}-change/${id}`, valuesOf(sentValues)),
};

/** Values of which each may be left empty. */
const someValues = arbitraryValues((values) => fc.option(values, { freq: 3 }), 0);
/** A value of each field: an empty cell of an import leaves a stored value as it is. */
const allValues = arbitraryValues((values) => values, 1);

function arbitraryValues(
  orEmpty: <T>(values: fc.Arbitrary<T>) => fc.Arbitrary<T | null>,
  minLength: number,
): fc.Arbitrary<Sent> {
  return fc.record({
    carrier: fc.constantFrom(...carriers),
    weight: orEmpty(fc.integer({ min: 0, max: 9_999 }).map((cents) => cents / 100)),
    sent_on: orEmpty(fc.constantFrom('2026-01-31', '2026-02-28', '2027-12-01')),
    note: orEmpty(fc.constantFrom('fragile', 'Two\nlines', '=1+1', 'ä “quoted”, comma')),
    maker: orEmpty(fc.constantFrom(0, 1, 2)),
    partners: fc.subarray([0, 1, 2], { minLength }),
    times: orEmpty(fc.constantFrom<[string, string][]>(['08:00', '09:30'], ['10:00', '10:00'], ['22:00', '23:59'])),
  });
}

const query = async (text: string, parameters: unknown[]) =>
  (await demo.program.database.pool.query(text, parameters)).rows as Row[];

/** The traces of a change, without what differs from record to record by its nature. */
async function traceOf(resource: string, name: string) {
  const rows = await query(`select * from public.${resource} where name = $1`, [name]);
  expect(rows).toHaveLength(1);
  const { id, created_at, updated_at, name: _name, ...columns } = rows[0]!;
  const row = Object.fromEntries(Object.entries(columns).filter(([column]) => !column.startsWith('search$')));
  const withoutName = <T>(value: T): T => JSON.parse(JSON.stringify(value ?? null).replaceAll(name, 'NAME')) as T;
  const history = await query(
    `select event, old_values, new_values, user_id from assay.history
      where resource = $1 and record_id = $2 order by id`,
    [resource, id],
  );
  const runs = await query(
    `select automation, trigger, reason, depth, user_id from assay.automation_runs
      where resource = $1 and record_id = $2 order by id`,
    [resource, id],
  );
  const partners = await query(
    `select target_id from public.${resource}__partner_ids where record_id = $1 order by target_id`,
    [id],
  );
  return withoutName({
    row,
    stamps: [created_at !== null, updated_at !== null],
    partners: partners.map(({ target_id }) => target_id),
    history,
    runs,
    moments: moments[name] ?? [],
    events: events.filter((event) => event.resource === resource && event.id === id).map(({ event }) => event),
  });
}

let count = 0;

/** The moments of hooks around one write; letters have no hooks. */
const momentsOf = (resource: string, kind: 'new' | 'stored') =>
  resource === 'parcels'
    ? ['beforeValidate', 'beforeSave', 'afterSave'].map((event) => `${event} of a ${kind} record`)
    : [];

describe.each(['parcels', 'letters'])('one change of %s leaves the same', (resource) => {
  test('row, history, hooks, automations and events, whichever way it comes', async () => {
    await fc.assert(
      fc.asyncProperty(someValues, allValues, async (first, second) => {
        moments = {};
        const traces: [way: string, trace: Awaited<ReturnType<typeof traceOf>>][] = [];
        for (const [wayName, create] of Object.entries(creations)) {
          const name = `New ${(count += 1)}x`;
          await create(resource, name, first);
          traces.push([wayName, await traceOf(resource, name)]);
        }
        for (const [wayName, change] of Object.entries(changes)) {
          const name = `Old ${(count += 1)}x`;
          const { id } = await creations['a single call'](resource, name, first);
          await change(resource, { id, name }, second);
          traces.push([`${wayName}, of a stored record`, await traceOf(resource, name)]);
        }
        const [created, changedTraces] = [traces.slice(0, 4), traces.slice(4)];
        // The order that docs/extending.md states.
        expect(created[0]![1].moments).toEqual(momentsOf(resource, 'new'));
        expect(changedTraces[0]![1].moments).toEqual([...momentsOf(resource, 'new'), ...momentsOf(resource, 'stored')]);
        for (const [wayName, trace] of created) expect(trace, wayName).toEqual(created[0]![1]);
        for (const [wayName, trace] of changedTraces) expect(trace, wayName).toEqual(changedTraces[0]![1]);
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });
});

describe('what differed between the ways of writing', () => {
  const body = (name: string, moreValues: object = {}) => ({ name, shelf_id: shelf, ...moreValues });

  test('a file that was sent for a read-only field is still free for another record', async () => {
    const form = new FormData();
    form.append('file', new Blob(['notes']), 'notes.txt');
    const request = new Request('http://localhost', { method: 'POST', body: form });
    const upload = await demo.app.inject({
      method: 'POST',
      url: '/api/letters/files?field=papers',
      headers: { authorization: `Bearer ${token}`, 'content-type': request.headers.get('content-type')! },
      payload: Buffer.from(await request.arrayBuffer()),
    });
    const { data: file } = upload.json<{ data: object }>();
    const closedLetter = await must('POST', '/letters', body('Closed', { carrier: 'west' }));
    expect(await must('PUT', `/letters/${closedLetter.id}`, { note: 'changed', papers: [file] })).toMatchObject({
      note: 'changed',
      papers: null,
    });
    expect(await must('POST', '/letters', body('Open', { papers: [file] }))).toMatchObject({
      papers: [{ name: 'notes.txt' }],
    });
  });

  test('a company that cannot be chosen is the only error, in a single call and in bulk', async () => {
    const foreign = body('Foreign', { maker_id: makers[0]!.id, site_id: 2 });
    const message = expect.stringContaining('this choice is not available') as string;
    const singleAnswer = await owner<{ errors: object }>('POST', '/letters', foreign);
    expect([singleAnswer.status, singleAnswer.body.errors]).toEqual([422, { site_id: message }]);
    const bulk = await owner<{ errors: object }>('POST', '/letters/bulk', { create: [foreign] });
    expect([bulk.status, bulk.body.errors]).toEqual([422, { 'create[0].site_id': message }]);
  });

  test('hooks before the validation run once for each record, though another is refused while they are stored', async () => {
    moments = {};
    const create = [body('First'), body('Second'), body('Third', { note: 'forbid' })];
    expect((await owner('POST', '/parcels/bulk', { create })).status).toBe(403);
    for (const name of ['First', 'Second', 'Third'])
      expect(moments[name]!.filter((moment) => moment.startsWith('beforeValidate'))).toHaveLength(1);
  });

  test('a refusal by a hook is answered alike in a single call and in bulk', async () => {
    const refusals = { refuse: 422, 'forbid at once': 403, forbid: 403 };
    for (const [note, status] of Object.entries(refusals)) {
      const refusedParcel = body('Refused', { note });
      expect((await owner('POST', '/parcels', refusedParcel)).status).toBe(status);
      expect((await owner('POST', '/parcels/bulk', { create: [refusedParcel] })).status).toBe(status);
    }
  });
});
