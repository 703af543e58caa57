import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { read, utils } from 'xlsx';
import { formatDate } from '../../src/engine/formats/dates';
import { formatDuration } from '../../src/engine/formats/durations';
import { answerQuestion, choose, fill, row, runAction, save } from './support/steps';
import { expect, expectAccessible, expectToast, test, title, type ApiCaller } from './support/test';

interface Task {
  id: number;
  name: string;
  project: { name: string };
  project_module: { name: string };
  assign: { name: string };
}

/** The newest task of the demo data; its project, module and assignee match. */
async function newest(caller: ApiCaller): Promise<Task & Record<string, unknown>> {
  const { body } = await caller.send<{ data: (Task & Record<string, unknown>)[] }>('GET', '/tasks?range=[0,0]');
  return body.data[0]!;
}

async function newTask(caller: ApiCaller, values: Record<string, unknown>): Promise<Task> {
  const { project_id, project_module_id, assigned_to, priority_id } = await newest(caller);
  const like = { project_id, project_module_id, assigned_to, priority_id, status_id: 1, description: '<p>Once</p>' };
  const made = await caller.send<{ data: Task }>('POST', '/tasks', { ...like, ...values });
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  return made.body.data;
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
/** A cell's text as the list shows it: spreadsheets use another date format. */
const asListed = (text: string) =>
  text
    .replace(/^(\d{4}-\d\d-\d\d)(?= \d\d:\d\d$|$)/, (day) => formatDate(day))
    .replace(/^(\d+\.\d\d) h$/, (_, hours: string) => formatDuration(Math.round(Number(hours) * 60)));
const shareOfWidth = async (page: Page, dialog: Locator) =>
  (await dialog.boundingBox())!.width / page.viewportSize()!.width;

test('a task is added, has tabs for test cases and time logs, comments, and is copied', async ({
  page,
  signIn,
  api,
}) => {
  const like = await newest(await api('owner'));
  await signIn('owner');
  await page.goto('/tasks');
  await expect(title(page)).toHaveText(/^Task \| Total Records: \d+$/);
  await page.getByRole('link', { name: 'Add Task' }).click();
  await expect(title(page)).toHaveText('Add New Task');
  await expect(page.getByRole('tab')).toHaveCount(0);
  await fill(page, 'Name', 'Walk the harbour');
  await choose(page, 'Project', like.project.name);
  await choose(page, 'Project Module', like.project_module.name);
  await page.getByRole('textbox', { name: 'Description' }).fill('From end to end');
  await choose(page, 'Assigned To', like.assign.name);
  await choose(page, 'Priority', 'High');
  await save(page);
  await expectToast(page, 'Added Successfully');

  await page.goto('/tasks?q=Walk the harbour');
  await runAction(page, 'Walk the harbour', 'Edit');
  await expect(title(page)).toContainText('Edit Task');
  await tab(page, 'Test Cases').click();
  await expect(page).toHaveURL(/tab=test-cases/);
  await expect(page.getByRole('tablist', { name: 'Test Cases' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Add Testcase' }).first().click();
  const popup = page.getByRole('dialog', { name: 'Add New Testcase' });
  await expect(popup).toBeVisible();
  expect(await shareOfWidth(page, popup)).toBeCloseTo(0.9, 2);
  // The task it belongs to is shown, but cannot be changed.
  await expect(popup.getByRole('textbox', { name: 'Task', exact: true })).toHaveValue('Walk the harbour');
  await expect(popup.getByRole('textbox', { name: 'Task', exact: true })).toHaveAttribute('readonly');
  await popup.getByRole('textbox', { name: 'Title' }).fill('The pier is dry');
  await expectAccessible(page);
  await popup.getByRole('button', { name: 'Save', exact: true }).click();
  await expectToast(page, 'Added Successfully');
  await expect(row(page, 'The pier is dry')).toBeVisible();
  await expect(tab(page, 'Test Cases')).toContainText('1');
  await expectAccessible(page);

  await tab(page, 'TimeLog').click();
  await page.getByRole('button', { name: 'Add Timelog' }).first().click();
  const timelog = page.getByRole('dialog', { name: 'Add Timelog' });
  await expect(timelog).toHaveCSS('width', '400px');
  await expect(timelog.getByRole('combobox', { name: 'Task' })).toHaveCount(0);
  await timelog.getByRole('textbox', { name: 'Start Time' }).fill('00:10');
  await timelog.getByRole('textbox', { name: 'End Time' }).fill('01:15');
  await timelog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Added Successfully');
  await expect(row(page, '1h 05m')).toBeVisible();
  await expect(tab(page, 'TimeLog')).toContainText('1');
  await expectAccessible(page);

  await page.getByRole('button', { name: /^Comments/ }).click();
  const comments = page.getByRole('dialog', { name: 'Comments History | Total Records: 0' });
  expect(await shareOfWidth(page, comments)).toBeCloseTo(0.8, 2);
  await choose(comments, 'Status', 'In Progress');
  await comments.getByRole('textbox', { name: 'Comments' }).fill('On our way');
  await comments.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Saved Successfully');
  await expect(page.getByRole('dialog', { name: 'Comments History | Total Records: 1' })).toContainText('On our way');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await tab(page, 'Details').click();
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('In Progress');

  await page.goto('/tasks?q=Walk the harbour');
  await expect(row(page, 'Walk the harbour')).toContainText('In Progress');
  await runAction(page, 'Walk the harbour', 'Add Timelog');
  await expect(timelog).toBeVisible();
  await timelog.getByRole('button', { name: 'Cancel' }).click();
  await runAction(page, 'Walk the harbour', 'Copy');
  await expect(title(page)).toHaveText('Copy Task');
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Walk the harbour - Copy');
  await save(page);
  await expectToast(page, 'Copied Successfully');
  await page.goto('/tasks?q=Walk the harbour');
  await runAction(page, 'Walk the harbour - Copy', 'Delete');
  await answerQuestion(page, 'Delete');
  await expectToast(page, 'Deleted Successfully');
  await expect(row(page, 'Walk the harbour - Copy')).toBeHidden();
});

test('all four statuses are one filter value, late tasks are marked, and the download matches the list', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const late = await newTask(owner, { name: 'Long overdue', start_date: '2026-01-05', end_date: '2026-01-09' });
  await signIn('owner');
  await page.goto('/tasks');
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const filters = page.getByRole('dialog', { name: 'Filters' });
  for (const status of ['Not Started', 'In Progress', 'Completed', 'Cancelled'])
    await choose(filters, 'Status', status);
  await choose(filters, 'User', late.assign.name);
  await choose(filters, 'Project', late.project.name);
  await filters.getByRole('textbox', { name: 'Created from' }).fill('1-Jan-2020');
  await filters.getByRole('textbox', { name: 'End Date to' }).fill('31-Dec-2099');
  await filters.getByRole('textbox', { name: 'End Date to' }).blur();
  await expectAccessible(page);
  await filters.getByRole('button', { name: 'Apply' }).click();
  const chips = page.getByRole('group', { name: 'Filters Applied' });
  await expect(chips).toContainText('Status: All');
  await expect(row(page, 'Long overdue').getByText(/^(Late|\d+ days? late)$/)).toBeVisible();
  await expect(page).toHaveURL(/status_id/);

  const total = Number(/\d+$/.exec((await title(page).textContent())!)![0]);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Excel' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('tasks.xlsx');
  const book = read(readFileSync(await file.path()), { cellDates: true });
  const [head, ...lines] = utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1, raw: false });
  const shown = await page.getByRole('columnheader').allTextContents();
  // Columns without space stand below the title, and are in the file.
  const headings = shown.map((text) => text.trim()).filter((text) => text !== '' && text !== 'Actions');
  expect(head).toEqual(expect.arrayContaining(headings));
  expect(lines).toHaveLength(total);
  const rows = page.getByRole('grid').locator('.MuiDataGrid-row');
  for (const [index, line] of lines.slice(0, await rows.count()).entries()) {
    const listed = rows.nth(index);
    // Days are said in words, with the whole day as their tooltip.
    for (const text of line.filter(Boolean).map(asListed))
      await expect(listed.getByText(text).or(listed.getByTitle(text)).first()).toBeVisible();
  }

  await page.getByRole('button', { name: 'Kanban Board' }).click();
  const card = page.getByRole('listitem', { name: 'Long overdue' });
  await expect(card.locator('.chip[data-plain]')).toContainText('late');
  await card.getByRole('button', { name: /^More actions/ }).click();
  for (const action of ['Edit', 'Add Timelog', 'Copy', 'Delete'])
    await expect(page.getByRole('menuitem', { name: action, exact: true })).toBeVisible();
});
