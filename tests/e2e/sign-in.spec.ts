import { accounts, expect, expectAccessible, expectToast, password, test, type Role } from './support/test';

for (const role of Object.keys(accounts) as Role[]) {
  test(`the ${role} signs in with the form and signs out`, async ({ page }) => {
    await page.goto('/auth/login');
    await page.getByLabel('Email').fill(accounts[role]);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expectToast(page, 'Login Successfully!');
    await expectAccessible(page);
    await page.goto('/auth/login');
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.getByRole('button', { name: /account|profile/i }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/auth\/login$/);
    await page.goto('/clients');
    await expect(page).toHaveURL(/\/auth\/login/);
  });
}

test('a wrong password is said under the form, and nobody is signed in', async ({ page }) => {
  await page.goto('/auth/login');
  await expectAccessible(page);
  await page.getByLabel('Email').fill('nobody@demo.test');
  await page.getByLabel('Password', { exact: true }).fill('Wrong@1234');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page).toHaveURL(/\/auth\/login$/);
});

test('a click on a demo account signs in', async ({ page }) => {
  await page.goto('/auth/login');
  await page.getByRole('button', { name: /manager@demo\.test/ }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('a company registers, and its owner is led to the setup', async ({ page }) => {
  await page.goto('/auth/register');
  await expectAccessible(page);
  await page.getByLabel('First Name').fill('Ada');
  await page.getByLabel('Last Name').fill('Novak');
  await page.getByLabel('Company Name').fill('Novak Testing');
  await page.getByLabel('Email').fill('ada@novak.test');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: /create (an )?account|register|sign up/i }).click();
  await expect(page.getByText('Password:8+ chars,1 upper,1 lower,1 digit,1 special.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('Novak@2026');
  await page.getByRole('button', { name: /create (an )?account|register|sign up/i }).click();
  await expect(page).toHaveURL(/\/flow-setup-steps$/);
  await expectToast(page, 'Registered Successfully!');
});
