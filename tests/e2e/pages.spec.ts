import { expect, expectAccessible, expectToast, test, title } from './support/test';

interface StoredTile {
  id: string;
  title?: string;
}

test('a page is put together with the dialog, by dragging and with Undo, and is found by Ctrl+K', async ({
  page,
  signIn,
  api,
}) => {
  const caller = await api('developer');
  const name = `Board of the week ${Date.now()}`;
  const made = await caller.send<{ id: number }>('POST', '/pages', {
    name,
    audience: 'me',
    tiles: [
      { id: 'a', kind: 'number', module: 'tasks', title: 'Open work' },
      { id: 'b', kind: 'mentions', title: 'Named' },
    ],
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id } = made.body;
  const stored = async () => {
    const { body } = await caller.send<{ tiles: StoredTile[] }>('GET', `/pages/${id}`);
    return body.tiles.map(({ title }) => title);
  };
  const tiles = page.getByRole('list', { name: `Tiles of ${name}` }).getByRole('heading', { level: 2 });

  await signIn('developer');
  await page.goto(`/pages/${id}/open`);
  await expect(tiles).toHaveText([/^Open work/, 'Named']);
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('button', { name: 'Add tile' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add tile' });
  await dialog.getByLabel('What', { exact: true }).selectOption('chart');
  await expect(dialog.getByRole('button', { name: 'Add tile' })).toBeDisabled();
  await dialog.getByLabel('Of which module').selectOption('tasks');
  await dialog.getByLabel('Chart', { exact: true }).selectOption({ index: 1 });
  await dialog.getByLabel('Title').fill('Drawn');
  await dialog.getByRole('button', { name: 'Add tile' }).click();
  await expect(tiles).toHaveText([/^Open work/, 'Named', 'Drawn']);
  await expect.poll(stored).toEqual(['Open work', 'Named', 'Drawn']);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Move Drawn', exact: true }).dragTo(tiles.first());
  await expect(tiles).toHaveText(['Drawn', /^Open work/, 'Named']);
  await expect.poll(stored).toEqual(['Drawn', 'Open work', 'Named']);

  // Each Undo takes back its own change, whatever came after it.
  await page.getByRole('button', { name: 'Remove Named' }).click();
  await expect(tiles).toHaveText(['Drawn', /^Open work/]);
  await page.keyboard.press('Control+z');
  await expectToast(page, 'Taken back: Named removed');
  await expect.poll(stored).toEqual(['Drawn', 'Open work', 'Named']);
  await expect(tiles).toHaveText(['Drawn', /^Open work/, 'Named']);

  await page.goto('/dashboard');
  await expect(title(page)).toHaveText(/^Dashboard/);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(name);
  await page.getByRole('option', { name }).first().click();
  await expect(page).toHaveURL(new RegExp(`/pages/${id}/open$`));

  await page.getByRole('button', { name: 'Pages', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete page' }).click();
  await expect(page).not.toHaveURL(new RegExp(`/pages/${id}/`));
  expect((await caller.send('GET', `/pages/${id}`)).status).toBe(404);
});
