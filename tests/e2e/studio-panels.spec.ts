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
  await page.goto('/studio/tasks?at=/when');
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
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Space');
  const entries = panel.getByRole('list', { name: 'Automations' }).locator('> li');
  await expect(entries.first()).toContainText('New automation');
  await panel.getByRole('button', { name: 'Remove New automation' }).click();
  await plan(page).getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(panel.getByRole('button', { name: /^Tell the author/ })).toHaveText('Tell the authorchanged');
  const { body } = await admin.send<{ data: { definition: { when: object[] } } }>('GET', '/modules/tasks');
  expect(body.data.definition.when.at(-1)).toEqual({
    ...{ name: 'tell_author', label: 'Tell the author', on: ['update'] },
    do: [{ notify: 'created_by', text: 'Look at {name}' }],
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
