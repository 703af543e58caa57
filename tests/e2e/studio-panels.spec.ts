import type { Page } from '@playwright/test';
import { test } from './support/fresh-program';
import { expect, expectAccessible } from './support/test';

const properties = (page: Page) => page.getByRole('region', { name: 'Properties' });
const plan = (page: Page) => page.getByRole('region', { name: 'Migration plan' });

test('an automation is added, faults are told at its inputs, it is tried out on a record, moved by keyboard, and published', async ({
  page,
  signIn,
  api,
}) => {
  const admin = await api('admin');
  await signIn('admin');
  await page.goto('/studio/tasks?at=/automations');
  const panel = properties(page);
  await panel.getByRole('button', { name: 'Add an automation' }).click();
  await panel.getByRole('button', { name: /^New automation/ }).click();
  await panel.getByRole('textbox', { name: 'Label' }).fill('Tell the author');
  await panel.getByRole('textbox', { name: 'Name' }).fill('tell_author');
  const as = panel.getByRole('combobox', { name: 'With the permissions of' });
  await as.fill('nobody_id');
  await as.press('Escape');
  await expect(as).toHaveAccessibleDescription(/nobody_id/);
  await expect(plan(page).getByRole('button', { name: 'Publish', exact: true })).toBeDisabled();
  await as.fill('');
  await panel.getByRole('button', { name: /^Notify/ }).click();
  await panel.getByRole('textbox', { name: 'Text' }).fill('Look at {name}');
  await expect(plan(page).getByRole('button', { name: 'Publish', exact: true })).toBeEnabled();
  await expectAccessible(page);

  await panel.getByRole('combobox', { name: 'Task', exact: true }).click();
  await page.getByRole('option').first().click();
  await panel.getByRole('button', { name: 'Try out' }).click();
  const told = panel.getByRole('list', { name: 'What would happen' }).getByRole('listitem').first();
  await expect(told).toContainText('Tell the author');
  await expect(told).toContainText('Would run');
  await expectAccessible(page);

  await panel.getByRole('button', { name: 'Add an automation' }).click();
  await expect(panel.getByRole('button', { name: /^New automation/ })).toBeVisible();
  await panel.getByRole('button', { name: 'Move New automation', exact: true }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText(/^Picked up /)).toBeAttached();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText(/^At \d+ of \d+\.$/)).toBeAttached();
  await page.keyboard.press('Space');
  const entries = panel.getByRole('list', { name: 'Automations' }).locator('> li');
  await expect(entries.first()).toContainText('New automation');
  await panel.getByRole('button', { name: 'Remove New automation' }).click();
  await plan(page).getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(panel.getByRole('button', { name: /^Tell the author/ })).toHaveText('Tell the authorchanged');
  const { body } = await admin.send<{ data: { definition: { automations: object[] } } }>('GET', '/modules/tasks');
  expect(body.data.definition.automations.at(-1)).toEqual({
    ...{ name: 'tell_author', label: 'Tell the author', events: ['update'] },
    steps: [{ notify: 'created_by', text: 'Look at {name}' }],
  });
});

test('requests and row actions are edited in view, and reachable for everybody', async ({ page, signIn }) => {
  await signIn('admin');
  await page.goto('/studio/tasks?at=/requests');
  const panel = properties(page);
  const requests = panel.getByRole('list', { name: 'Requests' });
  await requests.getByRole('button', { name: /^Comments/ }).click();
  await expect(requests.getByRole('combobox', { name: 'Changes' })).toHaveText('Fields that a form asks for');
  await panel
    .getByRole('list', { name: 'Row actions' })
    .getByRole('button', { name: /^Add Timelog/ })
    .click();
  await expect(panel.getByRole('combobox', { name: 'Adds a record of' })).toBeVisible();
  await expectAccessible(page);
  await requests.getByRole('textbox', { name: 'Label' }).fill('Remarks');
  await expect(plan(page).getByRole('button', { name: 'Publish', exact: true })).toBeEnabled();
});

test('unique combinations and indexes are edited in view, and reachable for everybody', async ({ page, signIn }) => {
  await signIn('admin');
  await page.goto('/studio/tasks?at=/validate');
  const panel = properties(page);
  await panel.getByRole('button', { name: 'Add a combination' }).click();
  await panel.getByRole('list', { name: 'Unique combinations' }).getByRole('button', { expanded: false }).click();
  await panel.getByRole('button', { name: 'Add an index' }).click();
  await panel.getByRole('list', { name: 'Additional indexes' }).getByRole('button', { expanded: false }).last().click();
  await expect(panel.getByRole('combobox', { name: 'Fields', exact: true })).toHaveCount(2);
  await expectAccessible(page);
});

test('colours of records and rows that stand out are edited in view, and reachable for everybody', async ({
  page,
  signIn,
}) => {
  await signIn('admin');
  await page.goto('/studio/priorities?at=/labels');
  const panel = properties(page);
  await expect(panel.getByRole('combobox', { name: /: colour$/ }).first()).toBeVisible();
  await expectAccessible(page);
  await page.goto('/studio/tasks?at=/list/columns');
  await expect(panel.getByRole('group', { name: 'Stand out where' })).toBeVisible();
  await expectAccessible(page);
});

test('an expression is written with the keyboard: completed while typing, errors with their remedy, a result at once', async ({
  page,
  signIn,
}) => {
  await signIn('admin');
  await page.goto('/studio/tasks');
  await page.getByRole('button', { name: 'Add field' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add field' });
  await dialog.getByRole('textbox', { name: 'Label' }).fill('Score');
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Number', exact: true }).click();
  await dialog.getByRole('button', { name: 'Add field' }).click();
  const panel = properties(page);
  await panel.getByRole('switch', { name: 'Computed' }).check();
  const editor = panel.getByRole('textbox', { name: 'Expression' });
  const result = panel.getByRole('group', { name: 'Expression' }).getByRole('status').filter({ hasText: 'For ' });
  await expect(result).toHaveText(/^For .+: no value$/);

  await editor.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('{"$mult');
  const offered = page.getByRole('option', { name: /\$multiply/ });
  await expect(offered).toContainText('(number, …) → number');
  await expect(offered).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await page.keyboard.type('2.5, 3');
  await expect(editor).toHaveText('{"$multiply": [2.5, 3]}');
  await expect(result).toHaveText(/^For .+: 7\.5$/);

  // Fields are offered with what they are, and the text is completed where it is typed.
  await page.keyboard.type(', "$record.i');
  await expect(page.getByRole('option', { name: /\$record\.id/ })).toContainText('number');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+a');
  await page.keyboard.type('{"$ad": [2]');
  await page.keyboard.press('Escape');
  await expect(editor).toContainText('Unknown operator $ad. Did you mean $add?');
  await expect(result).toBeHidden();
  await expectAccessible(page);
  await page.keyboard.press('Control+.');
  await expect(editor).toHaveText('{"$add": [2]}');
  await expect(result).toHaveText(/^For .+: 2$/);

  // Tab leaves the editor, to the choice of another record.
  await page.keyboard.press('Tab');
  const record = panel.getByRole('combobox', { name: 'Task to calculate with' });
  await expect(record).toBeFocused();
  const first = await record.inputValue();
  await page.keyboard.press('ArrowDown');
  const other = page.getByRole('option', { selected: false }).filter({ hasNotText: first }).first();
  await expect(other).toBeVisible();
  await other.click();
  await expect(record).not.toHaveValue(first);
  await expect(result).toHaveText(/^For .+: 2$/);
  await expectAccessible(page);
});

test('the picture of relations is reached with the keyboard: a module goes into the middle, and opens from there', async ({
  page,
  signIn,
}) => {
  await signIn('admin');
  await page.goto('/studio');
  await page.getByRole('link', { name: 'Relations', exact: true }).click();
  const picture = page.getByRole('region', { name: 'Picture of relations' });
  await expect(picture).toBeVisible();
  await expectAccessible(page);
  const tasks = picture.getByRole('button', { name: /^Tasks; points to .*Projects/ });
  await tasks.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/module=tasks/);
  await expect(tasks).toHaveAttribute('aria-current', 'true');
  await expect(tasks).toBeFocused();
  // Only its neighbours are left, with the fields that connect them.
  await expect(picture.getByRole('button', { name: /^Clients;/ })).toHaveCount(0);
  await expect(picture.getByRole('button', { name: /^Projects;/ })).toContainText('Project');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/studio\/tasks/);
  await expect(page.getByRole('region', { name: 'Properties' })).toBeVisible();
});
