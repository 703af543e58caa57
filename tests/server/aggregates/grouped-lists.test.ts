// @module-tag slow
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groupKeyOf, placeGroups, type ListGroup } from '../../../src/engine/lists/group-rows';
import { parseGrouping, withoutFirstDay } from '../../../src/engine/lists/grouping';
import { setPersonalFormats } from '../../../src/engine/formats/personal';
import type { Definition } from '../../../src/engine/definitions/definition';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { studioOf } from '../modules/studio';

// A grouped list: `GET r?group_by=…&closed_groups=…` and `GET r/aggregate?sort_by=group&totals=1` beside it.

type Row = Record<string, unknown> & { id: number };
interface Group {
  group: Record<string, unknown>;
  titles: Record<string, string | null>;
  count: number;
  sum?: Record<string, unknown>;
  avg?: Record<string, unknown>;
  max?: Record<string, unknown>;
  counts?: Record<string, unknown>;
}
interface Groups {
  data: Group[];
  totals: Omit<Group, 'group' | 'titles'>;
}

const resource = 'invoices';
const zone = 'Pacific/Kiritimati';
const states = ['open', 'paid', 'a, b'];
const groupings = [
  ...['state', 'house_id', 'is_urgent', 'due_on:day', 'due_on:week', 'due_on:quarter', 'sent_at:month'],
  // Weeks of those who begin them on Sunday or on Saturday.
  ...['due_on:week:0', 'sent_at:week:6'],
];
let program: DemoProgram;
let definition: Definition;
const callers: Record<string, Client> = {};

beforeAll(async () => {
  program = await startFixtureProgram();
  const studio = studioOf(await program.signIn(accounts.admin));
  for (const name of ['admin', 'owner', 'developer', 'harbour'] as const)
    callers[name] = await program.signIn(accounts[name]);
  await studio.make(
    'payers',
    { name: { required: true }, place: { type: 'number', integer: true } },
    { labels: { one: 'Payer', many: 'Payers' }, list: { sort: 'place' } },
  );
  await studio.make(
    resource,
    {
      name: { required: true },
      house_id: { type: 'relation', to: 'payers', embed: 'house' },
      state: { type: 'select', options: states.map((value) => ({ value, label: value.toUpperCase() })) },
      is_urgent: { type: 'boolean' },
      due_on: { type: 'date' },
      sent_at: { type: 'datetime' },
      hours: { type: 'number', decimal: true, digits: 2 },
      currency: { type: 'text' },
      price: { type: 'money', currency: 'currency' },
      fee: { type: 'money', currency: 'EUR' },
    },
    {
      labels: { one: 'Invoice', many: 'Invoices' },
      grants: { '2': 'all', '3': 'all', '4': 'read' },
      // Developers see their companies' invoices that are not urgent, and not what they cost.
      rules: (['list', 'view'] as const).map((action) => ({
        action,
        levels: [4],
        where: { is_urgent: { $ne: true } },
        exceptFields: ['fee'],
      })),
    },
  );
  const { owner, harbour } = callers as { owner: Client; harbour: Client };
  for (const call of [owner, harbour]) {
    const payers: number[] = [];
    // Two have the same name, and their order is not that of their ids.
    for (const [name, place] of [
      ['Zed', 1],
      ['Ann', 3],
      ['Ann', 3],
      ['Mid', 2],
    ] as const) {
      const { status, body } = await call<Row>('POST', '/payers', { name, place });
      expect(status, JSON.stringify(body)).toBe(201);
      payers.push(body.id);
    }
    const pick = <T>(values: readonly T[], n: number): T | null => values[n % (values.length + 1)] ?? null;
    for (let n = 0; n < 41; n++) {
      const invoice = {
        name: `Invoice ${n % 7}`,
        house_id: pick(payers, n * 3),
        state: pick(states, n),
        is_urgent: pick([true, false], n),
        due_on: pick(['2026-01-01', '2025-12-31', '2026-03-31', '2026-11-29', '2026-11-30'], n),
        sent_at: pick(['2026-01-31T23:30:00Z', '2026-02-01T00:30:00Z', '2026-01-31T09:00:00Z'], n),
        hours: pick([1.25, 0, 7.5, 100.01], n),
        currency: pick(['EUR', 'USD', 'JPY'], n),
        price: pick([10.5, 20, 3], n),
        fee: pick([0.1, 0.2], n),
      };
      const { status, body } = await call('POST', `/${resource}`, invoice);
      expect(status, JSON.stringify(body)).toBe(201);
    }
  }
  const found = await owner<{ data: Definition[] }>('GET', '/definitions');
  definition = found.body.data.find(({ name }) => name === resource)!;
});
afterAll(() => program?.close());

async function get<T>(caller: string, path: string): Promise<{ body: T; total: number }> {
  const { status, body, headers } = await callers[caller]!<T>('GET', path, undefined, { 'X-Timezone': zone });
  expect(status, `${path} ${JSON.stringify(body)}`).toBe(200);
  return { body, total: Number(String(headers['content-range']).split('/')[1]) };
}
const rowsOf = async (caller: string, query: string) => {
  const { body, total } = await get<Row[] | { data: Row[] }>(caller, `/${resource}?${query}`);
  return { rows: Array.isArray(body) ? body : body.data, total };
};
const groupsOf = async (caller: string, by: string, query: string, take = 'count') =>
  (await get<Groups>(caller, `/${resource}/aggregate?group=${by}&take=${take}&totals=1&${query}`)).body;
const keyOf = (by: string) => (row: Row) => {
  setPersonalFormats(undefined, Number(/:week:(\d)$/.exec(by)?.[1] ?? 1));
  return groupKeyOf(row, parseGrouping(withoutFirstDay(by), definition)!, definition, zone);
};
afterAll(() => setPersonalFormats());
const keyOfGroup = (by: string) => (group: Group) => String(group.group[by] ?? '');
const filters = [
  '',
  'state=open',
  'q=Invoice 3',
  'due_on_from=2026-01-01',
  'where={"hours":{"$gt":1}}',
  'state=zero&q=x',
];
const filterOf = fc.constantFrom(...filters.slice(0, 5));

test.each(['admin', 'owner', 'developer', 'harbour'])(
  'as %s: groups, their order, counts and totals are those of the list, under every filter',
  async (caller) => {
    const all = await rowsOf(caller, 'range=[0,9999]');
    expect(all.rows.length).toBeGreaterThan(10);
    const cases = fc.asyncProperty(fc.constantFrom(...groupings), filterOf, fc.boolean(), async (by, filter, down) => {
      const flat = await rowsOf(caller, `${filter}&range=[0,9999]&sort_by=-name`);
      const grouped = await rowsOf(caller, `${filter}&range=[0,9999]&sort_by=-name&group_by=${down ? '-' : ''}${by}`);
      const { data, totals } = await groupsOf(
        caller,
        by,
        `${filter}&sort_by=${down ? '-' : ''}group`,
        'count,sum:hours,avg:hours,max:hours,counts'.replace(',counts', ',count:hours'),
      );
      expect(grouped.total).toBe(flat.total);
      // Each group is the list without the others, in the list's order.
      const keys = data.map(keyOfGroup(by));
      expect(new Set(keys).size).toBe(keys.length);
      expect(grouped.rows.map(({ id }) => id)).toEqual(
        keys.flatMap((key) => flat.rows.filter((row) => keyOf(by)(row) === key).map(({ id }) => id)),
      );
      const recount = (rows: readonly Row[]) => {
        const hours = rows.flatMap((row) => (row.hours === null ? [] : [Number(row.hours)]));
        const sum = hours.reduce((one, other) => one + other, 0);
        return { count: rows.length, counts: hours.length, sum, max: hours.length > 0 ? Math.max(...hours) : null };
      };
      const said = ({ count, counts, sum, max }: Omit<Group, 'group' | 'titles'>) => ({
        count,
        counts: counts!.hours,
        sum: expect.closeTo(Number(sum!.hours ?? 0), 6) as number,
        max: max!.hours,
      });
      for (const [index, key] of keys.entries())
        expect(recount(flat.rows.filter((row) => keyOf(by)(row) === key))).toEqual(said(data[index]!));
      expect(recount(flat.rows)).toEqual(said(totals));
      // Titles are those that the list shows, also of records that the caller may not list.
      const titles = new Map(
        flat.rows.map(({ house_id: id, house }) => [id, (house as { name?: string })?.name ?? null]),
      );
      if (by === 'house_id')
        for (const one of data) expect(one.titles.house_id).toEqual(titles.get(one.group.house_id as number));
    });
    await fc.assert(cases, { numRuns: 12 });
  },
);

test('pages of a list with closed groups have every open record once, under its heading', async () => {
  const cases = fc.asyncProperty(
    fc.constantFrom(...groupings),
    filterOf,
    fc.array(fc.nat(5), { maxLength: 4 }),
    async (by, filter, shut) => {
      const { data } = await groupsOf('owner', by, `${filter}&sort_by=group`);
      const groups = data.map((one): ListGroup => ({
        key: keyOfGroup(by)(one),
        value: null,
        title: null,
        count: one.count,
        figures: {},
      }));
      const closed = [...new Set(shut.flatMap((n) => groups[n]?.key ?? []))];
      const values = encodeURIComponent(JSON.stringify(closed.map((key) => (key === '' ? null : key))));
      const flat = await rowsOf('owner', `${filter}&range=[0,9999]`);
      const headings: string[] = [];
      const ids: number[] = [];
      for (let page = 0, last = 0; page <= last; page++) {
        const query = `${filter}&group_by=${by}&closed_groups=${values}&range=[${page * 7},${page * 7 + 6}]`;
        const { rows, total } = await rowsOf('owner', query);
        last = Math.max(0, Math.ceil(total / 7) - 1);
        const placed = placeGroups({
          groups,
          records: rows,
          keyOf: keyOf(by),
          closed,
          start: page * 7,
          isLast: page === last,
        });
        let heading: string | undefined;
        for (const { group, record } of placed) {
          if (group) headings.push((heading = group.key));
          else {
            expect(keyOf(by)(record)).toBe(heading);
            ids.push(record.id);
          }
        }
      }
      // A heading is repeated where its group goes on on the next page.
      expect(headings.filter((key, index) => key !== headings[index - 1])).toEqual(groups.map(({ key }) => key));
      const open = flat.rows.filter((row) => !closed.includes(keyOf(by)(row)));
      expect([...ids].sort((a, b) => a - b)).toEqual(open.map(({ id }) => id).sort((a, b) => a - b));
      expect(closed.every((key) => headings.filter((one) => one === key).length === 1)).toBe(true);
    },
  );
  await fc.assert(cases, { numRuns: 12 });
});

test('groups are in the order of choices: records in their own, options as written, days from the first, none last', async () => {
  const keysOf = async (by: string, sort = 'group') =>
    (await groupsOf('owner', by, `sort_by=${sort}`)).data.map((one) => one.titles[by] ?? one.group[by]);
  expect(await keysOf('state')).toEqual([...states, null]);
  expect(await keysOf('state', '-group')).toEqual([...states.toReversed(), null]);
  expect(await keysOf('house_id')).toEqual(['Zed', 'Mid', 'Ann', 'Ann', null]);
  expect(await keysOf('is_urgent')).toEqual([true, false, null]);
  expect(await keysOf('due_on:quarter')).toEqual(['2025-10-01', '2026-01-01', '2026-10-01', null]);
});

describe('amounts in the currencies of their records', () => {
  test('are never added up over currencies', async () => {
    const { rows } = await rowsOf('owner', 'range=[0,9999]');
    const amounts = (of: readonly Row[]) => {
      const found: Record<string, number> = {};
      for (const { price, currency } of of)
        if (price !== null) found[String(currency ?? '')] = (found[String(currency ?? '')] ?? 0) + Number(price);
      return Object.keys(found).length > 0 ? found : null;
    };
    const { data, totals } = await groupsOf('owner', 'state', 'sort_by=group', 'count,sum:price,sum:fee');
    expect(totals.sum!.price).toEqual(amounts(rows));
    expect(Object.keys(amounts(rows)!).length).toBeGreaterThan(2);
    for (const { group, sum } of data)
      expect(sum!.price).toEqual(amounts(rows.filter(({ state }) => state === group.state)));
    expect(typeof totals.sum!.fee).toBe('number');
    const [whole] = (await get<Groups>('owner', `/${resource}/aggregate?take=sum:price`)).body.data;
    expect(whole!.sum!.price).toEqual(amounts(rows));
  });

  test('have one amount where records are grouped by the currency, and no order among currencies', async () => {
    const { data, totals } = await groupsOf('owner', 'currency', '', 'count,sum:price');
    expect(data.every(({ sum }) => sum!.price === null || typeof sum!.price === 'number')).toBe(true);
    expect(totals.sum!.price).toEqual(
      Object.fromEntries(
        data.filter(({ sum }) => sum!.price !== null).map((one) => [one.group.currency ?? '', one.sum!.price]),
      ),
    );
    const refused = await callers.owner!<{ message: string }>(
      'GET',
      `/${resource}/aggregate?group=state&take=sum:price&sort_by=-sum:price`,
    );
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'sort_by: "sum:price" has amounts in several currencies, which have no order.',
    ]);
  });
});

test('a list without matching records has no groups, and its totals are empty', async () => {
  const { data, totals } = await groupsOf(
    'owner',
    'state',
    'q=nothing is called so&sort_by=group',
    'count,sum:price,max:hours',
  );
  expect([data, totals]).toEqual([[], { count: 0, sum: { price: null }, max: { hours: null } }]);
  const { rows, total } = await rowsOf('owner', 'q=nothing is called so&group_by=state');
  expect([rows, total]).toEqual([[], 0]);
});

test('an aggregate of a field needs the right to see the field', async () => {
  for (const path of [
    `/${resource}/aggregate?group=state&take=sum:fee`,
    `/${resource}/aggregate?totals=1&take=max:fee`,
  ]) {
    const { status, body } = await callers.developer!<{ message: string }>('GET', path);
    expect([status, body.message]).toEqual([400, 'take: Invoices have no field "fee".']);
  }
});

test.each([
  ['group_by=unknown', 'cannot be grouped by "unknown"'],
  ['group_by=hours', 'cannot be grouped by "hours"'],
  ['group_by=due_on', 'cannot be grouped by "due_on"'],
  ['group_by=state:month', 'cannot be grouped by "state:month"'],
  ['group_by=due_on:month:0', 'cannot be grouped by "due_on:month:0"'],
  ['group_by=due_on:week:7', 'cannot be grouped by "due_on:week:7"'],
  ['group_by=house_id.name', 'cannot be grouped by "house_id.name"'],
  ['group_by=', 'cannot be grouped by ""'],
  ['group_by=state&group_by=state', 'cannot be grouped by'],
  ['group_by=state&closed_groups=3', 'closed_groups must be at most 500 values of groups, such as [3,null].'],
  ['group_by=state&closed_groups=[[1]]', 'closed_groups must be at most 500 values of groups, such as [3,null].'],
  ['group_by=state&closed_groups={', 'closed_groups must be at most 500 values of groups, such as [3,null].'],
  ['closed_groups=[1]', 'closed_groups'],
])('a list with %s is refused', async (query, message) => {
  const { status, body } = await callers.owner!<{ message: string }>('GET', `/${resource}?${query}`);
  expect(status).toBe(400);
  expect(body.message).toContain(message);
});
