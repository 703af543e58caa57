import { expect, expectAccessible, expectToast, test } from './support/test';

test('the owner adds, finds, edits, sorts, archives and restores a client', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/clients');
  await page
    .getByRole('button', { name: 'Add Client' })
    .or(page.getByRole('link', { name: 'Add Client' }))
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Add New Client');

  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Name is required.')).toBeVisible();
  await page.getByLabel('Name', { exact: false }).first().fill('Quay Street Labs');
  await page.getByLabel(/^Code/).fill('QSL');
  await page.getByLabel(/^Address/).fill('4 Quay Street');
  await page.getByLabel(/^Post Code/).fill('0101');
  await page.getByLabel(/^Email/).fill('hello@quay.test');
  await page.getByLabel(/^Website/).fill('not a url');
  await page.getByLabel(/^Country/).fill('Norw');
  await page.getByRole('option', { name: 'Norway' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Invalid Url')).toBeVisible();
  await page.getByLabel(/^Website/).fill('https://quay.test');
  await page.getByLabel(/^State/).fill('Oslo');
  await page.getByRole('option', { name: 'Oslo' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Added Successfully');
  await expect(page).toHaveURL(/\/clients(\?|$)/);

  await page.getByPlaceholder(/Search/).fill('quay');
  await expect(page.getByRole('grid').getByText('QSL', { exact: true })).toBeVisible();
  await expect(page.getByText('Total Records: 1')).toBeVisible();

  await page.getByRole('button', { name: /^Edit/ }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Edit Client');
  await page.getByLabel(/^City/).fill('Oslo');
  await page.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Updated Successfully');
  await expect(page.getByPlaceholder(/Search/)).toHaveValue('quay');

  await page
    .getByRole('button', { name: /More actions/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByText('Are you sure you want to delete?')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Deleted Successfully');

  await page.getByRole('button', { name: /^Filters/ }).click();
  await page.getByLabel('Show Archive').check();
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('Filters Applied')).toBeVisible();
  await expect(page.getByRole('grid').getByText('QSL', { exact: true })).toBeVisible();
  await page
    .getByRole('button', { name: /More actions/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Unarchive' }).click();
  await expect(page.getByText('Are you sure you want to Unarchive this client?')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Unarchive' }).click();
  await expectToast(page, 'Client Unarchive Successfully');
});

test('filters, sort and view survive reload and Back', async ({ page, signIn }) => {
  await signIn('manager');
  await page.goto('/clients');
  await page.getByRole('button', { name: /^Sort/ }).click();
  await page
    .getByRole('menuitem', { name: /Code/ })
    .or(page.getByRole('menuitemradio', { name: /Code/ }))
    .first()
    .click();
  await expect(page).toHaveURL(/sort/);
  await page.reload();
  await expect(page.getByRole('button', { name: /^Sort/ })).toContainText('Code');
  await page
    .getByRole('button', { name: 'Cards' })
    .or(page.getByRole('radio', { name: 'Cards' }))
    .click();
  await expect(page.getByRole('grid')).toBeHidden();
  await expectAccessible(page);
  await page.goto('/projects');
  await page.goBack();
  await expect(page.getByRole('grid')).toBeHidden();
});

test('the last visible column cannot be switched off', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/clients');
  await page.getByRole('button', { name: 'Columns' }).click();
  const boxes = page
    .getByRole('checkbox', { checked: true, disabled: false })
    .and(page.locator('[role=dialog] *, [role=menu] *, .MuiPopover-root *'));
  while ((await boxes.count()) > 1) await boxes.first().uncheck();
  await boxes.first().click();
  await expect(page.getByText('Please select at least one column.')).toBeVisible();
});
