import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { ThemeProvider, createTheme } from '@mui/material/styles';
import { useMemo, type ReactNode } from 'react';
import { schemeProps } from './AppTheme';
import { themeOptions } from './theme';
import { requireValue } from '../../engine/values/lookups';

/**
 * The theme inside a frame: styles go into the frame's document, menus and dialogs open there, and media queries use
 * its width.
 */
export function FramedTheme({ page, children }: { page: Document; children: ReactNode }) {
  const cache = useMemo(() => createCache({ key: 'framed', container: page.head }), [page]);
  const theme = useMemo(() => createFramedTheme(page), [page]);
  return (
    <CacheProvider value={cache}>
      <ThemeProvider
        theme={theme}
        {...schemeProps}
        {...separateVariables}
        documentNode={page}
        {...{ colorSchemeNode: page.documentElement }}
      >
        {children}
      </ThemeProvider>
    </CacheProvider>
  );
}

// The type of the theme lacks the props of CSS variables.
const separateVariables: object = { disableNestedContext: true };

function createFramedTheme(page: Document) {
  const framedProps = { defaultProps: { container: page.body } };
  const { components } = themeOptions;
  return createTheme({
    ...themeOptions,
    components: {
      ...components,
      MuiModal: { ...components?.MuiModal, ...framedProps },
      MuiPopover: {
        ...components?.MuiPopover,
        defaultProps: { ...components?.MuiPopover?.defaultProps, ...framedProps.defaultProps },
      },
      MuiPopper: { ...components?.MuiPopper, ...framedProps },
      MuiUseMediaQuery: {
        defaultProps: {
          matchMedia: (query: string) => requireValue(page.defaultView, 'the window of the frame').matchMedia(query),
        },
      },
    },
  });
}
