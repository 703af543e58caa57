import { answerQuestion, choose, fill, row, runAction, save } from './support/steps';
import { expect, expectAccessible, expectToast, test, title } from './support/test';

test('the manager adds, filters, sorts, edits, archives and restores a project', async ({ page, signIn }) => {
  await signIn('manager');
  await page.goto('/projects');
  await page.getByRole('link', { name: 'Add Project' }).click();
  await expect(title(page)).toHaveText('Add New Projects');
  await fill(page, 'Name', 'Harbour Lights');
  await fill(page, 'Code', 'HLI');
  await choose(page, 'Client', 'Northwind Freight');
  await choose(page, 'Users', 'Quentin Marsh');
  await save(page);
  await expectToast(page, 'Added Successfully');

  await page.getByRole('button', { name: 'Filters' }).click();
  const filters = page.getByRole('dialog', { name: 'Filters' });
  await choose(filters, 'Client', 'Northwind Freight');
  await choose(filters, 'Project Status', 'Not Started');
  await expectAccessible(page);
  await filters.getByRole('button', { name: 'Apply' }).click();
  const chips = page.getByRole('group', { name: 'Filters Applied' });
  await expect(chips).toContainText('Client: Northwind Freight');
  await expect(chips).toContainText('Project Status: Not Started');
  await expect(row(page, 'Harbour Lights')).toContainText('HLI');

  await page.getByRole('button', { name: 'Display' }).click();
  await page.getByRole('combobox', { name: 'Sort by' }).click();
  await page.getByRole('option', { name: 'Name', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
  await page.getByRole('columnheader', { name: 'Name' }).click();
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending');
  await expect(page).toHaveURL(/sort=-?name/);
  await chips.getByRole('button', { name: 'Remove filter Project Status' }).click();
  await expect(chips).not.toContainText('Project Status');

  await page.getByRole('button', { name: 'Edit Harbour Lights' }).click();
  await expect(title(page)).toHaveText('Edit Projects Harbour Lights');
  await page.getByRole('button', { name: 'Open the calendar of Start Date' }).click();
  await page.getByRole('dialog', { name: 'Start Date' }).getByRole('gridcell', { name: '15', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Start Date' })).toHaveValue(/^15-/);
  await fill(page, 'End Date', '1-Jan-2020');
  await page.getByRole('textbox', { name: 'End Date' }).blur();
  await save(page);
  await expect(page.getByText('1 field needs attention')).toBeVisible();
  await fill(page, 'End Date', '');
  await fill(page, 'Technologies Used', 'Playwright');
  await save(page);
  await expectToast(page, 'Updated Successfully');

  await runAction(page, 'Harbour Lights', 'Delete');
  await expect(page.getByText('Are you sure you want to delete?')).toBeVisible();
  await answerQuestion(page, 'Delete');
  await expectToast(page, 'Deleted Successfully');
  await expect(row(page, 'Harbour Lights')).toBeHidden();

  await page.goto('/projects?archive=1&q=Harbour');
  await runAction(page, 'Harbour Lights', 'Unarchive');
  await expect(page.getByText('Are you sure you want to Unarchive this project?')).toBeVisible();
  await answerQuestion(page, 'Unarchive');
  await expectToast(page, 'Project Unarchive Successfully');
  await page.goto('/projects?q=Harbour');
  await expect(row(page, 'Harbour Lights')).toBeVisible();
});
