import type { Browser, Locator, Page } from '@playwright/test';
import { test } from './support/fresh-program';
import { openSetting, settings } from './support/steps';
import { accounts, expect, expectAccessible, expectToast, password, title, type ApiCaller } from './support/test';

interface Role {
  role_id: number;
  role_name: string;
  modulePermission: string[];
}

// One separate program, tests in sequence.
test.describe.configure({ mode: 'default' });

const glyph = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const changes = (page: Page) => page.getByRole('group', { name: 'Unsaved changes' });

async function roleOf(caller: ApiCaller, name: string): Promise<Role> {
  const { body } = await caller.send<{ data: Role[] }>('GET', '/permissions');
  return body.data.find(({ role_name }) => role_name === name)!;
}

async function grant(caller: ApiCaller, role: Role, ids: string[]): Promise<void> {
  const answer = await caller.send('PUT', `/permissions/${role.role_id}`, { modulePermission: ids });
  expect(answer.status).toBe(200);
}

/** A page in a separate browser context, where another user is signed in. */
async function pageOf(browser: Browser, url: string, email: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${url}/auth/login`);
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  return page;
}

test('an administrator finds modules, changes permissions, reviews the changes and saves; they apply to others at once', async ({
  page,
  browser,
  baseURL,
  signIn,
}) => {
  const theirs = await pageOf(browser, baseURL!, accounts.developer);
  await theirs.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
  const users = settings(theirs).getByRole('link', { name: 'Users', exact: true });
  await expect(settings(theirs).getByRole('link', { name: 'Profile', exact: true })).toBeVisible();
  await expect(users).toBeHidden();

  await signIn('admin');
  await page.goto('/dashboard');
  await openSetting(page, 'Permissions');
  await expect(title(page)).toHaveText('Permissions 6 roles, 42 modules');
  await expect(page.getByRole('columnheader')).toHaveText([
    'Module',
    /Administrator.*1/,
    /Owner.*2/,
    /Manager.*3/,
    /Developer.*4/,
    /QA.*5/,
    /External User.*6/,
  ]);
  await expect(glyph(page, 'Developer: delete Tasks, own or member')).toHaveAttribute('aria-pressed', 'true');
  await expect(glyph(page, 'Administrator: edit Tasks, allowed')).toHaveAttribute('aria-disabled', 'true');

  const find = page.getByRole('searchbox', { name: 'Find a module' });
  await find.fill('project m');
  await expect(page.getByRole('row')).toHaveCount(2);
  await find.fill('nothing like it');
  await expect(page.getByText('Nothing matches “nothing like it”')).toBeVisible();
  await find.press('Escape');

  await glyph(page, 'Developer: edit Projects, denied').click();
  await glyph(page, 'Developer: list Users, denied').click();
  await glyph(page, 'QA: list Users, denied').click();
  await expect(changes(page)).toContainText('3 changes');
  await expect(changes(page)).toContainText(
    'Developer gets Projects edit and Users list; QA gets Users list. 2 users gain rights, none lose any.',
  );
  await expect(glyph(page, 'QA: list Users, allowed, not saved')).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Rules' })).toContainText('QA, Users');
  // Checking fewer of the many equal cells is enough.
  await find.fill('project');
  await expectAccessible(page);

  await changes(page).getByRole('button', { name: 'Show difference' }).click();
  const dialog = page.getByRole('dialog', { name: '3 changes' });
  await expect(dialog.getByRole('table', { name: 'Developer' }).getByRole('row')).toHaveCount(3);
  await expect(dialog.getByRole('row', { name: 'Projects' }).getByRole('img')).toHaveCount(2);
  await expect(dialog.getByRole('img', { name: 'list, view and edit' })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await find.fill('');

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tasks', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
  await changes(page).getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Saved Successfully');
  await expect(changes(page)).toBeHidden();
  await expect(glyph(page, 'QA: list Users, allowed')).toBeVisible();

  await users.click();
  await expect(title(theirs)).toContainText('Users');
  await theirs.context().close();

  await glyph(page, 'QA: list Users, allowed').click();
  await changes(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(changes(page)).toBeHidden();
  await page.getByRole('link', { name: 'Developer' }).click();
  await expect(page).toHaveURL(/\/roles\/4$/);
});

test('two users who change the same role do not overwrite each other', async ({ page, signIn, api }) => {
  await signIn('admin');
  await page.goto('/permissions');
  const other = await api('admin');
  await glyph(page, 'Manager: create Priorities, denied').click();

  // Changes that somebody else saves appear at once; unsaved changes here stay.
  const manager = await roleOf(other, 'Manager');
  await grant(other, manager, [...manager.modulePermission, 'priorities.edit']);
  await expect(glyph(page, 'Manager: edit Priorities, allowed')).toBeVisible();
  await expect(page.getByText('Somebody else changed Manager meanwhile.')).toBeVisible();
  await expect(glyph(page, 'Manager: create Priorities, allowed, not saved')).toBeVisible();

  // Somebody else saves at the same time, and is faster.
  let isFirst = true;
  await page.route('**/api/permissions', async (route) => {
    if (route.request().method() === 'PUT' && isFirst) {
      isFirst = false;
      const seen = await roleOf(other, 'Manager');
      await grant(other, seen, [...seen.modulePermission, 'priorities.delete']);
    }
    await route.continue();
  });
  await changes(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/^Manager was changed by .+ Nothing was saved\./)).toBeVisible();
  await expect(glyph(page, 'Manager: create Priorities, allowed, not saved')).toBeVisible();
  await expect(glyph(page, 'Manager: delete Priorities, allowed')).toBeVisible();
  await changes(page).getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Saved Successfully');
  const saved = await roleOf(other, 'Manager');
  expect(saved.modulePermission).toEqual(
    expect.arrayContaining(['create', 'edit', 'delete'].map((one) => `priorities.${one}`)),
  );
});

test('the matrix explains why a user cannot delete a task, and who can', async ({ page, signIn, api }) => {
  const admin = await api('admin');
  const users = await admin.send<{ data: { id: number; name: string; email: string }[] }>('GET', '/users?range=[0,99]');
  const byEmail = (email: string) => users.body.data.find((user) => user.email === email)!;
  const [manager, developer] = [byEmail(accounts.manager), byEmail(accounts.developer)];
  const tasks = await admin.send<{ data: { id: number; name: string; created_by: number }[] }>(
    'GET',
    '/tasks?range=[0,199]',
  );
  const task = tasks.body.data.find(({ created_by }) => created_by === manager.id)!;

  await signIn('admin');
  await page.goto('/permissions');
  await glyph(page, 'Developer: delete Tasks, own or member').focus();
  const rules = page.getByRole('complementary', { name: 'Rules' });
  await expect(rules).toContainText('Deletes only tasks that they created');
  await expect(rules).toContainText('created_by = me');
  await expect(rules.getByRole('link', { name: 'Edit in the studio' })).toHaveAttribute(
    'href',
    '/studio/tasks?at=/rules',
  );
  await rules.getByRole('button', { name: 'Why?' }).click();

  const why = page.getByRole('complementary', { name: 'Why?' });
  await expect(why.getByRole('combobox', { name: 'User' })).toHaveValue(developer.name);
  await expect(why.getByRole('combobox', { name: 'Module' })).toHaveValue('Tasks');
  await expect(why.getByRole('combobox', { name: 'Action' })).toHaveValue('Delete');
  await expect(why).toContainText('Allowed');
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/permissions/why?*', async (route) => {
    await answered;
    await route.continue();
  });
  await why.getByRole('combobox', { name: 'Record' }).fill(String(task.id));
  await page.getByRole('option', { name: `#${task.id} ${task.name}` }).click();
  const verdict = why.getByRole('status');
  await expect(verdict, 'the answer before is not taken for this one').toHaveAttribute('aria-busy', 'true');
  answer();
  await expect(verdict).toHaveAttribute('aria-busy', 'false');
  await expect(why).toContainText('Denied');
  await expect(why).toContainText('by a row rule');
  const steps = why.getByRole('listitem');
  await expect(steps).toHaveCount(3);
  await expect(steps.nth(0)).toContainText('Grant tasks.deleteRole Developer');
  await expect(steps.nth(1)).toContainText('created_by = me');
  await expect(steps.nth(1)).toContainText(
    `Developer deletes only tasks that they created. Task ${task.id} was created by ${manager.name}.`,
  );
  await expect(steps.nth(2)).toContainText('Not reached');
  await expect(why).toContainText('Allowed for anyone with the role Administrator, Company Owner or Manager.');
  await page.getByRole('searchbox', { name: 'Find a module' }).fill('task');
  await expectAccessible(page);

  // The question is in the address, so that it can be shared.
  await page.reload();
  await expect(why).toContainText('Denied');
  await expect(why.getByRole('combobox', { name: 'Record' })).toHaveValue(`#${task.id} ${task.name}`);
  await expect(page.locator('td[data-chosen]')).toHaveCount(1);
  await expect(why.getByRole('button', { name: `View as ${developer.name}` })).toBeVisible();
  await why.getByRole('link', { name: 'Open task' }).click();
  await expect(page).toHaveURL(new RegExp(`/tasks/${task.id}`));

  await page.goto(`/permissions?panel=why&user=${manager.id}&module=tasks&action=edit&field=status_id`);
  await expect(why).toContainText('Allowed');
  await why.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/\/permissions$/);
});

test('the matrix explains the rights of a service account', async ({ page, signIn, api }) => {
  const admin = await api('admin');
  const account = { name: 'Nightly uploads', role_id: 6, site_id: 1 };
  const { body } = await admin.send<{ data: { id: number } }>('POST', '/service-accounts', account);
  await signIn('admin');
  await page.goto('/permissions?panel=why&module=clients&action=create');
  const why = page.getByRole('complementary', { name: 'Why?' });
  await why.getByRole('combobox', { name: 'User' }).fill('nightly');
  await page.getByRole('option', { name: /^Nightly uploads/ }).click();
  await expect(why).toContainText('Denied');
  await expect(page).toHaveURL(new RegExp(`service=${body.data.id}`));
  await expect(why.getByRole('button', { name: /^View as/ })).toHaveCount(0);
  await page.reload();
  await expect(why.getByRole('combobox', { name: 'User' })).toHaveValue('Nightly uploads');
  await expect(why).toContainText('Denied');
});

test('the matrix works with the keyboard only', async ({ page, signIn, api }) => {
  await signIn('admin');
  await page.goto('/permissions');
  await expect(page.getByRole('grid', { name: 'Permissions' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Find a module' }).focus();
  const focused = page.locator(':focus');
  for (let tries = 0; tries < 8 && !(await focused.evaluate((one) => one.closest('table') !== null)); tries++) {
    await page.keyboard.press('Tab');
  }
  await expect(focused).toHaveAccessibleName('Set all of Test Cases');
  await page.keyboard.press('ArrowRight');
  await expect(focused).toHaveAccessibleName('Administrator: list Test Cases, allowed');
  await page.keyboard.press('End');
  await expect(focused).toHaveAccessibleName(/^External User: delete Test Cases/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(focused).toHaveAccessibleName('External User: delete Requirements, denied');
  await page.keyboard.press('Space');
  await expect(focused).toHaveAccessibleName('External User: delete Requirements, allowed, not saved');
  await page.keyboard.press('Space');
  await expect(changes(page)).toBeHidden();

  // In forced colours, without backgrounds and shadows, the three states differ by shape.
  await page.emulateMedia({ forcedColors: 'active' });
  const looks = (state: string) =>
    page
      .locator(`td .glyph[data-state=${state}]`)
      .first()
      .evaluate((one) => {
        const { backgroundColor, borderTopStyle, borderTopWidth } = getComputedStyle(one);
        return [backgroundColor, borderTopStyle, borderTopWidth].join(' ');
      });
  expect(new Set([await looks('allowed'), await looks('own'), await looks('denied')]).size).toBe(3);
  const current = page.getByRole('navigation', { name: 'Main' }).locator('a[aria-current]');
  const other = page.getByRole('navigation', { name: 'Main' }).locator('a:not([aria-current])').first();
  const groundOf = (link: Locator) => link.evaluate((one) => getComputedStyle(one).backgroundColor);
  expect(await groundOf(current)).not.toBe(await groundOf(other));
  await page.emulateMedia({ forcedColors: null });

  // A fixed permission shows the reason and does not change.
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await expect(page.getByRole('tooltip')).toHaveText(
    'Administrators of the installation always have every permission.',
  );
  await expect(changes(page)).toBeHidden();

  // Fills a row, and a column.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await expect(focused).toHaveAccessibleName('Set all of Requirements');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Read' }).press('Enter');
  await expect(glyph(page, 'External User: view Requirements, allowed, not saved')).toBeVisible();
  await expect(glyph(page, 'Manager: delete Requirements, denied, not saved')).toBeVisible();
  await page.getByRole('button', { name: 'Set all of QA' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'None' }).press('Enter');
  await expect(glyph(page, 'QA: list Tasks, denied, not saved')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expectToast(page, 'Saved Successfully');
  expect((await roleOf(await api('admin'), 'QA')).modulePermission).toEqual([]);
});

test('an owner changes the roles of the company in the matrix, and can only read the shipped ones', async ({
  page,
  signIn,
  api,
}) => {
  await signIn('owner');
  await page.goto('/permissions');
  await expect(glyph(page, 'Developer: edit Clients, denied')).toHaveAttribute('aria-disabled', 'true');
  await glyph(page, 'Developer: edit Clients, denied').hover();
  await expect(page.getByRole('tooltip')).toContainText('belongs to the installation');
  await page.getByRole('button', { name: 'Add Role' }).click();
  await expect(page).toHaveURL(/\/roles\/create$/);

  const owner = await api('owner');
  await owner.send('POST', '/roles', { role_name: 'Tester', level: 5, modulePermission: ['tasks.list'] });
  await page.goto('/permissions');
  await expect(title(page)).toContainText('7 roles');
  await glyph(page, 'Tester: view Tasks, denied').click();
  await expect(glyph(page, 'Tester: create Countries, denied')).toHaveAttribute('aria-disabled', 'true');
  await expect(changes(page)).toContainText('Tester gets Tasks view. No users gain rights, none lose any.');
  await changes(page).getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Saved Successfully');
  expect((await roleOf(owner, 'Tester')).modulePermission).toEqual(['tasks.list', 'tasks.view']);
});

test('the matrix shows one role at a time on a phone', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn('admin');
  await page.goto('/permissions');
  await page.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'External User, level 6' }).click();
  await expect(page.getByRole('columnheader')).toHaveCount(2);
  await glyph(page, 'External User: list States, denied').click();
  await expect(changes(page)).toContainText('1 change');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Why?' }).click();
  await expect(page.getByRole('dialog', { name: 'Why?' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await changes(page).getByRole('button', { name: 'Cancel' }).click();
});

test('users who may only list roles read the matrix and view as nobody; others do not find the screen', async ({
  page,
  signIn,
  api,
}) => {
  await signIn('manager');
  await page.goto('/permissions');
  await expect(page.getByRole('grid', { name: 'Permissions' })).toBeVisible();
  await expect(page.locator('.glyph:not([aria-disabled])')).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Add Role' })).toBeHidden();
  await page.getByRole('button', { name: /profile menu/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'View as…' })).toBeHidden();
  const developer = await api('developer');
  expect((await developer.send('GET', '/permissions')).status).toBe(403);
});
