import { act, renderHook } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { themeStorageKey, useThemeChoice } from '../../../src/app/theme/themeChoice';

function systemIs(dark: boolean) {
  const listeners = new Set<() => void>();
  const media = {
    matches: dark,
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  };
  vi.stubGlobal('matchMedia', () => media);
  return (now: boolean) => {
    media.matches = now;
    listeners.forEach((listener) => listener());
  };
}

afterEach(() => {
  delete document.documentElement.dataset.theme;
});

describe('the choice of a theme', () => {
  it('follows the system until the user chooses', () => {
    const turn = systemIs(true);
    const { result } = renderHook(() => useThemeChoice());
    expect(result.current).toMatchObject({ choice: 'system', scheme: 'dark' });
    act(() => turn(false));
    expect(result.current.scheme).toBe('light');
    expect(document.documentElement.dataset.theme).toBe('light');
  });

  it('shows and remembers a choice at once, against the system', () => {
    systemIs(false);
    const { result } = renderHook(() => useThemeChoice());
    act(() => result.current.choose('dark'));
    expect(result.current).toMatchObject({ choice: 'dark', scheme: 'dark' });
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(renderHook(() => useThemeChoice()).result.current.choice).toBe('dark');
  });

  it.each([
    ['dark', false, 'dark'],
    ['light', true, 'light'],
    ['system', true, 'dark'],
    [null, false, 'light'],
  ])('is applied before the first paint: %s on a dark system (%s) is %s', (stored, dark, expected) => {
    systemIs(dark);
    if (stored) localStorage.setItem(themeStorageKey, stored);
    const script = readFileSync(resolve(import.meta.dirname, '../../../public/theme.js'), 'utf8');
    new Function('matchMedia', script)(window.matchMedia);
    expect(document.documentElement.dataset.theme).toBe(expected);
  });
});
