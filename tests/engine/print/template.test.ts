import { describe, expect, test } from 'vitest';
import { createRegistry } from '../../../src/engine/registry/registry';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { printRecord } from '../../../src/engine/print/print-record';

const companies = normalise({
  name: 'companies',
  labels: { one: 'Company', many: 'Companies' },
  fields: { name: {}, city: {} },
} as Source);
const orders = normalise({
  name: 'orders',
  labels: { one: 'Order', many: 'Orders' },
  fields: {
    name: {},
    note: { type: 'textarea' },
    marked: { type: 'textarea', markdown: true },
    text: { type: 'richText' },
    paid: { type: 'boolean' },
    total: { type: 'money', currency: 'EUR' },
    ordered_on: { type: 'date' },
    company_id: { type: 'relation', to: 'companies', embed: 'company', embedFields: ['city'] },
    lines: { type: 'rows', fields: { product: {}, pieces: { type: 'number' }, is_gift: { type: 'boolean' } } },
  },
} as Source);
const registry = createRegistry([companies, orders]);
const record = {
  id: 7,
  name: 'A & B <script>',
  note: 'one\ntwo',
  marked: '**bold** <b>no</b> [site](https://a.test/?a=1&b=2)',
  text: '<p>formatted</p>',
  paid: false,
  total: 1234.5,
  ordered_on: '2030-02-03',
  company_id: 3,
  company: { id: 3, name: 'Bakery', city: 'Vigo' },
  lines: [
    { product: 'Bread {name}', pieces: 2, is_gift: true },
    { product: 'Cake', pieces: null, is_gift: false },
  ],
};

describe('a template for a printed page', () => {
  test.each<[string, string, string]>([
    ['a value, escaped', '{name}', 'A &amp; B &lt;script&gt;'],
    ['the lines of a text', '{note}', 'one<br>two'],
    [
      'marks of a text',
      '{marked}',
      '<strong>bold</strong> &lt;b&gt;no&lt;/b&gt; <a href="https://a.test/?a=1&amp;b=2">site</a>',
    ],
    ['formatted text as it is', '{text}', '<p>formatted</p>'],
    ['yes and no', '{paid}', 'No'],
    ['a related record by its title', '{company_id}, {company}, {company.city}', 'Bakery, Bakery, Vigo'],
    ['a section over an embed', '{#company}{name} in {city}{/company}', 'Bakery in Vigo'],
    ['rows, with values of the record around them', '{#lines}[{product}|{total}]{/lines}', ''],
    ['a section over a value', '{#note}yes{/note}{^note}no{/note}', 'yes'],
    ['a section over false', '{#paid}yes{/paid}{^paid}no{/paid}', 'no'],
    ['a section within one', '{#lines}{#is_gift}gift {/is_gift}{product};{/lines}', 'gift Bread {name};Cake;'],
    ['missing values of rows', '{#lines}{pieces}{^pieces}-{/pieces};{/lines}', '2;-;'],
    ['braces that are no names', '{ a } {1} {}', '{ a } {1} {}'],
  ])('prints %s', (title, template, expected) => {
    const printed = printRecord(template, orders, record, registry);
    if (title.startsWith('rows')) expect(printed).toMatch(/^\[Bread \{name\}\|[^\]]*1,234\.50[^\]]*\]\[Cake\|/);
    else expect(printed).toBe(expected);
  });

  test('prints nothing for a field that the reader may not see', () => {
    expect(printRecord('<{name}|{company.name}|{#lines}x{/lines}>', orders, { id: 7 }, registry)).toBe('<||>');
  });
});
