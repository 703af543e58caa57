import { cleanup, configure, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode } from 'react';
import { afterEach, beforeEach, vi } from 'vitest';
import { Root } from '../../../src/app/Root';
import AdminApp from '../../../src/app/admin/AdminApp';
import type { Alias, CustomScreen } from '../../../src/app/admin/CustomScreen';
// Loads lazy code in advance: the tests are about what the application does with it.
import '../../../src/app/form/ResourceForm';
import '../../../src/app/home/HomeScreen';
import '../../../src/app/list/ColumnChooser';
import '../../../src/app/list/ListScreen';
import '../../../src/app/list/bulk/BulkDialog';
import '../../../src/app/list/filters/FiltersDialog';
import '../../../src/app/list/grid/GridView';

// Long, so that a busy machine causes no failures; shorter than a test's own timeout, so that a timed-out test does not
// run on into the next.
configure({ asyncUtilTimeout: 60_000 });

beforeEach(() => {
  // jsdom has no layout and no scrolling; the grid needs these stubs.
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

/** Opens the whole application at a path, with the fake server behind `fetch`. */
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

/** Simulates a phone's screen. Call it before rendering. */
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
