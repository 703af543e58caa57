import { answerQuestion, choose, fill, row, runAction, save } from './support/steps';
import { codeSentTo } from './support/sent-mail';
import { expect, expectAccessible, expectToast, password, test, title } from './support/test';

test('a user is added, found, assigned to a project, suspended and deleted', async ({
  page,
  signIn,
  api,
  browser,
  baseURL,
}) => {
  const email = `ines-${Date.now()}@demo.test`;
  await signIn('owner');
  await page.goto('/users');
  await expect(title(page)).toContainText(/Users \| Total Records: \d+/);
  await page.getByRole('link', { name: 'Add User' }).click();
  await expect(title(page)).toHaveText('Add New User');
  await fill(page, 'First Name', 'Ines');
  await fill(page, 'Last Name', 'Duarte');
  await fill(page, 'Email', email);
  // Users cannot assign a role above their own.
  await page.getByRole('combobox', { name: 'Role', exact: true }).click();
  await expect(page.getByRole('option', { name: 'Company Owner' })).toBeVisible();
  await expect(page.getByRole('option', { name: 'Administrator' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await choose(page, 'Role', 'External User');
  await save(page);
  await expectToast(page, 'Added Successfully');

  await page.getByRole('button', { name: 'Filters' }).click();
  const filters = page.getByRole('dialog');
  await choose(filters, 'Roles', 'External User');
  await choose(filters, 'Status', 'Invited');
  await expectAccessible(page);
  await filters.getByRole('button', { name: 'Apply' }).click();
  await expect(row(page, 'Ines Duarte')).toContainText('Invited');
  // A click on any cell opens the user, not only on the name.
  const cells = row(page, 'Ines Duarte').locator('[role=gridcell][data-field]:not([data-field^=__])');
  const fields = await cells.evaluateAll((all) => all.map((cell) => (cell as HTMLElement).dataset.field!));
  expect(fields.length).toBeGreaterThan(3);
  for (const field of [fields[1]!, fields.at(-1)!]) {
    await row(page, 'Ines Duarte')
      .locator(`[data-field="${field}"]`)
      .click({ position: { x: 3, y: 3 } });
    await expect(title(page)).toContainText('Edit User');
    await page.goBack();
  }
  await page.getByRole('button', { name: 'Cards', exact: true }).click();
  const card = page.getByRole('article').filter({ hasText: 'Ines Duarte' });
  await expect(card).toContainText('External User');
  await expect(card).toContainText('No projects');
  await card.getByRole('button', { name: /^More actions/ }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Edit', 'Resend Invitation', 'Delete']);
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(title(page)).toContainText('Edit User');

  await page.getByRole('tab', { name: /^Projects/ }).click();
  await page.getByRole('button', { name: 'Add Project' }).first().click();
  await fill(page, 'Name', 'Duarte Portal');
  await expect(
    page
      .getByRole('button', { name: /Ines Duarte/ })
      .or(page.getByText('Ines Duarte'))
      .first(),
  ).toBeVisible();
  await save(page);
  await expectToast(page, 'Added Successfully');

  const owner = await api('owner');
  const found = await owner.send<{ data: { id: number }[] }>('GET', `/users?q=${email}`);
  const { id } = found.body.data[0]!;
  const code = await codeSentTo(email);
  // A signed-in user sees whose password it is; without a code, they are redirected from these pages.
  await page.goto(`/auth/setup-account?verification_code=${code}`);
  await expect(
    page.getByText(new RegExp(`^You are signed in as .+\\. This sets the password of Ines Duarte \\(${email}\\)\\.$`)),
  ).toBeVisible();
  await expectAccessible(page);
  for (const path of [
    'login',
    'register',
    'forgot-password',
    'reset-password',
    'setup-account',
    'setup-account?verification_code=spent1',
  ]) {
    await page.goto(`/auth/${path}`);
    await expect(page).toHaveURL(/\/dashboard$/);
  }
  const other = await browser.newPage({ baseURL });
  await other.goto(`/auth/setup-account?verification_code=${code}`);
  await other.getByLabel('New Password', { exact: true }).fill(password);
  await other.getByLabel('Confirm Password', { exact: true }).fill(password);
  await other.getByRole('button', { name: 'Set password' }).click();
  await expect(other).toHaveURL(/\/auth\/login$/);
  await other.getByLabel('Email').fill(email);
  await other.getByLabel('Password', { exact: true }).fill(password);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(other).toHaveURL(/\/dashboard$/);
  await other.goto('/projects');
  await expect(row(other, 'Duarte Portal')).toBeVisible();

  await page.goto(`/users/${id}`);
  await expect(page.getByRole('tab', { name: /^Projects/ })).toContainText('1');
  await choose(page, 'Status', 'Suspended');
  await save(page);
  await expectToast(page, 'Updated Successfully');
  await other.goto('/projects');
  await expect(other).toHaveURL(/\/auth\/login$/);
  await other.close();

  await page.goto(`/users?q=${email}`);
  await runAction(page, 'Ines Duarte', 'Delete');
  await expect(page.getByText('Are you sure you want to delete?')).toBeVisible();
  await answerQuestion(page, 'Delete');
  await expectToast(page, 'Deleted Successfully');
  await expect(page.getByText('No Data Found')).toBeVisible();
  const [project] = (await owner.send<{ id: number }[]>('GET', '/projects?q=Duarte Portal')).body;
  await owner.send('DELETE', `/projects/${project!.id}`);
});
