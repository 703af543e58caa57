import type { Locator, Page } from '@playwright/test';

/** Fills a text field of a form. */
export async function fill(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label, exact: true }).fill(text);
}

/** Chooses an option of a combobox by typing, in the page or in a dialog. */
export async function choose(scope: Page | Locator, label: string, option: string): Promise<void> {
  await scope.getByRole('combobox', { name: label, exact: true }).fill(option);
  const page = 'page' in scope ? scope.page() : scope;
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Opens an entry of the settings by the side menu. */
export async function openSetting(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
  await settings(page).getByRole('link', { name, exact: true }).click();
}

/** The list of settings. */
export const settings = (page: Page): Locator => page.getByRole('navigation', { name: 'Settings' });

/** Clicks Save. */
export async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
}

/** The row of a list that shows a text. */
export const row = (page: Page, text: string): Locator =>
  page.getByRole('grid').getByRole('row').filter({ hasText: text });

/** Opens a record's menu and chooses an action. */
export async function runAction(page: Page, record: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${record}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Clicks a button of the confirmation dialog. */
export async function answerQuestion(page: Page, button: string): Promise<void> {
  await page.getByRole('alertdialog').getByRole('button', { name: button, exact: true }).click();
}
