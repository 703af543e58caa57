import { test } from './support/own-program';
import { expect, expectAccessible, title } from './support/test';

// A separate program: records that other tests add would change what is found.
test('Ctrl+K finds records, actions and places; keys of lists work where no text is typed', async ({
  page,
  signIn,
}) => {
  await signIn('manager');
  await page.goto('/clients');
  const grid = page.getByRole('grid');
  await expect(grid.getByRole('link', { name: 'Northwind Freight' })).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Jump to' });
  const option = (name: string | RegExp) => palette.getByRole('option', { name });

  // A record of another module by a word of its title, and a new one.
  await page.keyboard.press('Control+K');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('northwind fr');
  await expect(option(/Northwind Freight.*Client/)).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText('Edit Client Northwind Freight');
  await page.keyboard.press('Control+K');
  await page.keyboard.type('add task');
  await expect(option('Add Task')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goBack();

  // What was opened last is offered before anything is typed, with the title that it has now.
  await page.keyboard.press('Control+K');
  await expect(palette.getByRole('group', { name: 'Recent' }).getByRole('option', { name: /Northwind/ })).toBeVisible();
  await page.keyboard.press('Escape');

  // j and k move between rows, x selects, e edits; the palette offers the actions of the row in focus.
  await grid.getByRole('gridcell', { name: 'Northwind Freight', exact: true }).focus();
  const row = grid.getByRole('row').filter({ has: page.locator(':focus') });
  const first = await row.getAttribute('data-id');
  await page.keyboard.press('k');
  await expect(row).not.toHaveAttribute('data-id', first!);
  await page.keyboard.press('j');
  await expect(row).toHaveAttribute('data-id', first!);
  await page.keyboard.press('x');
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('1 selected');
  await page.keyboard.press('Control+K');
  await expect(option(/Edit.*Northwind Freight/)).toBeVisible();
  await expect(option(/Clear selection.*1 selected/)).toBeVisible();
  await page.keyboard.type('clear sel');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Selection' })).toBeHidden();
  await page.keyboard.press('e');
  await expect(title(page)).toHaveText('Edit Client Northwind Freight');

  // In text, keys are letters; a person is found by @, a place by its name.
  await page.getByRole('textbox', { name: 'Post Code' }).focus();
  await page.keyboard.type('?n');
  await expect(page.getByRole('textbox', { name: 'Post Code' })).toHaveValue(/\?n$/);
  await page.keyboard.press('Control+K');
  await page.keyboard.type('@qa');
  await expect(palette.getByRole('group', { name: 'People' })).toBeVisible();
  await palette.getByRole('combobox').fill('timesh');
  await expect(option(/Timesheet/)).toHaveAttribute('aria-selected', 'true');

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(palette.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await expectAccessible(page);
});

test('a found record can be changed from the palette, and keys typed before it is loaded are not lost', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  type TestCase = Record<'key' | 'project_id' | 'id' | 'result_id', unknown>;
  const like = await owner.send<{ data: TestCase[] }>('GET', '/test-cases?range=[0,0]');
  const values = { name: 'Changed from the palette', project_id: like.body.data[0]!.project_id, status_id: 2 };
  const made = await owner.send<{ data: TestCase }>('POST', '/test-cases', values);
  const { id, key } = made.body.data as { id: number; key: string };
  const stored = async () => (await owner.send<{ data: TestCase }>('GET', `/test-cases/${id}`)).body.data.result_id;
  await signIn('owner');
  await page.goto('/clients');
  const cell = page.getByRole('gridcell', { name: 'Northwind Freight', exact: true });
  await cell.focus();

  await page.keyboard.press('Control+K');
  await page.keyboard.type(key);
  const palette = page.getByRole('dialog', { name: 'Jump to' });
  const option = (name: string | RegExp) => palette.getByRole('option', { name });
  await expect(option(new RegExp(`^${key} Changed from the palette`))).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowRight');
  await expect(option('Set result…')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.type('set res');
  await page.keyboard.press('Enter');
  await page.keyboard.type('fail');
  await expect(option('Failed')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Result of Changed from the palette set to Failed')).toBeVisible();
  await expect(palette).toBeHidden();
  await expect(cell).toBeFocused();
  expect(await stored()).not.toBeNull();
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Result of Changed from the palette set to Not run')).toBeVisible();
  expect(await stored()).toBeNull();

  // ← leads back; an action with a question asks it, and leaves the record as it is.
  await page.keyboard.press('Control+K');
  await page.keyboard.type(key);
  await expect(option(/Changed from the palette/)).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(option('Delete')).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(option(/Changed from the palette/)).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('del');
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Delete test case?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(cell).toBeFocused();
  expect((await owner.send('GET', `/test-cases/${id}`)).status).toBe(200);
});
