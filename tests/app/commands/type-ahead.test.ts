import { fireEvent } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { typeAhead } from '../../../src/app/commands/typeAhead';

const page = document.createElement('div');
const { execCommand } = document;
afterEach(() => {
  vi.useRealTimers();
  page.remove();
  document.execCommand = execCommand;
});

/** A place without an input yet, and an input elsewhere. */
function showPlace() {
  vi.useFakeTimers();
  page.innerHTML = '<div><button></button></div><input>';
  document.body.append(page);
  const insert = vi.fn();
  document.execCommand = (_command, _shows, text) => (insert(text), true);
  return { place: page.querySelector('div')!, other: page.querySelector('input')!, insert };
}

/** Whether a key that is pressed reaches the page. */
const press = (key: string, more: object = {}) => fireEvent.keyDown(document.activeElement!, { key, ...more });

it('keys that are pressed before an input appears are typed into it', () => {
  const { place, insert } = showPlace();
  typeAhead(place);
  expect([press('h'), press('i')]).toEqual([false, false]);
  const input = place.appendChild(document.createElement('textarea'));
  input.focus();
  vi.runAllTimers();
  expect(insert.mock.calls).toEqual([['hi']]);
  expect(press('!')).toBe(true);
});

it('the key that opened something is not typed as long as it is held', () => {
  const { place, insert } = showPlace();
  typeAhead(place);
  expect([press('Enter', { repeat: true }), press('h')]).toEqual([false, false]);
  place.appendChild(document.createElement('textarea')).focus();
  vi.runAllTimers();
  expect(insert.mock.calls).toEqual([['h']]);
});

it('keys that are pressed in another input meanwhile stay there, and no others come into it', () => {
  const { place, other, insert } = showPlace();
  typeAhead(place);
  press('h');
  other.focus();
  expect(press('x')).toBe(true);
  vi.runAllTimers();
  expect(insert).not.toHaveBeenCalled();
});

it('keys that are pressed while kept keys are pressed again come after these', () => {
  const { place, insert } = showPlace();
  typeAhead(place);
  press('Enter');
  const input = place.appendChild(document.createElement('textarea'));
  const order: string[] = [];
  input.addEventListener('keydown', ({ key }) => order.push(key));
  insert.mockImplementation((text: string) => order.push(`typed ${text}`));
  input.focus();
  // The input has the focus, and Enter is to be pressed yet.
  vi.advanceTimersToNextTimer();
  press('c');
  press('l');
  vi.runAllTimers();
  expect(order).toEqual(['Enter', 'c', 'typed c', 'l', 'typed l']);
  expect(press('a')).toBe(true);
});

it('Escape ends the keys that are to be pressed yet', () => {
  const { place } = showPlace();
  typeAhead(place);
  press('Enter');
  const input = place.appendChild(document.createElement('textarea'));
  const pressed = vi.fn();
  input.addEventListener('keydown', ({ key }) => pressed(key));
  input.focus();
  vi.advanceTimersToNextTimer();
  press('Escape');
  vi.runAllTimers();
  expect(pressed.mock.calls).toEqual([['Escape']]);
});
