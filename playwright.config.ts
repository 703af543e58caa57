import { defineConfig, devices } from '@playwright/test';
import { existsSync } from 'node:fs';
import { chromiumFlags, findChromium } from './scripts/find-chromium.mjs';

const setup = 'tests/e2e/global-setup.ts';

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  globalSetup: existsSync(setup) ? `./${setup}` : undefined,
  forbidOnly: true,
  retries: 0,
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath: findChromium(), args: chromiumFlags() },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});
