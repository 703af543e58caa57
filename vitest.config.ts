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

// Two projects: what runs in Node, and what runs in a browser's DOM. Playwright has tests/e2e;
// tests/office has a run of its own.
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
        plugins: [classNamesOnly()],
        define: defineSystemModules(),
        test: {
          name: 'app',
          environment: 'jsdom',
          include: ['tests/app/**/*.test.{ts,tsx}'],
          // Each file has a window of its own, and yet the libraries are read once.
          pool: 'vmForks',
          deps: {
            optimizer: {
              client: {
                enabled: true,
                include: [
                  'react-admin',
                  'ra-i18n-polyglot',
                  '@mui/material',
                  '@mui/x-data-grid',
                  '@testing-library/react',
                  '@testing-library/user-event',
                  'react',
                  'react-dom',
                  '@tanstack/react-query',
                  'react-router',
                  '@codemirror/lang-json',
                  '@codemirror/state',
                  '@codemirror/language',
                ],
              },
            },
          },
          ...shared,
        },
      },
    ],
  },
});
