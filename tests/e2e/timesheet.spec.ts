import type { Locator, Page } from '@playwright/test';
import { formatDecimalHours } from '../../custom-screens/timesheet/hours';
import { addDays } from '../../src/engine/formats/dates';
import { addMonths, dayName, daysOfMonth, monthLabel, monthName } from '../../custom-screens/timesheet/months';
import { choose } from './support/steps';
import { expect, expectAccessible, expectToast, test, title, type ApiCaller } from './support/test';

interface TimeLog {
  id: number;
  date: string;
  start: string;
  end: string;
  user: { id: number; name: string };
  task: { id: number; name: string };
  total_duration: string;
}

const today = () => new Date().toISOString().slice(0, 10);
/** A month in which no other test logs time. */
const past = addMonths(today().slice(0, 7), -1);
const written = (day: string) => `${day.slice(8)}-${monthLabel(day.slice(0, 7)).replace(' ', '-')}`;

async function listed(caller: ApiCaller, query: string): Promise<TimeLog[]> {
  const last = daysOfMonth(past).at(-1);
  const { status, body } = await caller.send<{ data: TimeLog[] }>(
    'GET',
    `/time-logs?date_from=${past}-01&date_to=${last}&${query}`,
  );
  expect(status).toBe(200);
  return body.data;
}

/** The expected totals of each day, from the list of time logs. */
function wordsByDay(logs: readonly TimeLog[]): Map<string, string> {
  const minutes = new Map<string, number>();
  for (const { date, total_duration } of logs) {
    const [hours, rest] = total_duration.split('.').map(Number) as [number, number];
    minutes.set(date, (minutes.get(date) ?? 0) + hours * 60 + rest);
  }
  return new Map([...minutes].map(([day, sum]) => [day, formatDecimalHours(sum / 60)]));
}

const dayCell = (page: Page, day: string): Locator => page.locator(`[data-date="${day}"]`);
const card = (page: Page, task: string): Locator => page.getByRole('button').filter({ hasText: task });

async function dragBy(page: Page, from: { x: number; y: number }, down: number): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + down / 2, { steps: 4 });
  await page.mouse.move(from.x, from.y + down, { steps: 4 });
  await page.mouse.up();
}

test('a month of the timesheet shows the totals of the list by day, and opens each day', async ({
  page,
  signIn,
  api,
}) => {
  const logs = await listed(await api('developer'), '');
  expect(new Set(logs.map(({ user }) => user.name))).toEqual(new Set(['Dina Haddad']));
  const words = wordsByDay(logs);
  await signIn('developer');
  await page.goto('/');
  await page.getByRole('link', { name: 'Time', exact: true }).click();
  await expect(title(page)).toHaveText(new RegExp(`^My Timesheet.*in ${monthName(today().slice(0, 7))}$`));
  await expect(dayCell(page, today())).toHaveAttribute('aria-current', 'date');
  await page.getByRole('button', { name: 'Previous month' }).click();
  await expect(page.getByRole('heading', { name: monthName(past, true) })).toBeVisible();
  for (const [day, total] of words) await expect(dayCell(page, day)).toContainText(`Total Hours${total}`);
  await expect(page.getByRole('link', { name: /Total Hours/ })).toHaveCount(words.size);
  await expectAccessible(page);

  const day = logs[0]!.date;
  await page
    .getByRole('link', { name: new RegExp(`Total Hours ${words.get(day)}(, Overlaps)?$`) })
    .first()
    .focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('PageUp');
  await expect(page.getByRole('heading', { name: monthName(addMonths(past, -1), true) })).toBeVisible();
  await page.goBack();
  await dayCell(page, day).getByText('Total Hours').click();
  await expect(page.getByRole('heading', { name: dayName(day) })).toBeVisible();
  await expect(page.getByText(`Total Hours ${words.get(day)}`)).toBeVisible();
  const ofDay = logs.filter(({ date }) => date === day);
  for (const { task } of ofDay) await expect(card(page, task.name).first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Previous day' }).click();
  await expect(page.getByRole('heading', { name: dayName(addDays(day, -1)) })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: dayName(addDays(day, -1)) })).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('heading', { name: monthName(past, true) })).toBeVisible();
  await page.getByRole('link', { name: 'Time Logs', exact: true }).click();
  await expect(title(page)).toContainText('TimeLog');
  await page.getByRole('link', { name: 'My Timesheet', exact: true }).click();
  await expect(title(page)).toContainText(` in ${monthName(past)}`);
});

test('time is logged on a day, changed, dragged and resized; rejected changes are undone', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const { name: task } = (await owner.send<{ data: { name: string }[] }>('GET', '/tasks?range=[0,0]&sort=["id","ASC"]'))
    .body.data[0]!;
  const day = `${past}-15`;
  const stored = async () => {
    const { body } = await owner.send<{ data: { logs: TimeLog[] } }>('GET', `/timesheet?month=${past}`);
    return body.data.logs.map(({ date, start, end }) => `${date} ${start.slice(11)} ${end.slice(11)}`);
  };
  await signIn('owner');
  await page.goto(`/timesheet?month=${past}`);
  await expect(title(page)).toHaveText(`My Timesheet 0h in ${monthName(past)}`);
  const box = (await dayCell(page, day).boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const dialog = page.getByRole('dialog', { name: 'Add Timelog' });
  const input = (name: string) => page.getByRole('dialog').getByRole('textbox', { name, exact: true });
  await expect(input('Date')).toHaveValue(written(day));
  await expect(dialog).toHaveCSS('width', '400px');
  await choose(dialog, 'Task', task);
  await input('Start Time').fill('09:00');
  await input('End Time').fill('10:30');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Added Successfully');
  await expect(dayCell(page, day)).toContainText('Total Hours1h:30m');
  await expect(title(page)).toHaveText(`My Timesheet 1h:30m in ${monthName(past)}`);

  await dayCell(page, day).getByText('Total Hours').click();
  const log = card(page, task);
  await expect(log).toContainText('09:00–10:30 1h 30m');
  await log.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Edit Timelog' })).toBeVisible();
  await input('End Time').fill('10:00');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Updated Successfully');
  await expect(log).toContainText('09:00–10:00 1h');

  // Two half hours are 56 pixels.
  const middle = async () => {
    const at = (await log.boundingBox())!;
    return { x: at.x + at.width / 2, y: at.y + at.height / 2, end: at.y + at.height - 2 };
  };
  await dragBy(page, await middle(), 56);
  await expect(log).toContainText('10:00–11:00');
  await expect.poll(stored).toEqual([`${day} 10:00 11:00`]);
  const { x, end } = await middle();
  await log.hover();
  await dragBy(page, { x, y: end }, 28);
  await expect(log).toContainText('10:00–11:30');
  await expect.poll(stored).toEqual([`${day} 10:00 11:30`]);
  await expect(page.getByText('Total Hours 1h:30m')).toBeVisible();

  await page.route('**/api/time-logs/*', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 422, json: { message: 'Invalid.', errors: { date: 'The month is closed.' } } })
      : route.fallback(),
  );
  await dragBy(page, await middle(), 112);
  await expectToast(page, 'The month is closed.');
  await expect(log).toContainText('10:00–11:30');
  expect(await stored()).toEqual([`${day} 10:00 11:30`]);

  const at = await middle();
  await dragBy(page, { x: at.x, y: at.y + 100 }, 56);
  await expect(dialog).toBeVisible();
  const times = [await input('Start Time').inputValue(), await input('End Time').inputValue()];
  expect(times[0]! < times[1]! && times[0]! > '11:30', times.join()).toBe(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Add Timelog' }).click();
  await expect(input('Date')).toHaveValue(written(day));
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('time cannot be logged in the future', async ({ page, signIn }) => {
  await signIn('owner');
  const tomorrow = addDays(today(), 1);
  await page.goto(`/timesheet?day=${tomorrow}`);
  await expect(page.getByText('Time cannot be logged in the future.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Timelog' })).toHaveCount(0);
  // A day without logs is scrolled to 8 o'clock.
  const hours = page.getByRole('region', { name: `Hours of ${dayName(tomorrow)}` });
  await expect.poll(() => hours.evaluate((box) => Math.round((box.scrollTop / box.scrollHeight) * 24))).toBe(8);
  await page.getByRole('button', { name: 'Today' }).click();
  await expect(page.getByRole('button', { name: 'Add Timelog' })).toBeVisible();
  const month = addMonths(today().slice(0, 7), 1);
  await page.goto(`/timesheet?month=${month}`);
  const box = (await dayCell(page, `${month}-15`).boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expectToast(page, 'Time cannot be logged in the future.');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Graph' }).click();
  await expect(page.getByRole('combobox', { name: 'Choose a month' })).toHaveValue(monthLabel(today().slice(0, 7)));
});

test('the filters of the timesheet depend on the role; that of another person matches the list and is read-only', async ({
  page,
  signIn,
  api,
}) => {
  const all = await listed(await api('manager'), '');
  const log = all.find(({ user }) => user.name === 'Dina Haddad')!;
  const { user } = log;
  const words = wordsByDay(all.filter((one) => one.user.id === user.id));
  await signIn('manager');
  await page.goto(`/timesheet?month=${past}`);
  await page.getByRole('button', { name: 'Filters' }).click();
  const dialog = page.getByRole('dialog', { name: 'List Filters' });
  await expect(dialog).toHaveCSS('width', '400px');
  await expect(dialog.getByRole('combobox')).toHaveCount(2);
  await choose(dialog, 'User', user.name);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Apply' }).click();
  const chips = page.getByRole('group', { name: 'Filters Applied' });
  await expect(chips).toContainText(`User: ${user.name}`);
  await expect(title(page)).toContainText(`Timesheet of ${user.name}`);
  for (const [day, total] of words) await expect(dayCell(page, day)).toContainText(`Total Hours${total}`);
  await expect(page.getByRole('link', { name: /Total Hours/ })).toHaveCount(words.size);
  await expectAccessible(page);

  await dayCell(page, log.date).getByText('Total Hours').click();
  await expect(page.getByRole('button', { name: 'Add Timelog' })).toHaveCount(0);
  await card(page, log.task.name).first().click();
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Comments' })).toHaveAttribute('readonly');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.reload();
  await expect(chips).toContainText(`User: ${user.name}`);
  await page.getByRole('button', { name: 'Remove filter User' }).click();
  await expect(chips).toHaveCount(0);
  await expect(page).not.toHaveURL(/user_id/);
});

test('two filters of the timesheet are combined; only the first two levels have the client filter', async ({
  page,
  signIn,
}) => {
  await signIn('owner');
  await page.goto('/timesheet');
  await page.getByRole('button', { name: 'Filters' }).click();
  const dialog = page.getByRole('dialog', { name: 'List Filters' });
  await expect(dialog.getByRole('combobox')).toHaveCount(3);
  await dialog.getByRole('combobox', { name: 'Client' }).click();
  const client = page.getByRole('option').first();
  const name = (await client.innerText()).split('\n')[0]!;
  await client.click();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('group', { name: 'Filters Applied' })).toContainText(`Client: ${name}`);
  const whose = page.getByRole('note');
  await expect(whose).toContainText('Your hours only.');
  await whose.getByRole('button', { name: 'Show everybody’s hours' }).click();
  await expect(whose).toContainText('The hours of everybody.');
  await expect(title(page)).toContainText('Timesheet of everybody');
  await expect(page).toHaveURL(/everybody=1/);
  await page.reload();
  await whose.getByRole('button', { name: 'Show my hours' }).click();
  await expect(title(page)).toContainText('My Timesheet');
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(dialog).toContainText(`in ${name}`);
  await dialog.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByRole('group', { name: 'Filters Applied' })).toHaveCount(0);
});

test('a developer sees and downloads only their own time, whatever the address requests', async ({
  page,
  signIn,
  api,
}) => {
  const others = await listed(await api('manager'), '');
  const other = others.find(({ user }) => user.name !== 'Dina Haddad')!;
  const own = wordsByDay(await listed(await api('developer'), ''));
  await signIn('developer');
  await page.goto(`/timesheet?month=${past}&user_id=${other.user.id}&client_id=1`);
  await expect(page.getByRole('link', { name: /Total Hours/ })).toHaveCount(own.size);
  for (const [day, total] of own) await expect(dayCell(page, day)).toContainText(`Total Hours${total}`);
  await page.getByRole('button', { name: 'Filters' }).click();
  const dialog = page.getByRole('dialog', { name: 'List Filters' });
  await expect(dialog.getByRole('combobox')).toHaveCount(1);
  await expect(dialog.getByRole('combobox', { name: 'Project' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  const asked = page.waitForRequest((request) => request.url().includes('/time-logs-export'));
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Excel' }).click();
  expect(new URL((await asked).url()).searchParams.get('start')).toBe(past);
  expect((await download).suggestedFilename()).toBe(`timesheet_${past}.xlsx`);
});

test('the graph of the timesheet has a bar for each day, and the view is remembered', async ({ page, signIn, api }) => {
  const words = wordsByDay(await listed(await api('qa'), ''));
  await signIn('qa');
  await page.goto('/timesheet');
  await page.getByRole('button', { name: 'Graph' }).click();
  const month = page.getByRole('combobox', { name: 'Choose a month' });
  await expect(month).toHaveValue(monthLabel(today().slice(0, 7)));
  await expect(month).toHaveAttribute('placeholder', 'Choose a month');
  await month.press('Enter');
  const months = page.getByRole('dialog', { name: 'Choose a month' });
  await expect(months.getByRole('button', { name: 'Next year' })).toBeDisabled();
  const name = (one: string) => months.getByRole('radio', { name: monthName(one), exact: true });
  const next = addMonths(today().slice(0, 7), 1);
  if (next.slice(0, 4) === today().slice(0, 4)) await expect(name(next)).toBeDisabled();
  await expectAccessible(page);
  if (past.slice(0, 4) !== today().slice(0, 4)) await months.getByRole('button', { name: 'Previous year' }).click();
  await name(past).click();
  await expect(month).toHaveValue(monthLabel(past));

  await page.getByRole('button', { name: 'Show the numbers of Total Hours by day' }).click();
  const table = page.getByRole('table', { name: 'Total Hours by day' });
  await expect(table.locator('tbody tr')).toHaveCount(daysOfMonth(past).length + 1);
  for (const day of daysOfMonth(past)) {
    const row = table
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: String(Number(day.slice(8))), exact: true }) });
    await expect(row.getByRole('cell')).toHaveText(words.get(day) ?? '0h');
  }
  await expectAccessible(page);
  await page.reload();
  await expect(month).toHaveValue(monthLabel(past));
  const keys = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('graphView.')));
  expect(keys).toHaveLength(1);
  await page.evaluate(() =>
    sessionStorage.removeItem(Object.keys(sessionStorage).find((key) => key.endsWith('.timesheet'))!),
  );
  await page.goto('/timesheet');
  await expect(page.getByRole('img', { name: /^Total Hours by day/ })).toBeVisible();
  await page.getByRole('button', { name: 'Calendar' }).click();
  await expect(page.getByRole('heading', { name: monthName(today().slice(0, 7), true) })).toBeVisible();
  await page.goto('/timesheet?view=graph&month=2020-01');
  await expect(page.getByText('No time was logged in Jan 2020.')).toBeVisible();
});

test('time logged elsewhere appears in the timesheet without a reload', async ({ page, signIn, api }) => {
  const manager = await api('manager');
  const tasks = await manager.send<{ data: { id: number }[] }>('GET', '/tasks?range=[0,0]&sort=["id","ASC"]');
  const month = addMonths(past, -6);
  const day = `${month}-20`;
  await signIn('manager');
  await page.goto(`/timesheet?month=${month}`);
  await expect(title(page)).toContainText('0h in ');
  const log = { task_id: tasks.body.data[0]!.id, date: day, start: '14:00', end: '14:45' };
  const made = await manager.send<{ data: { id: number } }>('POST', '/time-logs', log);
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  await expect(dayCell(page, day)).toContainText('Total Hours0h:45m');
  await manager.send('DELETE', `/time-logs/${made.body.data.id}`);
  await expect(dayCell(page, day)).not.toContainText('Total Hours');
});
