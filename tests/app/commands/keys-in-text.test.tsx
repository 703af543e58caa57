import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { useCommands } from '../../../src/app/commands/commands';
import { useCommandKeys } from '../../../src/app/commands/useCommandKeys';

const run = vi.fn<(keys: string) => void>();

/** A card with a text in it, and commands by these keys. */
function Card() {
  useCommands(() =>
    ['Ctrl+A', 'Ctrl+Z', 'Ctrl+S', 'x'].map((keys) => ({ id: keys, label: keys, keys, run: () => run(keys) })),
  );
  useCommandKeys({ onPalette: () => run('Ctrl+K'), onHelp: () => {} }, true);
  return (
    <div data-card="1" tabIndex={-1} aria-label="Card" role="group">
      <input aria-label="Title" defaultValue="Some words" />
    </div>
  );
}

test('keys that select, move or take back text belong to a text that has the focus, and to the screen elsewhere', async () => {
  render(<Card />);
  const user = userEvent.setup();
  const press = () => user.keyboard('{Control>}azs{/Control}x{Control>}k{/Control}');
  const text = screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' });
  text.focus();
  await press();
  expect(run.mock.calls.flat()).toEqual(['Ctrl+S', 'Ctrl+K']);
  run.mockClear();
  await user.keyboard('{Control>}a{/Control}');
  expect([text.selectionStart, text.selectionEnd]).toEqual([0, text.value.length]);
  screen.getByRole('group', { name: 'Card' }).focus();
  await press();
  expect(run.mock.calls.flat()).toEqual(['Ctrl+A', 'Ctrl+Z', 'Ctrl+S', 'x', 'Ctrl+K']);
});
