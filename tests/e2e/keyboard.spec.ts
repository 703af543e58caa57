import type { Locator, Page } from '@playwright/test';
import { test } from './support/own-program';
import { expect, expectToast, title } from './support/test';

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

// A separate program: records that other tests add would change the order of the rows.
test('a list, its filters and a form work with the keyboard only', async ({ page, signIn }) => {
  await signIn('manager');
  await page.goto('/clients');
  const grid = page.getByRole('grid');
  await expect(grid.getByRole('link', { name: 'Northwind Freight' })).toBeVisible();

  // The first Tab reaches the link that skips the menu; the grid is one tab stop, and arrow keys move between its cells.
  await press(page, 'Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.getByRole('link', { name: 'Add Client' }).focus();
  await press(page, 'Tab');
  await expect(page.getByRole('checkbox', { name: 'Select all rows' })).toBeFocused();
  await press(page, 'Tab');
  expect(await grid.evaluate((node) => node.contains(document.activeElement))).toBe(false);
  await press(page, 'Shift+Tab', 'ArrowDown', 'ArrowDown', 'Space');
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('1 selected');
  await press(page, 'Space', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
  await expect(grid.getByRole('gridcell', { name: 'shop@alpenglow.test' })).toBeFocused();
  await press(page, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Enter');
  await expect(title(page)).toHaveText('Edit Client Alpenglow Outdoor');
  await expect(page).toHaveTitle('Alpenglow Outdoor · Edit Client · Assay');
  const form = page.url();
  await page.goBack();
  await expect(grid.getByRole('gridcell', { name: 'Alpenglow Outdoor', exact: true })).toBeFocused();
  // The keyboard's focus has one ring, without a second one inside it; a click has none.
  const rings = (cell: Locator) =>
    cell.evaluate(
      (node) =>
        [node, ...node.querySelectorAll('*')].filter((one) => {
          const { outlineStyle, opacity } = getComputedStyle(one);
          return outlineStyle !== 'none' && opacity !== '0';
        }).length,
    );
  expect(await rings(grid.getByRole('gridcell', { name: 'Alpenglow Outdoor', exact: true }))).toBe(1);
  const checkCells = [
    grid.getByRole('row').nth(1).getByRole('gridcell').first(),
    grid.getByRole('columnheader', { name: 'Select all rows' }),
  ];
  for (const cell of checkCells) {
    const box = cell.getByRole('checkbox');
    await box.click();
    await expect(box).toBeFocused();
    expect(await rings(cell)).toBe(0);
    await press(page, 'Space');
    expect(await rings(cell)).toBe(1);
  }
  await expect(page.getByRole('region', { name: 'Selection' })).toBeHidden();

  // Arrow keys move between the buttons of a row, Space presses them, and the focus returns to the pressed one.
  const edit = grid.getByRole('button', { name: 'Edit Alpenglow Outdoor' });
  const more = grid.getByRole('button', { name: 'More actions for Alpenglow Outdoor' });
  await press(page, 'ArrowDown', 'ArrowDown', 'End');
  await expect(edit).toBeFocused();
  await press(page, 'ArrowRight');
  await expect(more).toBeFocused();
  await press(page, 'Space');
  await expect(page.getByRole('menuitem', { name: 'Projects' })).toBeVisible();
  await press(page, 'Escape');
  await expect(more).toBeFocused();
  await press(page, 'ArrowLeft', 'Space');
  await expect(title(page)).toHaveText('Edit Client Alpenglow Outdoor');
  await page.goBack();
  await expect(edit).toBeFocused();
  await expect(page.getByRole('region', { name: 'Selection' })).toBeHidden();

  await page.getByRole('button', { name: 'Filters' }).focus();
  await press(page, 'Enter');
  const filters = page.getByRole('dialog', { name: 'Filters' });
  await expect(filters).toBeVisible();
  await press(page, 'Tab', 'Tab');
  await page.keyboard.type('United K');
  await expect(page.getByRole('option', { name: 'United Kingdom' })).toBeVisible();
  await press(page, 'ArrowDown', 'Enter', 'Tab');
  await expect(filters.getByRole('checkbox', { name: 'Show Archive' })).toBeFocused();
  await press(page, 'Tab', 'Tab', 'Enter');
  await expect(page.getByRole('group', { name: 'Filters Applied' })).toContainText('Country: United Kingdom');
  await expect(page.getByRole('button', { name: /^Filters/ })).toBeFocused();
  await expect(grid.getByRole('link', { name: 'Brightwater Health' })).toBeVisible();

  await page.getByRole('link', { name: 'Add Client' }).focus();
  await press(page, 'Enter');
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  for (const text of ['Keys Only', 'KEYS', 'keys@only.test', '', '', '1 Key Street', 'Leeds', 'LS1']) {
    await page.keyboard.type(text);
    await press(page, 'Tab');
  }
  await page.keyboard.type('United K');
  await expect(page.getByRole('option', { name: 'United Kingdom' })).toBeVisible();
  await press(page, 'ArrowDown', 'Enter', 'Tab');
  await expect(page.getByRole('combobox', { name: 'State' })).toBeFocused();
  await press(page, 'Tab', 'Tab');
  await expect(page.getByRole('button', { name: 'Save' })).toBeFocused();
  await press(page, 'Enter');
  await expectToast(page, 'Added Successfully');
  await expect(grid.getByRole('link', { name: 'Keys Only' })).toBeVisible();

  // In a low window, the menu scrolls to the focused entry.
  await page.setViewportSize({ width: 1024, height: 420 });
  await page.goto('/clients');
  const here = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]');
  await expect(here).toBeInViewport({ ratio: 1 });

  // On a phone, the view and navigation menus open, close with Escape, and return the focus.
  await page.setViewportSize({ width: 390, height: 844 });
  const options = page.getByRole('button', { name: 'Display' });
  await options.focus();
  await press(page, 'Enter');
  await expect(page.getByRole('group', { name: 'View' })).toBeVisible();
  await press(page, 'Tab');
  await expect(page.getByRole('group', { name: 'View' }).locator(':focus')).toHaveText('List');
  await press(page, 'Escape');
  await expect(options).toBeFocused();
  const opener = page.getByRole('button', { name: 'Menu', exact: true });
  await opener.focus();
  await press(page, 'Enter');
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
  await press(page, 'Escape');
  await expect(opener).toBeFocused();

  // A form's labels and inputs have their final positions before its record is loaded.
  await page.setViewportSize({ width: 1440, height: 900 });
  let answer = () => {};
  const held = new Promise<void>((done) => (answer = done));
  await page.route(/\/api\/clients\/\d+$/, async (route) => {
    await held;
    await route.continue();
  });
  // One script finds and measures them: between two, React may replace the elements, and a removed one has no size.
  const boxes = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.field')].map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x, y, width, height].map(Math.round);
      }),
    );
  await page.goto(form);
  await expect(page.locator('.field-skeleton').first()).toBeVisible();
  let before: number[][] = [];
  await expect
    .poll(async () => (before = await boxes()).length > 0 && before.every(([, , width]) => width! > 0))
    .toBe(true);
  answer();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Alpenglow Outdoor');
  await expect.poll(boxes).toEqual(before);
});
