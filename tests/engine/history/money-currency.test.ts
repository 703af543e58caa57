import { expect, test } from 'vitest';
import type { ResourceRecord } from '../../../src/engine/definitions/definition';
import { describeHistoryValue, fieldChangesOf } from '../../../src/engine/history/field-changes';
import { definition } from '../support/definitions';

const deals = definition({
  fields: { currency: { type: 'text' }, price: { type: 'money', currency: 'currency' } },
});

function priceIn(before: ResourceRecord | null, after: ResourceRecord, side: 'old' | 'new') {
  const entry = { old_values: before, new_values: after, event: 'updated', user: null, created_at: '' };
  const change = fieldChangesOf(deals, entry).find(({ field }) => field.name === 'price');
  return change && describeHistoryValue(change, side);
}

test('the history shows an amount with the currency of its side of the entry', () => {
  const [old, fresh] = [
    { currency: 'EUR', price: 5 },
    { currency: 'USD', price: 6 },
  ];
  expect(priceIn(old, fresh, 'old')).toMatch(/€|EUR/);
  expect(priceIn(old, fresh, 'new')).toMatch(/\$|USD/);
  expect(priceIn(null, fresh, 'new')).toMatch(/\$|USD/);
});

test('the history shows an amount alone if the entry has no currency', () => {
  expect(priceIn({ price: 5 }, { price: 6 }, 'new')).not.toMatch(/€|EUR|\$|USD/);
});
