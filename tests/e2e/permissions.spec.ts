import { expect, expectAccessible, expectToast, test, title } from './support/test';

test('a developer reads clients and projects, and changes none', async ({ page, signIn, api }) => {
  await signIn('developer');
  await page.goto('/clients');
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add Client' })).toBeHidden();
  await expect(page.getByRole('checkbox', { name: 'Select all rows' })).toBeHidden();
  await page.getByRole('link', { name: 'Northwind Freight' }).click();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveAttribute('readonly');
  await expect(page.getByRole('button', { name: 'Save' })).toBeHidden();
  await expectAccessible(page);
  await page.goto('/clients/create');
  await expect(title(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeHidden();

  const developer = await api('developer');
  const refused = await developer.send<{ message: string }>('POST', '/clients', { name: 'No' });
  expect(refused.status).toBe(403);
  expect(refused.body.message).toContain('create');
});

test('modules that a role cannot list are missing from the menu, and their address shows a message and the home page', async ({
  page,
  signIn,
}) => {
  await signIn('external');
  await page.goto('/projects');
  await expect(title(page)).toHaveText('Projects | Total Records: 2');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByRole('link', { name: 'Projects', exact: true })).toBeVisible();
  await expect(menu.getByRole('link', { name: 'Clients' })).toBeHidden();
  await expect(menu.getByRole('link', { name: 'Time', exact: true })).toHaveCount(0);
  await page.goto('/clients');
  await expectToast(page, "You don't have access to Clients.");
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/timesheet');
  await expectToast(page, "You don't have access to My Timesheet.");
  await expect(page).not.toHaveURL(/timesheet/);
  await page.goto('/nowhere');
  await expectToast(page, 'Page /nowhere not found, or you have no access.');
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('the grants of a read-only role are visible', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/roles/5');
  const clients = page.getByRole('treeitem', { name: 'Clients' });
  await expect(clients.getByRole('treeitem', { name: 'List' })).toHaveAttribute('aria-checked', 'true');
  await expect(clients.locator('.grant-tree-given')).toHaveCount(2);
  await clients.getByRole('treeitem', { name: 'Delete' }).click();
  await expect(clients.getByRole('treeitem', { name: 'Delete' })).toHaveAttribute('aria-checked', 'false');
  await expectAccessible(page);
});
