// @module-tag slow
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fillDerivedTypes } from '../../../src/engine/registry/derived-types';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

// Orders whose lines are quantity × price.
const orders: Source = {
  name: 'orders',
  labels: { one: 'Order', many: 'Orders' },
  fields: {
    name: { type: 'text', required: true },
    lines: {
      type: 'rows',
      fields: {
        quantity: { type: 'number' },
        amount: { type: 'number', computed: { $multiply: ['$record.quantity', '$record.price'] } },
        price: { type: 'number' },
      },
    },
    total: { type: 'rollup', source: 'lines', aggregate: 'sum', field: 'amount' },
    reason: { visible: { total: { $gt: 100 } } },
    from_on: { type: 'date' },
    until_on: { type: 'date' },
    days: { type: 'number', computed: { $workingDays: ['$record.from_on', '$record.until_on'] } },
  },
  validate: [
    // Only the server knows calendars: what was stored is not what is typed.
    { condition: { days: { $lte: 3 } }, field: 'until_on', message: 'At most three days.' },
    { condition: { total: { $lte: 500 } }, field: 'lines', message: 'At most 500 in all.' },
  ],
};

function open() {
  const definitions = [normalise(orders)];
  const server = fakeServer({
    definitions: [...fillDerivedTypes(new Map(definitions.map((one) => [one.name, one]))).values()],
    rows: {
      orders: [
        {
          id: 7,
          name: 'Roof',
          lines: [{ id: 1, quantity: 2, price: 30, amount: 60 }],
          total: 60,
          from_on: '2026-11-02',
          until_on: '2026-11-06',
          days: 5,
          updated_at: '2026-11-20T10:00:00.000Z',
        },
      ],
    },
  });
  return { server, user: renderApp('/orders/7') };
}

const amounts = () => screen.getAllByRole('status', { name: /^Amount, row/ }).map(({ textContent }) => textContent);
const quantity = () => screen.findByRole('textbox', { name: 'Quantity, row 1' });

test('a computed column is shown in its place, follows what is typed and is not a stop of the Tab key', async () => {
  const { user } = open();
  await screen.findByRole('button', { name: 'Add row' });
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Quantity',
    'Amount',
    'Price',
  ]);
  expect(amounts()).toEqual(['60']);
  await user.click(screen.getByRole('button', { name: 'Quantity, row 1' }));
  await user.clear(await quantity());
  await user.type(await quantity(), '4');
  await waitFor(() => expect(amounts()).toEqual(['120']));
  await user.tab();
  expect(await screen.findByRole('textbox', { name: 'Price, row 1' })).toBe(document.activeElement);
});

test('conditions of the form follow what is computed from rows, and nothing computed is sent', async () => {
  const { server, user } = open();
  await screen.findByRole('button', { name: 'Add row' });
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Reason' })).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Quantity, row 1' }));
  await user.clear(await quantity());
  await user.type(await quantity(), '20');
  expect(await screen.findByRole('textbox', { name: 'Reason' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('At most 500 in all.')).toBeTruthy();
  expect(server.calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Quantity, row 1' }));
  await user.clear(await quantity());
  await user.type(await quantity(), '5');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      lines: [{ id: 1, quantity: 5, price: 30 }],
    }),
  );
  expect(JSON.stringify(server.calls.find(({ method }) => method === 'PUT')!.body)).not.toContain('amount');
});
