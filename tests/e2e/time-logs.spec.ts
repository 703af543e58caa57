import type { Locator } from '@playwright/test';
import { answerQuestion, choose, row } from './support/steps';
import { expect, expectAccessible, expectToast, test, title, type ApiCaller } from './support/test';

interface TimeLog {
  id: number;
  user: { name: string };
  task: { id: number; name: string };
}

const today = () => new Date().toISOString().slice(0, 10);

async function newLog(
  caller: ApiCaller,
  task_id: number,
  start: string,
  end: string,
  comments: string,
): Promise<TimeLog> {
  const made = await caller.send<{ data: TimeLog }>('POST', '/time-logs', {
    task_id,
    date: today(),
    start,
    end,
    comments,
  });
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  return made.body.data;
}

test('time is logged in a dialog: required fields, rejected values and overlaps', async ({ page, signIn, api }) => {
  const qa = await api('qa');
  const { task } = (await qa.send<{ data: TimeLog[] }>('GET', '/time-logs?range=[0,0]&sort=["id","ASC"]')).body
    .data[0]!;
  await signIn('qa');
  await page.goto('/time-logs');
  await expect(title(page)).toHaveText(/^TimeLog \| Total Records: \d+$/);
  await expect(page.getByRole('grid')).toBeVisible();
  const add = page.getByRole('button', { name: 'Add Timelog' });
  await add.click();
  const dialog = page.getByRole('dialog', { name: 'Add Timelog' });
  await expect(dialog).toHaveCSS('width', '400px');
  await expectAccessible(page);
  const box = (name: string) => dialog.getByRole('textbox', { name, exact: true });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText(/required/).first()).toBeVisible();
  await choose(dialog, 'Task', task.name);
  await box('Start Time').fill('00:20');
  await box('End Time').fill('00:05');
  await box('Comments').fill('Read the release notes');
  await box('Date').fill('1-Jan-2099');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText(/cannot be in the future/)).toBeVisible();
  await expect(dialog.getByText(/End Time must be after Start Time/)).toBeVisible();
  await box('Date').fill('2-Jan-2024');
  await box('End Time').fill('01:50');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Added Successfully');
  await page.goto('/time-logs?q=release notes');
  await expect(row(page, 'Quentin Marsh')).toContainText('1h 30m');
  await expectAccessible(page);

  await add.click();
  await choose(dialog, 'Task', task.name);
  await box('Date').fill('2-Jan-2024');
  await box('Start Time').fill('01:00');
  await box('End Time').fill('03:00');
  await box('Comments').fill('Read more release notes');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Overlaps with another time log of the same person: 00:20 to 01:50.');
  await expect(row(page, 'more release notes').or(row(page, '03:00')).first()).toContainText('2h');

  // Both rows show the overlap, here, in the task's tab, on the day and in its month, until one of the two is changed elsewhere.
  await expect(page.getByRole('grid').getByText('Overlaps', { exact: true })).toHaveCount(2);
  const found = (await qa.send<{ data: { id: number; start: string }[] }>('GET', '/time-logs?date=2024-01-02')).body
    .data;
  const second = found.find(({ start }) => start.endsWith('01:00'))!;
  await page.goto('/timesheet?day=2024-01-02');
  await expect(page.getByRole('region', { name: /^Hours of/ }).getByText('Overlaps', { exact: true })).toHaveCount(2);
  const tone = (mark: Locator) =>
    mark.evaluate((one) => [getComputedStyle(one).color, getComputedStyle(one.closest('.chip')!).backgroundColor]);
  const ofDay = await tone(page.getByText('Overlaps', { exact: true }).first());
  await page.getByRole('button', { name: 'Month', exact: true }).click();
  const overlapping = page.locator('[data-date="2024-01-02"]');
  await expect(overlapping.getByRole('link')).toHaveAccessibleName(/Total Hours 3h:30m, Overlaps$/);
  await expect(page.locator('.timesheet-day').getByText('Overlaps', { exact: true })).toHaveCount(1);
  expect(await tone(overlapping.getByText('Overlaps', { exact: true }))).toEqual(ofDay);
  await expectAccessible(page);
  // Where the days are narrow, a dot is left of the mark.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(overlapping.getByText('Overlaps', { exact: true })).toBeHidden();
  await expect(overlapping.locator('.chip')).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/tasks/${task.id}?tab=time-logs`);
  const tab = page.locator('.form-panel:not([hidden])');
  await expect(tab.getByRole('heading', { name: /^TimeLog \| Total Records: \d+$/ })).toBeVisible();
  await tab.getByRole('searchbox').fill('release notes');
  await expect(tab.getByText('Overlaps', { exact: true })).toHaveCount(2);
  await qa.send('PUT', `/time-logs/${second.id}`, { start: '01:50' });
  await expect(tab.getByText('Overlaps', { exact: true })).toHaveCount(0);
});

test('users change and delete only their own logs, and can read those of others', async ({ page, signIn, api }) => {
  const [qa, manager] = [await api('qa'), await api('manager')];
  const { task } = (await qa.send<{ data: TimeLog[] }>('GET', '/time-logs?range=[0,0]&sort=["id","ASC"]')).body
    .data[0]!;
  await newLog(qa, task.id, '04:00', '05:00', 'Belongs to the tester');
  await newLog(manager, task.id, '05:00', '06:00', 'Belongs to the manager');
  expect((await qa.send<{ data: TimeLog[] }>('GET', '/time-logs?q=Belongs to the manager')).body.data).toEqual([]);

  await signIn('manager');
  await page.goto('/time-logs?q=Belongs to');
  await row(page, 'Quentin Marsh').getByText('Quentin Marsh').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Comments' })).toHaveValue('Belongs to the tester');
  await expect(dialog.getByRole('textbox', { name: 'Comments' })).toHaveAttribute('readonly');
  await expect(dialog).toHaveCSS('width', '400px');
  await expect(dialog.getByRole('button', { name: 'Save' })).toHaveCount(0);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(row(page, 'Quentin Marsh').getByRole('button', { name: /^Delete/ })).toHaveCount(0);

  await row(page, 'Mateo Vidal').getByRole('button', { name: /^Edit/ }).click();
  await dialog.getByRole('textbox', { name: 'End Time' }).fill('06:30');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Updated Successfully');
  await expect(row(page, 'Mateo Vidal')).toContainText('1h 30m');
  await row(page, 'Mateo Vidal')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await answerQuestion(page, 'Delete');
  await expectToast(page, 'Deleted Successfully');
  await expect(row(page, 'Mateo Vidal')).toBeHidden();
});
