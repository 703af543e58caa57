import { readFileSync } from 'node:fs';
import { expect, expectAccessible, expectToast } from './support/test';
import { test } from './support/own-program';

test('a file of TestRail is recognised, previewed with new modules, imported, and leaves for another program', async ({
  page,
  signIn,
}) => {
  await signIn('owner');
  await page.goto('/imports?type=test-cases');
  await expect(page.getByRole('tab')).toHaveCount(3);
  await expect(page.getByText('.xlsx, .xls, .csv, .xml or .json, up to 5 MB')).toBeVisible();
  await page.getByRole('combobox', { name: 'Project' }).click();
  await page.getByRole('option').first().click();
  await page.locator('#import-file').setInputFiles({
    name: 'master.xml',
    mimeType: 'text/xml',
    buffer: readFileSync('tests/product/imports/formats/testrail-steps.xml'),
  });
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('looks like a TestRail export');
  const module = page.getByRole('group', { name: 'Module', exact: true });
  await expect(module.getByRole('combobox', { name: /Checkout/ })).toHaveAttribute('placeholder', 'Will be added');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Import 2 test cases', exact: true }).click();
  await expectToast(page, 'Imported Successfully');
  await page.goto('/test-cases?q=Pay by card');
  await expect(page.getByRole('row').filter({ hasText: 'Pay by card' })).toContainText('Urgent');
  await page.getByRole('button', { name: 'Other formats' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download for Xray (JSON)' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/_xray\.json$/);
  const tests = JSON.parse(readFileSync(await file.path(), 'utf8')) as {
    fields: { summary: string };
    steps: object[];
  }[];
  expect(tests.find(({ fields }) => fields.summary === 'Pay by card')?.steps).toHaveLength(2);
});
