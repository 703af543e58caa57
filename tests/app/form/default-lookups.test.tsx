// @module-tag slow
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '../support/renderApp';
import { pantry, sent, servePantry } from './pantry';

const definitions = pantry({
  shelf_id: { type: 'relation', to: 'shelves', embed: 'shelf', default: { $lookup: { name: 'Upper' } } },
});
const serve = (data: object[]) =>
  servePantry({
    definitions,
    answers: {
      'GET /jars/choices/shelf_id': ({ query }) => ({
        status: 200,
        body: { data: query.default === '1' ? data : [{ id: 2, title: 'Lower' }] },
      }),
    },
  });
const shelf = () => screen.findByRole('combobox', { name: /Shelf/ });

test('the form of a new record begins with the value that its default looks up, which is no change', async () => {
  const server = serve([{ id: 1, title: 'Upper' }]);
  const user = renderApp('/jars/create');
  await waitFor(async () => expect(await shelf()).toHaveProperty('value', 'Upper'));
  await user.type(screen.getByRole('textbox', { name: /Name/ }), 'Pepper');
  await user.click(screen.getByRole('button', { name: /^(Create|Save)/ }));
  await waitFor(() => expect(sent(server, 'POST')).toEqual([expect.objectContaining({ name: 'Pepper', shelf_id: 1 })]));
});

test('the form of a new record is empty where its default finds no record', async () => {
  const server = serve([]);
  renderApp('/jars/create');
  await waitFor(() => expect(server.calls.some(({ query }) => query.default === '1')).toBe(true));
  expect(await shelf()).toHaveProperty('value', '');
});
