// @module-tag slow
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import { valueIn } from '../form/inputs';

const songs = () =>
  normalise({
    name: 'songs',
    labels: { one: 'Song', many: 'Songs' },
    scope: 'installation',
    menu: { group: 'Music', icon: 'layers' },
    fields: {
      name: { type: 'text' },
      fee: { type: 'money', currency: 'EUR' },
      price: { type: 'money', currency: 'coin' },
      coin: { type: 'select', options: ['USD', 'JPY'].map((value) => ({ value, label: value })) },
    },
    list: { columns: ['id', 'name!', 'fee*', 'price*'], rowClick: 'edit' },
    form: { sections: [{ label: 'Song', fields: ['name', 'fee', 'price', 'coin'] }] },
    grants: { '1': 'all' },
  } satisfies Source);

const open = (path: string) => {
  const rows = { songs: [{ id: 1, name: 'Emma', fee: 1234.5, price: 3, coin: 'USD' }] };
  const server = fakeServer({ level: 1, definitions: [...fixtureDefinitions(), songs()], rows });
  return { server, user: renderApp(path) };
};

it('a list shows amounts with their currencies, and asks for the field that has one', async () => {
  const { server } = open('/songs');
  expect(await screen.findByText('€1,234.50')).toBeTruthy();
  expect(screen.getByText('$3.00')).toBeTruthy();
  expect(server.calls.some(({ query }) => query.fields?.split(',').includes('coin'))).toBe(true);
});

it('a form shows the currency beside the amount, and accepts it in the typed text', async () => {
  const { server, user } = open('/songs/1');
  const fee = await screen.findByRole('textbox', { name: 'Fee' });
  expect(valueIn(fee)).toBe('1234.50');
  expect(fee.parentElement!.textContent).toContain('EUR');
  expect(screen.getByRole('textbox', { name: 'Price' }).parentElement!.textContent).toContain('USD');
  await user.clear(fee);
  await user.type(fee, '1.250,75 €');
  await user.click(screen.getByRole('button', { name: /^(Save|Update)/ }));
  const call = await waitFor(() => {
    const found = server.calls.find(({ method }) => method === 'PUT');
    expect(found).toBeDefined();
    return found!;
  });
  expect(call.body).toMatchObject({ fee: 1250.75 });
});

it('an amount in another currency is refused', async () => {
  const { server, user } = open('/songs/1');
  const fee = await screen.findByRole('textbox', { name: 'Fee' });
  await user.clear(fee);
  await user.type(fee, '$5');
  await user.click(screen.getByRole('button', { name: /^(Save|Update)/ }));
  expect(await screen.findByText('Fee must be a number.')).toBeTruthy();
  expect(server.calls.some(({ method }) => method === 'PUT')).toBe(false);
});
