// @module-tag slow
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

// Which status and code a refusal has: every line of the table in docs/scripts.md is made here once.

const crates = sourceOf(
  'crates',
  {
    name: { type: 'text', required: true, unique: true },
    weight: { type: 'number', max: 100 },
    note: { type: 'text' },
    is_secret: { type: 'boolean', default: false },
    from_on: { type: 'date' },
    to_on: { type: 'date', notBefore: 'from_on' },
    packer_id: { type: 'relation', to: 'users', choices: { 'role_id.level': 5 } },
    state: {
      type: 'select',
      initial: 'new',
      options: [
        { value: 'new', label: 'New' },
        { value: 'packed', label: 'Packed' },
        { value: 'sent', label: 'Sent' },
      ],
      transitions: [
        { from: 'new', to: 'packed', label: 'Pack', where: { weight: { $gt: 0 } }, requiredFields: ['note'] },
        { from: 'packed', to: 'sent', label: 'Send', levels: [1, 2, 3] },
      ],
    },
    is_paid: { type: 'boolean', default: false, readOnly: true },
  },
  {
    labels: { one: 'Crate', many: 'Crates' },
    scope: 'company',
    archive: {},
    noOverlap: { fields: ['from_on', 'to_on'], message: 'These days are taken.' },
    validate: [
      { condition: { weight: { $ne: 13 } }, field: 'weight', message: 'Thirteen is not weighed: take another crate.' },
    ],
    requests: {
      pay: {
        label: 'Pay',
        sets: { is_paid: true },
        where: { is_paid: false },
        levels: [1, 2, 3],
        asks: ['note'],
        required: ['note'],
      },
    },
    rules: [
      { levels: [5], action: ['list', 'view'], where: { is_secret: false }, reason: 'no secret crates' },
      {
        levels: [5],
        action: 'edit',
        where: { created_by: '$actor.id' },
        exceptFields: ['weight'],
        reason: 'only what you entered yourself',
      },
    ],
    grants: { '2': 'all', '3': 'all', '4': 'none', '5': ['list', 'view', 'create', 'edit'], '6': 'none' },
  },
);
const seals = sourceOf(
  'seals',
  { name: {}, original_id: { type: 'relation', to: 'seals' } },
  { labels: { one: 'Seal', many: 'Seals' }, scope: 'company' },
);

type Row = Record<string, unknown> & { id: number };

let demo: DemoProgram;
let as: Record<'owner' | 'tester' | 'harbour' | 'nobody', Client>;
beforeAll(async () => {
  demo = await startFixtureProgram();
  const admin = await demo.signIn(accounts.admin);
  for (const definition of [crates, seals]) {
    const made = await admin('POST', '/modules', { definition });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  const [owner, tester, harbour] = await Promise.all(
    [accounts.owner, accounts.qa, accounts.harbour].map((email) => demo.signIn(email)),
  );
  as = { owner: owner!, tester: tester!, harbour: harbour!, nobody: demo.call };
});
afterAll(() => demo?.close());

let count = 0;
async function crate(values: object = {}, who: Client = as.owner): Promise<Row> {
  const { status, body } = await who<Row>('POST', '/crates', { name: `Crate ${++count}`, ...values });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}
const change = async (values: object, before: object = {}, who: Client = as.owner) =>
  who('PUT', `/crates/${(await crate(before)).id}`, values);

/** The refusals of the table, by its first column. */
const refusals: Readonly<Record<string, () => Promise<{ status: number; body: unknown }>>> = {
  'the body is not JSON': () => as.owner('POST', '/crates', '{' as never, { 'content-type': 'application/json' }),
  'a list has no such filter': () => as.owner('GET', '/crates?colour=red'),
  '`fields` names a field that there is not': () => as.owner('GET', '/crates?fields=colour'),
  'no token, or one that is no longer valid': () => as.nobody('GET', '/crates'),
  'the role has no grant for the action': async () => as.tester('DELETE', `/crates/${(await crate()).id}`),
  'a rule allows the action on other records only': () => change({ note: 'x' }, {}, as.tester),
  'a rule does not let you write the field': async () => {
    const { id } = await crate({}, as.tester);
    return as.tester('PUT', `/crates/${id}`, { weight: 4 });
  },
  'a transition belongs to other levels or roles': async () => {
    const { id } = await crate({ weight: 1 }, as.owner);
    await as.owner('PUT', `/crates/${id}`, { state: 'packed', note: 'x' });
    return as.tester('PATCH', `/crates-state-sent/${id}`, {});
  },
  'a request belongs to other levels or roles': async () =>
    as.tester('PATCH', `/crates-pay/${(await crate({}, as.tester)).id}`, { note: 'x' }),
  'there is no such record': () => as.owner('GET', '/crates/999999'),
  'the record belongs to another company': async () => as.harbour('GET', `/crates/${(await crate()).id}`),
  'a rule hides the record': async () => as.tester('GET', `/crates/${(await crate({ is_secret: true })).id}`),
  "the record does not match a request's `where`": async () => {
    const { id } = await crate();
    expect(await as.owner('PATCH', `/crates-pay/${id}`, { note: 'x' })).toMatchObject({ status: 200 });
    return as.owner('PATCH', `/crates-pay/${id}`, { note: 'x' });
  },
  'somebody changed the record meanwhile (`updated_at`)': () =>
    change({ note: 'x', updated_at: '2020-01-01T00:00:00.000Z' }),
  'other records refer to what is deleted': async () => {
    const { id } = (await as.owner<Row>('POST', '/seals', { name: 'Original' })).body;
    expect(await as.owner('POST', '/seals', { name: 'Copy', original_id: id })).toMatchObject({ status: 201 });
    return as.owner('DELETE', `/seals/${id}`);
  },
  'the record is archived': async () => {
    const { id } = await crate();
    expect((await as.owner('DELETE', `/crates/${id}`)).status).toBeLessThan(300);
    return as.owner('PUT', `/crates/${id}`, { note: 'x' });
  },
  'a value is missing or not allowed': () => change({ name: '', weight: 101 }),
  'a condition of `validate` does not hold': () => change({ weight: 13 }),
  'another record has the value (`unique`)': async () => change({ name: (await crate()).name }),
  'the span overlaps with another (`noOverlap`)': async () => {
    await crate({ from_on: '2030-01-01', to_on: '2030-01-05' });
    return change({ from_on: '2030-01-05', to_on: '2030-01-06' });
  },
  'the related record cannot be chosen (`choices`)': async () => {
    const me = await as.owner<{ data: { user: Row } }>('GET', '/me');
    return change({ packer_id: (me.body.data.user ?? me.body.data).id });
  },
  'no transition leads to the state': () => change({ state: 'sent' }, { weight: 1 }),
  "the record does not match a transition's `where`": () => change({ state: 'packed', note: 'x' }),
  'a transition or request lacks a field that it requires': () => change({ state: 'packed' }, { weight: 1 }),
};

const table = readFileSync('docs/scripts.md', 'utf8')
  .split('## Refusals')[1]!
  .split('\n## ')[0]!
  .matchAll(/^\| (.+?) +\| (\d{3}) +\| `(\w+)` +\|$/gm);
const lines = [...table].map(([, what, status, code]) => ({ what: what!, status: Number(status), code: code! }));

describe('a refusal has the status and the code that docs/scripts.md says', () => {
  test('of all that its table lists', () => {
    expect(lines.map(({ what }) => what)).toEqual(Object.keys(refusals));
  });

  test.each(lines)('$what: $status $code', async ({ what, status, code }) => {
    expect(await refusals[what]!()).toMatchObject({ status, body: { code } });
  });
});
