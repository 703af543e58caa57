import { answerQuestion, choose, fill, row, runAction, save } from './support/steps';
import { expect, expectAccessible, expectToast, test, title } from './support/test';

test('the owner adds, finds, edits, archives and restores a client', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/clients');
  await page.getByRole('link', { name: 'Add Client' }).click();
  await expect(title(page)).toHaveText('Add New Client');

  await save(page);
  await expect(page.getByText('Name is required.')).toBeVisible();
  await expectAccessible(page);
  await fill(page, 'Name', 'Quay Street Labs');
  await fill(page, 'Code', 'QSL');
  await fill(page, 'Address', '4 Quay Street');
  await fill(page, 'Post Code', '0101');
  await fill(page, 'Email', 'hello@quay.test');
  await fill(page, 'Website', 'not a url');
  await choose(page, 'Country', 'Norway');
  await save(page);
  await expect(page.getByText('Invalid Url')).toBeVisible();
  await fill(page, 'Website', 'https://quay.test');
  await choose(page, 'State', 'Oslo');
  await save(page);
  await expectToast(page, 'Added Successfully');
  await expect(page).toHaveURL(/\/clients(\?|$)/);

  await page.getByRole('searchbox').fill('quay');
  await expect(title(page)).toHaveText('Clients | Total Records: 1');
  await expect(row(page, 'Quay Street Labs')).toContainText('QSL');

  await page.getByRole('button', { name: 'Edit Quay Street Labs' }).click();
  await expect(title(page)).toHaveText('Edit Client Quay Street Labs');
  await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('Oslo');
  await fill(page, 'City', 'Oslo');
  await save(page);
  await expectToast(page, 'Updated Successfully');
  await expect(page.getByRole('searchbox')).toHaveValue('quay');

  await runAction(page, 'Quay Street Labs', 'Delete');
  await expect(page.getByText('Are you sure you want to delete?')).toBeVisible();
  await expectAccessible(page);
  await answerQuestion(page, 'Delete');
  await expectToast(page, 'Deleted Successfully');
  await expect(page.getByText('No Data Found')).toBeVisible();

  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('checkbox', { name: 'Show Archive' }).check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('group', { name: 'Filters Applied' })).toContainText('Archive');
  await expect(row(page, 'Quay Street Labs')).toBeVisible();
  await runAction(page, 'Quay Street Labs', 'Unarchive');
  await expect(page.getByText('Are you sure you want to Unarchive this client?')).toBeVisible();
  await answerQuestion(page, 'Unarchive');
  await expectToast(page, 'Client Unarchive Successfully');
  await expect(page.getByText('No Data Found')).toBeVisible();
  await page.getByRole('button', { name: 'Remove filter' }).click();
  await expect(row(page, 'Quay Street Labs')).toBeVisible();
});

test('a client with projects links to them, and is deleted after a special question', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/clients?q=Northwind');
  await runAction(page, 'Northwind Freight', 'Delete');
  await expect(
    page.getByText('Projects has been added under this client, are you sure you want to delete?'),
  ).toBeVisible();
  await answerQuestion(page, 'Cancel');
  await runAction(page, 'Northwind Freight', 'Projects');
  await expect(page).toHaveURL(/\/projects\?/);
  await expect(page.getByRole('group', { name: 'Filters Applied' })).toContainText('Client: Northwind Freight');
  for (const line of await page.getByRole('grid').getByRole('row').all()) {
    if (await line.getByRole('columnheader').count()) continue;
    await expect(line).toContainText('Northwind Freight');
  }
});
