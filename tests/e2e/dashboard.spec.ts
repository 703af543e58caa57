import type { Locator, Page } from '@playwright/test';
import { addDays, formatDate } from '../../src/engine/formats/dates';
import { test } from './support/own-program';
import { expectNoShifts, watchShifts } from './support/shifts';
import { choose } from './support/steps';
import { expect, expectAccessible, expectToast, title, type ApiCaller } from './support/test';

// One separate program, tests in sequence: nobody else may change the counted records.
test.describe.configure({ mode: 'default' });

const heading = 'Dashboard: 7-Day Activity Overview';
const block = (page: Page, name: string): Locator => page.getByRole('region', { name: `${name}: counts` });
const count = (page: Page, name: string, cell: string): Locator =>
  block(page, name)
    .getByRole('link', { name: new RegExp(` ?${cell}$`) })
    .locator('b');

async function openDashboard(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await expect(title(page)).toHaveText(heading);
  await expect(count(page, 'Tasks', 'Open')).toHaveText(/^\d+$/);
}

/** The total of the list on the page, or of its selected tab. */
async function expectTotal(page: Page, total: number): Promise<void> {
  if (!page.url().includes('/test-cases')) return expect(title(page)).toContainText(`Total Records: ${total}`);
  await expect(page.getByRole('tab', { selected: true })).toContainText(`(${total})`);
}

/** Each cell's number equals the total of the list that it opens, and is shown again after Back. */
async function expectListsAgree(page: Page, cells: Locator, read: (cell: Locator) => Promise<number>): Promise<void> {
  await expect(cells.first()).toBeVisible();
  for (const cell of await cells.all()) {
    const total = await read(cell);
    await cell.click();
    await expectTotal(page, total);
    await page.goBack();
    await expect(cell).toBeVisible();
  }
}

const first = async (cell: Locator) => Number((await cell.locator('b').innerText()).split(' / ')[0]);

test('the links of the owner’s dashboard open the counted records', async ({ page, signIn }) => {
  await signIn('owner');
  await openDashboard(page);
  await expect(block(page, 'Projects').getByRole('link', { name: 'Upcoming Deadlines' })).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Recently Created / Completed' })).toHaveCount(0);
  await expectListsAgree(page, page.locator('.dash-cells').getByRole('link'), first);
});

test('the links of the developer’s additional counts open the counted records', async ({ page, signIn }) => {
  await signIn('developer');
  await openDashboard(page);
  await expect(block(page, 'Projects').getByRole('link', { name: 'Upcoming Deadlines' })).toHaveCount(0);
  const besides = page
    .locator('.dash-cells')
    .getByRole('link', { name: /Recently Created \/ Completed|Assigned to me/ });
  await expect(besides).toHaveCount(4);
  await expectListsAgree(page, besides, first);
});

test('the links of the charts open the counted records', async ({ page, signIn }) => {
  await signIn('manager');
  await openDashboard(page);
  const figure = page.getByRole('region', { name: 'Tasks', exact: true });
  await figure.getByRole('button', { name: 'Show the numbers of Tasks' }).focus();
  await page.keyboard.press('n');
  const cells = (row: string) => figure.getByRole('row', { name: row }).getByRole('link');
  const whole = async (cell: Locator) => Number(await cell.innerText());
  await expect(cells('Completed')).toHaveCount(4);
  await expectListsAgree(page, cells('In Progress').first(), whole);
  const testCases = page.getByRole('region', { name: 'Test Cases', exact: true });
  await testCases.getByRole('button', { name: /^Show the numbers/ }).click();
  await expectListsAgree(page, testCases.getByRole('row', { name: /^High/ }).getByRole('link'), whole);
  const parts = page.getByRole('region', { name: 'Workload Distribution' }).getByRole('link');
  await expect(parts).toHaveCount(2);
  const ring = await page.getByRole('img', { name: /^Workload Distribution/ }).evaluate((canvas: HTMLCanvasElement) => {
    const { width, height } = canvas;
    const row = canvas.getContext('2d')!.getImageData(0, Math.floor(height / 2), width, 1).data;
    const painted = Array.from(
      { length: width },
      (_, x) => row[4 * x + 3]! > 250 && `${row[4 * x]},${row[4 * x + 1]},${row[4 * x + 2]}`,
    );
    const outer = painted.findIndex(Boolean);
    const inner = painted.findIndex((colour, x) => x > outer && !colour);
    return { colours: [...new Set(painted.filter(Boolean))].sort(), cutout: (width / 2 - inner) / (width / 2 - outer) };
  });
  expect(ring.colours).toEqual(['219,237,255', '4,107,181']);
  expect(ring.cutout).toBeCloseTo(0.7, 1);
  await expectListsAgree(page, parts, async (part) => Number(await part.locator('b').innerText()));
});

test('the header has buttons to add records, time is logged in a dialog, and a bar of a chart opens its list', async ({
  page,
  signIn,
  api,
}) => {
  await signIn('owner');
  await openDashboard(page);
  const bar = page.getByRole('banner').or(page.locator('.bar'));
  const add = (name: string) => bar.locator('.bar-slot').getByText(name, { exact: true });
  for (const [name, path] of [
    ['Project', '/projects/create'],
    ['Test Case', '/test-cases/create'],
    ['Task', '/tasks/create'],
  ])
    await expect(add(name!)).toHaveAttribute('href', path!);
  const cells = page.locator('.dash-cells b');
  const before = await cells.allInnerTexts();
  const { body } = await (await api('owner')).send<{ data: { name: string }[] }>('GET', '/tasks?range=[0,0]');
  await add('Time Log').click();
  const dialog = page.getByRole('dialog', { name: 'Add Timelog' });
  await expect(dialog).toHaveCSS('width', '400px');
  await choose(dialog, 'Task', body.data[0]!.name);
  await dialog.getByRole('textbox', { name: 'Date', exact: true }).fill('2-Jan-2024');
  await dialog.getByRole('textbox', { name: 'Start Time', exact: true }).fill('09:00');
  await dialog.getByRole('textbox', { name: 'End Time', exact: true }).fill('10:00');
  const counted = page.waitForResponse((response) => response.url().endsWith('/api/dashboard'));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Added Successfully');
  await counted;
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(dialog).toBeHidden();
  await expect(cells).toHaveText(before);

  const chart = page.getByRole('region', { name: 'Projects', exact: true }).getByRole('img');
  const words = (await chart.getAttribute('aria-label'))!;
  const running = Number(/In Progress: (\d+)/.exec(words)![1]);
  const { width, height } = (await chart.boundingBox())!;
  // The second of four bars, just above the labels.
  await chart.click({ position: { x: 24 + (width - 24) * 0.375, y: height - 40 } });
  await expect(page).toHaveURL(/\/projects\?project_status_id=2$/);
  await expectTotal(page, running);
});

test('the calendar counts deadlines by day, and lists those of a day', async ({ page, signIn, api }) => {
  const caller = await api('manager');
  const day = new Date().toISOString().slice(0, 10);
  await newTask(caller, 'Due today for the calendar', day);
  const due = await caller.send<{ data: { name: string }[] }>('GET', `/dashboard/deadlines?date=${day}`);
  const names = due.body.data.map(({ name }) => name);
  await signIn('manager');
  await openDashboard(page);
  const card = page.getByRole('region', { name: 'Tasks: Upcoming Deadlines' });
  const written = new Date()
    .toLocaleDateString('en-GB', { day: '2-digit', month: 'short', year: 'numeric', timeZone: 'UTC' })
    .replaceAll(' ', '-')
    .replace('Sept', 'Sep');
  const mark = card.getByRole('button', { name: new RegExp(`^${names.length} open tasks? due on ${written}$`) });
  await mark.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Task deadlines On: ${written}` });
  await expect(dialog).toHaveCSS('width', '500px');
  await expect(dialog.getByRole('columnheader')).toHaveText(['Name', 'Status']);
  await expect(dialog.getByRole('link')).toHaveText(names);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await card.locator(`[data-date="${day}"]`).click({ position: { x: 40, y: 4 } });
  await dialog.getByRole('link', { name: 'Due today for the calendar' }).click();
  await expect(page).toHaveURL(/\/tasks\/\d+$/);
  await expect(title(page)).toContainText('Due today for the calendar');

  await page.goBack();
  const month = new Date().toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const shown = card.locator('.dash-calendar-tools b');
  await expect(shown).toHaveText(month);
  await expect(mark).toBeVisible();
  await card.getByRole('button', { name: 'Next month' }).click();
  await expect(shown).not.toHaveText(month);
  await card.getByRole('button', { name: 'Today' }).click();
  await expect(shown).toHaveText(month);
  for (const view of ['Week', 'Day', 'List week']) {
    await card.getByRole('button', { name: /^(Month|Week|Day)$/ }).click();
    await page.getByRole('menuitemradio', { name: view, exact: true }).click();
    await expect(
      card.getByText(view === 'Week' ? `${names.length}` : `${names.length} open tasks`).first(),
    ).toBeVisible();
  }
});

test.describe(() => {
  test.use({ alsoExpected: /net::ERR_|ApiError|Failed to fetch/ });

  test('a deadline is dragged to another day and back, or moved by keyboard; a past day is marked', async ({
    page,
    context,
    signIn,
    api,
  }) => {
    const caller = await api('manager');
    const today = new Date().toISOString().slice(0, 10);
    const written = (day: string) => formatDate(day);
    // No task of the demo data ends on these days.
    const [day, next] = [addDays(today, 2), addDays(today, 3)];
    await newTask(caller, 'Dragged alone', day, day);
    const ends = async () =>
      (await caller.send<{ data: { end_date: string }[] }>('GET', '/tasks?q=Dragged alone')).body.data[0]!.end_date;
    await signIn('manager');
    await openDashboard(page);
    const card = page.getByRole('region', { name: 'Tasks: Upcoming Deadlines' });
    const mark = (on: string) => card.getByRole('button', { name: `1 open task due on ${written(on)}` });
    await mark(day).hover();
    await expect(page.getByRole('tooltip')).toHaveText('Dragged alone');
    const drag = async () => {
      // At the end of a month the two days are in the last row, which the bar of a lost connection moves out of sight.
      await mark(day).scrollIntoViewIfNeeded();
      await card.locator(`[data-date="${next}"]`).first().scrollIntoViewIfNeeded();
      const from = (await mark(day).locator('.cal-count').boundingBox())!;
      const target = (await card.locator(`[data-date="${next}"]`).first().boundingBox())!;
      await page.mouse.move(from.x + 8, from.y + 8);
      await page.mouse.down();
      await page.mouse.move(target.x + 20, target.y + 20, { steps: 8 });
      await page.mouse.up();
    };
    await drag();
    await expectToast(page, `Dragged alone ends on ${written(next)} now.`);
    await expect(mark(next)).toBeVisible();
    expect(await ends()).toBe(next);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectToast(page, `Dragged alone ends on ${written(day)} again.`);
    await expect(mark(day)).toBeVisible();
    expect(await ends()).toBe(day);

    // Without a connection the move waits and says so; when its answer is lost, it is sent again under the same key.
    const keys: (string | undefined)[] = [];
    await page.route('**/api/tasks/*', async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.fallback();
      await route.fetch();
      await route.abort();
    });
    await context.setOffline(true);
    // The bar that says so moves the calendar down.
    await expect(page.getByRole('status', { name: 'Connection' })).toBeVisible();
    await drag();
    await expectToast(page, 'No connection. Your changes are kept; saving again when it is back.');
    expect(keys).toEqual([]);
    await context.setOffline(false);
    await expect(mark(next)).toBeVisible();
    await expect.poll(() => keys.length).toBe(2);
    await expectToast(page, `Dragged alone ends on ${written(next)} now.`);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(await ends()).toBe(next);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect(mark(day)).toBeVisible();

    await card.locator(`[data-date="${today}"]`).getByRole('link').focus();
    for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `Task deadlines On: ${written(day)}` });
    await expect(dialog.getByRole('checkbox', { name: 'Move Dragged alone' })).toBeChecked();
    const to = dialog.getByRole('textbox', { name: 'Move to' });
    await expectAccessible(page);
    await to.fill(written(today));
    await dialog.getByRole('button', { name: 'Move task' }).click();
    await expect(dialog.getByRole('alert')).toContainText(`Dragged alone still ends on ${written(day)}: `);
    await to.fill(written(next));
    await dialog.getByRole('button', { name: 'Move task' }).click();
    await expect(dialog).toBeHidden();
    expect(await ends()).toBe(next);

    const yesterday = card.locator(`[data-date="${addDays(today, -1)}"]`);
    if ((await yesterday.count()) === 0) await card.getByRole('button', { name: 'Previous month' }).click();
    await yesterday.first().click({ position: { x: 40, y: 4 } });
    await expect(page.getByRole('dialog').getByRole('note')).toContainText('This day is past.');
  });
});

test('the dashboard counts changes by others at once, and notifications arrive', async ({ page, signIn, api }) => {
  await signIn('owner');
  await openDashboard(page);
  const open = count(page, 'Tasks', 'Open');
  const before = Number(await open.innerText());
  const loads: string[] = [];
  page.on('domcontentloaded', (frame) => loads.push(frame.url()));
  await newTask(await api('manager'), 'Made beside the dashboard');
  await expect(open).toHaveText(String(before + 1));
  const news = `News ${Date.now()}`;
  const { status } = await (
    await api('admin')
  ).send('POST', '/notifications', { title: news, content: 'Read me', user_ids: [await idOf(await api('owner'))] });
  expect(status).toBeLessThan(300);
  const line = page.getByRole('list', { name: 'My Notifications' }).getByRole('link', { name: new RegExp(news) });
  await expect(line).toHaveAttribute('data-unread', 'true');
  await expect(page.getByRole('list', { name: 'My Notifications' }).getByRole('listitem')).toHaveCount(5);
  await line.click();
  await expect(page.getByRole('heading', { level: 2, name: news })).toBeVisible();
  expect(loads).toEqual([]);
});

for (const [name, width, height] of [
  ['wide', 1440, 900],
  ['a phone', 390, 844],
] as const) {
  test(`the dashboard does not shift while it loads, and is accessible: ${name}`, async ({ page, signIn }) => {
    await page.setViewportSize({ width, height });
    await watchShifts(page);
    let release = () => {};
    const held = new Promise<void>((done) => (release = done));
    await page.route('**/api/dashboard', async (route) => {
      await held;
      await route.continue();
    });
    await signIn('manager');
    await page.goto('/dashboard');
    await expect(page.locator('.dash-cells .skeleton').first()).toBeVisible();
    await expect(page.locator('.cal-event').first()).toBeAttached();
    release();
    await expect(page.locator('.dash canvas')).toHaveCount(4);
    await expect(page.locator('.dash .skeleton')).toHaveCount(0);
    await expectAccessible(page);
    await expectNoShifts(page);
  });
}

async function newTask(caller: ApiCaller, name: string, end_date?: string, start_date?: string): Promise<void> {
  const { body } = await caller.send<{ data: Record<string, unknown>[] }>('GET', '/tasks?range=[0,0]');
  const { project_id, project_module_id, assigned_to, priority_id } = body.data[0]!;
  const like = { project_id, project_module_id, assigned_to, priority_id, status_id: 1, description: '<p>Once</p>' };
  const made = await caller.send('POST', '/tasks', { ...like, name, start_date, end_date });
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
}

async function idOf(caller: ApiCaller): Promise<number> {
  return (await caller.send<{ data: { user: { id: number } } }>('GET', '/me')).body.data.user.id;
}

test('the work that waits leads to its lists, and all of the dashboard is in view at 1440 by 900', async ({
  page,
  signIn,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn('owner');
  await watchShifts(page);
  await openDashboard(page);
  const now = page.getByRole('region', { name: 'Now', exact: true });
  const part = (name: string) => now.getByRole('link', { name: new RegExp(`^${name}`) });
  await expect(part('Due this week').locator('b')).toHaveText(/^\d+$/);
  await expectNoShifts(page);
  const height = await now.evaluate(({ parentElement: box }) => [box!.scrollHeight, box!.clientHeight]);
  expect(height[0]).toBe(height[1]);
  for (const name of ['Active runs', 'Failing now', 'Due this week']) {
    const total = Number(await part(name).locator('b').first().textContent());
    await part(name).click();
    if (name === 'Due this week') await expect(title(page)).toContainText(`Total Records: ${total}`);
    else await expect(page.getByRole('tab', { selected: true })).toContainText(`(${total})`);
    await page.goBack();
    await expect(part(name)).toBeVisible();
  }
  await part('Latest build').click();
  await expect(page).toHaveURL(/ci-results/);
});
