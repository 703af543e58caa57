import type { Page } from '@playwright/test';
import { discardDrafts } from './support/drafts';
import { expect, expectAccessible, test } from './support/test';

// Nothing is published here. Tests in sequence: they share the administrator's drafts.
test.describe.configure({ mode: 'default' });
test.use({ ownContext: true, permissions: ['clipboard-read', 'clipboard-write'] });

const editor = (page: Page) => page.getByRole('textbox', { name: 'JSON of Tasks' });
const line = (page: Page, text: string) => editor(page).locator('.cm-line').filter({ hasText: text });
const fault = (page: Page) => page.locator('.json-fault');

/** Puts the cursor after the last value of a field that is on one line. */
async function goBehind(page: Page, field: string): Promise<void> {
  await line(page, `"${field}": {`).click();
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
}

test.beforeEach(async ({ page, signIn, api }) => {
  await discardDrafts(await api('admin'));
  await signIn('admin');
  await page.goto('/studio/tasks?face=json&at=/fields/milestone');
  // The editor scrolls to the place in the address.
  await expect(editor(page).locator('.cm-activeLine')).toContainText('"milestone": {');
  await expect(line(page, '"milestone": {')).toBeInViewport();
});

test('an error in the JSON of a module is shown below its line, and the suggestion fixes it', async ({ page }) => {
  await goBehind(page, 'milestone');
  await page.keyboard.type(', "maxLenght": 60');
  await expect(fault(page)).toHaveText('maxLenght is not a property of a text field. Did you mean maxLength?');
  const lead = page.getByRole('button', { name: /^line \d+$/ });
  const number = Number((await lead.textContent())!.split(' ')[1]);
  await expect(page.locator('.cm-activeLineGutter').first()).toHaveText(String(number));
  await expectAccessible(page);

  // The button goes to the error from elsewhere in the text.
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

test('a key applies the fix, and a text that is not JSON shows an error', async ({ page }) => {
  await goBehind(page, 'milestone');
  await page.keyboard.type(', "maxLenght": 60');
  await expect(fault(page)).toBeVisible();
  await page.keyboard.press('Control+.');
  await expect(line(page, '"milestone": {')).toContainText('"maxLength": 60');

  await page.keyboard.press('End');
  // Inserted at once, since slow typing would be several undo steps.
  await page.keyboard.insertText('oh');
  await expect(fault(page)).toContainText('This is not valid JSON');
  await page.keyboard.press('Control+z');
  await expect(fault(page)).toHaveCount(0);
});

test('completion in the JSON offers keys and values of the schemas and names of definitions', async ({ page }) => {
  await goBehind(page, 'milestone');
  await page.keyboard.type(', "help');
  const offered = page.locator('.cm-tooltip-autocomplete').getByRole('option');
  await expect(offered).toHaveText(['"help"']);
  await expect(page.locator('.cm-completionInfo')).toHaveText('One sentence under the input.');
  // With the mouse: Enter does not accept a completion right after it appears, to avoid accidental choices.
  await offered.click();
  await page.keyboard.type('Which release');
  await expect(line(page, '"milestone": {')).toContainText('"help": "Which release"');

  await page.keyboard.press('ArrowRight');
  await page.keyboard.type(', "to": "cli');
  await expect(offered.filter({ hasText: '"clients"' })).toBeVisible();
});

test('properties and JSON share one draft: changes, the cursor and the selected place are in sync', async ({
  page,
}) => {
  await goBehind(page, 'milestone');
  await page.keyboard.type(', "label": "Release"');
  await expect(page.getByText('Draft, 1 change', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Properties' }).click();
  const label = page.getByRole('textbox', { name: 'Label', exact: true });
  await expect(label).toHaveValue('Release');
  await label.fill('Shipment');
  await page.getByRole('tab', { name: 'JSON' }).click();
  await expect(line(page, '"milestone": {')).toContainText('"label": "Shipment"');

  // The editor scrolls to the field that is selected at the left; moving the cursor selects the field it is in.
  const fields = page.getByRole('region', { name: 'Fields' });
  await fields.getByRole('button', { name: /^Time Logs/ }).click();
  await expect(line(page, '"timelogs": {')).toBeInViewport();
  await line(page, '"source": "time-logs.task_id"').first().click();
  await page.keyboard.press('Control+Home');
  await line(page, '"width": "full"').click();
  await expect(fields.getByRole('button', { name: /^Name/ })).toHaveAttribute('aria-current', 'true');

  await page.getByRole('button', { name: 'Copy JSON' }).click();
  await expect(page.getByText('The JSON was copied')).toBeVisible();
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as {
    fields: { milestone: unknown };
  };
  expect(copied.fields.milestone).toEqual({ type: 'text', label: 'Shipment' });
});

test('the JSON editor can be left by keyboard, and has a search', async ({ page }) => {
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
  // The text ends with a line break.
  await expect(page.locator('.cm-line').last()).toHaveClass(/cm-activeLine/);
  await expect(page.locator('.cm-line').last()).toBeInViewport();
});
