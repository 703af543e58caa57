import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './support/test';

// Nothing is published here: a draft is its browser's own.
test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const editor = (page: Page) => page.getByRole('textbox', { name: 'JSON of Tasks' });
const line = (page: Page, text: string) => editor(page).locator('.cm-line').filter({ hasText: text });
const fault = (page: Page) => page.locator('.json-fault');

/** Puts the cursor behind the last value of a field that is written on one line. */
async function goBehind(page: Page, field: string): Promise<void> {
  await line(page, `"${field}": {`).click();
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
}

test.beforeEach(async ({ page, signIn }) => {
  await signIn('admin');
  await page.goto('/studio/tasks?face=json&at=/fields/milestone');
  // The place that the address says is scrolled to.
  await expect(editor(page).locator('.cm-activeLine')).toContainText('"milestone": {');
  await expect(line(page, '"milestone": {')).toBeInViewport();
});

test('an error stands under its line, and what is suggested mends it', async ({ page }) => {
  await goBehind(page, 'milestone');
  await page.keyboard.type(', "maxLenght": 60');
  await expect(fault(page)).toHaveText('maxLenght is not a property of a text field. Did you mean maxLength?');
  const lead = page.getByRole('button', { name: /^line \d+$/ });
  const number = Number((await lead.textContent())!.split(' ')[1]);
  await expect(page.locator('.cm-activeLineGutter').first()).toHaveText(String(number));
  await expectAccessible(page);

  // The way back to the error, from elsewhere in the text.
  await page.locator('.cm-scroller').hover();
  await page.mouse.wheel(0, 3000);
  await expect(fault(page)).not.toBeInViewport();
  await lead.click();
  await expect(fault(page)).toBeInViewport();

  await fault(page).getByRole('button', { name: 'maxLength' }).click();
  await expect(line(page, '"milestone": {')).toContainText('"maxLength": 60');
  await expect(fault(page)).toHaveCount(0);
  await expect(lead).toHaveCount(0);
});

test('the key that mends, and a text that is no JSON', async ({ page }) => {
  await goBehind(page, 'milestone');
  await page.keyboard.type(', "maxLenght": 60');
  await expect(fault(page)).toBeVisible();
  await page.keyboard.press('Control+.');
  await expect(line(page, '"milestone": {')).toContainText('"maxLength": 60');

  await page.keyboard.press('End');
  // At once, since what is typed slowly is more than one step back.
  await page.keyboard.insertText('oh');
  await expect(fault(page)).toContainText('This is no JSON');
  await page.keyboard.press('Control+z');
  await expect(fault(page)).toHaveCount(0);
});

test('keys and values are offered from the schemas and from what else there is', async ({ page }) => {
  await goBehind(page, 'milestone');
  await page.keyboard.type(', "hel');
  const offered = page.locator('.cm-tooltip-autocomplete').getByRole('option');
  await expect(offered).toHaveText(['"help"']);
  await expect(page.locator('.cm-completionInfo')).toHaveText('One sentence under the input.');
  // By the mouse: Enter is no choice in the first moments of an offer, so that nobody takes one by mistake.
  await offered.click();
  await page.keyboard.type('Which release');
  await expect(line(page, '"milestone": {')).toContainText('"help": "Which release"');

  await page.keyboard.press('ArrowRight');
  await page.keyboard.type(', "to": "cli');
  await expect(offered.filter({ hasText: '"clients"' })).toBeVisible();
});

test('both faces are one draft: changes arrive, the cursor and the place follow each other', async ({ page }) => {
  await goBehind(page, 'milestone');
  await page.keyboard.type(', "label": "Release"');
  await expect(page.getByText('Draft, 1 change', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Properties' }).click();
  const label = page.getByRole('textbox', { name: 'Label', exact: true });
  await expect(label).toHaveValue('Release');
  await label.fill('Shipment');
  await page.getByRole('tab', { name: 'JSON' }).click();
  await expect(line(page, '"milestone": {')).toContainText('"label": "Shipment"');

  // A field chosen at the left is scrolled to; the cursor chooses what it stands in.
  const fields = page.getByRole('region', { name: 'Fields' });
  await fields.getByRole('button', { name: /^timelogs/ }).click();
  await expect(line(page, '"timelogs": {')).toBeInViewport();
  await line(page, '"of": "time-logs.task_id"').click();
  await page.keyboard.press('Control+Home');
  await line(page, '"width": "full"').click();
  await expect(fields.getByRole('button', { name: /^name/ })).toHaveAttribute('aria-current', 'true');

  await page.getByRole('button', { name: 'Copy JSON' }).click();
  await expect(page.getByText('The JSON was copied')).toBeVisible();
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as {
    fields: { milestone: unknown };
  };
  expect(copied.fields.milestone).toEqual({ type: 'text', label: 'Shipment' });
});

test('the keyboard gets out of the text, and searching finds in it', async ({ page }) => {
  await editor(page).focus();
  await page.keyboard.press('Tab');
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(editor(page)).not.toBeFocused();
  await expect(editor(page)).toHaveAccessibleDescription(/Escape and then Tab/);

  await editor(page).focus();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('estimated_hours');
  await page.keyboard.press('Enter');
  await expect(page.locator('.cm-searchMatch-selected')).toBeInViewport();

  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Home');
  await expect(line(page, '"name": "tasks"')).toBeInViewport();
  await page.keyboard.press('Control+End');
  // The text ends with the line break behind its last line.
  await expect(page.locator('.cm-line').last()).toHaveClass(/cm-activeLine/);
  await expect(page.locator('.cm-line').last()).toBeInViewport();
});
