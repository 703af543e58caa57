import type { Page } from '@playwright/test';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { serverProgram } from '../../scripts/build-stale.mjs';
import { startProgram } from './support/program';
import { expect, expectAccessible, testOn, title } from './support/test';

const folder = 'examples/inventory';

/** An example with screens of its own, made of react-admin's components. */
const test = testOn(
  (programs, file) =>
    programs.ofFile(file, async () => {
      await promisify(execFile)(process.execPath, ['scripts/build.mjs', '--stale', '--product', folder]);
      return startProgram({ ASSAY_PRODUCT: folder }, relative('.', serverProgram(resolve(folder))));
    }),
  // It is built before.
  400_000,
);
test.describe.configure({ mode: 'default' });

async function signIn(page: Page): Promise<void> {
  await page.goto('/auth/login');
  await page.getByRole('button', { name: /manager@demo\.test/ }).click();
  await expect(title(page)).toHaveText(/^Welcome/);
}

const openFromMenu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

test('a screen of stock components has the check-outs, filters by state, names the assets and exports', async ({
  page,
}) => {
  await signIn(page);
  await openFromMenu(page, 'Register');
  await expect(title(page)).toHaveText('Register');
  const rows = page.locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(6);
  await expect(page.getByRole('columnheader')).toHaveText(['Due', 'Asset', 'Purpose']);
  await expect(rows.filter({ hasText: 'Working from home' }).getByRole('link')).toHaveAttribute(
    'href',
    /^\/assets\/\d+/,
  );
  await expectAccessible(page);
  await page.getByText('Checked out', { exact: true }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Working from home');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = readFileSync(await (await download).path(), 'utf8');
  expect(file).toContain('Working from home');
  expect(file).not.toContain('Exhibition opening');
  await rows.getByText('Working from home').click();
  await expect(page).toHaveURL(/\/loans\/\d+$/);
});

test('a layout of the example shows the assets of the list as labels, with its search and its pages', async ({
  page,
}) => {
  await signIn(page);
  await openFromMenu(page, 'Assets');
  await page.getByRole('button', { name: 'Labels' }).click();
  const labels = page.getByRole('region', { name: /^Label/ });
  await expect(labels.filter({ hasText: 'NX4-0093' })).toHaveText(/^A-\d+Cinema camera X4Nordic OpticsNX4-0093$/);
  await expectAccessible(page);
  await page.getByRole('searchbox').fill('Reference display');
  await expect(labels).toHaveCount(1);
  await expect(labels).toContainText('A-7');
  await page.reload();
  await expect(labels).toHaveCount(1);
});

test('a tab of the example has the assets of the maker, the newest first', async ({ page }) => {
  await signIn(page);
  await page.goto('/makers');
  await page.getByRole('grid').getByText('Nordic Optics').click();
  await page.getByRole('tab', { name: /^Assets/ }).click();
  const panel = page.getByRole('tabpanel', { name: /Assets/ });
  await expect(panel.getByRole('columnheader')).toHaveText(['Asset Number', 'Name', 'Bought On']);
  await expect(panel.getByRole('cell', { name: 'Cinema camera X4' })).toHaveCount(2);
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Sort by Name ascending' }).click();
  await expect(page).toHaveURL(/\/makers\/\d+\?/);
});
