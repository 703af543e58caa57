import type { Locator, Page } from '@playwright/test';
import { test } from './support/own-program';
import { expectNoShifts, watchShifts } from './support/shifts';
import { choose } from './support/steps';
import { expect, expectAccessible, title, type Role } from './support/test';

// One separate program, tests in sequence: nobody else may change the counted records.
test.describe.configure({ mode: 'default' });

const tiles = (page: Page, name: string): Locator => page.getByRole('list', { name, exact: true });
const countOf = (page: Page, screen: string, tile: string): Locator =>
  tiles(page, screen)
    .locator('li', { hasText: new RegExp(`\\d${tile}$`) })
    .locator('b');

async function openScreen(page: Page, screen: 'Task Analytics' | 'Test Case Analytics', query = ''): Promise<void> {
  await page.goto(`/${screen.toLowerCase().replaceAll(' ', '-')}${query}`);
  await expect(title(page)).toHaveText(screen);
  await expect(countOf(page, screen, 'Total')).toHaveText(/^\d+$/);
}

/** The total of the list on the page, or of its selected tab. */
async function expectTotal(page: Page, total: number): Promise<void> {
  if (!page.url().includes('/test-cases')) return expect(title(page)).toContainText(`Total Records: ${total}`);
  await expect(page.getByRole('tab', { selected: true })).toContainText(`(${total})`);
}

const shown: Record<string, Partial<Record<Role, string[]>>> = {
  'Task Analytics': {
    owner: ['Total', 'Open', 'Completed', 'Late', 'Upcoming', 'With Developers', 'With QA', 'With External Users'],
    developer: ['Total', 'Open', 'Completed', 'Late', 'Upcoming', 'Assigned to me'],
  },
  'Test Case Analytics': {
    owner: ['Total', 'Open', 'Closed', 'Passed', 'Failed', 'Recently Updated'],
    developer: ['Total', 'Open', 'Closed', 'Passed', 'Failed', 'Recently Updated', 'Assigned to me'],
  },
};

for (const role of ['owner', 'developer'] as const) {
  test(`the links of the tiles open the counted records: ${role}`, async ({ page, signIn }) => {
    await signIn(role);
    for (const screen of ['Task Analytics', 'Test Case Analytics'] as const) {
      await openScreen(page, screen);
      const items = tiles(page, screen).getByRole('listitem');
      expect(await items.locator('span').allInnerTexts()).toEqual(shown[screen]![role]);
      const links = await tiles(page, screen).getByRole('link').all();
      expect(links.length).toBeGreaterThan(4);
      // Tiles that the owner has too are tested as the owner.
      const ownersToo = role === 'owner' ? [] : shown[screen]!.owner!;
      for (const link of links) {
        const tile = await link.locator('span').innerText();
        if (ownersToo.includes(tile)) continue;
        const total = Number(await link.locator('b').innerText());
        await link.click();
        await expectTotal(page, total);
        await page.goBack();
        await expect(link).toBeVisible();
      }
    }
  });
}

test('filters apply to tiles and charts, are in the address, and are removed one by one', async ({
  page,
  signIn,
  api,
}) => {
  await signIn('manager');
  const manager = await api('manager');
  const [project] = (await manager.send<{ id: number; name: string }[]>('GET', '/projects?range=[0,0]')).body;
  await openScreen(page, 'Task Analytics');
  const before = await countOf(page, 'Task Analytics', 'Total').innerText();
  await page.getByRole('button', { name: 'Filters' }).click();
  const dialog = page.getByRole('dialog', { name: 'Task Analytics Filters' });
  await choose(dialog, 'Project', project!.name);
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(new RegExp(`project_id=${project!.id}`));
  const chips = page.getByRole('group', { name: 'Filters Applied' });
  await expect(chips).toContainText(project!.name);
  const { data } = (await manager.send<{ data: unknown[] }>('GET', `/tasks?project_id=${project!.id}&getAll=1`)).body;
  await expect(countOf(page, 'Task Analytics', 'Total')).toHaveText(String(data.length));
  await page.getByRole('link', { name: 'Open the Tasks list' }).first().click();
  await expect(title(page)).toContainText(`Total Records: ${data.length}`);
  await page.goBack();
  await expect(countOf(page, 'Task Analytics', 'Total')).toHaveText(String(data.length));
  await chips.getByRole('button', { name: 'Remove filter Project' }).click();
  await expect(countOf(page, 'Task Analytics', 'Total')).toHaveText(before);
  await openScreen(page, 'Test Case Analytics');
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(page.getByRole('dialog', { name: 'Test Case Analytics Filters' })).toBeVisible();
});

test('a chart is accessible, has a table of its numbers, is saved as a picture, and says when it is empty', async ({
  page,
  signIn,
  api,
}) => {
  await signIn('owner');
  await openScreen(page, 'Task Analytics');
  await expect(page.getByRole('img').first()).toBeVisible();
  await expectAccessible(page);
  const figure = page.getByRole('region', { name: 'Task Distribution' });
  await figure.getByRole('button', { name: 'Show the numbers of Task Distribution' }).focus();
  await page.keyboard.press('n');
  const total = await countOf(page, 'Task Analytics', 'Total').innerText();
  await expect(figure.getByRole('row', { name: 'All' })).toContainText(total);
  await page.keyboard.press('n');
  await expect(figure.getByRole('table')).toHaveCount(0);
  const hours = page.getByRole('region', { name: 'Hours Logged' });
  await expect(hours).toContainText(/\d h of 1,\d{3}(\.\d+)? h estimated, by project/);
  await expect(hours).toContainText('Showing the first 6 of 12.');
  await hours.getByRole('button', { name: 'Show the numbers of all 12' }).click();
  await expect(hours.getByRole('rowheader')).toHaveCount(13);
  const picture = page.waitForEvent('download');
  await figure.getByRole('button', { name: 'Download Task Distribution as PNG' }).click();
  expect((await picture).suggestedFilename()).toBe('task_distribution.png');
  const sheet = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Excel' }).click();
  expect((await sheet).suggestedFilename()).toBe('tasks.xlsx');
  await openScreen(page, 'Test Case Analytics');
  await expect(page.getByRole('img').first()).toBeVisible();
  await expectAccessible(page);
  // At every window height, bars are as thick as in the other charts, and the doughnut is centred.
  await page.setViewportSize({ width: 1920, height: 1400 });
  const results = page.getByRole('region', { name: 'Test Cases', exact: true });
  await expect(results.getByRole('table')).toBeVisible();
  await expect(results.locator('canvas')).toHaveCSS('height', '280px');
  const middle = (part: Locator) =>
    part.evaluate((one) => {
      const { top, height } = one.getBoundingClientRect();
      return top + height / 2;
    });
  const ring = page.locator('.figure-chart:has(> .doughnut)');
  expect(Math.abs((await middle(ring)) - (await middle(ring.locator('.doughnut'))))).toBeLessThan(6);
  await page.setViewportSize({ width: 1440, height: 900 });
  const cases = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Excel' }).click();
  expect((await cases).suggestedFilename()).toBe('test_cases.xlsx');

  const owner = await api('owner');
  const [client] = (await owner.send<{ id: number }[]>('GET', '/clients?range=[0,0]')).body;
  const made = (
    await owner.send<{ id: number }>('POST', '/projects', {
      name: 'Nothing in it',
      client_id: client!.id,
    })
  ).body;
  await openScreen(page, 'Task Analytics', `?project_id=${made.id}`);
  await expect(page.getByText('No open task is late.')).toBeVisible();
  await expect(page.getByText('No hours were planned or logged yet.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Download Excel' })).toHaveCount(0);
});

test('analytics show changes by others without a reload', async ({ page, signIn, api }) => {
  await page.addInitScript(() => {
    const drawn: string[] = [];
    Object.assign(window, { drawn });
    const fillText = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      drawn.push(text);
      fillText.call(this, text, ...rest);
    };
  });
  await signIn('owner');
  await openScreen(page, 'Task Analytics');
  const completed = countOf(page, 'Task Analytics', 'Completed');
  const before = Number(await completed.innerText());
  const manager = await api('manager');
  const [task] = (await manager.send<{ data: { id: number }[] }>('GET', '/tasks?status_id=1&range=[0,0]')).body.data;
  await manager.send('PATCH', `/task/${task!.id}`, { status_id: 3, comments: 'Done' });
  await expect(completed).toHaveText(String(before + 1));

  await openScreen(page, 'Test Case Analytics');
  const figure = page.getByRole('region', { name: 'Test Cases', exact: true });
  const cells = figure.getByRole('row', { name: /^High/ }).getByRole('cell');
  const [passed, failed] = (await cells.allInnerTexts()).map(Number) as [number, number];
  const wasDrawn = (words: string) =>
    page.evaluate((text) => (window as unknown as { drawn: string[] }).drawn.includes(text), words);
  await expect.poll(() => wasDrawn(`${passed} passed, ${failed} failed`)).toBe(true);
  const { data } = (
    await manager.send<{ data: { id: number }[] }>('GET', '/test-cases?result_id=1&priority_id=2&range=[0,0]')
  ).body;
  await manager.send('PUT', `/test-cases/${data[0]!.id}`, { result_id: 2 });
  await expect.poll(() => wasDrawn(`${passed - 1} passed, ${failed + 1} failed`)).toBe(true);
});

for (const [name, width, height] of [
  ['wide', 1440, 900],
  ['a phone', 390, 844],
] as const) {
  test(`the layout does not shift while analytics load: ${name}`, async ({ page, signIn }) => {
    await page.setViewportSize({ width, height });
    await watchShifts(page);
    await signIn('developer');
    for (const screen of ['Task Analytics', 'Test Case Analytics'] as const) {
      let release = () => {};
      const held = new Promise<void>((done) => (release = done));
      await page.route(`**/api/${screen.toLowerCase().replaceAll(' ', '-')}*`, async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`/${screen.toLowerCase().replaceAll(' ', '-')}`);
      await expect(tiles(page, screen).locator('.skeleton').first()).toBeVisible();
      release();
      await expect(countOf(page, screen, 'Total')).toHaveText(/^\d+$/);
      await expect(page.locator('.figure canvas')).toHaveCount(screen === 'Task Analytics' ? 4 : 2);
      await expectNoShifts(page);
    }
  });
}
