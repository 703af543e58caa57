import { startProgram, type Program } from './support/program';
import { choose, fill, save } from './support/steps';
import { expect, expectAccessible, test as shared, title } from './support/test';

/** A product of JSON alone with demo data. */
const test = shared.extend<object, { program: Program }>({
  program: [
    async ({}, use) => {
      const program = await startProgram({ ASSAY_PRODUCT: 'examples/inventory' });
      await use(program);
      await program.stop();
    },
    { scope: 'worker', timeout: 100_000 },
  ],
  baseURL: async ({ program }, use) => use(program.url),
});

test('an asset gets a number and a value, goes to repair, and is checked out with approval', async ({ page }) => {
  const signIn = async (email: RegExp) => {
    await page.goto('/auth/login');
    await page.getByRole('button', { name: email }).click();
    await expect(title(page)).toHaveText(/^Welcome/);
  };
  await signIn(/qa@demo\.test/);
  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.getByRole('link', { name: 'Check-outs' }).click();
  await page.getByRole('link', { name: 'Add Check-out' }).first().click();
  await choose(page, 'Asset', 'A-7 Reference display');
  await fill(page, 'Purpose', 'Grading');
  await save(page);
  const rows = page.getByRole('grid').getByRole('row');
  await expect(rows.filter({ hasText: 'Grading' })).toContainText('Requested');
  await expectAccessible(page);

  // A second one is refused in the words of the definition.
  await page.getByRole('link', { name: 'Add Check-out' }).first().click();
  await choose(page, 'Asset', 'A-7 Reference display');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('This asset is checked out or asked for already.').first()).toBeVisible();

  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await signIn(/manager@demo\.test/);
  await menu.getByRole('link', { name: 'Check-outs' }).click();
  await rows.filter({ hasText: 'Grading' }).getByText('Grading').click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('button', { name: 'Take back' })).toBeVisible();
  // Without room for their words, the buttons are a menu.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Two weeks more', 'Take back']);
  await page.getByRole('menuitem', { name: 'Take back' }).click();
  await expect(page.getByRole('dialog')).toContainText('Returned On');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1440, height: 900 });

  await menu.getByRole('link', { name: 'Assets' }).click();
  await expect(rows.filter({ hasText: 'NX4-0093' })).toContainText('5,711.67');
  await page.getByRole('link', { name: 'Add Asset' }).first().click();
  await fill(page, 'Name', 'Tripod');
  await choose(page, 'Kind', 'Other');
  await choose(page, 'Maker', 'Nordic Optics');
  await fill(page, 'Serial Number', 'T-1');
  await fill(page, 'Price', '120');
  const book = page.getByRole('textbox', { name: 'Book Value' });
  await fill(page, 'Bought On', new Date().toISOString().slice(0, 10));
  await expect(book).toHaveValue(/120/);
  await expectAccessible(page);
  await save(page);
  await expect(rows.filter({ hasText: 'Tripod' })).toContainText('A-9');
});
