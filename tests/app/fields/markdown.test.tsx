// @module-tag slow
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { MarkdownText } from '../../../src/app/fields/markdown/MarkdownText';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

// Recipes whose steps and notes can have marks, and whose hints cannot.
const recipes: Source = {
  name: 'recipes',
  labels: { one: 'Recipe', many: 'Recipes' },
  fields: {
    name: { type: 'text', required: true },
    steps: {
      type: 'rows',
      fields: {
        action: { type: 'textarea', required: true, markdown: true },
        tool: { type: 'text' },
      },
    },
    notes: { type: 'textarea', markdown: true },
    photos: { type: 'files' },
  },
};

async function open(record: object = {}) {
  const server = fakeServer({
    definitions: [normalise(recipes)],
    rows: {
      recipes: [{ id: 7, name: 'Pie', steps: [], updated_at: '2026-11-20T10:00:00.000Z', ...record }],
    },
  });
  const user = renderApp('/recipes/7');
  await screen.findByRole('button', { name: 'Add row' });
  await screen.findByRole('toolbar', { name: 'Format Notes' });
  const save = async () => {
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const call = await waitFor(() => {
      const found = server.calls.find(({ method, path }) => method === 'PUT' && path === '/recipes/7');
      expect(found).toBeDefined();
      return found!;
    });
    return call.body as { steps?: { action: string }[]; notes?: string };
  };
  return { user, save };
}

const box = (name: string) => screen.findByRole<HTMLTextAreaElement>('textbox', { name });
const tool = (name: string) => within(screen.getByRole('toolbar', { name: 'Row' })).getByRole('button', { name });

test('keys and the one toolbar mark the text of the focused cell, which shows the marks when it is left', async () => {
  const { user, save } = await open({ steps: [{ id: 1, action: 'Press Pay', tool: 'Fork' }] });
  expect(tool('Bold')).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('button', { name: 'Action, row 1' }));
  const cell = await box('Action, row 1');
  cell.setSelectionRange(6, 9);
  await user.keyboard('{Control>}b{/Control}');
  expect(cell.value).toBe('Press **Pay**');
  expect(cell.value.slice(cell.selectionStart, cell.selectionEnd)).toBe('Pay');
  expect(tool('Bold').getAttribute('aria-pressed')).toBe('true');
  await user.click(tool('Italic'));
  expect(cell.value).toBe('Press _**Pay**_');
  expect(document.activeElement).toBe(cell);
  // What was done in one cell is one step that can be undone.
  await user.keyboard('{Control>}z{/Control}');
  await waitFor(() => expect(cell.value).toBe('Press Pay'));
  await user.keyboard('{Control>}y{/Control}');
  await waitFor(() => expect(cell.value).toBe('Press _**Pay**_'));
  // A cell without marks has no use for the tools, and the text that was left shows them.
  await user.tab();
  await box('Tool, row 1');
  expect(tool('Code')).toHaveProperty('disabled', true);
  const shown = screen.getByRole('button', { name: 'Action, row 1' });
  expect(shown.querySelector('strong')?.textContent).toBe('Pay');
  expect((await save()).steps).toMatchObject([{ action: 'Press _**Pay**_' }]);
});

test('by keyboard alone: Alt+F10 leads to the toolbar, arrows through it, Escape back; Ctrl+Shift+K makes a link', async () => {
  const { user } = await open({ steps: [{ id: 1, action: 'See page', tool: null }] });
  await user.click(screen.getByRole('button', { name: 'Action, row 1' }));
  const cell = await box('Action, row 1');
  cell.setSelectionRange(4, 8);
  await user.keyboard('{Alt>}{F10}{/Alt}');
  expect(document.activeElement).toBe(tool('Bold'));
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(document.activeElement).toBe(tool('Link'));
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(cell);
  await user.keyboard('{Alt>}{F10}{/Alt}');
  expect(document.activeElement).toBe(tool('Link'));
  await user.keyboard('{Escape}{Control>}{Shift>}K{/Shift}{/Control}');
  const address = await screen.findByRole('textbox', { name: 'Address' });
  await user.type(address, 'javascript:alert(1){Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('https://example.com');
  expect(cell.value).toBe('See page');
  await user.clear(address);
  await user.type(address, 'example.com/a{Enter}');
  await waitFor(() => expect(cell.value).toBe('See [page](https://example.com/a)'));
  expect(document.activeElement).toBe(cell);
});

test('text that cannot be marked stays, and screen readers hear why', async () => {
  const { user } = await open({ notes: 'See `a b c`' });
  const notes = await box('Notes');
  await user.click(notes);
  notes.setSelectionRange(7, 8);
  await user.keyboard('{Control>}b{/Control}');
  expect(notes.value).toBe('See `a b c`');
  expect(await screen.findByText('This text cannot be bold here.')).toBeTruthy();
});

test('a picture that is pasted into a text goes into the files of the record, under a name of its own', async () => {
  const { user } = await open({
    notes: 'See ',
    photos: [{ name: 'image.png', size: 3, type: 'image/png', url: '/api/files/1.png?expires=1' }],
  });
  const notes = await box('Notes');
  await user.click(notes);
  notes.setSelectionRange(4, 4);
  const picture = new File(['x'], 'image.png', { type: 'image/png' });
  fireEvent.paste(notes, { clipboardData: { files: [picture], items: [], types: ['Files'], getData: () => '' } });
  await waitFor(() => expect(notes.value).toBe('See ![image-2](image-2.png)'));
  expect((await screen.findAllByText('image-2.png')).length).toBeGreaterThan(0);
});

test('a text with marks yields no markup of its own, no foreign link and no request to another server', () => {
  const { container } = render(
    <MarkdownText
      text={
        '**<img src=x onerror=alert(1)>** [a](javascript:alert(1)) [b](https://example.com/"onclick="x) ' +
        '![c](https://evil.example/c.png) ![d](gone.png) ![e](shot.png) [f](https://example.com)'
      }
      pictures={[{ name: 'shot.png', url: '/api/files/1.png?expires=1' }]}
    />,
  );
  expect([...container.querySelectorAll('img')].map((one) => one.getAttribute('src'))).toEqual([
    '/api/files/1.png?expires=1',
  ]);
  expect([...container.querySelectorAll('a')].map((one) => one.getAttribute('href'))).toEqual([
    'https://evil.example/c.png',
    '/api/files/1.png?expires=1',
    'https://example.com',
  ]);
  expect(container.querySelector('strong')!.textContent).toBe('<img src=x onerror=alert(1)>');
  for (const one of container.querySelectorAll('a')) expect(one.rel).toContain('noopener');
});
