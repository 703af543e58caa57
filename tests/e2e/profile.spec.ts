import { test } from './support/own-program';
import { accounts, expect, expectAccessible, expectToast, password, title } from './support/test';
import { fill } from './support/steps';

const stronger = 'Quiet#Harbour7';

/** Signs in by the API, as another browser would. */
async function another(url: string, word = password): Promise<{ token?: string }> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (iPhone) Version/18.0 Safari/604.1' },
    body: JSON.stringify({ email: accounts.developer, password: word }),
  });
  return (await answer.json()) as { token?: string };
}

test('a user changes name and password, chooses a theme, and ends other sign-ins', async ({
  page,
  baseURL,
  signIn,
}) => {
  const first = await another(baseURL!);
  await signIn('developer');
  await page.goto('/clients');
  await page.getByRole('button', { name: /profile menu/ }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await expect(page).toHaveURL(/\/profile$/);
  await expect(title(page)).toContainText('Profile');
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveAttribute('readonly', '');
  await expect(page.getByRole('textbox', { name: 'New Password' })).toHaveCount(0);
  await expectAccessible(page);

  await fill(page, 'First Name', 'Danielle');
  await page.getByRole('button', { name: 'Update' }).click();
  await expectToast(page, 'Updated Successfully');
  await expect(page.getByRole('button', { name: /^Danielle .*profile menu/ })).toBeVisible();

  // Another window of the same user saves: this one asks, and keeps the other's changes.
  await fill(page, 'Phone Number', '+353 1 555 0199');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await fill(other, 'Last Name', 'Elsewhere');
  await other.getByRole('button', { name: 'Update' }).click();
  await expectToast(other, 'Updated Successfully');
  await other.close();
  await page.getByRole('button', { name: 'Update' }).click();
  const question = page.getByRole('alertdialog', { name: 'Changed in the meantime' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByRole('textbox', { name: 'Last Name' })).toHaveValue('Elsewhere');
  await expect(page.getByRole('textbox', { name: 'Phone Number' })).toHaveValue('+353 1 555 0199');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);

  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('radio', { name: 'Light' }).check();

  await page.getByRole('link', { name: 'Security' }).click();
  const rows = page.locator('.profile-sign-ins li').filter({ hasText: 'Safari on iPhone' });
  await expect(rows).toHaveCount(1);
  await rows.getByRole('button', { name: /^End/ }).click();
  await expectToast(page, 'The sign-in was ended.');
  await expect(rows).toHaveCount(0);
  const me = (token?: string) => fetch(`${baseURL}/api/me`, { headers: { authorization: `Bearer ${token}` } });
  expect((await me(first.token)).status).toBe(401);

  const second = await another(baseURL!);
  await page.getByRole('navigation', { name: 'Profile' }).getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('switch', { name: 'Change Password' }).check();
  await page.getByLabel(/^New Password/).fill('weak');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Password:8+ chars,1 upper,1 lower,1 digit,1 special.')).toBeVisible();
  await expect(page.getByText('3 fields need attention')).toBeVisible();
  await page.getByLabel(/^Current Password/).fill(password);
  await page.getByLabel(/^New Password/).fill(stronger);
  await expect(page.getByText(/^Password strength: /)).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel(/^Confirm Password/).fill(stronger);
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByRole('switch', { name: 'Change Password' })).not.toBeChecked();
  expect((await me(second.token)).status).toBe(401);
  expect((await another(baseURL!)).token).toBeUndefined();
  expect((await another(baseURL!, stronger)).token).toBeTruthy();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'First Name' })).toHaveValue('Danielle');
});
