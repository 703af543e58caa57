import { choose, row } from './support/steps';
import { expect, expectAccessible, expectToast, test, title } from './support/test';

test('a filter and the order are kept after Back and after a reload', async ({ page, signIn }) => {
  await signIn('manager');
  await page.goto('/clients');
  await page.getByRole('button', { name: 'Filters' }).click();
  await choose(page.getByRole('dialog', { name: 'Filters' }), 'Country', 'Germany');
  await page.getByRole('button', { name: 'Apply' }).click();
  const chips = page.getByRole('group', { name: 'Filters Applied' });
  await expect(chips).toContainText('Country: Germany');
  await page.getByRole('button', { name: 'Display' }).click();
  await page.getByRole('combobox', { name: 'Sort by' }).click();
  await page.getByRole('option', { name: 'Code' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Code' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(row(page, 'Palisade Mutual')).toBeHidden();

  await page.getByRole('link', { name: 'Alpenglow Outdoor' }).click();
  await expect(title(page)).toHaveText('Edit Client Alpenglow Outdoor');
  await page.goBack();
  await expect(chips).toContainText('Country: Germany');
  await expect(row(page, 'Palisade Mutual')).toBeHidden();
  await page.reload();
  await expect(chips).toContainText('Country: Germany');
  await expect(page.getByRole('columnheader', { name: 'Code' })).toHaveAttribute('aria-sort', 'ascending');

  // The menu opens the list with its last filters; the chip's cross removes the filter.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects', exact: true }).click();
  await expect(title(page)).toContainText('Projects | Total Records:');
  await page.getByRole('navigation', { name: 'Projects' }).getByRole('link', { name: 'Clients' }).click();
  await expect(chips).toContainText('Country: Germany');
  await expect(chips).toContainText('remembered');

  // The filters of a link apply to that visit: they are kept after a form, and removed when the list is opened again.
  await page.goto('/clients?archive=1');
  await expect(chips).toContainText('Show: Archived');
  await expect(chips).not.toContainText('remembered');
  await expect(chips).not.toContainText('Germany');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects', exact: true }).click();
  await expect(title(page)).toContainText('Projects | Total Records:');
  await page.getByRole('navigation', { name: 'Projects' }).getByRole('link', { name: 'Clients' }).click();
  await expect(chips).toContainText('Country: Germany');
  await expect(chips).not.toContainText('Archived');
  await page.goto('/clients?country_id=234567');
  await page.getByRole('link', { name: 'Add Client' }).first().click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/country_id=234567/);
  await page.goto('/clients');
  await expect(chips).toContainText('Country: Germany');

  await chips.getByRole('button', { name: 'Remove filter Country' }).click();
  await expect(row(page, 'Palisade Mutual')).toBeVisible();
});

test('the view of a list as cards is remembered', async ({ page, signIn }) => {
  await signIn('manager');
  await page.goto('/clients');
  await page.getByRole('button', { name: 'Cards' }).click();
  const card = page.getByRole('article').filter({ hasText: 'Northwind Freight' });
  for (const text of ['NWF', 'Germany', 'it@northwind-freight.test']) await expect(card).toContainText(text);
  await expect(card).toContainText(/\d+ projects/);
  await expectAccessible(page);
  await page.goto('/dashboard');
  await page.goto('/clients');
  await expect(card).toBeVisible();
  await expect(page.getByRole('grid')).toBeHidden();
  await card.getByRole('button', { name: 'More actions for Northwind Freight' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(title(page)).toHaveText('Edit Client Northwind Freight');
});

test('columns that a user chooses are saved for them', async ({ page, signIn }) => {
  await signIn('qa');
  const chooser = page.getByRole('dialog', { name: 'Columns' });
  await page.goto('/projects');
  await page.getByRole('button', { name: 'Columns' }).click();
  await expect(chooser.getByRole('checkbox', { name: 'Name' })).toBeDisabled();
  const fieldsOf = (url: string) => new URL(url).searchParams.get('fields')?.split(',') ?? [];
  const asked = page.waitForRequest((request) => fieldsOf(request.url()).includes('technologies_used'));
  await chooser.getByRole('checkbox', { name: 'Technologies Used' }).check();
  await chooser.getByRole('checkbox', { name: 'Start Date' }).uncheck();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  // The list requests only shown columns, now including this one.
  expect(fieldsOf((await asked).url())).not.toContain('project_users');
  await expect(page.getByRole('columnheader', { name: 'Technologies Used' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Start Date' })).toBeHidden();
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Technologies Used' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Start Date' })).toBeHidden();
});

test('a reference list is filtered from the menus of its columns', async ({ page, signIn, api }) => {
  const openMenu = async (column: string) => {
    await page.getByRole('columnheader', { name: column }).hover();
    await page.getByRole('button', { name: `${column} column menu` }).click();
  };
  const filterBy = async (column: string) => {
    await openMenu(column);
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    return page.getByRole('dialog', { name: `Filter ${column}` });
  };
  const chips = page.getByRole('group', { name: 'Filters Applied' });
  const { id } = (
    await (await api('owner')).send<{ id: number }>('POST', '/device-types', { option_name: 'Smartwatch' })
  ).body;
  await signIn('owner');
  await page.goto('/device-types');
  await expect(row(page, 'Smartwatch')).toBeVisible();

  // Matches any part of a text, case-insensitively; the filter is in the address.
  await (await filterBy('Option Name')).getByRole('textbox', { name: 'Option Name' }).fill('PHONE');
  await page.keyboard.press('Enter');
  await expect(chips).toContainText('Option Name: PHONE');
  await expect(row(page, 'Mobile Phone')).toBeVisible();
  await expect(row(page, 'Smartwatch')).toBeHidden();
  await page.reload();
  await expect(chips).toContainText('Option Name: PHONE');
  await expect(row(page, 'Smartwatch')).toBeHidden();
  await chips.getByRole('button', { name: 'Clear all' }).click();

  // A column of an embedded record filters by the relation.
  const byUser = await filterBy('User');
  await byUser.getByRole('option', { name: /^Olivia Berg/ }).click();
  await page.keyboard.press('Escape');
  await expect(row(page, 'Mobile Phone')).toBeHidden();
  await expect(row(page, 'Smartwatch')).toBeVisible();

  // The stored configuration can disable the filter of a column.
  const { send } = await api('owner');
  const configuration = ['id', 'option_name', 'user.email'].map((field) => ({
    field,
    visibility: true,
    filter: field !== 'option_name',
  }));
  expect((await send('POST', '/grid-configurations', { name: 'device-types', configuration })).status).toBe(200);
  await page.reload();
  await expect(row(page, 'Smartwatch')).toBeVisible();
  await openMenu('Option Name');
  await expect(page.getByRole('menuitem', { name: /Sort/ }).first()).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Filter…' })).toBeHidden();
  await send('DELETE', `/device-types/${id}`);
});

test('several records are deleted after one question', async ({ page, signIn, api }) => {
  const owner = await api('owner');
  for (const option_name of ['Bulk one', 'Bulk two', 'Bulk three'])
    await owner.send('POST', '/project-types', { option_name });
  await signIn('owner');
  await page.goto('/project-types?q=Bulk');
  await expect(title(page)).toHaveText('Project Types | Total Records: 3');
  await row(page, 'Bulk one').getByRole('checkbox').click();
  await row(page, 'Bulk two').getByRole('checkbox').click();
  const selection = page.getByRole('region', { name: 'Selection' });
  await expect(selection).toContainText('2 selected');
  await selection.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Delete 2 project types?');
  await expect(question).toContainText('Are you sure you want to delete?');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Deleted Successfully');
  await expect(title(page)).toHaveText('Project Types | Total Records: 1');
  await expect(row(page, 'Bulk three')).toBeVisible();
  await expect(selection).toBeHidden();
});

test('one field of several records is set at once', async ({ page, signIn, api }) => {
  const manager = await api('manager');
  for (const name of ['Together one', 'Together two', 'Together three'])
    await manager.send('POST', '/projects', { name });
  await signIn('manager');
  await page.goto('/projects?q=Together');
  await page.getByRole('checkbox', { name: 'Select all rows' }).click();
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('3 selected');
  await row(page, 'Together three').getByRole('checkbox').click();
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('2 selected');
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit 2 projects' });
  await choose(dialog, 'New value', 'Completed');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Updated Successfully');
  for (const name of ['Together one', 'Together two']) await expect(row(page, name)).toContainText('Completed');
  await expect(row(page, 'Together three')).toContainText('Not Started');
});

test('pages of fifteen, and a list as cards on a phone', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/countries');
  await expect(page.getByRole('status').filter({ hasText: '1–15 of' })).toBeVisible();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByRole('status').filter({ hasText: '16–30 of' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('status').filter({ hasText: '1–15 of' })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/clients');
  await expect(page.getByRole('article').first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
});

test('the quick filter is used by keyboard alone, and a chip opens it at its values', async ({ page, signIn }) => {
  await signIn('admin');
  await page.goto('/test-cases');
  await expect(page.getByRole('grid').getByRole('row').nth(1)).toBeVisible();
  await page.keyboard.press('f');
  await expect(page.getByRole('combobox', { name: 'Filter by' })).toBeFocused();
  await page.keyboard.type('prio');
  await page.keyboard.press('Enter');
  const urgent = page.getByRole('option', { name: /^Urgent \d+$/ });
  await expect(urgent).toBeVisible();
  const counted = Number((await urgent.textContent())!.replace(/\D/g, ''));
  await page.keyboard.press('Space');
  await expect(urgent).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const chip = page.getByRole('button', { name: 'Priority: Urgent, High' });
  await expect(chip).toBeVisible();

  await chip.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Values of Priority' })).toBeFocused();
  await page.keyboard.type('high');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option')).toHaveAttribute('aria-selected', 'false');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Priority: Urgent' })).toBeFocused();
  await expect(page.getByRole('tab', { name: `Open Test Cases (${counted})` })).toBeVisible();
});
