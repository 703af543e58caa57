import { choose, fill } from './support/steps';
import { accounts, expect, expectAccessible, expectToast, password, test, title } from './support/test';

test('a wrong password shows an error below the form; every account signs in and out; a click on a demo account signs in', async ({
  page,
}) => {
  const signIn = async (email: string, secret: string) => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await page.goto('/auth/login');
  await signIn('nobody@demo.test', 'Wrong@1234');
  await expect(page.getByRole('alert')).not.toBeEmpty();
  await expect(page).toHaveURL(/\/auth\/login$/);

  for (const [role, email] of Object.entries(accounts)) {
    await test.step(role, async () => {
      await signIn(email, password);
      await expect(page).toHaveURL(/\/dashboard$/);
      await expectToast(page, 'Login Successfully!');
      await page.getByRole('button', { name: /profile menu$/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await expect(page).toHaveURL(/\/auth\/login$/);
    });
  }
  await page.goto('/clients');
  await expect(page).toHaveURL(/\/auth\/login/);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();

  await page.getByRole('button', { name: /manager@demo\.test/ }).click();
  // The requested page opens after signing in.
  await expect(title(page)).toContainText('Clients');
  // Signed-in users are redirected from these pages.
  await page.goto('/auth/login');
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('a company registers, and its owner gets through the setup to the dashboard', async ({ page }) => {
  await page.goto('/auth/register');
  await page.getByLabel('First Name').fill('Ada');
  await page.getByLabel('Last Name').fill('Novak');
  await page.getByLabel('Company Name').fill('Novak Testing');
  await page.getByLabel('Email').fill('ada@novak.test');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(page.getByText('Password:8+ chars,1 upper,1 lower,1 digit,1 special.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('Quiet#Harbour7');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(page).toHaveURL(/\/flow-setup-steps$/);
  await expectToast(page, 'Registered Successfully!');
  await expectAccessible(page);

  // After saving the company's first client and first project, the setup opens again.
  await page.goto('/clients/create');
  await fill(page, 'Name', 'First Client');
  await fill(page, 'Code', 'ONE');
  await fill(page, 'Email', 'one@novak.test');
  await fill(page, 'Address', '1 First Street');
  await fill(page, 'Post Code', '1000');
  await choose(page, 'Country', 'Denmark');
  await page.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Added Successfully');
  await expect(page).toHaveURL(/\/flow-setup-steps$/);
  await page.goto('/projects/create');
  await fill(page, 'Name', 'First Project');
  await page.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Added Successfully');
  await expect(page).toHaveURL(/\/flow-setup-steps$/);
  await page.goto('/projects');
  await expect(title(page)).toHaveText('Projects | Total Records: 1');
});

test('the public pages are accessible', async ({ page }) => {
  for (const path of ['login', 'register', 'forgot-password', 'reset-password', 'setup-account']) {
    await page.goto(`/auth/${path}`);
    await expect(title(page)).toBeVisible();
    await expectAccessible(page);
  }
});
