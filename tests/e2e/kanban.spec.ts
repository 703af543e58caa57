import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, expectToast, test, title, type ApiCaller } from './support/test';

interface Task {
  id: number;
  name: string;
  status_id: number;
}

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const card = (page: Page, within: string, name: string) =>
  column(page, within).getByRole('listitem', { name, exact: true });
const countOf = async (page: Page, name: string) =>
  Number(await column(page, name).getByRole('status').first().textContent());

/** The count above a column equals the server's, also while other tests add and move cards. */
async function expectTrueCount(page: Page, caller: ApiCaller, status_id: number, name: string): Promise<void> {
  const filter = encodeURIComponent(JSON.stringify({ status_id }));
  const difference = async () => {
    const { headers } = await caller.send('GET', `/tasks?filter=${filter}&range=[0,0]`);
    return (await countOf(page, name)) - Number(headers.get('content-range')!.split('/')[1]);
  };
  await expect.poll(difference).toBe(0);
}

/** Whether several people can have the tasks of a project. */
async function hasPeople(caller: ApiCaller, { project_id }: Record<string, unknown>): Promise<boolean> {
  const path = `/tasks/choices/assigned_to?project_id=${String(project_id)}`;
  return (await caller.send<{ data: unknown[] }>('GET', path)).body.data.length > 1;
}

/** Creates a task for a test, which several people can have; as the newest, it is the first of its column. */
async function newTask(caller: ApiCaller, name: string): Promise<Task> {
  const { body } = await caller.send<{ data: Record<string, unknown>[] }>('GET', '/tasks?range=[0,99]');
  let model = body.data[0]!;
  for (const one of new Map(body.data.map((task) => [task.project_id, task])).values())
    if (await hasPeople(caller, one)) {
      model = one;
      break;
    }
  const { project_id, project_module_id, assigned_to, priority_id } = model;
  const like = { project_id, project_module_id, assigned_to, priority_id };
  const made = await caller.send<{ data: Task }>('POST', '/tasks', {
    ...like,
    name,
    description: '<p>To be moved</p>',
    status_id: 1,
  });
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  return made.body.data;
}

const statusOf = async (caller: ApiCaller, { id }: Task) =>
  (await caller.send<{ data: Task }>('GET', `/tasks/${id}`)).body.data.status_id;

/** `q` shows only the cards of one test, so that cards of other tests do not move them while dragging. */
async function openBoard(page: Page, q = ''): Promise<void> {
  await page.goto(q ? `/tasks?${new URLSearchParams({ q })}` : '/tasks');
  const phone = page.viewportSize()!.width < 700;
  if (phone) await page.getByRole('button', { name: 'Display' }).click();
  await page.getByRole('button', { name: 'Kanban Board' }).click();
  await expect(column(page, 'Not Started').getByRole('listitem').first()).toBeVisible();
}

async function drag(page: Page, what: Locator, onto: Locator): Promise<void> {
  // Waits until it does not move any longer.
  await what.click({ trial: true });
  const [from, to] = [(await what.boundingBox())!, (await onto.boundingBox())!];
  await page.mouse.move(from.x + 60, from.y + from.height - 20);
  await page.mouse.down();
  await page.mouse.move(from.x + 75, from.y + from.height - 10, { steps: 4 });
  await page.mouse.move(to.x + to.width / 2, to.y + 150, { steps: 12 });
  await expect(what).toHaveAttribute('data-dragging', 'true');
  await page.mouse.up();
}

test('the board has the statuses as columns with true counts, and is remembered', async ({ page, signIn, api }) => {
  const owner = await api('owner');
  await signIn('owner');
  await openBoard(page);
  for (const [index, name] of ['Not Started', 'In Progress', 'Completed', 'Cancelled'].entries())
    await expectTrueCount(page, owner, index + 1, name);
  // Columns have their final positions before the server's response, and cards have skeletons.
  let answer = () => {};
  const held = new Promise<void>((done) => (answer = done));
  await page.route(/\/api\/tasks\/choices\//, async (route) => {
    await held;
    await route.continue();
  });
  const boxes = () =>
    page.locator('.board-column').evaluateAll((all) =>
      all.map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        const { y: cardTop, width: cardWidth } = one.querySelector('.board-card')!.getBoundingClientRect();
        return [x, y, width, height, cardTop, cardWidth].map(Math.round);
      }),
    );
  await page.goto('/tasks');
  const skeletons = page.locator('.board-card[data-waiting]');
  await expect(skeletons).toHaveCount(12);
  // They are attached, but hidden, while another part of the screen loads its code.
  let before: number[][] = [];
  await expect.poll(async () => (before = await boxes()).flat().every((length) => length > 0)).toBe(true);
  answer();
  for (const name of ['Not Started', 'In Progress', 'Completed', 'Cancelled'])
    await expect(column(page, name).locator('.board-card:not([data-waiting])').first()).toBeVisible();
  expect(await boxes()).toEqual(before);
  await page.unroute(/\/api\/tasks\/choices\//);

  // In forced colours, the active view is still visible.
  await page.emulateMedia({ forcedColors: 'active' });
  const ground = (name: string) =>
    page
      .getByRole('group', { name: 'View' })
      .getByRole('button', { name })
      .evaluate((one) => getComputedStyle(one).backgroundColor);
  expect(await ground('Kanban Board')).not.toBe(await ground('List'));
  await page.emulateMedia({ forcedColors: null });

  // A few cards are enough, and faster than hundreds.
  await page.goto('/tasks?q=Estimate');
  await expect(page.getByRole('listitem', { name: /^Estimate/ }).first()).toBeVisible();
  await expect(page.getByRole('listitem', { name: /^Mend/ })).toHaveCount(0);
  await expectAccessible(page);
  await page.goto('/clients');
  await page.goto('/tasks');
  await expect(column(page, 'Not Started')).toBeVisible();
});

test('a card is dragged with the mouse, asks for a comment and stays', async ({ page, signIn, api }) => {
  const owner = await api('owner');
  const task = await newTask(owner, 'Moved with the mouse');
  await signIn('owner');
  await openBoard(page, task.name);
  await drag(page, card(page, 'Not Started', task.name), column(page, 'In Progress'));
  const dialog = page.getByRole('dialog', { name: 'Move to In Progress?' });
  await expect(dialog).toBeVisible();
  await expect(page.locator('section', { hasText: 'In Progress' }).getByText(task.name)).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('required');
  await dialog.getByRole('textbox').fill('Begun today');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Saved Successfully');
  await expect(card(page, 'In Progress', task.name)).toBeVisible();
  await expect.poll(() => countOf(page, 'In Progress')).toBe(1);
  await expect.poll(() => countOf(page, 'Not Started')).toBe(0);
  expect(await statusOf(owner, task)).toBe(2);
});

test('values of a card are changed by a click on them, on the board and on a phone, and the card is dragged by them', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const task = await newTask(owner, 'Changed on its card');
  const { body: priorities } = await owner.send<{ data: { id: number; title: string }[] }>(
    'GET',
    '/tasks/choices/priority_id',
  );
  const priorityOf = (title: string) => priorities.data.find((one) => one.title === title)!.id;
  await owner.send('PUT', `/tasks/${task.id}`, { priority_id: priorityOf('High'), end_date: '2031-03-14' });
  const stored = async () =>
    (await owner.send<{ data: Record<string, unknown> }>('GET', `/tasks/${task.id}`)).body.data;
  const before = await stored();
  await signIn('owner');
  await openBoard(page, task.name);
  const shown = card(page, 'Not Started', task.name);
  const editor = page.getByRole('dialog', { name: `Priority of ${task.name}` });

  // A click on the priority opens its choices and not the task; Escape leaves it; a choice is stored, and taken back.
  await shown.getByText('High').click();
  await expect(editor).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(editor).toBeHidden();
  await expect(title(page)).toContainText('Task | Total Records');
  await shown.getByText('High').click();
  await editor.getByRole('option', { name: 'Low' }).click();
  await expect(shown.getByText('Low')).toBeVisible();
  await expect(page.getByText(`Priority of ${task.name} set to Low`)).toBeVisible();
  await expect.poll(async () => (await stored()).priority_id).toBe(priorityOf('Low'));
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(shown.getByText('High')).toBeVisible();
  await expect.poll(async () => (await stored()).priority_id).toBe(priorityOf('High'));

  // The due date.
  await shown.locator('[data-field=end_date]').click();
  const due = page.getByRole('dialog', { name: new RegExp(`of ${task.name}$`) });
  await expect(due).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(due).toBeHidden();

  // Whose it is, which the initials show; the keyboard goes on from there.
  const whose = shown.locator('[data-field=assigned_to]');
  const assignees = page.getByRole('dialog', { name: new RegExp(`of ${task.name}$`) });
  await whose.click();
  await expect(assignees).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(assignees).toBeHidden();
  await expect(whose).toBeFocused();
  await whose.click();
  await assignees.locator('[role=option]:not([data-current])').first().click();
  await expect.poll(async () => (await stored()).assigned_to).not.toBe(before.assigned_to);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(async () => (await stored()).assigned_to).toBe(before.assigned_to);

  // A press that moves is a drag, also on a value.
  const from = (await shown.getByText('High').boundingBox())!;
  const to = (await column(page, 'In Progress').boundingBox())!;
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(from.x + 20, from.y + 15, { steps: 4 });
  await page.mouse.move(to.x + to.width / 2, to.y + 150, { steps: 12 });
  await expect(shown).toHaveAttribute('data-dragging', 'true');
  await page.mouse.up();
  await page.getByRole('dialog', { name: 'Move to In Progress?' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(editor).toBeHidden();
  await expect(shown).toBeVisible();

  // On a phone.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/tasks?${new URLSearchParams({ q: task.name, view: 'cards' })}`);
  const article = page.getByRole('article').filter({ hasText: task.name });
  await expect(article.locator('[data-field=assigned_to]')).toBeVisible();
  // A finger has 44 pixels for each.
  for (const field of ['priority_id', 'end_date', 'assigned_to']) {
    const [box, height] = await article.locator(`[data-field=${field}]`).evaluate((one) => {
      const { x, y, width, height: high } = one.getBoundingClientRect();
      const isOwn = (at: number) => one.contains(document.elementFromPoint(x + width / 2, at));
      const middle = y + high / 2;
      return [isOwn(middle - 21) && isOwn(middle + 21), high] as const;
    });
    expect([field, box, height > 0]).toEqual([field, true, true]);
  }
  await article.getByText('High').click();
  await expect(editor).toBeVisible();
  await editor.getByRole('option', { name: 'Urgent' }).click();
  await expect(article.getByText('Urgent')).toBeVisible();
  await expect.poll(async () => (await stored()).priority_id).toBe(priorityOf('Urgent'));
});

test.describe('on a touch screen', () => {
  test.use({ ownContext: true, hasTouch: true, viewport: { width: 1024, height: 768 } });

  test('a card is dragged with a finger after a long press', async ({ page, signIn, api }) => {
    const owner = await api('owner');
    const task = await newTask(owner, 'Moved with a finger');
    await signIn('owner');
    await openBoard(page, task.name);
    const finger = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    const what = card(page, 'Not Started', task.name);
    // Waits until it does not move any longer.
    await what.click({ trial: true });
    const [from, to] = [(await what.boundingBox())!, (await column(page, 'In Progress').boundingBox())!];
    const at = { x: from.x + 60, y: from.y + from.height - 20 };
    await touch('touchStart', [at]);
    await expect(what).toHaveAttribute('data-dragging', 'true');
    for (let step = 1; step <= 10; step++)
      await touch('touchMove', [
        { x: at.x + ((to.x + 120 - at.x) * step) / 10, y: at.y + ((to.y + 150 - at.y) * step) / 10 },
      ]);
    await expect(column(page, 'In Progress').getByRole('list')).toHaveAttribute('data-over', 'true');
    await touch('touchEnd', []);
    await page.getByRole('dialog', { name: 'Move to In Progress?' }).getByRole('textbox').fill('Begun on the tablet');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectToast(page, 'Saved Successfully');
    await expect(card(page, 'In Progress', task.name)).toBeVisible();
    expect(await statusOf(owner, task)).toBe(2);
  });
});

test('a card is moved with the keyboard, and moves back if the question is cancelled', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const task = await newTask(owner, 'Moved with the keyboard');
  await signIn('owner');
  await openBoard(page);
  const move = async () => {
    await card(page, 'Not Started', task.name).focus();
    await page.keyboard.press('Space');
    await expect(card(page, 'Not Started', task.name)).toHaveAttribute('data-dragging', 'true');
    await page.keyboard.press('ArrowRight');
    await expect(column(page, 'In Progress').getByRole('list')).toHaveAttribute('data-over', 'true');
    await page.keyboard.press('Space');
    await expect(page.getByRole('dialog', { name: 'Move to In Progress?' })).toBeVisible();
  };
  await move();
  await page.keyboard.press('Escape');
  await expectToast(page, `Not moved: ${task.name} stays in Not Started.`);
  await expect(card(page, 'Not Started', task.name)).toBeFocused();
  expect(await statusOf(owner, task)).toBe(1);
  await move();
  await expect(page.getByRole('textbox', { name: 'Comments' })).toBeFocused();
  await page.keyboard.type('Begun by key');
  await page.keyboard.press('Control+Enter');
  await expectToast(page, 'Saved Successfully');
  await expect(card(page, 'In Progress', task.name)).toBeFocused();
  expect(await statusOf(owner, task)).toBe(2);
});

test('cards are put in order by mouse and by keys, for everybody, and selected as rows are', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const words = `Order by hand ${Date.now()}`;
  const [, second, first] = [
    await newTask(owner, `${words} third`),
    await newTask(owner, `${words} second`),
    await newTask(owner, `${words} first`),
  ] as const;
  await signIn('owner');
  await openBoard(page, words);
  const names = () =>
    column(page, 'Not Started')
      .getByRole('listitem')
      .evaluateAll(
        (cards, prefix) => cards.map((one) => one.getAttribute('aria-label')!.replace(`${prefix} `, '')),
        words,
      );
  await expect.poll(names).toEqual(['first', 'second', 'third']);

  // With the mouse, below the last one.
  const what = card(page, 'Not Started', first.name);
  await what.click({ trial: true });
  const [from, to] = [(await what.boundingBox())!, (await card(page, 'Not Started', `${words} third`).boundingBox())!];
  await page.mouse.move(from.x + 60, from.y + from.height - 20);
  await page.mouse.down();
  await page.mouse.move(from.x + 65, from.y + from.height, { steps: 4 });
  await page.mouse.move(to.x + 60, to.y + to.height + 10, { steps: 12 });
  await expect(what).toHaveAttribute('data-dragging', 'true');
  await page.mouse.up();
  await expectToast(page, `${first.name} is number 3 in Not Started`);
  await expect.poll(names).toEqual(['second', 'third', 'first']);

  // With keys, and back.
  await card(page, 'Not Started', second.name).focus();
  await page.keyboard.press('Shift+J');
  await expectToast(page, `${second.name} is number 2 in Not Started`);
  await expect.poll(names).toEqual(['third', 'second', 'first']);
  await page.keyboard.press('Control+z');
  await expect.poll(names).toEqual(['second', 'third', 'first']);
  await page.reload();
  await expect.poll(names).toEqual(['second', 'third', 'first']);
  const { body } = await owner.send<{ data: { event: string }[] }>('GET', `/tasks/${first.id}/history`);
  expect(body.data.map(({ event }) => event)).toEqual(['created']);

  await card(page, 'Not Started', second.name).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  const bar = page.getByRole('region', { name: 'Selection' });
  await expect(bar.getByRole('status')).toHaveText('2 selected');
  await expectAccessible(page);
  await bar.getByRole('button', { name: 'Clear selection' }).click();
  await expect(bar).toHaveCount(0);
});

test('a rejected move is undone and shows the server’s message', async ({ page, signIn, api }) => {
  const owner = await api('owner');
  const task = await newTask(owner, 'Gone in the meantime');
  await signIn('owner');
  await openBoard(page);
  const isMove = new RegExp(`/api/task/${task.id}\\?`);
  await page.route(isMove, (route) =>
    route.fulfill({ status: 403, json: { message: 'This task is not yours to move.' } }),
  );
  await card(page, 'Not Started', task.name)
    .getByRole('button', { name: /^More actions/ })
    .click();
  await page.getByRole('menuitem', { name: 'Move to Completed' }).click();
  await expect(card(page, 'Not Started', task.name)).toHaveCount(0);
  await page.getByRole('textbox', { name: /Comments/ }).fill('Done');
  await page.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'This task is not yours to move.');
  await expect(card(page, 'Not Started', task.name)).toBeVisible();
  expect(await statusOf(owner, task)).toBe(1);
  await page.unroute(isMove);

  // Another window of the same user moves it while this one asks for the comment.
  const begin = async (from: string, to: string) => {
    await card(page, from, task.name)
      .getByRole('button', { name: /^More actions/ })
      .click();
    await page.getByRole('menuitem', { name: `Move to ${to}` }).click();
    await page.getByRole('textbox', { name: /Comments/ }).fill('Mine');
  };
  await begin('Not Started', 'In Progress');
  await owner.send('PATCH', `/task/${task.id}`, { status_id: 3, comments: 'Done elsewhere' });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/^This task was changed by .* Reload it to see the changes\.$/)).toBeVisible();
  await expect(card(page, 'Completed', task.name)).toBeVisible();
  expect(await statusOf(owner, task)).toBe(3);

  // A change of another field meanwhile does not prevent the move.
  await begin('Completed', 'In Progress');
  await owner.send('PUT', `/tasks/${task.id}`, { milestone: 'Sprint 3' });
  await page.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Saved Successfully');
  expect(await statusOf(owner, task)).toBe(2);
});

test('users who may not set the status cannot drag, and see why', async ({ page, signIn }) => {
  await signIn('external');
  await page.goto('/tasks');
  await page.getByRole('button', { name: 'Kanban Board' }).click();
  await expect(page.getByRole('note')).toContainText(
    'You cannot move these tasks: you can change tasks only in your projects',
  );
  await expect(page.locator('[data-rfd-drag-handle-draggable-id]')).toHaveCount(0);
});

test('on a phone the columns snap, and their counts are tabs', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn('owner');
  await openBoard(page);
  await expect(column(page, 'Not Started')).toHaveCSS('width', '300px');
  await page.getByRole('button', { name: /^Completed, \d+$/ }).click();
  await expect(column(page, 'Completed')).toBeInViewport({ ratio: 0.9 });
  await expect(page.getByRole('button', { name: /^Completed, \d+$/ })).toHaveAttribute('aria-pressed', 'true');
});
