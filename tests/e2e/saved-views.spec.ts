import type { Browser, Page } from '@playwright/test';
import { test } from './support/own-program';
import { expect, expectAccessible, openSession, type Role } from './support/test';

// A separate program, and no views are left in it: a list opens with those that it has.
test.afterEach(async ({ api }) => {
  for (const role of ['admin', 'owner', 'manager', 'qa'] satisfies Role[]) {
    const person = await api(role);
    const { body } = await person.send<{ id: number }[]>('GET', '/views');
    for (const { id } of body) await person.send('DELETE', `/views/${id}`);
  }
});

const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name });
const head = (page: Page, name: string) => page.getByRole('columnheader', { name });
const menuOf = (page: Page, name: string) => page.getByRole('button', { name: `Actions of view ${name}` }).click();
const gone = 'This view was deleted, or is not shared with you.';
const noLongerShared = (name: string) => `The view “${name}” was deleted, or is no longer shared with you.`;
const address = (page: Page) => new URL(page.url()).searchParams;

test('a list is saved as a view, changed, updated, reset, opened by its link and by keyboard alone', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const { body: stages } = await owner.send<{ id: number; name: string }[]>(
    'GET',
    '/clients?sort=["id","ASC"]&range=[0,0]',
  );
  await signIn('owner');
  const client = stages[0]!;
  await page.goto(`/projects?sort=-name&client_id=${client.id}`);
  await expect(page.getByRole('group', { name: 'Filters Applied' })).toBeVisible();
  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as new view' });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Name is required.')).toBeVisible();
  await page.keyboard.type('Of one client');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(tab(page, /^Of one client/)).toHaveAttribute('aria-selected', 'true');
  const id = address(page).get('view')!;
  expect(id).toMatch(/^\d+$/);

  // A change is marked, also at its filter; a reload keeps it, and Reset takes it back.
  await page.goto(page.url().replace('sort=-name', 'sort=name').replace(`client_id=${client.id}&`, ''));
  await expect(tab(page, /Of one client.*changed since it was saved/)).toBeVisible();
  await page.getByRole('button', { name: 'Actions of view Of one client' }).press('Enter');
  await expect(page.getByRole('menu')).toContainText('Changed: sort, 1 filter');
  await page.getByRole('menuitem', { name: 'Reset changes' }).press('Enter');
  await expect.poll(() => address(page).get('client_id')).toBe(String(client.id));
  await expect(tab(page, /changed since/)).toHaveCount(0);

  // Update by its key, and back.
  await page.goto(page.url().replace('sort=-name', 'sort=name'));
  await expect(tab(page, /changed since/)).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(tab(page, /changed since/)).toHaveCount(0);
  const { body: saved } = await owner.send<{ settings: { sort: string } }>('GET', `/views/${id}`);
  expect(saved.settings.sort).toBe('name');

  // Tabs work with arrow keys; Back leads to the view again.
  await tab(page, /^Of one client/).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(tab(page, /^All/)).toHaveAttribute('aria-selected', 'true');
  await expect.poll(() => address(page).has('client_id')).toBe(false);
  await page.goBack();
  await expect.poll(() => address(page).get('client_id')).toBe(String(client.id));

  // The link carries the view.
  await page.goto(`/projects?view=${id}`);
  await expect.poll(() => address(page).get('client_id')).toBe(String(client.id));
  await expect(page.getByRole('group', { name: 'Filters Applied' })).toContainText('Client');

  await page.getByRole('button', { name: 'Actions of view Of one client' }).click();
  await page.getByRole('menuitem', { name: 'Delete view' }).click();
  await expect(page.getByText('View Of one client deleted')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tab(page, /^Of one client/)).toHaveAttribute('aria-selected', 'true');

  // On a phone the tabs scroll, and the list opens with the view that is to open first.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: 'Actions of view Of one client' }).click();
  await page.getByRole('menuitemcheckbox', { name: /Open this view first/ }).click();
  await expect(page.getByText('The list opens with Of one client')).toBeVisible();
  await page.goto('/projects');
  await expect(tab(page, /^Of one client/)).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
});

test('a link to a view that is not shared opens the list without it and says so', async ({ page, signIn, api }) => {
  const owner = await api('owner');
  const { body } = await owner.send<{ id: number }>('POST', '/views', {
    ...{ name: 'Of the owner alone', module: 'clients', settings: { sort: 'name' } },
  });
  await signIn('manager');
  await page.goto(`/clients?view=${body.id}`);
  await expect(page.getByText(gone)).toBeVisible();
  await expect(page.getByText('Of the owner alone')).toHaveCount(0);
  await expect(page.getByRole('grid')).toBeVisible();

  // What a view names and its list no longer has is left out, and said.
  const views = await api('manager');
  const { body: mine } = await views.send<{ id: number }>('POST', '/views', {
    ...{
      name: 'With a column',
      module: 'clients',
      settings: { columns: [{ field: 'name', width: 300 }, { field: 'id' }] },
    },
  });
  await page.goto(`/clients?view=${mine.id}`);
  await expect(page.getByRole('columnheader')).toHaveText([/^$/, /Name/, /Id/i, 'Actions']);
});

/** A page in a browser of its own. */
async function openAs(browser: Browser, url: string, who: Parameters<typeof openSession>[1]): Promise<Page> {
  const session = await openSession(url, who);
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  await context.addInitScript((text) => localStorage.setItem('assay.session', text), JSON.stringify(session));
  return context.newPage();
}

test('a saved view keeps widths, order and grouping, in every window, for users that it is shared with, as cards on a phone', async ({
  page,
  context,
  signIn,
  browser,
  baseURL,
}) => {
  const widthOf = async (of: Page, name: string) => Math.round((await head(of, name).boundingBox())!.width);
  const expectKept = async (of: Page, width: number) => {
    await expect(of.getByRole('columnheader')).toHaveText([
      ...['', 'Start Date', 'Name', 'End Date', 'Assigned To', 'Status', 'Created By', 'Actions'],
    ]);
    await expect.poll(() => widthOf(of, 'Name')).toBe(width);
    expect(address(of).get('group')).toBe('status_id');
  };
  await signIn('owner');
  await page.goto('/tasks?view=list');
  await expect(page.getByRole('grid')).toBeVisible();

  // Dragged; without a pointer by a key and by the menu of the column.
  const width = await widthOf(page, 'Name');
  const edge = (await head(page, 'Name').locator('.MuiDataGrid-columnSeparator').boundingBox())!;
  const at = { x: edge.x + edge.width / 2, y: edge.y + edge.height / 2 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 60, at.y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => widthOf(page, 'Name')).toBe(width + 60);
  await head(page, 'Name').focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(() => widthOf(page, 'Name')).toBe(width + 20);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('menuitem', { name: 'Wider' }).press('Enter');
  await expect.poll(() => widthOf(page, 'Name')).toBe(width + 60);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('button', { name: 'Move Name' }).press('Alt+ArrowDown');
  await page.getByRole('combobox', { name: 'Group by' }).click();
  await page.getByRole('option', { name: 'Status' }).click();
  await page.keyboard.press('Escape');
  await expectKept(page, width + 60);

  await page.getByRole('button', { name: 'Display', exact: true }).click();
  await page.getByRole('button', { name: 'Save as view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as new view' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('By status');
  await dialog.getByRole('radio', { name: 'A role' }).check();
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'QA' }).click();
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(tab(page, /^By status/)).toHaveAttribute('aria-selected', 'true');
  await page.reload();
  await expectKept(page, width + 60);
  await tab(page, /^All/).click();
  await expect(head(page, 'Start Date')).toHaveAttribute('aria-colindex', '3');
  await page.goBack();
  await expectKept(page, width + 60);

  // Whoever has the role sees it so, and may not change it; on a phone as cards, until the grid is chosen there.
  const link = `/tasks?view=${address(page).get('view')}`;
  const tester = await openAs(browser, baseURL!, 'qa');
  await tester.goto(link);
  await expectKept(tester, width + 60);
  await menuOf(tester, 'By status');
  await expect(tester.getByRole('menuitem')).toHaveText(['Save as new view…', 'Copy link']);
  await tester.keyboard.press('Escape');
  await tester.setViewportSize({ width: 390, height: 800 });
  const shown = (kind: string) => tester.locator(`[data-view=${kind}]`);
  await tester.goto(link);
  await expect(shown('cards')).toBeVisible();
  await tester.getByRole('button', { name: 'Display' }).click();
  await tester.getByRole('dialog', { name: 'Display' }).getByRole('button', { name: 'List' }).click();
  await expect(shown('list')).toBeVisible();
  await tester.reload();
  await expect(shown('list')).toBeVisible();
  await expect(tab(tester, /changed since/)).toHaveCount(0);
  await tester.context().close();

  // Nobody else sees anything of it, in their company or another.
  for (const who of ['manager', 'owner@harbour.test'] as const) {
    const other = await openAs(browser, baseURL!, who);
    await other.goto(link);
    await expect(other.getByText(gone)).toBeVisible();
    await expect(tab(other, /By status/)).toHaveCount(0);
    await other.context().close();
  }

  // Another window of the same person follows; what it may do with a view that was deleted meanwhile is said in words.
  const second = await context.newPage();
  await second.goto(link);
  await expectKept(second, width + 60);
  await menuOf(page, 'By status');
  await page.getByRole('menuitem', { name: 'Rename or share…' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('By state');
  await page.keyboard.press('Enter');
  await expect(tab(second, /^By state/)).toBeVisible();
  await head(page, 'End Date').click();
  await expect(tab(page, /changed since/)).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect.poll(() => address(second).get('sort')).toBe('end_date');
  for (const one of [page, second]) await expect(tab(one, /changed since/)).toHaveCount(0);
  await menuOf(second, 'By state');
  await second.getByRole('menuitem', { name: 'Rename or share…' }).click();
  await second.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Too late');
  await menuOf(page, 'By state');
  await page.getByRole('menuitem', { name: 'Delete view' }).click();
  await expect(page.getByText('View By state deleted')).toBeVisible();
  await second.keyboard.press('Enter');
  await expect(second.getByText('This view was deleted, or is no longer shared with you.')).toBeVisible();
  await second.keyboard.press('Escape');
  await expect(second.getByText(noLongerShared('By state'))).toBeVisible();
});

test('a list opens with the view that an administrator chose for the role, until the user chooses another; a withdrawn one is named', async ({
  page,
  signIn,
  api,
  browser,
  baseURL,
}) => {
  const settings = { filters: { start_date_from: '2000-01-01' }, sort: '-name' };
  const admin = await api('admin');
  const { body: shared } = await admin.send<{ id: number; updated_at: string }>('POST', '/views', {
    ...{ name: 'For testers', module: 'projects', audience: 'role', role_id: 5, settings },
  });
  // Seen by the administrator as the author, and made the one that testers begin with.
  await signIn('admin');
  await page.goto(`/projects?view=${shared.id}`);
  await menuOf(page, 'For testers');
  await page.getByRole('menuitemcheckbox', { name: 'Open this view first for the role' }).click();
  await expect(page.getByText('The list opens with For testers for the role')).toBeVisible();

  const tester = await openAs(browser, baseURL!, 'qa');
  await tester.goto('/projects');
  await expect(tab(tester, /^For testers/)).toHaveAttribute('aria-selected', 'true');
  await expect.poll(() => address(tester).get('sort')).toBe('-name');
  await expect(tester.getByRole('group', { name: 'Filters Applied' })).toBeVisible();
  // Tests of passwords and second factors are about the developer, whose sessions they end.
  const manager = await openAs(browser, baseURL!, 'manager');
  await manager.goto('/projects');
  await expect(manager.getByRole('grid')).toBeVisible();
  await expect(tab(manager, /For testers/)).toHaveCount(0);
  expect(address(manager).has('sort')).toBe(false);

  // One's own choice goes before that of the role, also after a reload.
  const { body: own } = await (
    await api('qa')
  ).send<{ id: number }>('POST', '/views', { name: 'My own', module: 'projects', settings: { sort: 'name' } });
  await tester.goto(`/projects?view=${own.id}`);
  await menuOf(tester, 'My own');
  await tester.getByRole('menuitemcheckbox', { name: 'Open this view first' }).click();
  await expect(tester.getByText('The list opens with My own')).toBeVisible();
  await tester.goto('/projects');
  await expect(tab(tester, /^My own/)).toHaveAttribute('aria-selected', 'true');

  // Taken back while it is open in another window, its tab goes; the list stays as it is, and says why.
  await tab(tester, /^For testers/).click();
  await expect.poll(() => address(tester).get('start_date_from')).toBe('2000-01-01');
  const { body: present } = await admin.send<{ updated_at: string }>('GET', `/views/${shared.id}`);
  const { updated_at } = present;
  await admin.send('PUT', `/views/${shared.id}`, { audience: 'me', updated_at });
  const note = tester.getByText(noLongerShared('For testers'));
  await expect(note).toBeVisible();
  await expect(tab(tester, /For testers/)).toHaveCount(0);
  await expect(tester.getByRole('grid')).toBeVisible();
  await expectAccessible(tester);
  await tester.getByRole('button', { name: 'Close' }).click();
  await expect(note).toBeHidden();
  expect(address(tester).get('start_date_from')).toBe('2000-01-01');
  await expect(tester.getByRole('group', { name: 'Filters Applied' })).toBeVisible();
  await manager.context().close();
  await tester.context().close();
});
