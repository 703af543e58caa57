import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const columns = { action: { type: 'textarea', markdown: true } } as const;
const basics: Source = {
  name: 'basics',
  labels: { one: 'Basic', many: 'Basics' },
  fields: {
    name: { type: 'text', required: true },
    steps: { type: 'rows', fields: columns },
    recipes: { type: 'inverse', source: 'recipes.steps.basic_id' },
  },
};
const recipes: Source = {
  name: 'recipes',
  labels: { one: 'Recipe', many: 'Recipes' },
  page: true,
  fields: {
    name: { type: 'text', required: true },
    photo: { type: 'image' },
    steps: {
      type: 'rows',
      insertedRows: 'basic_id.steps',
      fields: { ...columns, basic_id: { type: 'relation', to: 'basics', embed: 'basic', label: 'Basic' } },
    },
  },
};

test('the page of a record shows marks and pictures of rows, and folds those of an inserted record into its name', async () => {
  const steps = [
    {
      id: 1,
      action: null,
      basic_id: 3,
      basic: { id: 3, name: 'Dough' },
      inserted: [{ action: 'Mix' }, { action: 'Rest' }],
    },
    { id: 2, action: 'Bake **golden**, as ![the photo](pie.png)', basic_id: null },
  ];
  const photo = { name: 'pie.png', size: 1, type: 'image/png', url: '/api/files/1.png?expires=1' };
  fakeServer({
    definitions: [basics, recipes].map((one) => normalise(one)),
    rows: {
      basics: [{ id: 3, name: 'Dough', recipes_count: 4 }],
      recipes: [{ id: 7, name: 'Pie', steps, photo, updated_at: '2026-11-20T10:00:00.000Z' }],
    },
  });
  const user = renderApp('/recipes/7/view');
  const table = await screen.findByRole('table', { name: 'Steps' });
  const linesNow = () =>
    within(table)
      .getAllByRole('row')
      .map((line) => line.textContent);
  const folded = '1–2Dough2 rowsused in 4 recipes';
  await waitFor(() => expect(linesNow()).toEqual(['#Action', folded, '3Bake golden, as ']));
  expect(within(table).getByRole('link', { name: 'used in 4 recipes' }).getAttribute('href')).toBe('/basics/3');
  await user.click(within(table).getByRole('button', { name: 'Unfold rows 1 to 2' }));
  expect(linesNow()).toEqual(['#Action', folded, '1Mix', '2Rest', '3Bake golden, as ']);
  await user.click(within(table).getByRole('button', { name: 'Fold rows 1 to 2' }));
  expect(linesNow()).toHaveLength(3);
  expect(within(table).getByText('golden').tagName).toBe('STRONG');
  expect(within(table).getByRole('img', { name: 'the photo' }).getAttribute('src')).toBe(photo.url);
});
