import type { Page } from '@playwright/test';
import { openSetting, settings } from './support/steps';
import { expect, expectAccessible, test, title } from './support/test';

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const entries = (page: Page) => menu(page).getByRole('listitem');

test('the menu is sorted by work, does not scroll at 768 px, and folds to icons below 1,100 px until it is unfolded', async ({
  page,
  signIn,
}) => {
  await signIn('qa');
  await page.setViewportSize({ width: 1440, height: 768 });
  await page.goto('/dashboard');
  await expect(entries(page)).toHaveText([
    ...['Dashboard', 'My work', /^Notifications/, 'Test Cases', /^Test Runs/, 'Requirements', /^Automation/],
    ...[/^Tasks/, 'Milestones', 'Time', 'Analytics', 'Projects'],
  ]);
  expect(await entries(page).count()).toBe(12);
  await expect(menu(page).getByTitle('Open tasks of yours')).toHaveText(/^\d+ Open tasks of yours$/);
  const alert = menu(page).getByTitle('The latest build of a project fails');
  await expect(alert).toBeVisible();
  const room = () =>
    menu(page)
      .locator('.side-groups')
      .evaluate(({ scrollHeight, clientHeight }) => clientHeight - scrollHeight);
  expect(await room()).toBeGreaterThanOrEqual(0);
  for (const entry of await entries(page).all()) expect((await entry.boundingBox())!.height).toBe(30);
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(menu(page).getByRole('button', { name: 'Expand menu' })).toBeVisible();
  expect((await menu(page).boundingBox())!.width).toBe(56);
  await expect(alert).toBeVisible();
  expect(await room()).toBeGreaterThanOrEqual(0);
  await page.keyboard.press('[');
  await expect(menu(page).getByText('Demo Testing Ltd')).toBeVisible();
  await expectAccessible(page);
});

test('settings stand beside their screens, and are a page on phones to which the bar leads back', async ({
  page,
  signIn,
}) => {
  await signIn('admin');
  await page.goto('/tasks');
  await openSetting(page, 'Countries');
  await expect(title(page)).toContainText('Countries');
  expect((await settings(page).boundingBox())!.width).toBe(232);
  await expectAccessible(page);
  await settings(page).getByRole('link', { name: 'Back from the settings' }).click();
  await expect(page).toHaveURL(/\/tasks/);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/countries');
  await page.getByRole('link', { name: 'Back to Settings' }).click();
  await expect(page).toHaveURL(/\/settings$/);
  await settings(page).getByRole('textbox', { name: 'Find a setting' }).fill('webh');
  await expect(settings(page).getByRole('listitem')).toHaveText(['Webhooks', 'Webhook Deliveries']);
  await expectAccessible(page);
});

test('c and a letter add a record from anywhere, g and a letter go to a place', async ({ page, signIn }) => {
  await signIn('manager');
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'New', exact: true })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(title(page)).toContainText('Test Runs');
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await expect(page).toHaveURL(/\/time-logs/);
  await expect(title(page)).toContainText('TimeLog');
  await page.keyboard.press('c');
  const kinds = page.getByRole('menu', { name: 'New' }).getByRole('menuitem');
  await expect(kinds).toHaveText([
    ...['Test caseT', 'Test runR', 'RequirementQ', 'TaskK', 'MilestoneM', 'Time logL', 'ProjectP', 'ClientI'],
    'Import from a file…',
  ]);
  await expectAccessible(page);
  await page.keyboard.press('k');
  await expect(page).toHaveURL(/\/tasks\/create$/);
});

test('the palette offers recent records, places with their keys and what can be added before anything is typed', async ({
  page,
  signIn,
}) => {
  await signIn('manager');
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'New', exact: true })).toBeVisible();
  await page.keyboard.press('Control+K');
  const palette = page.getByRole('dialog', { name: 'Jump to' });
  await expect(palette.getByRole('group', { name: 'Go to' }).getByRole('option')).toHaveText([
    ...['DashboardGD', 'My workGW', 'NotificationsGN', 'Test CasesTestGT', 'Test RunsTestGR'],
  ]);
  await expect(palette.getByRole('group', { name: 'New' }).getByRole('option')).toHaveText([
    ...['Add TestcaseCT', 'Add Test RunCR', 'Add RequirementCQ'],
  ]);
  await expect(palette.getByRole('option', { name: /Download/ })).toHaveCount(0);
});
