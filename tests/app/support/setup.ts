// Runs before each test file. The files of a worker share a window and what they import.
// First, before anything imports React.
import { reactSettles } from './act';
import './styles';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { undoDuration } from '../../../src/app/commands/undo';
import { clearSession } from '../../../src/app/session/session';
import { runProduct } from './runProduct';
import { stubScreen } from './screen';

configure({
  // Long, so that a busy machine causes no failures; shorter than a test's own timeout, so that a timed-out test does
  // not run on into the next.
  asyncUtilTimeout: 60_000,
  asyncWrapper: async (callback) => {
    const result = await callback();
    await reactSettles();
    return result;
  },
});

beforeEach(() => {
  runProduct();
  // A toast that offers Undo stays until the change is taken back: a busy machine would lose it in the middle of a test.
  const later = globalThis.setTimeout;
  vi.stubGlobal('setTimeout', (callback: () => void, delay?: number, ...values: []) =>
    delay === undoDuration ? undefined : later(callback, delay, ...values),
  );
  // jsdom has no layout and no scrolling.
  stubScreen(() => false);
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
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
  clearSession();
  localStorage.clear();
  sessionStorage.clear();
});

// Imports that a file has begun end with it: broken off, they would be broken for the next file of the worker too.
afterAll(() => vi.dynamicImportSettled());
