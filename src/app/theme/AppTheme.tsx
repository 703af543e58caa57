import { ThemeProvider, type StorageManager } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { theme } from './theme';
import { chooseTheme, onThemeChange, readThemeChoice, themeStorageKey } from './themeChoice';

// MUI keeps a choice of its own; this lends it ours, so that there is one.
const storage: StorageManager = ({ key }) =>
  key === themeStorageKey
    ? {
        get: readThemeChoice,
        set: (choice) => {
          if (choice !== readThemeChoice()) chooseTheme(choice);
        },
        subscribe: (listener) => onThemeChange(() => listener(readThemeChoice())),
      }
    : { get: (initial) => initial, set: () => {}, subscribe: () => () => {} };

/** What the theme is given wherever it stands: the scheme that was chosen, and whatever the system says before. */
export const chosenScheme = {
  modeStorageKey: themeStorageKey,
  storageManager: storage,
  defaultMode: 'system',
  disableTransitionOnChange: true,
  noSsr: true,
} as const;

/** Gives the theme to everything below it, in the scheme that was chosen. */
export function AppTheme({ children }: { children: ReactNode }) {
  return (
    <ThemeProvider theme={theme} {...chosenScheme}>
      {children}
    </ThemeProvider>
  );
}
