import type { Page } from '@playwright/test';
import { choose, fill, save } from './support/steps';
import { expect, expectAccessible, test } from './support/test';

/** Clicks a card at its edge, where there is no text. */
async function clickEdge(page: Page, state: 'next' | 'done'): Promise<void> {
  const card = page.locator(`.setup-step[data-state=${state}]`);
  const { width, height } = (await card.boundingBox())!;
  await card.click({ position: { x: width - 2, y: height / 2 } });
}

test('a new owner gets from registration through a client and a project to the dashboard', async ({ page }) => {
  await page.goto('/auth/register');
  await fill(page, 'First Name', 'Maya');
  await fill(page, 'Last Name', 'Lindqvist');
  await fill(page, 'Company Name', 'Harbour Labs');
  await fill(page, 'Email', `maya-${Date.now()}@example.test`);
  await page.getByLabel('Password', { exact: true }).fill('Maya sails on Tuesdays');
  await page.getByRole('button', { name: 'Register' }).click();

  await expect(page).toHaveURL(/\/flow-setup-steps$/);
  const bar = page.getByRole('progressbar', { name: 'Setup' });
  const states = () =>
    page.locator('.setup-step').evaluateAll((cards) => cards.map((card) => (card as HTMLElement).dataset.state));
  await expect(page.getByRole('heading', { name: 'Welcome to Assay, Maya' })).toBeVisible();
  await expect(bar).toHaveAttribute('aria-valuenow', '31.7');
  expect(await states()).toEqual(['next', 'later', 'later']);
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
  await expectAccessible(page);

  // The bar ends at the edge of the first card.
  const edge = async (selector: string) =>
    page.locator(selector).evaluate((part) => part.getBoundingClientRect().right);
  const overhang = async () =>
    Math.abs((await edge('.setup-progress i')) - (await edge('.setup-step[data-state=next]')));
  await expect.poll(overhang).toBeLessThan(1.5);

  await clickEdge(page, 'next');
  await expect(page).toHaveURL(/\/clients\/create$/);
  await fill(page, 'Code', 'NWF');
  await fill(page, 'Name', 'Northwind Freight');
  await fill(page, 'Address', 'Quay 1');
  await fill(page, 'Post Code', '20457');
  await choose(page, 'Country', 'Germany');
  await fill(page, 'Email', 'office@northwind.test');
  await save(page);
  await expect(page).toHaveURL(/\/flow-setup-steps$/);
  await expect(bar).toHaveAttribute('aria-valuenow', '65.8');
  expect(await states()).toEqual(['done', 'next', 'later']);
  await expect(page.getByRole('link', { name: 'Edit Northwind Freight' })).toBeVisible();
  await expect.poll(overhang).toBeLessThan(1.5);

  // A click anywhere on a finished card opens its form; for the keyboard each card is one link.
  await clickEdge(page, 'done');
  await expect(page).toHaveURL(/\/clients\/create$/);
  await page.goBack();
  await page.getByRole('link', { name: 'Create Project' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/projects\/create$/);
  await fill(page, 'Name', 'Checkout');
  await save(page);
  await expect(page).toHaveURL(/\/flow-setup-steps$/);
  await expect(bar).toHaveAttribute('aria-valuenow', '100');
  expect(await states()).toEqual(['done', 'done', 'next']);
  await page.getByRole('link', { name: 'Go To Dashboard' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('without stored totals the user is signed out', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/flow-setup-steps');
  await expect(page.getByRole('heading', { name: /^Welcome to Assay/ })).toBeVisible();
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('assay.session')!) as Record<string, unknown>;
    delete session.totalClients;
    localStorage.setItem('assay.session', JSON.stringify(session));
  });
  await page.reload();
  await expect(page).toHaveURL(/\/auth\/login$/);
});
