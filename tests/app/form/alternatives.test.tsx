// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

// Recipes are written as steps or as free text.
const recipes: Source = {
  name: 'recipes',
  labels: { one: 'Recipe', many: 'Recipes' },
  fields: {
    name: { type: 'text', required: true },
    steps: { type: 'rows', fields: { action: { type: 'text', required: true } } },
    text: { type: 'textarea', label: 'Free Words', maxLength: 10 },
    yield: { type: 'text', label: 'Yield' },
  },
  form: {
    sections: [
      { label: 'Recipe', fields: ['name'] },
      {
        label: 'Preparation',
        fields: ['steps', 'text', 'yield'],
        alternatives: [
          { label: 'Steps', fields: ['steps'] },
          { label: 'Free text', fields: ['text'] },
        ],
      },
    ],
  },
};

async function open(path: string, record: object = {}) {
  const server = fakeServer({
    definitions: [normalise(recipes)],
    rows: { recipes: [{ id: 7, name: 'Pie', steps: [], updated_at: '2026-11-20T10:00:00.000Z', ...record }] },
  });
  const user = renderApp(path);
  const group = await screen.findByRole('group', { name: 'Preparation: how they are written' });
  const pressed = () =>
    within(group)
      .getAllByRole('button')
      .filter((one) => one.getAttribute('aria-pressed') === 'true')
      .map((one) => one.textContent);
  const change = (label: string) => user.click(within(group).getByRole('button', { name: label }));
  return { server, user, pressed, change };
}

const words = () => screen.queryByRole('textbox', { name: 'Free Words' });
const addRow = () => screen.queryByRole('button', { name: 'Add row' });

test('a new record begins with the last alternative, the one that is left keeps its value, and both are saved', async () => {
  const { server, user, pressed, change } = await open('/recipes/create');
  expect(pressed()).toEqual(['Free text']);
  expect(addRow()).toBeNull();
  expect(screen.getByRole('textbox', { name: 'Yield' })).toBeTruthy();
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Bread');
  await user.type(words()!, 'Knead');
  await change('Steps');
  expect(words()).toBeNull();
  expect(screen.getByText('Free text: what is written there is kept, and saved too.')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Add row' }));
  await user.type(await screen.findByRole('textbox', { name: 'Action, row 1' }), 'Bake');
  await change('Free text');
  expect(words()).toHaveProperty('value', 'Knead');
  expect(screen.getByText('Steps: what is written there is kept, and saved too.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.calls.find(({ method, path }) => method === 'POST' && path === '/recipes')?.body).toMatchObject({
      text: 'Knead',
      steps: [{ action: 'Bake' }],
    }),
  );
});

test.each([
  ['steps', { steps: [{ id: 1, action: 'Bake' }] }, 'Steps'],
  ['free text', { text: 'Knead' }, 'Free text'],
  ['both', { steps: [{ id: 1, action: 'Bake' }], text: 'Knead' }, 'Steps'],
])('a stored record begins with the alternative that has a value: %s', async (_, record, expected) => {
  const { pressed } = await open('/recipes/7', record);
  expect(pressed()).toEqual([expected]);
});

test('an error in a hidden alternative is shown, until the switch is used', async () => {
  const { user, change, pressed } = await open('/recipes/7', { steps: [{ id: 1, action: 'Bake' }] });
  await change('Free text');
  await user.type(words()!, 'Much too long');
  await change('Steps');
  expect(words()).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(words()).toBeTruthy());
  expect(pressed()).toEqual(['Steps']);
  await user.clear(words()!);
  await user.type(words()!, 'Short');
  await change('Steps');
  await waitFor(() => expect(words()).toBeNull());
});
