import { startProgram } from './support/program';
import { choose, fill, save } from './support/steps';
import { expect, expectAccessible, testOn, title } from './support/test';

/** A product of JSON alone with demo data. */
const test = testOn((programs, file) =>
  programs.ofFile(file, () => startProgram({ ASSAY_PRODUCT: 'examples/inventory' })),
);
// One program for all of them.
test.describe.configure({ mode: 'default' });

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
  await page.getByRole('button', { name: /^State: / }).click();
  await page.getByRole('menuitem', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'State: Checked out' }).click();
  await expect(page.getByRole('menuitem', { name: 'Take back' })).toBeVisible();
  await page.keyboard.press('Escape');
  // Without room for the state, its changes are in the menu.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: /^More actions/ }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Two weeks more', 'Take back', 'History']);
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

test('files of an asset are dropped, pasted, cancelled, put in order, shown and saved', async ({ page }) => {
  await page.goto('/auth/login');
  await page.getByRole('button', { name: /manager@demo\.test/ }).click();
  await expect(title(page)).toHaveText(/^Welcome/);
  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.getByRole('link', { name: 'Assets' }).click();
  await page.getByRole('grid').getByRole('link', { name: 'Reference display' }).click();
  const field = page.locator('[data-picture]').filter({ hasText: 'Drop or paste pictures or PDF' });
  await expect(field).toContainText('up to 20, each of at most 25 MB');

  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
  /** Hands files to the field as a drop, or a paste, does. */
  const hand = (kind: 'drop' | 'paste', files: { name: string; type: string; base64: string }[]) =>
    field.evaluate(
      (element, [event, all]) => {
        const data = new DataTransfer();
        for (const { name, type, base64 } of all)
          data.items.add(new File([Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))], name, { type }));
        const init = { bubbles: true, cancelable: true };
        element.dispatchEvent(
          event === 'drop'
            ? new DragEvent('drop', { ...init, dataTransfer: data })
            : new ClipboardEvent('paste', { ...init, clipboardData: data }),
        );
      },
      [kind, files] as const,
    );
  // One upload waits until it is cancelled: the others pass it.
  let waiting: (() => void) | undefined;
  await page.route('**/api/assets/files?*', async (route) => {
    if (route.request().postData()?.includes('slow.png')) await new Promise<void>((done) => (waiting = done));
    await route.continue().catch(() => undefined);
  });
  const photo = (name: string) => ({ name, type: 'image/png', base64: png });
  await hand('drop', [
    photo('slow.png'),
    photo('front.png'),
    { name: 'invoice.pdf', type: 'application/pdf', base64: btoa('%PDF-1.4\n%%EOF') },
    { name: 'virus.exe', type: 'application/x-msdownload', base64: btoa('MZ') },
  ]);
  await expect(field.getByRole('progressbar', { name: 'Uploading slow.png' })).toBeVisible();
  await expect(field.getByText('Only pictures or PDF can be added.')).toBeVisible();
  await expect(field.getByRole('button', { name: 'Remove front.png' })).toBeVisible();
  await expect(field.getByRole('button', { name: 'Remove invoice.pdf' })).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('“virus.exe” could not be added. Try again, or leave it out.').first()).toBeVisible();
  await field.getByRole('button', { name: 'Leave out virus.exe' }).click();
  await expect(page.getByText('“slow.png” is still being uploaded. Wait, or cancel it.').first()).toBeVisible();
  await expectAccessible(page);
  await field.getByRole('button', { name: 'Cancel the upload of slow.png' }).click();
  waiting?.();
  await expect(field.getByText('slow.png', { exact: true })).toBeHidden();

  await hand('paste', [photo('back.png')]);
  const names = field.getByRole('listitem');
  await expect(names).toContainText(['front.png', 'invoice.pdf', 'back.png']);
  await field.getByRole('button', { name: /^Move back\.png/ }).press('Alt+ArrowUp');
  await expect(names).toContainText(['front.png', 'back.png', 'invoice.pdf']);
  await field.getByRole('button', { name: 'Remove front.png' }).press('Enter');
  await expect(field.getByRole('button', { name: 'Remove front.png' })).toBeHidden();
  await expect(field.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(names).toContainText(['front.png', 'back.png', 'invoice.pdf']);

  await field.getByRole('button', { name: /^front\.png/ }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('img', { name: 'front.png' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('img', { name: 'back.png' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('heading', { name: 'invoice.pdf' })).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Download' })).toHaveAttribute('download', 'invoice.pdf');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await save(page);
  await page.getByRole('grid').getByRole('link', { name: 'Reference display' }).click();
  await expect(names).toContainText(['front.png', 'back.png', 'invoice.pdf']);
  await page.reload();
  await expect(names).toContainText(['front.png', 'back.png', 'invoice.pdf']);
  await page.setViewportSize({ width: 390, height: 800 });
  const last = field.getByRole('button', { name: 'Remove invoice.pdf' });
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1440, height: 900 });

  // Lists say how many there are, and can ask for records that have some.
  await menu.getByRole('link', { name: 'Assets' }).click();
  const rows = page.getByRole('grid').getByRole('row');
  await expect(rows.filter({ hasText: 'A-7' })).toContainText('2 pictures, 1 PDF');
});

test('a gallery shows pictures, and is gone through, edited and returned to by keys, also on a phone', async ({
  page,
}) => {
  await page.goto('/auth/login');
  await page.getByRole('button', { name: /manager@demo\.test/ }).click();
  await expect(title(page)).toHaveText(/^Welcome/);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Assets' }).click();
  await page.getByRole('button', { name: 'Gallery' }).press('Enter');
  const cards = page.getByRole('list', { name: 'Assets' }).getByRole('listitem');
  const links = cards.getByRole('heading').getByRole('link');
  await expect(links.nth(2)).toBeVisible();
  await expectAccessible(page);

  // `j` and `k` go from card to card, `e` edits, and Back returns to the same card.
  await page.keyboard.press('j');
  await expect(links.nth(0)).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(links.nth(2)).toBeFocused();
  await page.keyboard.press('k');
  await expect(links.nth(1)).toBeFocused();
  const path = (await links.nth(1).getAttribute('href'))!;
  await page.keyboard.press('e');
  await expect(page).toHaveURL((url) => url.pathname === path);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'picture.png',
      mimeType: 'image/png',
      buffer: Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
        'base64',
      ),
    });
  await save(page);
  const changed = cards.filter({ has: page.locator(`a[href="${path}"]`) });
  await expect(changed.getByRole('heading').getByRole('link')).toBeFocused();
  const picture = changed.locator('img');
  await expect.poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(1);

  // `x`, Shift+x and a click with Ctrl select cards, which are then changed together.
  const boxes = cards.getByRole('checkbox');
  const selection = page.getByRole('region', { name: 'Selection' });
  await page.keyboard.press('x');
  await expect(selection).toContainText('1 selected');
  await expect(changed.getByRole('checkbox')).toBeChecked();
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await expect(selection).toContainText('2 selected');
  await cards
    .nth(0)
    .locator('article > div')
    .first()
    .click({ modifiers: ['ControlOrMeta'] });
  await expect(selection).toContainText('3 selected');
  await expect(page).toHaveURL((url) => url.pathname === '/assets');
  await expectAccessible(page);
  await page.keyboard.press('Control+A');
  await expect(boxes.and(page.locator(':not(:checked)'))).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 800 });
  await expect(picture).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  for (const button of await selection.getByRole('button').all()) await button.click({ trial: true });
  await expectAccessible(page);
  await selection.getByRole('button', { name: 'Clear selection' }).click();
  await boxes.nth(0).click();
  await expect(selection).toContainText('1 selected');
  await boxes.nth(0).click();
  await expect(selection).toBeHidden();
});
