import type { Page } from '@playwright/test';
import { test } from './support/own-program';
import { row } from './support/steps';
import { expect, expectAccessible, title } from './support/test';

const switcher = (page: Page) => page.getByRole('button', { name: /^Project: / }).and(page.locator('[aria-expanded]'));
const panel = (page: Page) => page.getByRole('dialog', { name: 'Switch project' });

test('a project is chosen by keys, and everything of a list agrees about it: pages, tabs, download, selection, a new record', async ({
  page,
  signIn,
  api,
}) => {
  await signIn('manager');
  const manager = await api('manager');
  const count = async (filter: object) => {
    const query = new URLSearchParams({ filter: JSON.stringify(filter), range: '[0,0]', fields: 'id' });
    const { headers } = await manager.send('GET', `/tasks?${query}`);
    return Number(headers.get('content-range')!.split('/')[1]);
  };
  await page.goto('/tasks');
  await expect(title(page)).toContainText('Task');
  await page.keyboard.press('p');
  await expect(panel(page).getByRole('combobox', { name: 'Find a project' })).toBeFocused();
  await expect(panel(page).getByRole('option').first()).toContainText('All projects');
  await expectAccessible(page);
  await page.keyboard.type('shipment');
  await expect(panel(page).getByRole('option')).toHaveText([/Shipment Tracking Portal.*open task/]);
  await page.keyboard.press('Enter');
  await expect(panel(page)).toBeHidden();
  await expect(switcher(page)).toHaveAccessibleName('Project: Shipment Tracking Portal');

  const projects = await manager.send<{ id: number }[]>('GET', '/projects?code=STP');
  const { id } = projects.body[0]!;
  const total = await count({ project_id: id });
  expect(total).toBeLessThan(await count({}));
  await expect(title(page)).toHaveText(`Task | Total Records: ${total}`);
  expect(new URL(page.url()).search).toBe('');
  await expect(page.getByRole('tab', { name: /^Open/ })).toContainText(
    String(await count({ project_id: id, status_id: [1, 2] })),
  );

  const exported = page.waitForRequest(/\/tasks-export\?/);
  await page.getByRole('button', { name: 'Download Excel', exact: true }).click();
  expect(JSON.parse(new URL((await exported).url()).searchParams.get('filter')!)).toEqual({ project_id: id });

  await page.getByRole('checkbox', { name: 'Select all rows' }).check();
  await page.getByRole('button', { name: `Select all ${total}` }).click();
  await expect(page.getByText(`${total} selected`)).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Add Task' }).click();
  await expect(page.getByRole('combobox', { name: 'Project', exact: true })).toHaveValue('Shipment Tracking Portal');
  await page.goto('/test-runs');
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(row(page, 'Shipment').first()).toBeVisible();
  await expect(row(page, 'Online Account Opening')).toHaveCount(0);

  // A link of a colleague shows what it says.
  await page.goto(`/tasks?project_id=${id + 1}`);
  await expect(title(page)).toHaveText(`Task | Total Records: ${await count({ project_id: id + 1 })}`);
  await switcher(page).click();
  await panel(page)
    .getByRole('option', { name: /^All projects/ })
    .click();
  await expect(title(page)).toHaveText(`Task | Total Records: ${await count({})}`);
  await expect(switcher(page)).toBeFocused();
});

test('the switcher is in the menu of phones, and a square with the short name in the folded one', async ({
  page,
  signIn,
}) => {
  await signIn('qa');
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto('/tasks');
  await expect(title(page)).toContainText('Task');
  await page.keyboard.press('p');
  await page.getByRole('option', { name: /^Shipment Tracking Portal/ }).click();
  await expect(switcher(page)).toHaveText('STP');
  const square = (await switcher(page).boundingBox())!;
  expect([square.width, square.height]).toEqual([36, 36]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(
    page.getByRole('dialog', { name: 'Menu' }).or(page.getByLabel('Menu')).getByText('Shipment Tracking Portal'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Project: Shipment Tracking Portal' }).last().click();
  await expect(panel(page)).toBeVisible();
  await expectAccessible(page);
  // A choice closes the drawer, and the list says what it is narrowed to.
  await panel(page)
    .getByRole('option', { name: /^Online Account Opening/ })
    .click();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  const applied = page.getByRole('group', { name: 'Filters Applied' });
  await expect(applied).toContainText('Project: Online Account Opening');
  await expectAccessible(page);
  await page.keyboard.press('p');
  await expect(panel(page)).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await applied.getByRole('button', { name: 'Show all projects' }).click();
  await expect(applied).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('a click on a project opens its page, whose tiles lead to what they show', async ({ page, signIn }) => {
  await signIn('manager');
  await page.goto('/projects');
  await page.getByRole('grid').getByRole('link', { name: 'Shipment Tracking Portal' }).click();
  await expect(page).toHaveURL(/\/projects\/\d+\/view$/);
  await expect(title(page)).toContainText('Shipment Tracking Portal');
  const tile = (name: string | RegExp) => page.getByRole('region', { name });
  await expect(tile(/^STP 2026/)).toContainText(/\d+% run, \d+ failed/);
  await expect(tile(/^STP 2026/)).toContainText(/\d+ days left/);
  await expect(page.getByRole('list', { name: 'At a glance' }).getByRole('listitem')).toHaveText([
    ...['Northwind Freight', 'Web Application', /^\d+ \w+/, /^to \d+ \w+/],
  ]);
  // A face has its name in a tooltip, and the title its room.
  const face = tile('Failing now').getByRole('row').nth(1).locator('[data-shape=avatar]');
  await expect(face).toHaveAttribute('title', /^\w+ \w+$/);
  expect((await face.boundingBox())!.width).toBeLessThan(40);
  const openRun = tile('Open runs').getByRole('row').nth(1);
  await expect(openRun.getByRole('img', { name: /\d+% done: / })).toBeVisible();
  await expect(
    tile('Latest builds')
      .getByRole('img', { name: /\d+% done: / })
      .first(),
  ).toBeVisible();
  await expect(tile('Recent activity').getByRole('list', { name: /^Activity/ })).toContainText(/ set .* to /);
  await expect(tile('Requirements without a test case')).toContainText('REQ-');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  // On a phone the row of a run still has its bar, in full.
  const bar = (await openRun.getByRole('img').boundingBox())!;
  expect(bar.x + bar.width).toBeLessThanOrEqual(390);
  expect(bar.width).toBeGreaterThan(90);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('tab', { name: /^Project Modules/ }).click();
  await expect(page.getByRole('grid')).toBeVisible();
  await page.getByRole('tab', { name: /^Members/ }).click();
  await expect(page.getByRole('grid', { name: 'Users' })).toContainText('Quentin Marsh');
  await page.getByRole('tab', { name: 'Details' }).click();
  await expect(page.getByRole('main')).toContainText('Northwind Freight');
  await page.getByRole('tab', { name: 'Home' }).click();
  await tile('Failing now').getByRole('heading').getByRole('link').click();
  await expect(page).toHaveURL(/\/run-entries\?project_id=\d+&now=failing/);
  await expect(page.getByRole('grid')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Home' })).toBeVisible();
  await page.keyboard.press('e');
  await expect(title(page)).toContainText('Edit Projects');
  await expect(page.getByRole('textbox', { name: 'Code' })).toHaveValue('STP');
  await expect(page.getByRole('tab')).toHaveCount(0);
});
