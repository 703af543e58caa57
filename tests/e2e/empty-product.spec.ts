import { startProgram } from './support/program';
import { choose, fill, openSetting, save } from './support/steps';
import { expect, expectAccessible, expectToast, testOn, title } from './support/test';

const administrator = { email: 'admin@empty.test', password: 'Quiet#Harbour7' };

/** The smallest product: one definition and no code. */
const test = testOn((programs, file) =>
  programs.ofFile(file, () =>
    startProgram({
      ASSAY_PRODUCT: 'examples/empty',
      DEMO: '0',
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
    }),
  ),
);

test('an installation without a product has a sign-in, a home page, users, and a new module with its first record', async ({
  page,
}) => {
  await page.goto('/');
  await page.getByLabel('Email').fill(administrator.email);
  await page.getByLabel('Password', { exact: true }).fill(administrator.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(title(page)).toHaveText('Welcome, First');
  await expect(page).toHaveTitle('Welcome, First · Empty');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByRole('link', { name: 'Notes' })).toBeVisible();
  await expect(menu.getByRole('link', { name: /dashboard|projects|tasks|timesheet/i })).toHaveCount(0);
  await expectAccessible(page);

  await page.getByRole('main').getByRole('link', { name: 'Users' }).click();
  const users = page.getByRole('grid').getByRole('row');
  await expect(users.filter({ hasText: 'First Administrator' })).toBeVisible();

  await openSetting(page, 'Pages');
  await expect(page).toHaveURL(/\/pages$/);
  await expect(page.getByText('No page yet.')).toBeVisible();

  await openSetting(page, 'Studio');
  await page.getByRole('link', { name: 'New module' }).click();
  await page.getByRole('textbox', { name: 'Singular name' }).fill('Crate');
  await page.getByRole('button', { name: 'Create module' }).click();
  await expectToast(page, 'The module Crates is ready');
  const founder = { first_name: 'Ada', last_name: 'Novak', email: 'ada@novak.test', password: administrator.password };
  const registered = await page.request.post('/api/register', { data: { ...founder, site_name: 'Novak' } });
  expect(registered.status()).toBe(200);
  await menu.getByRole('link', { name: 'Notes' }).click();
  await page.getByRole('link', { name: 'Add Note' }).first().click();
  await choose(page, 'Company', 'Novak');
  await fill(page, 'Title', 'Buy crates');
  await save(page);
  await expect(page.getByRole('grid').getByRole('row').filter({ hasText: 'Buy crates' })).toBeVisible();

  // Screens of the QA product do not exist here.
  await page.goto('/timesheet');
  await expect(page.getByText(/^Page \/timesheet not found/)).toBeVisible();
  await expect(title(page)).toHaveText('Welcome, First');
});
