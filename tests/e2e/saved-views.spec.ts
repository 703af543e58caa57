import type { Page } from '@playwright/test';
import { test } from './support/own-program';
import { expect, expectAccessible, type Role } from './support/test';

// A separate program, and no views are left in it: a list opens with those that it has.
test.afterEach(async ({ api }) => {
  for (const role of ['owner', 'manager'] satisfies Role[]) {
    const person = await api(role);
    const { body } = await person.send<{ id: number }[]>('GET', '/views');
    for (const { id } of body) await person.send('DELETE', `/views/${id}`);
  }
});

const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name });
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
  await expect(page.getByText('This view was deleted, or is not shared with you.')).toBeVisible();
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
