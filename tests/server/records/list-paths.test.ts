// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { accounts, type Client } from '../../support/program';
import { startStudio, type Refusal, type StudioProgram } from '../modules/studio';

// Lists with columns, orders and filters by a path through several relations: orders → customers → ports.

const port = 'customer.port.name';
const opened = 'customer.port.opened_on';
const size = 'customer.port.size';

let server: StudioProgram;
let owner: Client;
let external: Client;
let qa: Client;
let developer: Client;

interface Row {
  readonly id: number;
  readonly [name: string]: unknown;
}

const list = {
  columns: [
    'name',
    { field: port, label: 'Port', secondLine: ['customer.port.code'] },
    'customer.name',
    'customer.phone',
    opened,
    'amount',
  ],
  sort: port,
  sortChoices: ['name', opened],
  filters: {
    [port]: {},
    [opened]: { range: true },
    size: { field: size, multiple: true },
    'customer.port.is_open': {},
  },
} satisfies Source['list'];

beforeAll(async () => {
  server = await startStudio();
  ({ owner } = server);
  external = await server.program.signIn(accounts.external);
  qa = await server.program.signIn(accounts.qa);
  developer = await server.program.signIn(accounts.developer);
  await server.studio.make(
    'ports',
    {
      name: { required: true },
      code: {},
      opened_on: { type: 'date' },
      is_open: { type: 'boolean' },
      size: {
        type: 'select',
        options: [
          { value: 'small', label: 'Small' },
          { value: 'large', label: 'Large' },
        ],
      },
    },
    {
      archive: true,
      grants: { '4': 'read', '5': 'read', '6': 'read' },
      rules: [{ levels: [5], action: ['list', 'view'], exceptFields: ['name'], reason: 'no names' }],
    },
  );
  await server.studio.make(
    'customers',
    {
      name: { required: true },
      phone: {},
      port_id: { type: 'relation', to: 'ports', embed: 'port', onDelete: 'clear' },
    },
    {
      archive: true,
      grants: { '4': 'read', '5': 'read', '6': 'none' },
      rules: [
        { levels: [3], action: ['list', 'view'], where: { name: { $ne: 'Andes' } }, reason: 'not Andes' },
        { levels: [3], action: ['create', 'edit'], reason: 'all' },
      ],
    },
  );
  await server.studio.make(
    'orders',
    {
      name: { required: true },
      amount: { type: 'number' },
      customer_id: { type: 'relation', to: 'customers', embed: 'customer', onDelete: 'clear' },
    },
    {
      list,
      export: true,
      exports: {
        shipping: {
          label: 'Shipping',
          format: 'csv',
          encoding: 'utf-8',
          columns: ['name', port, { heading: 'To', text: `{name}: {${port}}` }],
        },
      },
      grants: { '4': 'read', '5': 'read', '6': 'read' },
      rules: [{ levels: [4], action: ['list', 'view'], exceptFields: ['customer_id'], reason: 'no customers' }],
    },
  );
});
afterAll(() => server?.program.close());

const create = async (resource: string, values: object): Promise<number> => {
  const answer = await owner<Row>('POST', `/${resource}`, values);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
};
const rows = async (query: string, who = owner): Promise<Row[]> => {
  const answer = await who<Row[]>('GET', `/orders?${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const names = async (query: string, who = owner) => (await rows(query, who)).map(({ name }) => name);

let norway: number;
let peru: number;

describe('a list with a path through two relations', () => {
  beforeAll(async () => {
    norway = await create('ports', {
      name: 'Norway',
      code: 'NO',
      opened_on: '2020-05-01',
      is_open: true,
      size: 'small',
    });
    peru = await create('ports', {
      name: 'Peru',
      code: 'PE',
      opened_on: '2021-03-02',
      is_open: false,
      size: 'large',
    });
    const [fjord, andes, nowhere] = [
      await create('customers', { name: 'Fjord', port_id: norway, phone: '11' }),
      await create('customers', { name: 'Andes', port_id: peru, phone: '22' }),
      await create('customers', { name: 'Nowhere', phone: '33' }),
    ];
    for (const [name, customer_id] of [
      ['Boats', fjord],
      ['Wool', andes],
      ['Drift', nowhere],
      ['Loose', null],
    ] as const)
      await create('orders', { name, customer_id, amount: name.length });
  });

  test('shows its value, null where a relation in between is empty, also in one record', async () => {
    const fields = `fields=name,${port},customer.phone,${opened}`;
    expect(await rows(`${fields}&sort_by=name`)).toEqual(
      [
        { id: expect.anything(), name: 'Boats', [port]: 'Norway', 'customer.phone': '11', [opened]: '2020-05-01' },
        { id: expect.anything(), name: 'Drift', [port]: null, 'customer.phone': '33', [opened]: null },
        { id: expect.anything(), name: 'Loose', [port]: null, 'customer.phone': null, [opened]: null },
        { id: expect.anything(), name: 'Wool', [port]: 'Peru', 'customer.phone': '22', [opened]: '2021-03-02' },
      ].map(({ id: _, ...row }) => expect.objectContaining(row)),
    );
    const [boats] = await rows('name=Boats');
    expect((await owner<Row>('GET', `/orders/${boats!.id}`)).body).toMatchObject({ [port]: 'Norway' });
  });

  test.each([
    ['its own order', '', ['Boats', 'Wool', 'Drift', 'Loose']],
    ['ascending', `sort_by=${port}`, ['Boats', 'Wool', 'Drift', 'Loose']],
    ['descending', `sort=["${port}","DESC"]`, ['Wool', 'Boats']],
    ['by a date', `sort_by=-${opened}`, ['Wool', 'Boats']],
    ['by a path of one relation', 'sort_by=customer.phone', ['Boats', 'Wool', 'Drift', 'Loose']],
  ])('sorts: %s', async (_, query, expected) => {
    const sorted = await names(query);
    expect(sorted.filter((name) => expected.includes(name as string))).toEqual(expected);
  });

  test.each([
    ['a text', `${port}=Norway`, ['Boats']],
    ['a part of a text', `filter={"${port}":{"$contains":"er"}}`, ['Wool']],
    ['no value', `filter={"${port}":null}`, ['Drift', 'Loose']],
    ['a range of days', `${opened}_from=2021-01-01`, ['Wool']],
    ['two values', `${size}=small,large`, ['Boats', 'Wool']],
    ['Yes', 'customer.port.is_open=true', ['Boats']],
    ['several at once', `${port}=Norway&name=Boats&${opened}_to=2020-05-01`, ['Boats']],
    ['nothing that matches', `${port}=Norway&name=Wool`, []],
    ['a condition beside it', `${port}=Peru&where={"customer_id.port_id.code":"PE"}`, ['Wool']],
  ])('filters: %s', async (_, query, expected) => {
    expect((await names(`${query}&sort_by=name`)).toSorted()).toEqual(expected);
  });

  test.each([
    ['a date that is none', `${opened}=soon`, 400],
    ['a path that no list has', 'customer.port.code_from=1', 400],
    ['an order by a path that leads nowhere', 'sort_by=customer.port.size.name', 400],
    ['a field of a path that no list has', 'fields=customer.port.id', 400],
  ])('refuses %s', async (_, query, status) => {
    expect((await owner('GET', `/orders?${query}`)).status).toBe(status);
  });

  test('groups by it, also in figures', async () => {
    expect((await names(`group_by=${size}&sort_by=name`)).slice(0, 2)).toEqual(['Boats', 'Wool']);
    const figures = await owner('GET', `/orders/aggregate?group=${size}`);
    expect(figures.status, JSON.stringify(figures.body)).toBe(200);
    expect(JSON.stringify(figures.body)).toContain('small');
  });

  test('is a column of files, with the heading of the list', async () => {
    const csv = async (path: string, who = owner) =>
      ((await who<string>('GET', path)).body as string)
        .replace(/^\uFEFF/, '')
        .split('\r\n')
        .slice(0, -1);
    expect(await csv(`/orders-export?format=csv&columns=name,${port}&sort_by=${port}`)).toEqual([
      'Name,Port',
      'Boats,Norway',
      'Wool,Peru',
      expect.stringMatching(/^(Drift|Loose),$/),
      expect.stringMatching(/^(Drift|Loose),$/),
    ]);
    expect(await csv(`/orders-export?format=csv&${port}=Peru`)).toEqual([
      expect.stringContaining('Port'),
      expect.stringContaining('Peru'),
    ]);
    expect(await csv('/orders-export/shipping?sort_by=name')).toEqual([
      'Name,Port,To',
      'Boats,Norway,Boats: Norway',
      'Drift,,"Drift: "',
      'Loose,,"Loose: "',
      'Wool,Peru,Wool: Peru',
    ]);
    expect(await csv('/orders-export/shipping?sort_by=name', external)).toContain('Boats,,"Boats: "');
  });

  test.each([
    ['may not view the record in between', () => external],
    ['may not read the field at its end', () => qa],
  ])('has no value, order or filter for who %s', async (_, who) => {
    const read = await rows(`fields=name,${port}`, who());
    expect(read.length).toBe(4);
    expect(read.every((row) => row[port] === null)).toBe(true);
    expect(await rows(`${port}=Norway`, who())).toEqual([]);
    expect(await rows(`filter={"${port}":null}`, who())).toHaveLength(4);
    // All are equal, so the order is that of the ids, both ways.
    const up = await names(`sort_by=${port}`, who());
    expect(await names(`sort_by=-${port}`, who())).toEqual(expect.arrayContaining(up));
  });

  test('has no value where a rule hides the record in between', async () => {
    const manager = await server.program.signIn(accounts.manager);
    const read = await rows(`fields=name,${port}&sort_by=${port}`, manager);
    expect(read.map((row) => row[port])).toEqual(['Norway', null, null, null]);
    expect(await rows(`${port}=Peru`, manager)).toEqual([]);
    expect(await names(`${port}=Norway`, manager)).toEqual(['Boats']);
  });

  test('belongs to the relation that it begins with, for rules about fields', async () => {
    const read = await rows('', developer);
    expect(read.every((row) => !(port in row) && !('customer_id' in row))).toBe(true);
    for (const query of [`sort_by=${port}`, `${port}=Norway`])
      expect((await developer('GET', `/orders?${query}`)).status, query).toBe(400);
    expect((await developer<string>('GET', '/orders-export?format=csv')).body).not.toContain('Norway');
  });

  test('follows a record in between that is archived, deleted or changed', async () => {
    const customer = await create('customers', { name: 'Moving', port_id: norway });
    const order = await create('orders', { name: 'Moved', customer_id: customer });
    const value = async () => (await owner<Row>('GET', `/orders/${order}`)).body[port];
    expect(await value()).toBe('Norway');
    await owner('PUT', `/customers/${customer}`, { port_id: peru });
    expect(await value()).toBe('Peru');
    await owner('DELETE', `/customers/${customer}`);
    // As with a lookup: an archived record is still what the order refers to.
    expect(await value()).toBe('Peru');
    expect(await names(`${port}=Peru&name=Moved`)).toEqual(['Moved']);
    await owner('PUT', `/orders/${order}`, { customer_id: null });
    expect(await value()).toBeNull();
    await owner('DELETE', `/orders/${order}`);
  });
});

describe('many records', () => {
  test('are paged in both directions without losing or repeating any of the same value', async () => {
    const ids: number[] = [];
    for (const name of ['Albania', 'Belgium', 'Chile']) {
      const id = await create('ports', { name, size: 'large', code: 'ZZ' });
      ids.push(await create('customers', { name, port_id: id }));
    }
    await server.query(`insert into public.orders (name, customer_id, site_id)
      select 'Many ' || n, (array[${ids.join()}])[1 + n % 3], (select site_id from public.customers where id = ${ids[0]})
      from generate_series(1, 240) n`);
    for (const direction of ['ASC', 'DESC']) {
      const found: Row[] = [];
      for (let from = 0; from < 240; from += 50)
        found.push(
          ...(await rows(
            `fields=name,${port}&sort=["${port}","${direction}"]&range=[${from},${from + 49}]` +
              `&filter={"${size}":"large","name":{"$contains":"Many"}}`,
          )),
        );
      expect(new Set(found.map(({ id }) => id)).size, direction).toBe(240);
      const shown = found.map((row) => String(row[port]));
      const ordered = shown.toSorted();
      expect(shown).toEqual(direction === 'ASC' ? ordered : ordered.toReversed());
    }
  });
});

describe('the API document', () => {
  test('has the path as a property, an order and a filter', async () => {
    const { body } = await owner<object>('GET', '/openapi.json');
    expect(JSON.stringify(body)).toContain(port);
  });
});

describe('a path', () => {
  const refuse = async (columns: NonNullable<Source['list']>, more: Partial<Source> = {}) => {
    const answer = await server.admin<Refusal>('PUT', '/modules/orders', {
      ...(await draft((source) => Object.assign(source, { list: columns, exports: undefined }, more))),
    });
    return [answer.status, JSON.stringify(answer.body)] as const;
  };
  const draft = async (change: (source: Source) => void) => {
    const { definition, version } = await server.studio.module('orders');
    const changed = structuredClone(definition) as Source;
    change(changed);
    return { definition: changed, version };
  };

  test.each<[string, NonNullable<Source['list']>, string]>([
    ['that begins with no relation', { columns: ['name', 'client.port.name'] }, 'Unknown embed'],
    ['with a step that is none', { columns: ['name', 'customer.state.name'] }, 'in customers'],
    ['with a field that is none', { columns: ['name', 'customer.port.nam'] }, 'Did you mean'],
    ['that ends with a relation', { columns: ['name', 'customer.port.created_by'] }, 'is not a single value'],
    ['in an order', { sort: 'customer.port.nam' }, 'Did you mean'],
    ['in a filter', { filters: { 'customer.port.nam': {} } }, 'Did you mean'],
    ['in a second line', { columns: [{ field: 'name', secondLine: ['customer.port.nam'] }] }, 'Did you mean'],
  ])('%s is refused with its remedy', async (_, written, message) => {
    const [status, text] = await refuse(written);
    expect(status, text).toBe(422);
    expect(text).toContain(message);
  });

  test('that leads through several records is refused', async () => {
    await server.studio.make('crates', { name: {}, orders: { type: 'relations', to: 'orders', embed: 'order_list' } });
    const answer = await server.studio.tryPublish('crates', (source) => {
      source.list = { columns: ['name', 'order_list.customer.name'] };
    });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('take a rollup instead');
  });

  test('whose field is renamed elsewhere is reported, and follows once it is written anew', async () => {
    const answer = await server.studio.tryPublish('ports', (source) => {
      const { name, ...rest } = source.fields;
      source.fields = { title: { ...name, formerName: 'name' }, ...rest };
      delete source.rules;
    });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('orders');
  });
});
