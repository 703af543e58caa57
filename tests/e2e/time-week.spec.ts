import { addDays, formatDate } from '../../src/engine/formats/dates';
import { localToday } from '../../src/app/data/localTime';
import { firstDayOfWeekOf } from '../../custom-screens/timesheet/weeks';
import { expect, expectAccessible, expectToast, test, type ApiCaller } from './support/test';

/** The Monday of the week before this one: every day of it can be logged on. */
const lastWeek = () => addDays(firstDayOfWeekOf(today()), -7);

interface TimeLog {
  id: number;
  date: string;
  start: string;
  end: string;
  total_duration: string;
  comments: string | null;
}

/** The day of the browser, whose clock and zone are those of the tests. */
const today = localToday;

/** A task of its own, so that no other test logs time on it. */
async function createTask(caller: ApiCaller, name: string): Promise<number> {
  const { body: tasks } = await caller.send<{ data: Record<string, unknown>[] }>('GET', '/tasks?range=[0,0]');
  const { project_id, project_module_id, assigned_to, priority_id } = tasks.data[0]!;
  const { status, body } = await caller.send<{ data: { id: number } }>('POST', '/tasks', {
    ...{ name, project_id, project_module_id, assigned_to, priority_id, status_id: 1, description: '<p>As named.</p>' },
  });
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data.id;
}

async function logsOf(caller: ApiCaller, task: number): Promise<TimeLog[]> {
  const filter = JSON.stringify({ task_id: task });
  const { body } = await caller.send<{ data: TimeLog[] }>('GET', `/time-logs?filter=${encodeURIComponent(filter)}`);
  return body.data;
}

test('L logs time in one line on any screen, after the last log of the day, and takes it back', async ({
  page,
  signIn,
  api,
}) => {
  const caller = await api('manager');
  const name = `Time in one line ${Date.now()}`;
  const task = await createTask(caller, name);
  await signIn('manager');
  await page.goto('/clients');
  await page.getByRole('button', { name: 'New', exact: true }).waitFor();
  await page.keyboard.press('l');
  const dialog = page.getByRole('dialog', { name: 'Log time' });
  const line = dialog.getByRole('combobox', { name: 'How long, when, on what' });
  await expect(line).toBeFocused();

  // Nothing is sent that cannot be stored.
  await page.keyboard.type('checked receipts');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Say how long it took: 2h, 1:30 or 90m.');
  await line.fill(`25h #${task}`);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('A day has 24 hours.');

  await line.fill(`1h 15 yesterday checked receipts TSK-${task}`);
  await expect(dialog.getByRole('option')).toHaveText([new RegExp(name)]);
  await expect(dialog.getByText('1 h 15 min')).toBeVisible();
  await expect(dialog.getByText('Yesterday')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expectToast(page, `1 h 15 min logged on ${name}`);
  await expect(dialog).toHaveCount(0);
  const [first] = await logsOf(caller, task);
  expect(first).toMatchObject({ date: addDays(today(), -1), total_duration: '1.15', comments: 'checked receipts' });

  // The next one begins where that ended.
  await page.goto(`/tasks/${task}/view`);
  await page.getByRole('heading', { name }).first().waitFor();
  await page.keyboard.press('l');
  await line.fill('30m yesterday');
  await expect(dialog.getByRole('option', { selected: true })).toContainText(name);
  await page.keyboard.press('Enter');
  await expectToast(page, `30 min logged on ${name}`);
  expect((await logsOf(caller, task)).map(({ start }) => start).sort()).toEqual([first!.start, first!.end].sort());
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await logsOf(caller, task)).length).toBe(1);
});

test('all fields of a line are in the form, and L is a letter where text is typed', async ({ page, signIn, api }) => {
  const name = `Fields of a line ${Date.now()}`;
  const task = await createTask(await api('manager'), name);
  await signIn('manager');
  await page.goto('/tasks');
  await page.getByRole('searchbox').first().fill('l');
  await page.keyboard.press('l');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Tab');
  await page.locator('#content').focus();
  await page.keyboard.press('l');
  const dialog = page.getByRole('dialog', { name: 'Log time' });
  await dialog.getByRole('combobox').fill(`45m yesterday read it #${task}`);
  await expect(dialog.getByText(/^\d\d:\d\d–\d\d:\d\d$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'All fields…' }).click();
  const form = page.getByRole('dialog', { name: 'Add Timelog' });
  await expect(form.getByRole('combobox', { name: 'Task' })).toHaveValue(name);
  await expect(form.getByRole('textbox', { name: 'Comments' })).toHaveValue('read it');
  await expect(form.getByRole('textbox', { name: 'Start Time' })).toHaveValue(/^\d\d:\d\d$/);
  expect((await form.boundingBox())!.width).toBe(400);
});

test('a week is typed by keyboard alone: hours are stored as a cell is left, cleared, and taken back', async ({
  page,
  signIn,
  api,
}) => {
  const caller = await api('qa');
  const name = `Week by keyboard ${Date.now()}`;
  const task = await createTask(await api('manager'), name);
  const [monday, tuesday] = [lastWeek(), addDays(lastWeek(), 1)] as const;
  await caller.send('POST', '/time-logs', { task_id: task, date: monday, start: '07:00', end: '08:00' });
  await signIn('qa');
  await page.goto(`/timesheet?week=${monday}`);
  const grid = page.getByRole('grid', { name: 'Hours by task and day' });
  const cell = (day: string) =>
    grid.getByRole('row', { name }).getByRole('gridcell', { name: new RegExp(`^${formatDate(day)}`) });
  await expect(cell(monday)).toHaveText('1h');
  await cell(monday).focus();

  // A longer one begins where it began.
  await page.keyboard.type('1:30');
  await page.keyboard.press('Tab');
  await expect(cell(tuesday)).toBeFocused();
  const status = page.getByRole('status').filter({ hasText: name });
  await expect(status).toHaveText(`1 h 30 min logged on ${name}`);
  await expect(cell(monday)).toHaveText('1h:30m');
  await page.keyboard.type('90m');
  await page.keyboard.press('ArrowDown');
  await expect(cell(tuesday)).toHaveText('1h:30m');
  await expect.poll(() => logsOf(caller, task).then((logs) => logs.length)).toBe(2);
  await expect(grid.getByRole('row', { name }).getByRole('gridcell').last()).toHaveText('3h');

  await cell(tuesday).focus();
  await page.keyboard.type('25');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Type hours such as 1:30, 1.5 or 90m, at most 24.');
  await page.keyboard.press('Escape');
  await expect(cell(tuesday)).toHaveText('1h:30m');
  await expect(cell(tuesday)).toBeFocused();

  await page.keyboard.press('c');
  await page.getByRole('dialog', { name: 'Comment' }).getByRole('textbox').fill('Checked receipts');
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => (await logsOf(caller, task)).map(({ comments }) => comments))
    .toContain('Checked receipts');
  await expect(cell(tuesday)).toBeFocused();

  await page.keyboard.press('Delete');
  await expect(cell(tuesday)).toHaveText('');
  await expect(status).toHaveText(`1 h 30 min of ${name} cleared`);
  await page.keyboard.press('Control+z');
  await expect(cell(tuesday)).toHaveText('1h:30m');

  // Of several logs none is overwritten.
  await caller.send('POST', '/time-logs', { task_id: task, date: monday, start: '20:00', end: '21:00' });
  await expect(cell(monday)).toHaveText('2h:30m');
  await cell(monday).focus();
  await page.keyboard.type('4');
  await expect(page.getByRole('menu', { name: 'Time logs' }).getByRole('menuitem')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(cell(monday)).toBeFocused();
  await expect(cell(monday)).toHaveText('2h:30m');
});

test('a row is added for a task, and the timesheet of somebody else is only read', async ({ page, signIn, api }) => {
  const caller = await api('manager');
  const name = `Week with a new row ${Date.now()}`;
  const task = await createTask(caller, name);
  const monday = addDays(lastWeek(), -7);
  await signIn('manager');
  await page.goto(`/timesheet?week=${monday}`);
  await page.getByRole('button', { name: 'Add a task' }).click();
  await page.getByRole('combobox', { name: 'Task of the new row' }).fill(name);
  await page.getByRole('option', { name }).click();
  const grid = page.getByRole('grid', { name: 'Hours by task and day' });
  const cells = grid.getByRole('row', { name }).getByRole('gridcell');
  await cells.first().click();
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await expect(cells.first()).toHaveText('2h');
  await expect.poll(() => logsOf(caller, task).then((logs) => logs.length)).toBe(1);

  const { body } = await (await api('qa')).send<{ data: { user: { id: number } } }>('GET', '/me');
  await page.goto(`/timesheet?week=${lastWeek()}&user_id=${body.data.user.id}`);
  await expect(page.getByText('Only the person who logged the time changes it.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add a task' })).toHaveCount(0);
});

for (const [width, theme] of [
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)
  test(`the week of the timesheet is accessible at ${width} px, ${theme}`, async ({ page, signIn }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme });
    await signIn('qa');
    await page.goto(`/timesheet?week=${lastWeek()}`);
    await page.getByRole('grid', { name: 'Hours by task and day' }).waitFor();
    await expectAccessible(page);
  });
