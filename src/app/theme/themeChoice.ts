import { useSyncExternalStore } from 'react';
import type { Scheme } from './tokens';

/** The user's choice: a scheme, or the system's. */
export type ThemeChoice = Scheme | 'system';

/** The storage key of the choice. `public/theme.js` reads the same key before the first paint. */
export const themeStorageKey = 'assay.theme';

const listeners = new Set<() => void>();
const prefersDark = () => window.matchMedia?.('(prefers-color-scheme: dark)');

/** The stored choice; `system` if there is none. */
export function readThemeChoice(): ThemeChoice {
  try {
    const storedChoice = localStorage.getItem(themeStorageKey);
    return storedChoice === 'light' || storedChoice === 'dark' ? storedChoice : 'system';
  } catch {
    return 'system';
  }
}

/** The scheme that a choice currently resolves to. */
function schemeOf(choice: ThemeChoice): Scheme {
  if (choice !== 'system') return choice;
  return prefersDark()?.matches ? 'dark' : 'light';
}

function applyTheme(): void {
  document.documentElement.dataset.theme = schemeOf(readThemeChoice());
  listeners.forEach((listener) => listener());
}

/** Stores a choice and applies it at once. */
export function chooseTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(themeStorageKey, choice);
  } catch {
    // Without storage the choice still applies until the page is left.
    document.documentElement.dataset.theme = schemeOf(choice);
    return;
  }
  applyTheme();
}

/**
 * Calls back after the choice or the system's scheme changed, here or in another tab. Returns a function that
 * unsubscribes.
 */
export function onThemeChange(listener: () => void): () => void {
  if (listeners.size === 0) {
    prefersDark()?.addEventListener?.('change', applyTheme);
    window.addEventListener('storage', applyTheme);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    prefersDark()?.removeEventListener?.('change', applyTheme);
    window.removeEventListener('storage', applyTheme);
  };
}

/**
 * The choice, the scheme it resolves to, and a function to choose another.
 *
 * @example const { scheme, choose } = useThemeChoice();
 */
export function useThemeChoice(): { choice: ThemeChoice; scheme: Scheme; choose: (choice: ThemeChoice) => void } {
  const choice = useSyncExternalStore(onThemeChange, readThemeChoice);
  const scheme = useSyncExternalStore(onThemeChange, () => schemeOf(readThemeChoice()));
  return { choice, scheme, choose: chooseTheme };
}
