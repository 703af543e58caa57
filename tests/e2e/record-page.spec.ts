import { expect, expectAccessible, test, type ApiCaller } from './support/test';

/** Two requirements of its own; the newer one is first in the list. */
async function newRequirements(caller: ApiCaller, word: string): Promise<[older: number, newer: number]> {
  const { body } = await caller.send<{ id: number }[]>('GET', '/projects?q=Shipment');
  const ids: number[] = [];
  for (const name of [`${word} older`, `${word} newer`]) {
    const values = { name, project_id: body[0]!.id, priority_id: 2, description: '<p>Read me</p>' };
    const made = await caller.send<{ data: { id: number } }>('POST', '/requirements', values);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    ids.push(made.body.data.id);
  }
  return [ids[0]!, ids[1]!];
}

test('a record is read, changed in place, commented on and left by keyboard alone', async ({ page, signIn, api }) => {
  const caller = await api('manager');
  const word = 'Readable';
  const ids = await newRequirements(caller, word);
  await signIn('manager');
  await page.goto(`/requirements?q=${word}&sort=-id`);
  const titleCell = (name: string) =>
    page
      .getByRole('row')
      .filter({ hasText: `${word} ${name}` })
      .locator('[role=gridcell][data-field=name]');
  await titleCell('newer').focus();
  await page.keyboard.press('Enter');

  // It is read, not a form.
  await expect(page).toHaveURL(`/requirements/${ids[1]}/view`);
  const title = (name: string) => page.getByRole('heading', { level: 2, name: `${word} ${name}` });
  await expect(title('newer')).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(`^${word} newer`));
  await expect(page.getByText('Read me')).toBeVisible();
  await expect(page.getByText('1 of 2')).toBeVisible();
  await expectAccessible(page);

  // The history is a link: it opens in a new tab too.
  await page.getByRole('button', { name: /^More actions for/ }).click();
  const history = page.getByRole('menuitem', { name: 'History' });
  await expect(history).toHaveAttribute('href', `/requirements/${ids[1]}/history`);
  const newTab = page.context().waitForEvent('page');
  await history.click({ modifiers: ['ControlOrMeta'] });
  const otherPage = await newTab;
  await expect(otherPage).toHaveURL(`/requirements/${ids[1]}/history`);
  await otherPage.close();
  await expect(page).toHaveURL(`/requirements/${ids[1]}/view`);
  await expect(page.getByRole('menu')).toHaveCount(0);

  // In the order of the list, and back to the row of the record that was read last.
  await page.keyboard.press('j');
  await expect(title('older')).toBeVisible();
  await expect(page.getByText('2 of 2')).toBeVisible();

  // A property, and its undo.
  const rail = page.getByRole('complementary', { name: 'Properties' });
  await rail.getByRole('button', { name: 'Edit Priority' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Priority' }).fill('Low');
  await expect(page.getByRole('option', { name: 'Low' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Priority of .* older set to Low$/).first()).toBeVisible();
  await expect(rail.getByText('Low')).toBeVisible();
  const activity = page.getByRole('list', { name: 'Activity, newest first' });
  await expect(activity.getByRole('listitem').first()).toContainText('changed Priority from High to Low');
  await page.keyboard.press('Control+z');
  await expect(rail.getByText('High')).toBeVisible();

  // A comment in the same stream.
  await page.keyboard.press('c');
  await expect(page.getByRole('textbox', { name: 'New comment' })).toBeFocused();
  await page.keyboard.type('Seen by keyboard');
  await page.keyboard.press('Control+Enter');
  await expect(activity.getByRole('listitem').first()).toContainText('Seen by keyboard');

  // To the form and back.
  await page.getByRole('link', { name: 'Back to Requirements' }).focus();
  await page.keyboard.press('e');
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(`${word} older`);
  await page.getByRole('button', { name: 'Cancel' }).focus();
  await page.keyboard.press('Enter');
  await expect(title('older')).toBeVisible();

  await page.getByRole('link', { name: 'Back to Requirements' }).focus();
  await page.keyboard.press('Enter');
  await expect(titleCell('older')).toBeFocused();
  for (const id of ids) await caller.send('DELETE', `/requirements/${id}`);
});
