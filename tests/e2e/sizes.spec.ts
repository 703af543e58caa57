import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test } from './support/test';

/** The scripts that have travelled to the page so far, in bytes after gzip. */
function countScripts(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js'))
      sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

test('at most 150 kB of JavaScript travel before the sign-in page stands', async ({ page }) => {
  const travelled = countScripts(page);
  await page.goto('/auth/login');
  await expect(page.getByRole('button', { name: /admin@demo\.test/ })).toBeVisible();
  const size = await travelled();
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThanOrEqual(150_000);
});

test('at most 500 kB of JavaScript travel until the first list stands, and 90 kB until the first form', async ({
  page,
  signIn,
}) => {
  await signIn('owner');
  const travelled = countScripts(page);
  await page.goto('/clients');
  await expect(page.getByRole('grid').getByRole('link', { name: 'Northwind Freight' })).toBeVisible();
  const size = await travelled();
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThanOrEqual(500_000);

  // A form on top of it: its libraries bring nothing that no form uses.
  await page.getByRole('link', { name: 'Northwind Freight' }).first().click();
  await expect(page.getByRole('textbox', { name: 'Post Code' })).toBeVisible();
  const form = (await travelled()) - size;
  expect(form).toBeGreaterThan(1000);
  expect(form).toBeLessThanOrEqual(90_000);
});
