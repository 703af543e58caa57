import type { Page } from '@playwright/test';
import { test } from './support/own-program';
import { accounts, expect, expectAccessible, expectToast, password, title } from './support/test';
import { fill } from './support/steps';

test.use({ alsoExpected: /ERR_FAILED/ });

/** Signs in on the sign-in page. */
async function enter(page: Page, email: string): Promise<void> {
  await page.goto('/auth/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/(dashboard|flow-setup-steps)$/);
}

/** Changes the session that this browser stores. */
const keep = (page: Page, change: Record<string, unknown>) =>
  page.evaluate((changes) => {
    const session = JSON.parse(localStorage.getItem('assay.session')!) as Record<string, unknown>;
    localStorage.setItem('assay.session', JSON.stringify({ ...session, ...changes }));
  }, change);
const kept = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('assay.session') ?? 'null') as Record<string, unknown> | null);

test('the stored token expires after minutes; two tabs renew it together, and sign out together', async ({
  page,
  context,
}) => {
  await enter(page, accounts.manager);
  const first = (await kept(page))!;
  expect(Number(first.expires_at) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
  expect(await page.evaluate(() => document.cookie)).toBe('');
  const other = await context.newPage();
  await other.goto('/projects');
  await expect(title(other)).toContainText('Projects');

  const renewals: string[] = [];
  // The reloaded page repeats a renewal that the reload interrupted.
  context.on('requestfinished', (request) => request.url().endsWith('/session/renew') && renewals.push(request.url()));
  await keep(page, { expires_at: Date.now() - 1000 });
  await Promise.all([page.goto('/clients'), other.reload()]);
  await expect(title(page)).toContainText('Clients');
  await expect(title(other)).toContainText('Projects');
  await expect(other.getByRole('grid').getByRole('row').nth(2)).toBeVisible();
  await expect.poll(() => renewals.length).toBe(1);
  const second = (await kept(page))!;
  expect([second.sign_in_id, second.token === first.token]).toEqual([first.sign_in_id, false]);

  // A token that the server does not know (any longer) is renewed too, without the user noticing.
  await keep(page, { token: 'x'.repeat(43) });
  await other.getByRole('link', { name: 'Milestones', exact: true }).click();
  await expect(title(other)).toContainText('Milestones');
  await expect.poll(() => renewals.length).toBe(2);

  // A network failure does not sign the user out.
  await context.route('**/session/renew', (route) => route.abort());
  await keep(page, { expires_at: Date.now() - 1000 });
  await other.getByRole('link', { name: 'Test Cases', exact: true }).click();
  await expect(other.getByText(/CORS error/).first()).toBeVisible();
  await context.unroute('**/session/renew');
  await other.goto('/clients');
  await expect(title(other)).toContainText('Clients');

  await page.getByRole('button', { name: /profile menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/auth\/login$/);
  await expect(other).toHaveURL(/\/auth\/login$/);
  expect((await context.cookies()).filter(({ name }) => name.startsWith('assay_session'))).toEqual([]);
});

test('a change of roles asks to confirm the identity, and then succeeds', async ({ page }) => {
  await enter(page, accounts.owner);
  await page.goto('/roles/create');
  await fill(page, 'Role Name', 'Release Manager');
  await page.getByRole('combobox', { name: /Level/ }).click();
  await page.getByRole('option', { name: /^4/ }).click();
  let refusals = 1;
  await page.route('**/api/roles', (route) => {
    if (route.request().method() !== 'POST' || refusals-- <= 0) return route.fallback();
    return route.fulfill({
      status: 403,
      json: { message: 'Please confirm that it is you first.', code: 'PROOF_REQUIRED' },
    });
  });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(dialog.getByLabel('Password')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type('Wrong@1234');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This is not your password.')).toBeVisible();
  await dialog.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expectToast(page, 'Added Successfully');
});
