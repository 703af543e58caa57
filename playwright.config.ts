import { defineConfig, devices } from '@playwright/test';
import { chromiumFlags, findChromium } from './scripts/find-chromium.mjs';

// Pictures are taken when they are asked for: `SCREENSHOTS=1 npx playwright test screenshots`.
const pictures = /screenshots\.spec/;

export default defineConfig({
  testDir: 'tests/e2e',
  testIgnore: process.env.SCREENSHOTS === '1' ? [] : pictures,
  outputDir: 'test-results',
  globalSetup: './tests/e2e/global-setup.ts',
  forbidOnly: true,
  retries: 0,
  workers: 2,
  fullyParallel: true,
  timeout: 120_000,
  // However busy the machine is: only what never comes is a failure.
  expect: { timeout: 20_000 },
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath: findChromium(), args: chromiumFlags() },
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 20_000,
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});
