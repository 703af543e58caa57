// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AutomationSource, Source } from '../../../src/engine/language/source';
import { accounts, type Client } from '../../support/program';
import { startStudio, type StudioProgram } from '../modules/studio';

type Row = Record<string, unknown> & { id: number };
interface Tried {
  readonly name: string;
  readonly runs: boolean;
  readonly reason: string;
  readonly unmet: string[];
  readonly as: string | null;
  readonly state: string | null;
  readonly message: string | null;
  readonly steps: Record<string, unknown>[];
}
interface Answer {
  readonly data: { note: string | null; automations: Tried[] };
  readonly message?: string;
  readonly errors?: Record<string, string>;
}

let { program, admin, owner, studio, query } = {} as StudioProgram;
let ownerId: number;
let harbour: Client;
const ownerName = 'Olivia Berg';
let gig: Row;
let band: Row;

const when: AutomationSource[] = [
  {
    name: 'sold_out',
    label: 'Tell the booker',
    events: ['update'],
    changedFields: ['state'],
    where: { state: 'sold_out', 'band_id.name': { $ne: 'Silent' } },
    steps: [
      { notify: 'booker_id', text: '{name} of {band_id.name} is {state}' },
      { mail: { to: 'contact', subject: 'About {name}', text: 'State: {state}.' } },
      { set: { note: 'Sold out: {name}', booker_id: null } },
      { create: 'calls', values: { name: 'Thank {name}', gig_id: '$record.id', site_id: 1 } },
      { webhook: 'chat' },
    ],
  },
  {
    name: 'cancelled',
    transition: { field: 'state', to: 'cancelled' },
    steps: [{ create: 'calls', values: { name: 'x' } }],
  },
  { name: 'gone', events: ['delete'], steps: [{ notify: 'booker_id', text: '{name} was deleted' }] },
  {
    name: 'morning',
    schedule: 'day',
    runAs: 'booker_id',
    where: { $and: [{ state: 'open' }, { note: { $ne: null } }] },
    steps: [{ set: { note: null } }],
  },
];

beforeAll(async () => {
  ({ program, admin, owner, studio, query } = await startStudio());
  harbour = await program.signIn(accounts.harbour);
  [{ id: ownerId }] = (await query(`select id from users where email = '${accounts.owner}'`)) as [Row];
  await studio.make('bands', { name: { required: true } });
  const states = { open: 'Open', sold_out: 'Sold Out', cancelled: 'Cancelled' };
  await studio.make(
    'gigs',
    {
      name: { required: true },
      band_id: { type: 'relation', to: 'bands' },
      booker_id: { type: 'relation', to: 'users' },
      contact: { type: 'email' },
      code: { secret: true },
      state: { type: 'select', options: Object.entries(states).map(([value, label]) => ({ value, label })) },
      note: {},
    },
    { labels: { one: 'Gig', many: 'Gigs' } },
  );
  await studio.make('calls', { name: { required: true }, gig_id: { type: 'relation', to: 'gigs', onDelete: 'clear' } });
  band = await made(owner, 'bands', { name: 'Loud' });
  gig = await made(owner, 'gigs', {
    name: 'Friday',
    state: 'open',
    code: 'hush',
    contact: 'press@example.com',
    band_id: band.id,
    booker_id: ownerId,
  });
  const hook = await made(admin, 'webhooks', { name: 'chat', url: 'https://example.com/hook' });
  expect((await admin('POST', `/webhooks/${hook.id}/secret`)).status).toBe(200);
});
afterAll(() => program?.close());

async function made(call: Client, path: string, values: object): Promise<Row> {
  const answer = await call<Row>('POST', `/${path}`, values);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

async function draft(change: (source: Source) => void = (source) => void (source.automations = when)): Promise<Source> {
  const source = structuredClone((await studio.module('gigs')).definition) as Source;
  change(source);
  return source;
}
const attempt = (body: object, call = admin) => call<Answer>('POST', '/modules/gigs/try', body);
async function tried(body: object): Promise<Record<string, Tried>> {
  const answer = await attempt(body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return Object.fromEntries(answer.body.data.automations.map((one) => [one.name, one]));
}

/** The rows of every table of the database, except those that each request writes. */
async function everything(): Promise<Record<string, unknown>> {
  const tables = await query(`select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'assay') or schemaname = 'assay_queue' and tablename = 'job' order by 1`);
  const counted: Record<string, unknown> = {};
  for (const { name } of tables as { name: string }[]) {
    const [row] = await query(
      `select count(*)::integer as n, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as content from ${name} t`,
    );
    counted[name] = row;
  }
  // When somebody was last seen, and the log of sign-ins, which is written after their answer.
  delete counted['assay.tokens'];
  delete counted['assay.security_log'];
  return counted;
}

describe('trying automations out', () => {
  test('a draft says what each would do, and does nothing of it', async () => {
    const definition = await draft();
    const before = await everything();
    const all = await tried({ definition, record: gig.id, changed: { state: 'sold_out' } });
    expect(await everything()).toEqual(before);
    expect(all.sold_out).toMatchObject({
      label: 'Tell the booker',
      runs: true,
      state: 'done',
      message: null,
      unmet: [],
      reason: 'Because State changed to Sold Out, and its condition was met.',
      steps: [
        { step: 'notify', messages: [{ user: ownerName, text: 'Friday of Loud is Sold Out' }] },
        {
          step: 'mail',
          mail: { user: null, address: 'p…@example.com', subject: 'About Friday', text: 'State: Sold Out.\n' },
        },
        {
          step: 'set',
          records: [
            {
              resource: 'gigs',
              values: [
                { field: 'note', label: 'Note', value: 'Sold out: Friday', text: 'Sold out: Friday' },
                { field: 'booker_id', value: null, text: '' },
              ],
            },
          ],
        },
        {
          step: 'create',
          records: [
            {
              resource: 'calls',
              values: [
                { field: 'name', value: 'Thank Friday' },
                { field: 'gig_id', value: gig.id, text: 'Friday' },
                { field: 'site_id', value: 1 },
              ],
            },
          ],
        },
        { step: 'webhook', webhook: { name: 'chat' } },
      ],
    });
    const sent = JSON.parse((all.sold_out!.steps[4]!.webhook as { body: string }).body) as { data: { record: Row } };
    expect(sent).toMatchObject({ type: 'gigs.updated', data: { automation: 'sold_out', record: { name: 'Friday' } } });
    expect(sent.data.record).not.toHaveProperty('code');
    expect(all.cancelled).toMatchObject({ runs: false, reason: 'State does not become Cancelled.', steps: [] });
    expect(all.gone).toMatchObject({ runs: false, reason: 'It runs when a record is deleted, not changed.' });
  });

  test('says which parts of a condition do not hold', async () => {
    const definition = await draft();
    const all = await tried({ definition, record: gig.id });
    expect(all.sold_out).toMatchObject({
      runs: false,
      reason: 'Its condition is not met.',
      unmet: ['state = “sold_out”'],
      as: null,
      state: null,
    });
    expect(all.gone).toMatchObject({
      runs: true,
      steps: [{ messages: [{ user: ownerName, text: 'Friday was deleted' }] }],
    });
    expect(all.morning).toMatchObject({ runs: false, unmet: [expect.stringContaining('note')] });
    const timely = await tried({ definition, record: gig.id, trigger: 'time', changed: { note: 'Hi' } });
    expect(timely.morning).toMatchObject({ runs: true, as: ownerName, state: 'done' });
    expect(timely.sold_out).toMatchObject({ runs: false, reason: expect.stringContaining('not for a time') });
    const named = await tried({ definition, record: gig.id, changed: { name: 'Other' } });
    expect(named.sold_out!.reason).toBe('None of its fields changes: State.');
  });

  test('shows a refusal as the run would', async () => {
    const restricted = await program.restricted();
    await restricted.grant(['gigs.list', 'gigs.view', 'gigs.edit', 'bands.list', 'bands.view']);
    const [{ user_id: author }] = (await query('select max(id) as user_id from users')) as [{ user_id: number }];
    const before = await everything();
    const body = { definition: await draft(), record: gig.id, changed: { state: 'sold_out' }, author };
    const { sold_out: one } = await tried(body);
    expect(one).toMatchObject({ runs: true, state: 'refused', message: expect.stringContaining('permission') });
    expect(one!.steps.map(({ step }) => step)).toEqual(['notify', 'mail', 'set']);
    expect(await everything()).toEqual(before);
    await restricted.grant([]);
    const refused = await attempt(body);
    expect(refused.status).toBe(403);
  });

  test('works on what is published too, and on a draft whose new fields have no columns yet', async () => {
    expect(await tried({ record: gig.id })).toEqual({});
    const wider = await draft((source) => {
      source.fields.extra = {};
      source.automations = [when[2]!];
    });
    const answer = await attempt({ definition: wider, record: gig.id });
    expect(answer.body.data).toMatchObject({
      note: expect.stringContaining('changes tables'),
      automations: [{ runs: true }],
    });
    wider.automations = [{ name: 'a', events: ['update'], steps: [{ set: { extra: 'x' } }] }];
    const early = await attempt({ definition: wider, record: gig.id });
    expect(early.status).toBe(422);
    expect(early.body.message).toContain('Publish those first');
    // What was tried out is not what is in force.
    expect((await owner<Row>('GET', `/gigs/${gig.id}`)).body).toMatchObject({ name: 'Friday', state: 'open' });
    expect((await owner('PUT', `/gigs/${gig.id}`, { extra: 'x' })).status).toBe(422);
  });

  test('is refused for faults, for records that are not there, and for everybody else', async () => {
    const faulty = await draft((source) => {
      source.automations = [
        { name: 'a', events: ['update'], changedFields: ['stat'], steps: [{ set: { note: 'x' } }] },
      ];
    });
    const before = await everything();
    const answer = await attempt({ definition: faulty, record: gig.id });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors!)).toEqual(['/automations/0/changedFields/0']);
    const definition = await draft();
    expect((await attempt({ definition, record: 999_999 })).status).toBe(404);
    expect((await admin('POST', '/modules/nothing/try', { record: 1 })).status).toBe(404);
    expect((await attempt({ definition, record: gig.id, changed: { state: 'lost' } })).status).toBe(422);
    expect((await attempt({ definition, record: gig.id, changed: { nothing: 1 } })).status).toBe(422);
    expect((await attempt({ definition, record: gig.id, author: 999_999 })).status).toBe(422);
    for (const call of [owner, harbour]) {
      expect((await attempt({ definition, record: gig.id }, call)).status).toBe(403);
    }
    expect(await everything()).toEqual(before);
  });

  test('a record that a rule hides from the caller is not found, and users of other companies are not told', async () => {
    const ruled = await draft((source) => {
      source.automations = when;
      source.rules = [
        { levels: [1], action: ['list', 'view'], where: { state: 'cancelled' }, reason: 'only cancelled' },
      ];
    });
    expect((await attempt({ definition: ruled, record: gig.id })).status).toBe(404);
    const [stranger] = (await query(`select id from users where email = '${accounts.harbour}'`)) as [Row];
    await query(`update gigs set booker_id = ${stranger.id} where id = ${gig.id}`);
    const { gone } = await tried({ definition: await draft(), record: gig.id });
    expect(gone).toMatchObject({
      steps: [{ messages: [], text: 'Notified 0 users; 1 other may not view the record or cannot sign in.' }],
    });
    await query(`update gigs set booker_id = ${ownerId} where id = ${gig.id}`);
  });

  test('is in the document of the API', async () => {
    const { body } = await admin<{ paths: Record<string, object> }>('GET', '/openapi.json');
    expect(Object.keys(body.paths)).toContain('/modules/{name}/try');
  });
});
