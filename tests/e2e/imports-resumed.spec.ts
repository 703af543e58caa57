import { expect, expectAccessible } from './support/test';
import { test } from './support/own-program';

const count = 4_000;

// Errors while the server is down.
test.use({ alsoExpected: /ERR_CONNECTION_|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|503 \(/ });

test('an import shows its progress, survives a killed server and a reload, and stores each row once', async ({
  page,
  signIn,
  program,
  api,
}) => {
  await signIn('owner');
  await page.goto('/imports?type=test-cases');
  await page.getByRole('combobox', { name: 'Project' }).click();
  await page.getByRole('option').first().click();
  const rows = Array.from({ length: count }, (_, index) => `Outlived ${index}`);
  const file = { name: 'long.csv', mimeType: 'text/csv', buffer: Buffer.from(['Title', ...rows].join('\n')) };
  await page.locator('#import-file').setInputFiles(file);
  await page.getByRole('button', { name: 'Import 4,000 test cases', exact: true }).click();
  const now = page.getByRole('region', { name: /^Import of long\.csv/ });
  const bar = now.getByRole('progressbar', { name: /long\.csv/ });
  await expect(bar).toBeVisible();
  await expect.poll(async () => Number(await bar.getAttribute('value')), { intervals: [50] }).toBeGreaterThan(0);
  await expectAccessible(page);

  await program.crash();
  await page.reload();
  await expect(now).toBeVisible();
  await expect(now).toContainText('Imported Successfully', { timeout: 60_000 });
  const owner = await api('owner');
  const { headers } = await owner.send('GET', '/test-cases?q=Outlived&range=[0,0]');
  expect(headers.get('Content-Range')).toBe(`test-cases 0-0/${count}`);

  // Importing the same file again asks for confirmation.
  await page.locator('#import-file').setInputFiles(file);
  await page.getByRole('combobox', { name: 'Project' }).click();
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: 'Import 4,000 test cases', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Imported before' });
  await expect(question).toContainText(/This file was imported on .* \(4,000 test cases\)\. Import it again\?/);
  await question.getByRole('button', { name: 'Import again' }).click();
  await now.getByRole('button', { name: 'Cancel' }).click();
  await expect(now).toContainText(/Cancelled\. ([\d,]+ of 4,000 test cases were saved|Nothing was saved)\./);
  await page.goto('/jobs');
  await expect(page.getByRole('row').filter({ hasText: 'long.csv' }).first()).toContainText('Cancelled');
  await expect(page.getByRole('row').filter({ hasText: 'long.csv' })).toHaveCount(2);
  await expectAccessible(page);
});
