import { fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { PreserveFocus } from '../../../src/app/form/PreserveFocus';

afterEach(() => vi.restoreAllMocks());

const value = 'longer than its box';
const inputs: readonly [name: string, input: ReactElement, title: string | null][] = [
  ['a text', <input key="text" aria-label="Value" defaultValue={value} />, value],
  ['a masked password', <input key="masked" aria-label="Value" type="password" defaultValue={value} />, null],
  [
    'a password that is shown',
    <input key="shown" aria-label="Value" autoComplete="new-password" defaultValue={value} />,
    null,
  ],
];

test.each(inputs)('the tooltip of %s that is cut', (_, input, expectedTitle) => {
  render(<PreserveFocus>{input}</PreserveFocus>);
  const box = screen.getByLabelText('Value');
  box.style.textOverflow = 'ellipsis';
  const width = vi.spyOn(box, 'scrollWidth', 'get').mockReturnValue(100);
  fireEvent.pointerOver(box);
  expect(box.getAttribute('title')).toBe(expectedTitle);
  width.mockReturnValue(0);
  fireEvent.pointerOver(box);
  expect(box.hasAttribute('title')).toBe(false);
});
