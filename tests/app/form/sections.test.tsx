// @module-tag slow
import { cleanup, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

// Recipes are written as steps or as free text, with parts that are folded or shown on demand.
const recipes: Source = {
  name: 'recipes',
  labels: { one: 'Recipe', many: 'Recipes' },
  fields: {
    name: { type: 'text', required: true },
    steps: { type: 'rows', fields: { action: { type: 'text', required: true } } },
    text: { type: 'textarea', label: 'Free Words', maxLength: 10 },
    yield: { type: 'text', label: 'Yield' },
    source: { type: 'text', label: 'Source' },
    oven: { type: 'text', label: 'Oven', default: 'Electric' },
    note: { type: 'text', label: 'Note', maxLength: 10 },
  },
  form: {
    keep: ['yield'],
    sections: [
      { label: 'Recipe', fields: ['name'] },
      {
        label: 'Preparation',
        fields: ['steps', 'text', 'yield', 'source'],
        onDemand: ['source'],
        alternatives: [
          { label: 'Write in steps', fields: ['steps'] },
          { label: 'Write as text', fields: ['text'] },
        ],
      },
      { label: 'Kitchen', fields: ['oven', 'note'], folded: true },
    ],
  },
};

async function open(path: string, record: object = {}) {
  const server = fakeServer({
    definitions: [normalise(recipes)],
    rows: { recipes: [{ id: 7, name: 'Pie', steps: [], updated_at: '2026-11-20T10:00:00.000Z', ...record }] },
  });
  const user = renderApp(path);
  await screen.findByRole('textbox', { name: 'Yield' });
  return { server, user };
}

const words = () => screen.queryByRole('textbox', { name: 'Free Words' });
const addRow = () => screen.queryByRole('button', { name: 'Add row' });
const button = (name: string) => screen.queryByRole('button', { name });

test('a new record begins with the first alternative; a button leads to another, and what is written stays', async () => {
  const { server, user } = await open('/recipes/create');
  expect(await screen.findByRole('button', { name: 'Add row' })).toBeTruthy();
  expect(words()).toBeNull();
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Bread');
  await user.click(button('Write as text')!);
  expect(addRow()).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(words()));
  await user.type(words()!, 'Knead');
  await user.click(button('Write in steps')!);
  expect(words()).toHaveProperty('value', 'Knead');
  await user.click(await screen.findByRole('button', { name: 'Action, row 1' }));
  await user.type(await screen.findByRole('textbox', { name: 'Action, row 1' }), 'Bake');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.calls.find(({ method, path }) => method === 'POST' && path === '/recipes')?.body).toMatchObject({
      text: 'Knead',
      steps: [{ action: 'Bake' }],
    }),
  );
});

test.each([
  ['steps', { steps: [{ id: 1, action: 'Bake' }] }, true, false],
  ['free text', { text: 'Knead' }, false, true],
  ['both', { steps: [{ id: 1, action: 'Bake' }], text: 'Knead' }, true, true],
])('a stored record shows the alternatives that have a value: %s', async (_, record, hasSteps, hasWords) => {
  await open('/recipes/7', record);
  expect(addRow() !== null).toBe(hasSteps);
  expect(words() !== null).toBe(hasWords);
  expect(button('Write as text') !== null).toBe(!hasWords);
  expect(button('Write in steps') !== null).toBe(!hasSteps);
});

test('a field on demand is behind a button until it has a value, and stays when that is removed', async () => {
  const { user } = await open('/recipes/7', { steps: [{ id: 1, action: 'Bake' }] });
  const source = () => screen.queryByRole('textbox', { name: 'Source' });
  expect(source()).toBeNull();
  await user.click(button('Source')!);
  await waitFor(() => expect(document.activeElement).toBe(source()));
  await user.type(source()!, 'Book');
  await user.clear(source()!);
  expect(source()).toBeTruthy();
  expect(button('Source')).toBeNull();
});

test('a folded section is open where a field has another value than in a new record, and where it has a fault', async () => {
  const { user } = await open('/recipes/7', { steps: [{ id: 1, action: 'Bake' }], oven: 'Electric' });
  const oven = () => screen.queryByRole('textbox', { name: 'Oven' });
  expect(oven()).toBeNull();
  const fold = await screen.findByRole('button', { name: 'Kitchen Oven: Electric' });
  expect(fold.getAttribute('aria-expanded')).toBe('false');
  await user.click(fold);
  await user.type(screen.getByRole('textbox', { name: 'Note' }), 'Much too long');
  await user.click(screen.getByRole('button', { name: 'Kitchen' }));
  expect(oven()).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Note' })));
});

test('a folded section with a value of its own is open from the start', async () => {
  await open('/recipes/7', { steps: [{ id: 1, action: 'Bake' }], oven: 'Gas' });
  expect(screen.getByRole('textbox', { name: 'Oven' })).toHaveProperty('value', 'Gas');
});

test('values that stay are those of the next new record, also after a reload, as far as they are still offered', async () => {
  const { server, user } = await open('/recipes/create');
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Bread');
  await user.type(screen.getByRole('textbox', { name: 'Yield' }), 'Two');
  await user.click(screen.getByRole('button', { name: 'Save and add another' }));
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', ''));
  expect(screen.getByRole('textbox', { name: 'Yield' })).toHaveProperty('value', 'Two');
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' }));
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Rolls');
  await user.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}');
  const posted = () => server.calls.filter(({ method, path }) => method === 'POST' && path === '/recipes');
  await waitFor(() => expect(posted()).toHaveLength(2));
  expect(posted()[1]!.body).toMatchObject({ name: 'Rolls', yield: 'Two' });
  cleanup();
  await open('/recipes/create');
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Yield' })).toHaveProperty('value', 'Two'));
});
