import { defineConfig } from 'vitest/config';
import { classNamesOnly } from './scripts/style-modules.mjs';
import { defineSystemModules } from './scripts/system-modules.mjs';

const shared = {
  // However busy the machine is: only what never comes is a failure.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  // `npm run test:fast` leaves these out.
  tags: [{ name: 'slow', description: 'Files that take more than two seconds on two idle cores.' }],
};

// What runs in a browser's DOM; new for each project, because Vitest takes `define` out of what it is given.
const inBrowser = () => ({
  plugins: [classNamesOnly()],
  define: defineSystemModules(),
  resolve: {
    // As Node resolves what the libraries import: else two copies of some are read.
    conditions: ['node', 'module-sync'],
  },
});

// Three projects: what runs in Node, and in a browser's DOM with React's production build and with its development
// build. Playwright has tests/e2e; tests/office has a run of its own.
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          globalSetup: ['tests/support/postgres.ts', 'tests/support/threads.ts'],
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/app/**', 'tests/e2e/**', 'tests/office/**'],
          // Files share what they import: loading the server again for each of them took as long as its tests.
          isolate: false,
          setupFiles: ['tests/support/setup.ts'],
          ...shared,
        },
      },
      {
        ...inBrowser(),
        oxc: { jsx: { development: false } },
        test: {
          name: 'app',
          environment: 'jsdom',
          include: ['tests/app/**/*.test.{ts,tsx}'],
          exclude: ['tests/app/strict/**'],
          // Files share a window and what they import. Its production build is what users run, and React's development
          // build took twice as long.
          isolate: false,
          env: { NODE_ENV: 'production' },
          setupFiles: ['tests/app/support/setup.ts'],
          ...shared,
        },
      },
      {
        ...inBrowser(),
        test: {
          name: 'strict',
          environment: 'jsdom',
          include: ['tests/app/strict/**/*.test.tsx'],
          setupFiles: ['tests/app/support/setup.ts'],
          ...shared,
        },
      },
    ],
  },
});
