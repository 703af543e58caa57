import type {} from 'react-admin';
import { type ComponentOverrides } from './overrides';
import { token } from './tokens';

/** Lists of react-admin's own components in screens of a product. Their distances count in steps of 8 px, ours are of 4. */
export const stockOverrides: ComponentOverrides = {
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
