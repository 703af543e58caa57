import { choose, row } from './support/steps';
import { expect, expectToast, test, type ApiCaller } from './support/test';

interface Stored {
  id: number;
  name: string;
  project_id: number;
}
type Answer = { data: Record<string, unknown>[] };

/** Creates a record as another role, like the newest one that a role sees. */
async function madeBy(
  caller: ApiCaller,
  seenBy: ApiCaller,
  kind: 'tasks' | 'test-cases',
  name: string,
): Promise<Stored> {
  const all = (await seenBy.send<Answer>('GET', `/${kind}?range=[0,49]`)).body.data;
  const like = all.find((one) => one.assigned_to)!;
  const kept = ['project_id', 'project_module_id', 'priority_id'].filter((field) => field in like);
  const values = Object.fromEntries(kept.map((field) => [field, like[field]]));
  const whole = caller === seenBy ? {} : { assigned_to: like.assigned_to, status_id: 1 };
  const made = await caller.send<{ data: Stored }>('POST', `/${kind}`, {
    ...values,
    ...whole,
    name,
    description: '<p>Once</p>',
  });
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  return made.body.data;
}

test('a developer comments on every test case, but changes and deletes only their own', async ({
  page,
  signIn,
  api,
}) => {
  const [owner, self] = [await api('owner'), await api('developer')];
  const theirs = await madeBy(owner, self, 'test-cases', 'Of the owner for the developer');
  const mine = await madeBy(self, self, 'test-cases', 'Of the developer alone');
  await signIn('developer');
  await page.goto(`/test-cases/${theirs.id}`);
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveAttribute('readonly');
  await expect(page.getByRole('combobox', { name: 'Status' })).toBeEnabled();
  await choose(page, 'Status', 'Ready for QA');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expectToast(page, 'Updated Successfully');

  await page.goto(`/test-cases/${mine.id}`);
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeEditable();
  await page.goto('/test-cases?q=developer');
  const menuOf = async (name: string) => {
    await page.getByRole('button', { name: `More actions for ${name}` }).click();
    return page.getByRole('menuitem', { name: 'Delete' });
  };
  await expect(await menuOf(theirs.name)).toHaveCount(0);
  await page.getByRole('menuitem', { name: 'Comments' }).click();
  const dialog = page.getByRole('dialog');
  await choose(dialog, 'Status', 'Assign To Developer');
  await dialog.getByRole('textbox', { name: 'Comments' }).fill('Still wrong');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Saved Successfully');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(await menuOf(mine.name)).toBeVisible();
  await page.keyboard.press('Escape');

  const refused = await self.send<{ message: string }>('DELETE', `/test-cases/${theirs.id}`);
  expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('that you created')]);
  const [row1] = (await self.send<Answer>('GET', '/tasks?range=[0,0]')).body.data;
  await page.goto(`/tasks/${String(row1!.id)}`);
  await expect(page.getByRole('tab', { name: /^TimeLog/ })).toBeVisible();
});

test('an external user sees their own projects, no time logs, and never sets status or assignee', async ({
  page,
  signIn,
  api,
}) => {
  const [owner, self] = [await api('owner'), await api('external')];
  const theirs = await madeBy(owner, self, 'test-cases', 'Of the owner for the client');
  const mine = await madeBy(self, self, 'test-cases', 'Of the client alone');
  const task = (await self.send<Answer>('GET', '/tasks?range=[0,0]')).body.data[0]!;
  await signIn('external');
  await page.goto(`/tasks/${String(task.id)}`);
  await expect(page.getByRole('tab', { name: /^Test Cases/ })).toBeVisible();
  await expect(page.getByRole('tab', { name: /^TimeLog/ })).toHaveCount(0);
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Time', exact: true }),
  ).toHaveCount(0);
  await page.getByRole('button', { name: /^Comments/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Status', { exact: true })).toHaveCount(0);
  await dialog.getByRole('textbox', { name: 'Comments' }).fill('Thank you');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Saved Successfully');

  await page.goto(`/test-cases/${mine.id}`);
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeEditable();
  for (const label of ['Status', 'Assigned To'])
    await expect(page.getByRole('combobox', { name: label })).toHaveCount(0);
  await page.getByRole('button', { name: /^Comments/ }).click();
  for (const label of ['Status', 'Assigned To']) await expect(dialog.getByText(label, { exact: true })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.goto('/test-cases?q=Of the');
  await page.getByRole('button', { name: `More actions for ${theirs.name}` }).click();
  await expect(page.getByRole('menuitem', { name: 'Comments' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `More actions for ${mine.name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Deleted Successfully');
  await expect(row(page, mine.name)).toBeHidden();
  const change = { status_id: 5, comments: 'Closed by myself' };
  const refused = await self.send<{ message: string }>('PATCH', `/test-case/${theirs.id}`, change);
  expect(refused.status).toBe(403);
  expect(refused.body.message).toBe("You don't have permission to change Status of this test case here.");
});
