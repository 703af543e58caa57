import { createTheme, type ThemeOptions } from '@mui/material/styles';
import { buttonOverrides } from './buttonOverrides';
import { displayOverrides } from './displayOverrides';
import { gridOverrides } from './gridOverrides';
import { inputOverrides } from './inputOverrides';
import { paletteOf } from './palette';
import { surfaceOverrides } from './surfaceOverrides';
import { token } from './tokens';
import type {} from 'react-admin';
import type { ComponentOverrides } from './overrides';

/** Lists of react-admin's own components in screens of a product. Their distances count in steps of 8 px, ours are of 4. */
const stockOverrides: ComponentOverrides = {
  RaList: { styleOverrides: { root: { gap: 24, padding: `8px ${token('gutter')} 24px` } } },
  RaTopToolbar: { styleOverrides: { root: { alignItems: 'center', gap: 8, minHeight: 48, padding: '8px 0' } } },
  RaReferenceField: {
    styleOverrides: { root: { '& .RaReferenceField-link > *': { color: token('accent-text') } } },
  },
  RaBulkActionsToolbar: {
    styleOverrides: {
      root: {
        '& .RaBulkActionsToolbar-toolbar': {
          minHeight: 48,
          height: 48,
          padding: '0 8px 0 16px',
          borderRadius: `${token('r')} ${token('r')} 0 0`,
          background: token('tint'),
          transform: 'translateY(-48px)',
        },
        '& .RaBulkActionsToolbar-collapsed': { minHeight: 0, height: 0, transform: 'none' },
        '& .RaBulkActionsToolbar-topToolbar': { minHeight: 0, padding: 0, background: 'none' },
      },
    },
  },
};

const heading = (size: number, line: number) => ({
  fontSize: size,
  lineHeight: `${line}px`,
  fontWeight: 600,
  letterSpacing: '-0.014em',
});

// MUI requires 25 steps. Paper is flat; floating surfaces (snackbar 6, menu 8, dialog 24) share one shadow.
const shadows = Array.from({ length: 25 }, (_, step) =>
  [6, 8, 16, 24].includes(step) ? token('shadow') : 'none',
) as ThemeOptions['shadows'];

/** The theme's options, for code that creates a theme itself, such as react-admin. */
export const themeOptions: ThemeOptions = {
  cssVariables: { colorSchemeSelector: '[data-theme="%s"]' },
  colorSchemes: { light: { palette: paletteOf('light') }, dark: { palette: paletteOf('dark') } },
  spacing: 4,
  shape: { borderRadius: 8 },
  breakpoints: { values: { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } },
  shadows,
  typography: {
    fontFamily: token('font'),
    fontSize: 14,
    fontWeightMedium: 500,
    fontWeightBold: 600,
    h1: heading(24, 32),
    h2: heading(20, 28),
    h3: heading(18, 24),
    h4: heading(16, 24),
    h5: heading(14, 20),
    h6: heading(13, 16),
    subtitle1: { fontSize: 14, lineHeight: '20px', fontWeight: 500 },
    subtitle2: { fontSize: 13, lineHeight: '16px', fontWeight: 500 },
    body1: { fontSize: 14, lineHeight: '20px' },
    body2: { fontSize: 13, lineHeight: '20px' },
    caption: { fontSize: 12, lineHeight: '16px' },
    button: { fontSize: 13, lineHeight: '16px', fontWeight: 500, textTransform: 'none' },
  },
  components: {
    ...buttonOverrides,
    ...inputOverrides,
    ...surfaceOverrides,
    ...displayOverrides,
    ...gridOverrides,
    ...stockOverrides,
  },
};

/** The MUI theme with both schemes. */
export const theme = createTheme(themeOptions);
