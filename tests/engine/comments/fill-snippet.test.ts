import { expect, test } from 'vitest';
import { fillSnippet, placeholderNames } from '../../../src/engine/comments/fill-snippet';
import type { ResourceRecord } from '../../../src/engine/definitions/definition';
import { normalise } from '../../../src/engine/normalise/normalise';
import { createRegistry } from '../../../src/engine/registry/registry';

const customers = normalise({
  name: 'customers',
  labels: { one: 'Customer', many: 'Customers' },
  fields: { name: { required: true }, city: {} },
});
const orders = normalise({
  name: 'orders',
  labels: { one: 'Order', many: 'Orders' },
  fields: {
    name: { required: true },
    price: { type: 'number' },
    notes: { type: 'textarea', markdown: true },
    customer_id: { type: 'relation', to: 'customers', embed: 'customer' },
  },
});
const registry = createRegistry([customers, orders]);
const order = {
  id: 7,
  name: 'Tea & <b>biscuits</b>',
  price: 12.5,
  notes: '**Now**',
  customer_id: 3,
  customer: { id: 3, name: 'Solera', city: 'Valencia' },
};

test.each<[string, string, string, ResourceRecord?]>([
  ['values, escaped', '<p>For {name}</p><p>!</p>', '<p>For Tea &amp; &lt;b&gt;biscuits&lt;/b&gt;</p><p>!</p>'],
  ['values with marks', '<p>{notes}</p><p>!</p>', '<p><strong>Now</strong></p><p>!</p>'],
  ['the title of a related record', '<h2>{customer_id}</h2>', '<h2>Solera</h2>'],
  ['a value of a related record', '<h2>{customer.city}</h2>', '<h2>Valencia</h2>'],
  ['nothing where there is no value', '<h2>({price}{customer.city})</h2>', '<h2>()</h2>', { id: 8 }],
  [
    'a name that the module does not have as it is',
    '<h2>{nmae} {} { name } {__proto__}</h2>',
    '<h2>{nmae} {} { name } {__proto__}</h2>',
  ],
  ['a single paragraph without its p', '<p>Dear <em>{customer_id}</em>,</p>', 'Dear <em>Solera</em>,'],
  ['no text of a value for a placeholder again', '<h2>{name}</h2>', '<h2>{price}</h2>', { name: '{price}', price: 1 }],
])('a snippet is filled with %s', (_, markup, filled, record = order) => {
  expect(fillSnippet(markup, orders, record, registry)).toBe(filled);
});

test('the names that a snippet needs are the first of each path', () => {
  expect(placeholderNames('<p>{name} {customer.city} {customer_id}</p>')).toEqual(['name', 'customer', 'customer_id']);
});
