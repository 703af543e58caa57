import { expectFits } from './support/fits';
import { answerQuestion, fill, row, save } from './support/steps';
import { expect, expectAccessible, expectToast, openSession, test, title } from './support/test';

interface Made {
  data: { id: number };
}

test('leaving with unsaved changes asks for confirmation', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/clients');
  await page.getByRole('link', { name: 'Add Client' }).click();
  await fill(page, 'Name', 'Half a client');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.getByRole('link', { name: 'Milestones', exact: true }).click();
  await expect(page.getByRole('alertdialog', { name: 'Unsaved changes' })).toBeVisible();
  await expectAccessible(page);
  await answerQuestion(page, 'Stay');
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Half a client');
  await page.getByRole('link', { name: 'Milestones', exact: true }).click();
  await answerQuestion(page, 'Leave');
  await expect(title(page)).toContainText('Milestones');

  // Cancel asks as well, and leads to the list.
  await page.goto('/clients/create');
  await fill(page, 'Name', 'Half a client');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await answerQuestion(page, 'Leave');
  await expect(page).toHaveURL(/\/clients(\?|$)/);
});

test('a priority needs no page: its form is a dialog over the list, at its own address', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  await signIn('owner');
  await page.goto('/priorities');
  await expect(row(page, 'Urgent')).toBeVisible();
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/\/priorities\/create$/);
  // Nothing of the list beneath is called as the form, its fields or its buttons are.
  await expect(page.getByText('Add New Priority')).toBeVisible();
  await page.getByLabel('Option Name').fill('Before lunch');
  await page.keyboard.press('Control+Enter');
  await expectToast(page, 'Added Successfully');
  await expect(page).toHaveURL(/\/priorities$/);

  const link = row(page, 'Before lunch').getByRole('link', { name: 'Before lunch' });
  await link.click();
  await expect(title(page)).toHaveText('Edit Priority');
  await expect(page).toHaveTitle(/^Before lunch · Edit Priority/);
  await expect(page).toHaveURL(/\/priorities\/\d+$/);
  const id = Number(/\d+$/.exec(page.url()));
  await page.getByLabel('Option Name').fill('After lunch');
  await page.evaluate(() => history.back());
  await answerQuestion(page, 'Stay');
  await expect(page.getByLabel('Option Name')).toHaveValue('After lunch');
  await page.evaluate(() => history.back());
  await answerQuestion(page, 'Leave');
  await expect(page).toHaveURL(/\/priorities$/);
  await expect(link).toBeFocused();

  await page.evaluate(() => history.forward());
  await expect(title(page)).toHaveText('Edit Priority');
  await page.reload();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByLabel('Option Name')).toHaveValue('Before lunch');
  await expect(page.getByText('Urgent', { exact: true })).toBeAttached();
  await expectAccessible(page);
  await expectFits(page, [{ width: 390, height: 844 }]);
  await page.getByLabel('Option Name').fill('At noon');
  await save(page);
  await expectToast(page, 'Updated Successfully');
  await expect(page).toHaveURL(/\/priorities$/);
  await expect(page.getByRole('heading', { name: 'At noon' })).toBeVisible();
  expect((await owner.send('DELETE', `/priorities/${id}`)).status).toBe(200);
});

test('a record that somebody else saved in the meantime is not overwritten', async ({ page, signIn, api }) => {
  const owner = await api('owner');
  const made = await owner.send<Made>('POST', '/project-types', { option_name: 'Stale' });
  const id = made.body.data.id;
  await signIn('owner');
  await page.goto(`/project-types/${id}`);
  await fill(page, 'Option Name', 'Mine');
  await owner.send('PUT', `/project-types/${id}`, { option_name: 'Theirs' });
  await save(page);
  const question = page.getByRole('alertdialog', { name: 'Changed in the meantime' });
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Load theirs' }).click();
  await expect(page.getByRole('textbox', { name: 'Option Name' })).toHaveValue('Theirs');
  await expect(page.getByRole('region', { name: 'What you typed' })).toContainText('Mine');

  await fill(page, 'Option Name', 'Mine again');
  await owner.send('PUT', `/project-types/${id}`, { option_name: 'Theirs again' });
  await save(page);
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByRole('textbox', { name: 'Option Name' })).toHaveValue('Mine again');
  await save(page);
  await expectToast(page, 'Updated Successfully');
  const read = await owner.send<{ data: { option_name: string } }>('GET', `/project-types/${id}`);
  expect(read.body.data.option_name).toBe('Mine again');
});

test('a session that was ended elsewhere redirects to the sign-in page with a message', async ({ page, baseURL }) => {
  const session = await openSession(baseURL!, 'owner');
  await page.goto('/auth/login');
  await page.evaluate((text) => localStorage.setItem('assay.session', text), JSON.stringify(session));
  await page.goto('/clients');
  await expect(title(page)).toContainText('Clients | Total Records:');
  await fetch(`${baseURL}/api/logout`, { method: 'POST', headers: { authorization: `Bearer ${session.token}` } });
  // Without a click: an event announces the end of the session.
  await expect(page).toHaveURL(/\/auth\/login$/);
  await expectToast(page, 'Unauthenticated.');
  expect(await page.evaluate(() => localStorage.getItem('assay.session'))).toBeNull();
});

test('at 1,024 px the note of a date is read in full, and a value that is cut has a tooltip', async ({
  page,
  signIn,
}) => {
  await signIn('manager');
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto('/tasks/1');
  const note = page.getByText('after the start date');
  await expect(note).toBeVisible();
  expect(await note.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);

  await page.goto('/test-cases/1/edit');
  const name = page.getByRole('textbox', { name: 'Public link' });
  await expect(name).toHaveValue(/^http/);
  await name.hover();
  await expect(name).toHaveAttribute('title', await name.inputValue());
  // A value that is read in full has none.
  const module = page.getByRole('combobox', { name: 'Module', exact: true });
  await module.hover();
  await expect(module).not.toHaveAttribute('title');
  await expectFits(page);
});
