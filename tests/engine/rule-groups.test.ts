import { expect, test } from 'vitest';
import { ruleGroupOf } from '../../src/engine/registry/rule-groups';
import type { Source } from '../../src/engine/language/source';
import { registryOf, sourceOf } from '../support/definitions';

type Parts = Partial<Source> & { readonly fields?: Source['fields'] };

const relation = (to: string, more: object = {}) => ({ type: 'relation' as const, to, ...more });
const company = { scope: 'company' } as const;
const countOf = (source: string) => ({ type: 'rollup', source, aggregate: 'count' }) as const;
const count = countOf('items.order_id');
const mayDelete = (where: object) => ({ levels: [2], action: ['delete'], where, reason: 'some' }) as never;
const rowsOf = (column: object) => ({ type: 'rows', fields: { column } }) as never;
const ruleOf = (condition: object) => ({ validate: [{ condition, field: 'name', message: 'No.' }] }) as Parts;

/** Which of orders, items and remarks are in a group, as the name of the group. */
function groupsOf(parts: Readonly<Partial<Record<'orders' | 'items' | 'remarks', Parts>>>) {
  const source = (name: string, fields: Source['fields'], { fields: more, ...others }: Parts = {}) =>
    sourceOf(name, { ...fields, ...more }, { ...company, ...others });
  const registry = registryOf(
    source('orders', { name: {}, open: { type: 'boolean' } }, parts.orders),
    source('items', { name: {}, done: { type: 'boolean' }, order_id: relation('orders') }, parts.items),
    source('remarks', { name: {}, item_id: relation('items') }, parts.remarks),
  );
  return Object.fromEntries(
    [...registry.definitions.keys()].flatMap((name) => {
      const group = ruleGroupOf(registry, name);
      return group ? [[name, group.isAcrossCompanies ? `${group.name}, all companies` : group.name]] : [];
    }),
  );
}

const itemsAlone = { items: 'items' };
const withRemarks = { items: 'items', remarks: 'items' };
const both = { orders: 'items', items: 'items' };

test.each<[what: string, parts: Parameters<typeof groupsOf>[0], groups: object]>([
  ['rules over the record itself', { items: ruleOf({ done: false }) }, {}],
  ['a path to a parent without rules', { items: ruleOf({ 'order_id.open': true }) }, {}],
  ['a rollup of the own records alone', { orders: { fields: { count }, ...ruleOf({ count: 0 }) } }, {}],
  ['a rollup of the parent', { orders: { fields: { count } }, items: ruleOf({ 'order_id.count': 1 }) }, itemsAlone],
  [
    'a lookup of a value that is computed from it',
    {
      orders: { fields: { count, left: { type: 'number', computed: { $subtract: [5, '$record.count'] } } } },
      items: {
        fields: { left: { type: 'lookup', source: 'order_id.left' } },
        ...ruleOf({ '$form.left': { $gt: 0 } }),
      },
    },
    itemsAlone,
  ],
  [
    'records that point to the parent',
    {
      orders: { fields: { items: { type: 'inverse', source: 'items.order_id' } } },
      items: ruleOf({ order_id: { $some: { items: { $some: { done: true } } } } }),
    },
    itemsAlone,
  ],
  [
    'what can be chosen',
    {
      orders: { fields: { count } },
      items: { fields: { order_id: relation('orders', { choices: { count: 0 } }) } },
    },
    itemsAlone,
  ],
  [
    'a place in a tree',
    { items: { fields: { parent_id: relation('items', { choices: { order_id: '$form.order_id' } }) } } },
    {},
  ],
  [
    'references to several records of its own kind',
    { items: { fields: { others: { type: 'relations', to: 'items', choices: { done: false } } as never } } },
    itemsAlone,
  ],
  [
    'references of its rows to records of its own kind',
    { items: { fields: { lines: rowsOf(relation('items', { choices: { done: false } })) } } },
    itemsAlone,
  ],
  [
    'two references to a record of its own kind',
    {
      items: {
        fields: {
          before_id: relation('items', { choices: { done: false } }),
          after_id: relation('items', { choices: { done: false } }),
        },
      },
    },
    itemsAlone,
  ],
  [
    'who may create',
    {
      orders: { fields: { count } },
      items: { rules: [{ levels: [2], action: ['create'], where: { 'order_id.count': 1 }, reason: 'one' }] },
    },
    itemsAlone,
  ],
  [
    'who may read',
    {
      orders: { fields: { count } },
      items: { rules: [{ levels: [2], action: ['list', 'view'], where: { 'order_id.count': 1 }, reason: 'one' }] },
    },
    {},
  ],
  [
    'rules of parent and child over each other',
    {
      orders: { fields: { count }, ...ruleOf({ count: 0 }) },
      items: ruleOf({ 'order_id.open': true }),
    },
    both,
  ],
  [
    'a request that adds what its condition counts',
    {
      orders: {
        fields: { count },
        requests: {
          add: {
            label: 'Add',
            path: 'add/{id}',
            where: { count: 0 },
            adds: { resource: 'items', relation: 'order_id', fields: ['name'] },
          },
        },
      },
    },
    both,
  ],
  [
    'a request that adds to a record without rules over it',
    {
      items: {
        requests: {
          add: { label: 'Add', path: 'add/{id}', adds: { resource: 'remarks', relation: 'item_id', fields: ['name'] } },
        },
      },
      remarks: ruleOf({ 'item_id.done': false }),
    },
    {},
  ],
  [
    'a deletion that counts what is deleted with it',
    {
      orders: { fields: { count } },
      items: { fields: { remark_id: relation('remarks', { onDelete: 'cascade' }) } },
      remarks: { fields: { order_id: relation('orders') }, rules: [mayDelete({ 'order_id.count': { $gt: 1 } })] },
    },
    withRemarks,
  ],
  [
    'a deletion that counts what loses its reference, also in rows',
    {
      orders: { fields: { remarks: countOf('remarks.order_id') }, rules: [mayDelete({ remarks: { $gt: 0 } })] },
      remarks: { fields: { order_id: relation('orders'), lines: rowsOf(relation('orders', { onDelete: 'clear' })) } },
    },
    { orders: 'orders', remarks: 'orders' },
  ],
  [
    'a deletion that is refused while what it counts refers to it',
    {
      orders: { fields: { count } },
      items: { fields: { remark_id: relation('remarks') } },
      remarks: { fields: { order_id: relation('orders') }, rules: [mayDelete({ 'order_id.count': { $gt: 1 } })] },
    },
    {},
  ],
  [
    'a deletion that counts what is archived with it',
    {
      orders: { fields: { count } },
      items: { archive: {}, fields: { remark_id: relation('remarks') } },
      remarks: {
        archive: { cascade: ['items.remark_id'] },
        fields: { order_id: relation('orders') },
        rules: [mayDelete({ 'order_id.count': { $gt: 1 } })],
      },
    },
    withRemarks,
  ],
  [
    'a sum at records that companies share',
    { orders: { scope: 'both', fields: { count } }, items: ruleOf({ 'order_id.count': 1 }) },
    { items: 'items, all companies' },
  ],
])('resources whose rules read each other are one group: %s', (_, parts, groups) => {
  expect(groupsOf(parts)).toEqual(groups);
});
