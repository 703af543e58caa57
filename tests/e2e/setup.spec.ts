import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { answerQuestion, choose, fill, save } from './support/steps';
import { expect, expectAccessible, test } from './support/test';

/** Clicks a card at its edge, where there is no text. */
async function clickEdge(page: Page, state: 'next' | 'done'): Promise<void> {
  const card = page.locator(`.setup-step[data-state=${state}]`);
  const { width, height } = (await card.boundingBox())!;
  await card.click({ position: { x: width - 2, y: height / 2 } });
}

async function register(page: Page, company: string): Promise<void> {
  await page.goto('/auth/register');
  await fill(page, 'First Name', 'Maya');
  await fill(page, 'Last Name', 'Lindqvist');
  await fill(page, 'Company Name', company);
  await fill(page, 'Email', `maya-${randomUUID()}@example.test`);
  await page.getByLabel('Password', { exact: true }).fill('Maya sails on Tuesdays at 7!');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page).toHaveURL(/\/flow-setup-steps$/);
}

async function saveClient(page: Page): Promise<void> {
  await fill(page, 'Code', 'NWF');
  await fill(page, 'Name', 'Northwind Freight');
  await fill(page, 'Address', 'Quay 1');
  await fill(page, 'Post Code', '20457');
  await choose(page, 'Country', 'Germany');
  await fill(page, 'Email', 'office@northwind.test');
  await save(page);
}

test('a new owner gets from registration through a client and a project to the dashboard', async ({ page }) => {
  await register(page, 'Harbour Labs');
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
  await saveClient(page);
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

test('the guided start of the dashboard goes on step after step, with a sample in between, and ends', async ({
  page,
}) => {
  await register(page, 'Guided Labs');
  await page.goto('/dashboard');
  const panel = page.getByRole('region', { name: 'Get started' });
  await expect(panel).toContainText('0 of 3 done');
  await panel.getByRole('link', { name: 'Add Client' }).click();
  await saveClient(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(panel).toContainText('1 of 3 done');

  // A sample shows what all of it looks like; without it the steps go on.
  await panel.getByRole('button', { name: 'Create a sample project' }).click();
  await expect(page.getByText('Your company has sample data.')).toBeVisible();
  await expect(panel).toHaveCount(0);
  await page.reload();
  await page.getByRole('button', { name: 'Remove the sample' }).click();
  await answerQuestion(page, 'Remove');
  await expect(panel).toContainText('1 of 3 done');
  await panel.getByRole('link', { name: 'Invite a colleague' }).click();
  await expect(page).toHaveURL(/\/users\/create$/);
  await page.getByRole('link', { name: 'Get started' }).click();

  await panel.getByRole('link', { name: 'Add Project' }).press('Enter');
  await fill(page, 'Name', 'Checkout');
  await save(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(panel).toContainText('2 of 3 done');
  await expectAccessible(page);
  await panel.getByRole('link', { name: 'Add Testcase' }).press('Enter');
  await fill(page, 'Title', 'Pays with a card');
  await choose(page, 'Project', 'Checkout');
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/start'));
  await save(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  await answered;
  await expect(panel).toHaveCount(0);
});

test('the setup signs the user out without stored totals', async ({ page, signIn }) => {
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
