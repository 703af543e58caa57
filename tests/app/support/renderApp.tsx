import { cleanup, configure, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode } from 'react';
import { afterEach, beforeEach, vi } from 'vitest';
import { Root } from '../../../src/app/Root';
import AdminApp from '../../../src/app/admin/AdminApp';
import type { Alias, CustomScreen } from '../../../src/app/admin/CustomScreen';
// What the application loads late is here from the start: the tests are about what it does then.
import '../../../src/app/form/ResourceForm';
import '../../../src/app/home/HomeScreen';
import '../../../src/app/list/ColumnChooser';
import '../../../src/app/list/ListScreen';
import '../../../src/app/list/bulk/BulkDialog';
import '../../../src/app/list/filters/FiltersDialog';
import '../../../src/app/list/grid/GridView';

// However busy the machine is: only what never comes is a failure. Less than a test's own limit: one that ran out of time
// would go on in the next.
configure({ asyncUtilTimeout: 60_000 });

beforeEach(() => {
  // jsdom lays nothing out and scrolls nowhere; the grid wants to know that it may.
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: false,
    media: query,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
  }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  Element.prototype.scrollIntoView = () => undefined;
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

/** Opens the whole application at a path, with the fake server that stands behind `fetch` by now. */
export function renderApp(path: string, screens: readonly CustomScreen[] = [], aliases: readonly Alias[] = []) {
  window.history.replaceState(null, '', path);
  const user = userEvent.setup();
  const loadAdmin = () => Promise.resolve({ default: () => <AdminApp screens={screens} aliases={aliases} /> });
  render(
    <StrictMode>
      <Root loadAdmin={loadAdmin} publicScreens={[]} />
    </StrictMode>,
  );
  return user;
}

/** Says that the screen is a phone's. To be called before rendering. */
export function onPhone(): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    media: query,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
  }));
}
