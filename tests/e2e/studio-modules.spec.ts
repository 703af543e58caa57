import type { Page } from '@playwright/test';
import { test } from './support/fresh-program';
import { answerQuestion, fill, runAction, save } from './support/steps';
import { expect, expectAccessible, expectToast, title } from './support/test';

// One separate program, tests in sequence.
test.describe.configure({ mode: 'default' });

const modules = (page: Page) => page.getByRole('table', { name: 'Modules' });
const module = (page: Page, name: string) => modules(page).getByRole('row').filter({ hasText: name });
const menuEntry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });

test('a new module is created with the keyboard only and in less than a minute', async ({
  page,
  signIn,
  api,
}, info) => {
  await signIn('admin');
  await page.goto('/studio');
  await expect(modules(page)).toBeVisible();
  const { keyboard } = page;
  const begun = Date.now();
  await page.getByRole('link', { name: 'New module' }).focus();
  await keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Singular name' })).toBeFocused();
  await keyboard.type('Instrument');
  await expect(page.getByRole('textbox', { name: 'Plural name' })).toHaveValue('Instruments');
  await keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Label of field 1' })).toBeFocused();
  await keyboard.press('Enter');
  for (const [number, label] of [
    [2, 'Serial No.'],
    [3, 'Bought on'],
    [4, 'Client'],
    [5, 'Condition'],
  ] as const) {
    await expect(page.getByRole('textbox', { name: `Label of field ${number}` })).toBeFocused();
    await keyboard.type(label);
    if (label !== 'Condition') await keyboard.press('Enter');
  }
  for (let count = 0; count < 4; count++) await keyboard.press('Tab');
  await expect(page.getByRole('textbox', { name: 'Options of Condition' })).toBeFocused();
  await keyboard.type('In use, In repair');
  await keyboard.press('Enter');
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Create module' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(title(page)).toContainText('Instruments');
  const seconds = (Date.now() - begun) / 1000;
  info.annotations.push({ type: 'time', description: `${seconds} s` });
  console.log(`A module from nothing took ${seconds} s.`);
  expect(seconds).toBeLessThan(60);
  await expectToast(page, 'The module Instruments is ready');
  await expect(menuEntry(page, 'Instruments')).toBeVisible();

  // Its form, its list, its export, its import, its API.
  await page.getByRole('link', { name: 'Add Instrument' }).first().click();
  const site = page.getByRole('combobox', { name: 'Company', exact: true });
  await site.click();
  await page.getByRole('option').first().click();
  await fill(page, 'Name', 'Oscilloscope');
  await page.getByRole('combobox', { name: 'Condition' }).click();
  await page.getByRole('option', { name: 'In repair' }).click();
  await save(page);
  await expectToast(page, 'Instrument added');
  await expect(page.getByRole('grid').getByRole('row').filter({ hasText: 'Oscilloscope' })).toContainText('In repair');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Download Excel', exact: true }).click();
  expect((await saved).suggestedFilename()).toBe('instruments.xlsx');
  await page.goto('/imports?type=instruments');
  await expect(page.getByRole('tab', { name: 'Import Instruments', selected: true })).toBeVisible();

  const admin = await api('admin');
  const found = await admin.send<{ name: string; condition: string }[]>('GET', '/instruments');
  expect(found.body).toMatchObject([{ name: 'Oscilloscope', condition: 'in_repair' }]);
  const owner = await api('owner');
  expect((await owner.send('GET', '/instruments')).status).toBe(200);
  const developer = await api('developer');
  expect((await developer.send('GET', '/instruments')).status).toBe(403);
});

test('errors are shown at their inputs, and the draft can be continued in the editor', async ({ page, signIn }) => {
  await signIn('admin');
  await page.goto('/studio/new');
  const create = page.getByRole('button', { name: 'Create module' });
  await create.click();
  await expect(page.getByText('Singular name is required.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Singular name' }).fill('Client');
  await expect(page.getByText('The module clients already exists.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Singular name' }).fill('Visit');
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByRole('textbox', { name: 'Plural name' }).fill('Dashboard');
  await expect(page.getByText(/"dashboard" is reserved by the product/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Plural name' }).fill('Visits');
  await page.getByRole('textbox', { name: 'Label of field 2' }).fill('Condition');
  await create.click();
  await expect(page.getByText('Options are required.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Options of Condition' }).fill('Planned, Done');
  await page.getByRole('button', { name: 'Open in the editor' }).click();
  await expect(title(page)).toContainText('Visits');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(menuEntry(page, 'Visits')).toBeVisible();
});

test('a module is retired, restored and purged; a changed one is reset to the shipped definition', async ({
  page,
  signIn,
  api,
}) => {
  const admin = await api('admin');
  const { body } = await admin.send<{ data: { version: number; definition: { labels: object } } }>(
    'GET',
    '/modules/clients',
  );
  const definition = { ...body.data.definition, labels: { one: 'Customer', many: 'Customers' } };
  await admin.send('PUT', '/modules/clients', { definition, version: body.data.version });

  await signIn('admin');
  await page.goto('/studio');
  await expect(module(page, 'instruments')).toContainText('Custom');
  await expectAccessible(page);
  await runAction(page, 'Instruments', 'Retire');
  await answerQuestion(page, 'Retire');
  await expectToast(page, 'Instruments was retired');
  await expect(menuEntry(page, 'Instruments')).toBeHidden();
  expect((await admin.send('GET', '/instruments')).status).toBe(404);

  await page.getByRole('tab', { name: 'Retired 1' }).click();
  await runAction(page, 'Instruments', 'Restore');
  await answerQuestion(page, 'Restore');
  await expectToast(page, 'Instruments was restored');
  await expect(menuEntry(page, 'Instruments')).toBeVisible();
  expect((await admin.send<{ name: string }[]>('GET', '/instruments')).body).toMatchObject([{ name: 'Oscilloscope' }]);

  await page.goto('/studio?of=custom');
  await runAction(page, 'Instruments', 'Retire');
  await answerQuestion(page, 'Retire');
  await page.getByRole('tab', { name: 'Retired 1' }).click();
  await runAction(page, 'Instruments', 'Purge the table');
  const purge = page.getByRole('alertdialog', { name: 'Purge the table of Instruments?' });
  await expect(purge.getByRole('button', { name: 'Purge the table' })).toBeDisabled();
  await purge.getByRole('textbox', { name: 'Type instruments to confirm' }).fill('instruments');
  await purge.getByRole('button', { name: 'Purge the table' }).click();
  await expectToast(page, 'The table of Instruments was purged');
  expect((await admin.send('GET', '/modules/instruments')).status).toBe(404);

  await page.goto('/studio?of=changed');
  await expect(module(page, 'clients')).toContainText('Changed');
  await expect(module(page, 'clients').getByRole('cell', { name: /^Amara Okafor, \d/ })).toBeVisible();
  await runAction(page, 'Customers', 'Reset to shipped');
  await answerQuestion(page, 'Reset');
  await expectToast(page, 'Customers was reset to the shipped definition');
  await page.getByRole('tab', { name: /^All/ }).click();
  await page.getByRole('searchbox', { name: 'Search modules' }).fill('client');
  await expect(modules(page).getByRole('row')).toHaveCount(2);
  await expect(module(page, 'clients')).toContainText('Shipped');
  await modules(page).getByRole('link', { name: 'Clients' }).click();
  await expect(title(page)).toContainText('Clients');
});

test('only administrators of the installation find the studio', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/studio');
  await expect(page.getByText("You don't have access to Studio.")).toBeVisible();
  await expect(menuEntry(page, 'Studio')).toBeHidden();
});
