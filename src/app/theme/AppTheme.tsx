import { ThemeProvider, type StorageManager } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { theme } from './theme';
import { chooseTheme, onThemeChange, readThemeChoice, themeStorageKey } from './themeChoice';

// MUI stores a color scheme itself; connect it to ours, so that there is only one.
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

/** Props of every theme provider: the chosen scheme, or the system's. */
export const schemeProps = {
  modeStorageKey: themeStorageKey,
  storageManager: storage,
  defaultMode: 'system',
  disableTransitionOnChange: true,
  noSsr: true,
} as const;

/** Provides the theme, in the chosen scheme. */
export function AppTheme({ children }: { children: ReactNode }) {
  return (
    <ThemeProvider theme={theme} {...schemeProps}>
      {children}
    </ThemeProvider>
  );
}
