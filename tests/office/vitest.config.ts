import { defineConfig } from 'vitest/config';

// What needs LibreOffice: a run of its own, which `npm test` makes where `soffice` is on the path.
export default defineConfig({
  test: {
    name: 'office',
    environment: 'node',
    globalSetup: ['tests/support/postgres.ts'],
    include: ['tests/office/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
