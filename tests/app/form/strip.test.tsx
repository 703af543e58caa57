// @module-tag slow
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import { formatInstant } from '../../../src/engine/formats/dates';
import { renderApp } from '../support/renderApp';
import { pantry, servePantry, stored } from './pantry';

const tasting = normalise({
  name: 'tastings',
  labels: { one: 'Tasting', many: 'Tastings' },
  menu: false,
  fields: {
    name: {},
    jar_id: { type: 'relation', to: 'jars', embed: 'jar' },
    shelf_id: { type: 'relation', to: 'shelves', embed: 'shelf' },
    verdict: {
      type: 'select',
      options: [
        { value: 'good', label: 'Good', tone: 'low' },
        { value: 'bad', label: 'Bad', tone: 'urgent' },
      ],
    },
    tasted_at: { type: 'datetime' },
  },
});
const definitions = [
  ...pantry(
    {
      last_tastings: {
        type: 'inverse',
        source: 'tastings.jar_id',
        label: 'Last Tastings',
        maxItems: 10,
        latestBy: 'tasted_at',
        valueStrip: 'verdict',
        showFields: ['shelf'],
      },
    },
    { form: { sections: [{ label: 'Jar', fields: ['name', 'last_tastings'] }] } },
  ),
  tasting,
];
const [first, last] = ['2026-11-18T08:00:00.000Z', '2026-11-19T09:30:00.000Z'];
const tastings = [
  { id: 3, verdict: 'good', shelf: { id: 1, name: 'Upper' }, tasted_at: first },
  { id: 5, verdict: 'bad', shelf: null, tasted_at: last },
];
const serve = (records: unknown, permissions?: Parameters<typeof servePantry>[0]) =>
  servePantry({
    definitions,
    rows: { jars: [{ ...stored, last_tastings: records }], shelves: [], boxes: [], tastings: [] },
    ...permissions,
  });

test('the latest records of a strip are links in the form, each with its value, its related records and its time', async () => {
  serve(tastings);
  renderApp('/jars/7');
  const strip = within(await screen.findByRole('group', { name: 'Last Tastings' }));
  expect(
    strip.getAllByRole('link').map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]),
  ).toEqual([
    [`Good, Upper, ${formatInstant(first)}`, '/tastings/3'],
    [`Bad, ${formatInstant(last)}`, '/tastings/5'],
  ]);
  expect(screen.getByText('The last 2: 1 Good, 1 Bad; the latest is Bad')).toBeTruthy();
});

test('a user who may not open the records of a strip sees values without links', async () => {
  serve(tastings, {
    level: 4,
    permissions: { jars: ['list', 'view', 'edit'], shelves: [], boxes: [], tastings: ['list'] },
  });
  renderApp('/jars/7');
  const strip = within(await screen.findByRole('group', { name: 'Last Tastings' }));
  expect(strip.getAllByRole('img').map((square) => square.getAttribute('aria-label'))).toContain(
    `Bad, ${formatInstant(last)}`,
  );
  expect(strip.queryByRole('link')).toBeNull();
});
