import type { BrowserContext, Page } from '@playwright/test';
import { choose, fill, row, runAction, save } from './support/steps';
import { accounts, expect, expectToast, password, test, type ApiCaller } from './support/test';

interface Task {
  id: number;
  name: string;
}

async function newTask(caller: ApiCaller, name: string): Promise<Task> {
  const { body } = await caller.send<{ data: Record<string, unknown>[] }>('GET', '/tasks?range=[0,0]');
  const { project_id, project_module_id, assigned_to, priority_id } = body.data[0]!;
  const like = { project_id, project_module_id, assigned_to, priority_id, status_id: 1, description: '<p>Once</p>' };
  const made = await caller.send<{ data: Task }>('POST', '/tasks', { ...like, name });
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  return made.body.data;
}

/** A page in a separate browser context, where the manager is signed in. */
async function managersPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/auth/login`);
  await page.getByRole('textbox', { name: 'Email' }).fill(accounts.manager);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  return page;
}

test('changes by one user appear for another in the list, on the board and in the form without a reload', async ({
  page,
  browser,
  baseURL,
  signIn,
  api,
}) => {
  const task = await newTask(await api('owner'), 'Seen by two');
  await signIn('owner');
  const other = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const theirs = await managersPage(other, baseURL!);
  const loads: string[] = [];
  const countLoads = (frame: { url(): string }) => loads.push(frame.url());

  // The list: an added task, and a changed one.
  await page.goto('/tasks?q=Seen by');
  await expect(row(page, 'Seen by two')).toContainText('Not Started');
  page.on('domcontentloaded', countLoads);
  await theirs.goto(`${baseURL}/tasks?q=Seen by`);
  await runAction(theirs, 'Seen by two', 'Comments');
  const dialog = theirs.getByRole('dialog');
  await choose(dialog, 'Status', 'In Progress');
  await dialog.getByRole('textbox', { name: 'Comments' }).fill('Mine now');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(theirs, 'Saved Successfully');
  await expect(row(page, 'Seen by two')).toContainText('In Progress');
  await newTask(await api('manager'), 'Seen by all');
  await expect(row(page, 'Seen by all')).toBeVisible();

  // The board.
  await page.getByRole('button', { name: 'Kanban Board' }).click();
  const card = (column: string) =>
    page.getByRole('region', { name: column, exact: true }).getByRole('listitem', { name: task.name, exact: true });
  await expect(card('In Progress')).toBeVisible();
  await choose(dialog, 'Status', 'Completed');
  await dialog.getByRole('textbox', { name: 'Comments' }).fill('Done');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(card('Completed')).toBeVisible();
  await expect(card('In Progress')).toHaveCount(0);

  // The form: the change is applied if nothing was typed, otherwise the user is asked.
  await card('Completed').getByRole('link', { name: task.name }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const milestone = page.getByRole('textbox', { name: 'Milestone' });
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('Completed');
  await theirs.goto(`${baseURL}/tasks/${task.id}`);
  await fill(theirs, 'Milestone', 'Spring');
  await save(theirs);
  await expect(milestone).toHaveValue('Spring');
  await milestone.fill('Summer');
  await theirs.goto(`${baseURL}/tasks/${task.id}`);
  await fill(theirs, 'Name', 'Seen by two people');
  await save(theirs);
  await expect(page.getByText('Mateo Vidal changed this task while you were editing it.')).toBeVisible();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(milestone).toHaveValue('Summer');
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Seen by two people');
  expect(loads).toEqual([]);
  await other.close();
});

test('two windows of one user are notified of each other’s changes, and neither overwrites the other', async ({
  page,
  context,
  signIn,
  api,
}) => {
  const task = await newTask(await api('owner'), 'Open in two windows');
  await signIn('admin');
  await page.goto(`/tasks/${task.id}`);
  const box = (window: Page, name: string) => window.getByRole('textbox', { name, exact: true });
  await expect(box(page, 'Name')).toHaveValue(task.name);
  const other = await context.newPage();
  await other.goto(`/tasks/${task.id}`);
  const change = async (label: string, text: string) => {
    await fill(other, label, text);
    await save(other);
    await expectToast(other, 'Updated Successfully');
    await other.goto(`/tasks/${task.id}`);
  };

  // Typing here and saving there: a question appears above the fields.
  await fill(page, 'Milestone', 'Spring');
  await change('Name', 'Renamed in the other window');
  const told = page.getByText('You changed this task in another window while editing it here.');
  await expect(told).toBeVisible();
  await expect(box(page, 'Name')).toHaveValue(task.name);
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(box(page, 'Name')).toHaveValue('Renamed in the other window');
  await expect(box(page, 'Milestone')).toHaveValue('Spring');
  // A window is not notified of its own changes.
  await page.getByRole('button', { name: 'Comments' }).click();
  const dialog = page.getByRole('dialog');
  await choose(dialog, 'Status', 'In Progress');
  await dialog.getByRole('textbox', { name: 'Comments' }).fill('Begun');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Saved Successfully');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('In Progress');
  await expect(box(page, 'Milestone')).toHaveValue('Spring');
  await expect(told).toHaveCount(0);
  // The other window, where nothing was typed, applies it.
  await expect(other.getByRole('combobox', { name: 'Status' })).toHaveValue('In Progress');

  // Saving anyway is rejected, and the dialog asks.
  await change('Milestone', 'Autumn');
  await save(page);
  const question = page.getByRole('alertdialog', { name: 'Changed in the meantime' });
  await question.getByRole('button', { name: 'Load theirs' }).click();
  await expect(box(page, 'Milestone')).toHaveValue('Autumn');
  await expect(page.getByRole('region', { name: 'What you typed' })).toContainText('Spring');

  // Both windows share one draft of the studio.
  await other.goto('/studio/tasks?at=/labels');
  await page.goto('/studio/tasks?at=/labels');
  const many = (window: Page) => window.getByRole('textbox', { name: 'Plural name', exact: true });
  await expect(many(other)).toHaveValue('Tasks');
  await fill(page, 'Plural name', 'Jobs');
  await expect(many(other)).toHaveValue('Jobs');
  await fill(other, 'Singular name', 'Job');
  await expect(box(page, 'Singular name')).toHaveValue('Job');
  await page.reload();
  await expect(many(page)).toHaveValue('Jobs');
  await expect(box(page, 'Singular name')).toHaveValue('Job');
  await other.getByRole('button', { name: 'Discard draft' }).click();
  await expect(many(page)).toHaveValue('Tasks');
  // It has ended on the server too, so that it does not come back.
  const admin = await api('admin');
  const stored = async () => (await admin.send<{ data: unknown }>('GET', '/module-drafts/tasks')).body.data;
  await expect.poll(stored).toBeNull();
  await expect(many(page)).toHaveValue('Tasks');
  await expect(many(other)).toHaveValue('Tasks');
});

test.describe('without a connection', () => {
  test.use({ alsoExpected: /net::ERR_|ApiError|NotLoaded|Failed to fetch/ });

  test('a save is retried, lists show their age, and nothing waits forever', async ({ page, context, signIn, api }) => {
    const owner = await api('owner');
    const manager = await api('manager');
    const task = await newTask(owner, 'Saved on a train');
    const stored = async () =>
      (await owner.send<{ data: Record<string, unknown> }>('GET', `/tasks/${task.id}`)).body.data;
    const kept = page.getByText('No connection. Your changes are kept; saving again when it is back.');
    const milestone = page.getByRole('textbox', { name: 'Milestone', exact: true });
    await signIn('owner');
    // While the editor's code loads slowly, its text is shown.
    let release = () => {};
    const held = new Promise<void>((done) => (release = done));
    await page.route(/\/static\/Editor-[^/]*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/tasks?q=Saved on a');
    await runAction(page, task.name, 'Edit');
    await expect(page.getByRole('group', { name: 'Description' })).toHaveText('Once');
    release();
    await expect(page.getByRole('textbox', { name: 'Description' })).toHaveText('Once');
    await milestone.fill('Tunnel');

    // A change is sent again automatically, with what was typed since.
    await context.setOffline(true);
    await save(page);
    await expect(kept).toBeVisible();
    await expect(page.getByText(/^No connection since \d\d:\d\d\./)).toBeVisible();
    await milestone.fill('Bridge');
    await context.setOffline(false);
    await expectToast(page, 'Updated Successfully');
    expect(await stored()).toMatchObject({ milestone: 'Bridge' });
    await expect(page.getByText(/^No connection since/)).toHaveCount(0);

    // If somebody else changed it meanwhile, the user is asked, and nothing is overwritten.
    await runAction(page, task.name, 'Edit');
    await milestone.fill('Viaduct');
    await context.setOffline(true);
    await save(page);
    await expect(kept).toBeVisible();
    const theirs = await manager.send('PUT', `/tasks/${task.id}`, { milestone: 'Theirs' });
    expect(theirs.status, JSON.stringify(theirs.body)).toBe(200);
    await context.setOffline(false);
    const question = page.getByRole('alertdialog', { name: 'Changed in the meantime' });
    await expect(question).toBeVisible();
    expect(await stored()).toMatchObject({ milestone: 'Theirs' });
    await question.getByRole('button', { name: 'Load theirs' }).click();
    await expect(milestone).toHaveValue('Theirs');

    // Lists: loaded ones stay, others show an error, and both reload when the connection is back.
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await page.getByRole('link', { name: 'Clients', exact: true }).click();
    await expect(row(page, 'Brightwater Health')).toBeVisible();
    await context.setOffline(true);
    await expect(page.getByText(/^This list was last updated at \d\d:\d\d/)).toBeVisible();
    await expect(row(page, 'Brightwater Health')).toBeVisible();
    await page.getByRole('button', { name: /^Filters/ }).click();
    await expect(page.getByText('This part appears when it is back', { exact: false })).toBeVisible();
    await page.getByRole('link', { name: 'Milestones', exact: true }).click();
    await expect(page.getByText('Milestones could not be loaded')).toBeVisible();
    await expect(page.getByText('Loading…')).toHaveCount(0);
    await context.setOffline(false);
    await expect(page.getByRole('grid').getByRole('row').nth(1)).toBeVisible();

    // A new record whose response is lost is stored once.
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await page.getByRole('link', { name: 'Clients', exact: true }).click();
    await page.getByRole('button', { name: /^Filters/ }).click();
    await expect(page.getByRole('dialog', { name: /Filter/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await page
      .getByRole('link', { name: 'Add Client' })
      .or(page.getByRole('button', { name: 'Add Client' }))
      .first()
      .click();
    for (const [label, text] of Object.entries({
      Name: 'Lost Answers',
      Code: 'LOST',
      Email: 'lost@example.com',
      Address: 'Quay 1',
      'Post Code': '20457',
    }))
      await fill(page, label, text);
    await choose(page, 'Country', 'Germany');
    let posts = 0;
    await page.route('**/api/clients', async (route) => {
      if (route.request().method() !== 'POST' || ++posts > 1) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await save(page);
    await expectToast(page, 'Added Successfully');
    expect(posts).toBe(2);
    const found = await owner.send<unknown[]>('GET', '/clients?q=Lost Answers');
    expect(found.body).toHaveLength(1);
  });
});
