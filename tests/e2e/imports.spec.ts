import { utils, write } from 'xlsx';
import { expect, expectAccessible, expectToast, test, title } from './support/test';

const csv = (rows: string[][]) => Buffer.from(rows.map((row) => row.join(';')).join('\n'));
const file = (rows: string[][]) => ({ name: 'zephyr-export.csv', mimeType: 'text/csv', buffer: csv(rows) });

// Errors of a call without a response.
test.use({ alsoExpected: /ERR_FAILED/ });

test('a file is previewed, mapped, corrected and imported, and listed in the history', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/imports');
  await expect(title(page)).toHaveText('Imports');
  await expect(page.getByRole('tab')).toHaveText(['Import Tasks', 'Import Test Cases', 'Import Users']);
  await page.getByRole('tab', { name: 'Import Test Cases' }).click();
  await expect(page.getByRole('heading', { name: /^Imported Test Cases History/ })).toBeVisible();

  await page.locator('#import-file').setInputFiles(
    file([
      ['Name', 'Objective', 'Test Script (Step-by-Step) - Step', 'Severity', 'Labels'],
      ['Paid by e2e test', 'Why', 'Open it', 'P1', 'x'],
      ['', '', 'Close it', '', ''],
      ['Refused by e2e test', '', 'Look', 'Blocker', ''],
    ]),
  );
  await expect(page.getByText('Choose the project to preview the import.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Project' }).click();
  await page.getByRole('option').first().click();

  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview).toContainText('looks like a Zephyr export. Nothing is stored yet.');
  await expect(preview).toContainText('Joined from rows 2 to 3');
  await expect(preview).toContainText('5 columns: 3 matched, 2 left out (Severity, Labels)');
  await preview.getByLabel('Severity fills').selectOption({ label: 'Priority' });
  await expect(preview).toContainText('Priority: this choice is not available.');
  await expect(preview).toContainText('1 ready');
  await expect(preview).toContainText('1 with errors');
  await expect(preview.getByRole('region', { name: 'Not imported' })).toHaveText(
    /Labels 1 filled cell\. No field has this name\./,
  );
  await expectAccessible(page);

  // Without a response, the preview no longer says that nothing is stored.
  await page.route('**/api/test-cases/import', (route) => route.abort(), { times: 1 });
  await preview.getByRole('button', { name: 'Import 1 test case', exact: true }).click();
  await expectToast(page, 'An error occurred during import.');
  await expect(preview).toContainText('The import may have started: check the history');
  await expect(preview).not.toContainText('Nothing is stored yet');

  const saved = page.waitForEvent('download');
  await preview.getByRole('button', { name: 'Import 1 test case', exact: true }).click();
  expect((await saved).suggestedFilename()).toBe('failed_imports_test-cases.xlsx');
  await expectToast(page, 'Some test cases could not be imported. Downloading failed imports.');

  // Imports the failed rows, among other sheets: the mapping is remembered, and the unknown value is mapped.
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([['Made by'], ['Ann']]), 'Cover');
  const failed = [
    ['Name', 'Objective', 'Test Script (Step-by-Step) - Step', 'Severity', 'Labels', 'Errors'],
    ['Refused by e2e test', '', 'Look', 'Blocker', '', 'x'],
  ];
  utils.book_append_sheet(book, utils.aoa_to_sheet(failed), 'Failed');
  const buffer = Buffer.from(write(book, { type: 'array' }) as ArrayBuffer);
  await page.locator('#import-file').setInputFiles({ name: 'failed.xlsx', mimeType: 'application/x', buffer });
  await expect(page.getByLabel('Sheet')).toHaveValue('Failed');
  await expect(preview).toContainText(/Mapped as on \d+ \w{3}\./);
  await preview.getByRole('button', { name: 'Start over' }).click();
  await expect(preview.getByLabel('Severity fills')).toHaveValue('');
  await expect(preview.getByRole('region', { name: 'Values' })).toHaveCount(0);
  await preview.getByLabel('Severity fills').selectOption({ label: 'Priority' });
  const values = preview.getByRole('region', { name: 'Values' });
  await expect(values).toContainText('1 value is not recognised. Choose what it means, once for all rows.');
  await values.getByRole('combobox', { name: /Blocker/ }).click();
  await page.getByRole('option', { name: 'Urgent' }).click();
  await expect(values).toContainText('All values are recognised.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Import 1 test case', exact: true }).click();
  await expectToast(page, 'Imported Successfully');
  const history = page.getByRole('region', { name: 'Imported Test Cases History' });
  await expect(history.getByRole('link', { name: 'zephyr-export.csv' })).toHaveCount(1);
  await expect(history).toContainText(/1 imported, 1 with errors · \S+/);

  await page.goto('/test-cases');
  await page.getByRole('searchbox').fill('by e2e test');
  await expect(page.getByText('Paid by e2e test')).toBeVisible();
  await expect(page.getByText('Refused by e2e test')).toBeVisible();
});

test('a sample is downloaded, and a file that is not a spreadsheet is rejected at once', async ({ page, signIn }) => {
  await signIn('manager');
  await page.goto('/imports');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download sample' }).click();
  expect((await saved).suggestedFilename()).toBe('sample_tasks_import.xlsx');
  await page.getByRole('combobox', { name: 'Project' }).click();
  await page.getByRole('option').first().click();
  await page.locator('#import-file').setInputFiles({ name: 'a.exe', mimeType: 'text/csv', buffer: Buffer.from('MZ') });
  await expect(page.getByText('The file must be an .xlsx, .xls or .csv file.')).toBeVisible();
  await page
    .locator('#import-file')
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('MZ\0\u0001') });
  await expect(page.getByText('The file is not a spreadsheet. Save it as .xlsx, .xls or .csv.')).toBeVisible();
});

test('users without permission to import are redirected', async ({ page, signIn }) => {
  await signIn('developer');
  await page.goto('/imports');
  await expect(page).not.toHaveURL(/imports/);
});
