import type { Page } from '@playwright/test';
import { test } from './support/own-program';
import { discardDrafts } from './support/drafts';
import { expect, expectAccessible, title } from './support/test';

// One separate program, tests in sequence: nothing is published here, and nobody else changes the records.
test.describe.configure({ mode: 'default' });

const frame = (page: Page) => page.frameLocator('iframe[title="Preview of the list and the form"]');
const list = (page: Page) => frame(page).getByRole('region', { name: 'List' });
const form = (page: Page) => frame(page).getByRole('region', { name: 'Form' });
const input = (page: Page, label: string) => form(page).getByRole('textbox', { name: label, exact: true });
const label = (page: Page) =>
  page.getByRole('region', { name: 'Properties' }).getByRole('textbox', { name: 'Label', exact: true });

async function seeAs(page: Page, role: string): Promise<void> {
  await page.getByRole('button', { name: /^Seen as/ }).click();
  await page.getByRole('menuitemradio', { name: role }).click();
}

test.beforeEach(async ({ signIn, api }) => {
  await discardDrafts(await api('admin'));
  await signIn('admin');
});

test('a label appears in the preview while it is typed: no row is fetched again, and text typed into the preview stays, as does the last valid draft', async ({
  page,
}) => {
  await page.goto('/studio/tasks?at=/fields/milestone');
  // The first page of a new program loads slowly.
  await expect(list(page).getByRole('grid')).toBeVisible({ timeout: 30_000 });
  await input(page, 'Milestone').fill('Sprint 77');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/') && request.method() === 'GET') asked.push(request.url());
  });
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().includes('/api/'));
  await label(page).fill('Release');
  await expect(input(page, 'Release')).toHaveValue('Sprint 77');
  await expect(input(page, 'Release')).toBeInViewport();
  await expect(label(page)).toBeFocused();
  expect((await saved).url()).toMatch(/\/api\/module-drafts\/tasks$/);
  expect(asked).toEqual([]);
  await expect(title(page)).toContainText('Tasks');
  expect(await page.title()).toMatch(/^Tasks/);
  await expectAccessible(page);

  // While the draft is invalid, the last valid one is shown.
  await page.getByRole('tab', { name: 'JSON' }).click();
  const text = page.getByRole('textbox', { name: 'JSON of Tasks' });
  await text.locator('.cm-line').filter({ hasText: '"milestone": {' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type('oh');
  await expect(page.getByText(/The preview shows the last valid draft, \d+ seconds? ago\./)).toBeVisible();
  await expect(input(page, 'Release')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByText(/The preview shows the last valid draft/)).toBeHidden();
  // The window knows what it has saved itself.
  expect(asked.filter((url) => url.includes('/module-drafts'))).toEqual([]);
});

test('a new field is marked and validated in the preview while typing, and nothing is saved', async ({ page, api }) => {
  await page.goto('/studio/tasks');
  await page.getByRole('button', { name: 'Add field' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add field' });
  await dialog.getByRole('textbox', { name: 'Label' }).fill('Build');
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'URL', exact: true }).click();
  await dialog.getByRole('button', { name: 'Add field' }).click();
  await page.getByRole('switch', { name: 'Shown in list by default' }).check();
  const column = list(page).getByRole('columnheader', { name: /Build/ });
  await expect(column).toHaveCount(1);
  const isBeside = () => column.evaluate((head) => head.getBoundingClientRect().right <= window.innerWidth);
  await expect.poll(isBeside, 'the new column is brought into view').toBe(true);
  // The badge is part of the accessible name.
  await input(page, 'Build new').fill('no address');
  await form(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(form(page).getByText('Invalid Url')).toBeVisible();
  await expect(input(page, 'Build new')).toBeFocused();
  await input(page, 'Build new').fill('https://example.com/2291');
  await form(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('This is a preview: nothing is saved.')).toBeVisible();
  await expect(input(page, 'Build new')).toHaveValue('https://example.com/2291');

  // Actions of the list save nothing either.
  const admin = await api('admin');
  const before = await admin.send<unknown[]>('GET', '/tasks?range=[0,0]');
  await list(page)
    .getByRole('button', { name: /^More actions/ })
    .first()
    .click();
  await frame(page).getByRole('menuitem', { name: 'Delete' }).click();
  await frame(page).getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('This is a preview: nothing is saved.').first()).toBeVisible();
  const after = await admin.send<unknown[]>('GET', '/tasks?range=[0,0]');
  expect(after.headers.get('content-range')).toBe(before.headers.get('content-range'));
});

test('a record opened in the list of the preview appears in its form, without leaving the preview', async ({
  page,
}) => {
  await page.goto('/studio/tasks');
  const third = list(page).getByRole('row').nth(3);
  // Below the title stand the columns that have no space.
  const [name = ''] = (await third.getByRole('link').first().innerText()).split('\n');
  await third.getByRole('link').first().click();
  await expect(input(page, 'Name')).toHaveValue(name);
  await list(page).getByRole('searchbox').fill(name);
  await expect(list(page).getByRole('row')).toHaveCount(2);
  await form(page).getByRole('button', { name: 'Add New Task' }).click();
  await expect(input(page, 'Name')).toHaveValue('');
  expect(new URL(page.url()).pathname).toBe('/studio/tasks');
});

test('the preview shows rows and inputs as each role sees them, and says when a screen is not allowed', async ({
  page,
  api,
}) => {
  await page.goto('/studio/tasks');
  await expect(list(page).getByText('as Olivia Berg, company owner')).toBeVisible({ timeout: 30_000 });
  await seeAs(page, 'External User');
  await expect(list(page).getByText('as Elif Demir, external user')).toBeVisible();
  const external = await api('external');
  const own = await external.send('GET', '/tasks?range=[0,0]');
  const total = own.headers.get('content-range')!.split('/')[1]!;
  await expect(list(page).getByText(`1–15 of ${total}`)).toBeVisible();
  await expect(form(page).getByRole('combobox', { name: 'Priority' })).toBeEnabled();
  await expect(form(page).getByRole('combobox', { name: 'Status' })).toBeHidden();

  await page.goto('/studio/clients');
  await expect(list(page).getByRole('grid')).toBeVisible();
  await seeAs(page, 'External User');
  await expect(list(page).getByText('Not allowed for this role')).toBeVisible();
  await expect(form(page).getByText('Not allowed for this role')).toBeVisible();
});

test('a failed request of the preview shows an error and can be retried; it has the width of a phone, and the records of each company', async ({
  page,
}) => {
  await page.goto('/studio/clients');
  await expect(list(page).getByRole('grid')).toBeVisible();
  await page.route('**/api/users?*', (route) => route.fulfill({ status: 404, json: { message: 'Nobody is there.' } }));
  await seeAs(page, 'Developer');
  const alert = page.getByRole('region', { name: 'Live preview' }).getByRole('alert');
  await expect(alert).toContainText('Nobody is there.');
  await page.unroute('**/api/users?*');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(list(page).getByText(/^as .*, developer$/)).toBeVisible();

  await page.getByRole('button', { name: 'Phone', exact: true }).click();
  await expect(list(page).getByRole('grid')).toBeHidden();
  await expect(list(page).getByRole('heading', { name: 'Brightwater Health' })).toBeVisible();
  expect(
    await frame(page)
      .locator('body')
      .evaluate(() => window.innerWidth),
  ).toBe(390);
  await page.getByRole('button', { name: /^Company/ }).click();
  await page.getByRole('menuitemradio', { name: 'Harbour Software' }).click();
  await expect(list(page).getByRole('heading', { name: 'Brightwater Health' })).toBeHidden();
});
