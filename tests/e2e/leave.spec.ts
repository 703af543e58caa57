import type { Page } from '@playwright/test';
import { startProgram } from './support/program';
import { choose, fill, save } from './support/steps';
import { expect, expectAccessible, testOn, title } from './support/test';

/** A product of JSON alone with demo data. */
const test = testOn((programs, file) => programs.ofFile(file, () => startProgram({ ASSAY_PRODUCT: 'examples/leave' })));

async function signIn(page: Page, email: RegExp): Promise<void> {
  await page.goto('/auth/login');
  await page.getByRole('button', { name: email }).click();
  await expect(title(page)).toHaveText('My leave and expenses');
}

test('an employee asks for leave at home, and the manager approves it at home', async ({ page, browser }) => {
  await signIn(page, /employee@demo\.test/);
  const tile = (of: Page, name: string) => of.getByRole('region', { name });
  await expect(tile(page, 'My requests')).toContainText('5 Aug 2030');
  await expect(tile(page, 'My balance').getByRole('row').filter({ hasText: '2031' })).toContainText('25.0');
  await expectAccessible(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leave Requests' }).click();
  await page.getByRole('link', { name: 'Add Leave Request' }).first().click();
  await expect(page.getByRole('combobox', { name: 'Employee' })).toHaveValue('Jan Pichler');
  await choose(page, 'Leave Type', 'Vacation');
  await choose(page, 'Allowance', 'Vacation 2030, Jan Pichler');
  await fill(page, 'From', '2030-05-27');
  await fill(page, 'To', '2030-06-14');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('These are more days than are left').first()).toBeVisible();
  await fill(page, 'To', '2030-05-31');
  await save(page);
  const line = page.getByRole('grid').getByRole('row').filter({ hasText: '27 May 2030' });
  await expect(line).toContainText('Requested');
  // 30 May is a holiday.
  await expect(line.getByRole('gridcell', { name: '4.0', exact: true })).toBeVisible();

  const context = await browser.newContext();
  const lead = await context.newPage();
  await signIn(lead, /lead@demo\.test/);
  const waiting = tile(lead, 'Waiting for me').getByRole('row').filter({ hasText: '27 May 2030' });
  await waiting.getByRole('link').first().click();
  await lead.getByRole('button', { name: /^More actions/ }).click();
  await lead.getByRole('menuitem', { name: 'Approve', exact: true }).click();
  await expect(lead.getByText('Approved', { exact: true }).first()).toBeVisible();
  await context.close();

  await expect(line).toContainText('Approved');
  await expectAccessible(page);
});
