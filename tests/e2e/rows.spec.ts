import type { Page } from '@playwright/test';
import { startProgram } from './support/program';
import { choose, fill } from './support/steps';
import { expect, expectAccessible, testOn, title } from './support/test';

/** A product of JSON alone, whose deals have lines. */
const test = testOn((programs, file) => programs.ofFile(file, () => startProgram({ ASSAY_PRODUCT: 'examples/crm' })));
// One program for all of them.
test.describe.configure({ mode: 'default' });

const cells = async (page: Page, name: string) =>
  page.getByRole('table').getByRole('button', { name }).or(page.getByRole('table').getByRole('textbox', { name }));

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => {
    const data = new DataTransfer();
    data.setData('text/plain', copied);
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    document.activeElement!.dispatchEvent(event);
  }, text);
}

/** The texts of the grid's rows, by column. */
async function texts(page: Page): Promise<string[][]> {
  const rows = await page.getByRole('table').locator('tbody tr').all();
  return Promise.all(rows.map(async (row) => (await row.locator('td[data-label]').allInnerTexts()).slice(0, 3)));
}

test('lines are typed, pasted, moved, undone and stored with their deal', async ({ page }) => {
  await page.goto('/auth/login');
  await page.getByRole('button', { name: /manager@demo\.test/ }).click();
  await expect(title(page)).toHaveText(/^Welcome/);
  await page.goto('/deals/create');
  await fill(page, 'Name', 'Roof with lines');
  await choose(page, 'Company', 'Horno San Blas');
  await choose(page, 'Stage', 'Lead');

  // By keyboard alone: Tab through the cells, Enter to the next row, which is new at the end.
  // The first row is there to be typed into.
  await (await cells(page, 'Product, row 1')).focus();
  await expect(page.getByRole('textbox', { name: 'Product, row 1' })).toBeFocused();
  await page.keyboard.type('Panel');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('textbox', { name: 'Quantity, row 1' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('20');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Product, row 2' })).toBeFocused();

  // A range of a spreadsheet, with a quoted cell of two lines.
  await paste(page, 'Inverter\t2\t1499.5\nCable\t30\t2.25\t\t"Blue,\nthick"\n');
  await expect
    .poll(() => texts(page))
    .toEqual([
      ['Panel', '20', ''],
      ['Inverter', '2', '1,499.50'],
      ['Cable', '30', '2.25'],
    ]);
  await expectAccessible(page);

  // Alt with an arrow moves a row, Ctrl+Z takes it back, Ctrl+Y does it again.
  const products = async () => (await texts(page)).map(([product]) => product);
  await (await cells(page, 'Product, row 3')).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByRole('button', { name: 'Move row 1', exact: true }).focus();
  await expect.poll(products).toEqual(['Panel', 'Cable', 'Inverter']);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(products).toEqual(['Panel', 'Inverter', 'Cable']);
  await page.keyboard.press('ControlOrMeta+y');
  await expect.poll(products).toEqual(['Panel', 'Cable', 'Inverter']);
  const grip = (row: number) => page.getByRole('button', { name: `Move row ${row}`, exact: true });
  await grip(3).dragTo(grip(1));
  await expect.poll(products).toEqual(['Inverter', 'Panel', 'Cable']);

  // Ctrl+D copies the row of the cell.
  await (await cells(page, 'Product, row 1')).focus();
  await page.keyboard.press('ControlOrMeta+d');
  await expect(page.getByRole('textbox', { name: 'Product, row 2' })).toHaveValue('Inverter');
  await page.keyboard.press('ControlOrMeta+z');
  await page.getByRole('button', { name: 'Move row 1', exact: true }).focus();
  await expect.poll(products).toEqual(['Inverter', 'Panel', 'Cable']);

  // A chosen row is removed by Delete.
  await page.getByRole('checkbox', { name: 'Choose row 2' }).check();
  await page.keyboard.press('Delete');
  await expect.poll(products).toEqual(['Inverter', 'Cable']);

  // A fault is at its cell, and the form is not stored.
  await page.getByRole('button', { name: 'Add row' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Row 3: Product is required.')).toBeVisible();
  await (await cells(page, 'Product, row 3')).focus();
  await page.keyboard.type('Assembly');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page).toHaveURL(/\/deals(\?|$)/);

  await page.getByRole('grid').getByText('Roof with lines').click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect.poll(texts.bind(null, page)).toEqual([
    ['Inverter', '2', '1,499.50'],
    ['Cable', '30', '2.25'],
    ['Assembly', '1', ''],
  ]);
  // On a phone each row is a card, and the page does not scroll sideways.
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(page.getByRole('button', { name: 'Product, row 1' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
});
