import type { Page } from '@playwright/test';
import { test } from './support/fresh-program';
import { settings } from './support/steps';
import { expect, expectAccessible, expectToast, title } from './support/test';

// One separate program, tests in sequence.
test.describe.configure({ mode: 'default' });

const words = 'You see Assay as Dina Haddad, Developer, level 4. Read only: nothing can be saved.';
const bar = (page: Page) => page.getByRole('status').filter({ hasText: 'You see Assay as' });
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const chooser = (page: Page) => page.getByRole('dialog', { name: 'View as' });
/** The first words of the names of controls that write. */
const writing =
  /^(add|new|create|edit|save|update|delete|copy|duplicate|import|mark|archive|unarchive|announce|log|send|resend|upload|publish|restore|end|revoke|comment|change status|move|select|connect)\b/i;

async function begin(page: Page, name: string, tab?: string): Promise<void> {
  await page.getByRole('button', { name: /profile menu/ }).click();
  await page.getByRole('menuitem', { name: 'View as…' }).click();
  if (tab) await chooser(page).getByRole('tab', { name: tab }).click();
  await page.getByRole('combobox', { name: /^Find a/ }).fill(name);
  await chooser(page).getByRole('option').first().click();
}

/** The names of buttons, links and inputs on the page that write. */
async function writers(page: Page): Promise<string[]> {
  const parts = page.locator(
    '#content :is(button, a[href], [role=menuitem], [role=checkbox], input[type=checkbox], input[type=file], [draggable=true]), .bar :is(button, a[href]), [role=menu] [role=menuitem]',
  );
  const names = await parts.evaluateAll((all) =>
    all
      .filter((one) => (one as HTMLElement).checkVisibility())
      // Names of records and types are no actions: titles and tabs link to them.
      .filter((one) => !one.matches('[role=tab]') && !/^\/[\w-]+\/\d+$/.test(one.getAttribute('href') ?? ''))
      .map((one) => {
        const kind = one.matches('[draggable=true]') ? 'move' : one.matches('[type=file]') ? 'upload' : '';
        return kind || (one.getAttribute('aria-label') ?? one.textContent ?? '').trim();
      }),
  );
  // With a number of records it is a filter, "New (3)".
  return names.filter((name) => writing.test(name) && !name.endsWith('column menu') && !/\(\d+\)$/.test(name));
}

/**
 * Opens every screen of the menu, the menu of a row and a record there, and expects no control that writes. The lists of
 * reference data are alike: only one is opened.
 */
async function readEverything(page: Page, told: string): Promise<void> {
  await menu(page).getByRole('link', { name: 'Settings' }).click();
  const links = await menu(page)
    .or(settings(page))
    .getByRole('link')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href')!));
  expect(links.length).toBeGreaterThan(8);
  const content = page.locator('#content');
  for (const link of [
    ...links,
    '/tasks?view=kanban',
    '/tasks?view=cards',
    '/priorities',
    '/profile',
    '/timesheet?view=graph',
  ]) {
    const entry = page.getByRole('navigation').locator(`a[href="${link}"]`).first();
    await ((await entry.isVisible()) ? entry.click() : page.goto(link));
    await expect(bar(page)).toContainText(told);
    await expect(title(page)).not.toBeEmpty();
    await expect(content.locator('.MuiSkeleton-root, [aria-busy=true]')).toHaveCount(0);
    expect(await writers(page), link).toEqual([]);
    const row = page.getByRole('button', { name: /^More actions/ }).first();
    if (await row.isVisible()) {
      await row.click();
      await expect(page.getByRole('menuitem').first()).toBeVisible();
      expect(await writers(page), `${link}, the menu of a row`).toEqual([]);
      await page.keyboard.press('Escape');
    }
    const name = /^View /;
    const view = content.getByRole('button', { name }).or(content.getByRole('link', { name })).first();
    if (await view.isVisible()) {
      await view.click();
      // A form for reading, or the page of a record.
      await expect(page.locator('form, #content h2').first()).toBeVisible();
      await expect(page.getByRole('button', { name: /^(Save|Update)/ })).toBeHidden();
      await expect(
        page.locator('form input:not([readonly], [disabled], [type=hidden], [aria-readonly=true])'),
      ).toHaveCount(0);
    }
  }
}

test('an owner views the program as a developer, reads everything, and saves nothing', async ({ page, signIn }) => {
  test.slow();
  await signIn('owner');
  await page.goto('/users');
  await expect(title(page)).toContainText('Users');
  await begin(page, 'dina');
  await expect(bar(page)).toContainText(words);
  await expect(page, 'a developer has no users').toHaveURL(/\/dashboard$/);
  await menu(page).getByRole('link', { name: 'Settings' }).click();
  await expect(settings(page).getByRole('link', { name: 'Profile', exact: true })).toBeVisible();
  await expect(settings(page).getByRole('link', { name: 'Users', exact: true })).toBeHidden();
  await expect(page.getByRole('button', { name: /^Olivia Berg, profile menu/ })).toBeVisible();
  await expectAccessible(page);
  await readEverything(page, words);
});

test('writes while viewing as another are rejected, a reload keeps the view, and stopping returns to the own account', async ({
  page,
  signIn,
}) => {
  await signIn('owner');
  await page.goto('/clients');
  await expect(page.getByRole('link', { name: 'Add Client' })).toBeVisible();
  await begin(page, 'developer');
  await expect(bar(page)).toContainText(words);
  await expect(page, 'developers list clients too').toHaveURL(/\/clients$/);
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add Client' })).toBeHidden();

  const forged = await page.evaluate(async () => {
    const { token } = JSON.parse(localStorage.getItem('assay.session')!) as { token: string };
    const { as } = JSON.parse(sessionStorage.getItem('assay.viewing')!) as { as: string };
    const headers = { authorization: `Bearer ${token}`, 'x-view-as': as, 'content-type': 'application/json' };
    const answer = await fetch('/api/clients', { method: 'POST', headers, body: '{"name":"Forged"}' });
    return { status: answer.status, ...((await answer.json()) as { message: string }) };
  });
  expect(forged).toEqual({
    status: 403,
    code: 'FORBIDDEN',
    message: 'You are viewing as Dina Haddad, so nothing can be saved. Stop viewing first.',
  });

  await page.reload();
  await expect(bar(page)).toContainText(words);
  await expect(page.getByRole('link', { name: 'Add Client' })).toBeHidden();

  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: 'Code', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Country' })).toBeVisible();

  await page.getByRole('button', { name: 'Stop viewing' }).click();
  await expect(bar(page)).toBeHidden();
  await expect(page).toHaveURL(/\/clients$/);
  await expect(page.getByRole('link', { name: 'Add Client' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Code' }), 'a choice ends with the view').toBeVisible();
});

test('an administrator sees a role of one company, chosen by keyboard', async ({ page, signIn }) => {
  await signIn('admin');
  await page.goto('/projects');
  await expect(page.getByRole('columnheader', { name: 'Company' })).toBeVisible();
  await page.getByRole('button', { name: /profile menu/ }).click();
  await page.getByRole('menuitem', { name: 'View as…' }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(chooser(page)).toBeHidden();
  await page.getByRole('button', { name: /profile menu/ }).click();
  await page.getByRole('menuitem', { name: 'View as…' }).click();
  await chooser(page).getByRole('tab', { name: 'Roles' }).click();
  const find = page.getByRole('combobox', { name: 'Find a role' });
  await find.fill('harbour');
  await expect(chooser(page).getByRole('option')).toHaveCount(5);
  await find.press('ArrowDown');
  await expect(chooser(page).getByRole('option', { name: 'Manager' })).toHaveAttribute('aria-selected', 'true');
  await find.press('Enter');
  await expect(bar(page)).toContainText('You see Assay as Manager, level 3. Read only: nothing can be saved.');
  await expect(menu(page)).toContainText('Harbour Software');
  await expect(page.getByRole('columnheader', { name: 'Company' })).toBeHidden();
  await page.getByRole('button', { name: 'Another person' }).click();
  await expect(chooser(page).getByRole('option').first()).not.toContainText('Elif Demir');
  // Enter before the response to the typed text: the chosen user still matches the text.
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/view-as/choices/person?q=elif', async (route) => {
    await answered;
    await route.continue().catch(() => undefined);
  });
  await page.getByRole('combobox', { name: 'Find a person' }).fill('elif');
  await page.getByRole('combobox', { name: 'Find a person' }).press('Enter');
  await expect(bar(page)).toContainText('You see Assay as Elif Demir, External User, level 6.');
  answer();
  await page.unrouteAll({ behavior: 'wait' });
  await expect(title(page)).toHaveText('Projects | Total Records: 2');
});

test('viewing as another asks for confirmation first if there are unsaved changes', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/clients/create');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Not saved yet');
  await begin(page, 'dina');
  const question = page.getByRole('alertdialog', { name: 'Unsaved changes' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Not saved yet');
  await expect(bar(page)).toBeHidden();
  await begin(page, 'dina');
  await question.getByRole('button', { name: 'Leave', exact: true }).click();
  await expect(bar(page)).toContainText(words);
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('viewing as another ends with a message when it is no longer allowed, and with the session', async ({
  page,
  signIn,
  api,
}) => {
  await signIn('owner');
  await page.goto('/projects');
  await begin(page, 'elif');
  await expect(bar(page)).toContainText('Elif Demir');
  const owner = await api('owner');
  const users = (
    await owner.send<{ id: number; email: string }[] | { data: { id: number; email: string }[] }>('GET', '/users')
  ).body;
  const { id } = ('data' in users ? users.data : users).find(({ email }) => email === 'external@demo.test')!;
  expect((await owner.send('PUT', `/users/${id}`, { status_id: 3 })).status).toBe(200);
  await menu(page).getByRole('link', { name: 'Tasks' }).click();
  await expectToast(
    page,
    'You are no longer viewing Assay as Elif Demir. Elif Demir has no active account, so you cannot view Assay as them.',
  );
  await expect(bar(page)).toBeHidden();
  await menu(page).getByRole('link', { name: 'Settings' }).click();
  await expect(settings(page).getByRole('link', { name: 'Users', exact: true })).toBeVisible();

  await begin(page, 'dina');
  await expect(bar(page)).toContainText(words);
  await page.getByRole('button', { name: /profile menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/auth\/login/);
  await page
    .getByRole('button', { name: /owner@demo\.test|Company Owner/ })
    .first()
    .click();
  await expect(title(page)).toContainText('Dashboard');
  await expect(bar(page)).toBeHidden();
});

test('the bar of viewing as another has two lines on a phone and covers nothing', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn('owner');
  await page.goto('/test-cases');
  await begin(page, 'dina');
  await expect(bar(page)).toContainText(words);
  const box = (await bar(page).boundingBox())!;
  expect(box).toMatchObject({ x: 0, y: 0, width: 390 });
  expect(box.height).toBeLessThanOrEqual(48);
  const top = (await page.getByRole('banner').boundingBox())!;
  expect(top.y).toBe(box.height);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Stop viewing' }).click();
  await expect(bar(page)).toBeHidden();
});
