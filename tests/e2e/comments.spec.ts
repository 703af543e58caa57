import { expect, expectAccessible, expectToast, openSession, test, type ApiCaller } from './support/test';

/** A requirement of its own, which the manager and QA see. */
async function newRequirement(caller: ApiCaller): Promise<{ id: number; name: string }> {
  const { body } = await caller.send<{ id: number }[]>('GET', '/projects?q=Shipment');
  const values = { name: 'Talked about', project_id: body[0]!.id };
  const made = await caller.send<{ data: { id: number; name: string } }>('POST', '/requirements', values);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data;
}

test('keys typed while the editor of comments is loading are its text, and no shortcut', async ({
  page,
  signIn,
  api,
}) => {
  const requirement = await newRequirement(await api('manager'));
  await signIn('manager');
  let send = () => {};
  const arrival = new Promise<void>((resolve) => (send = resolve));
  await page.route(/\/static\/CommentEditor-[^/]*\.js$/, async (route) => {
    await arrival;
    await route.continue();
  });
  await page.goto(`/requirements/${requirement.id}`);
  await page.getByRole('button', { name: 'Write a comment…' }).click();
  // Each of these letters is the key of a command of the page, or goes to a place.
  await page.keyboard.type('edge');
  await page.keyboard.press('Enter');
  await page.keyboard.type('g e');
  send();
  const box = page.getByRole('textbox', { name: 'New comment' });
  await expect(box).toHaveText(/^edge\s*g e$/);
  await expect(box).toBeFocused();
  await page.keyboard.type('!');
  await expect(box).toHaveText(/g e!$/);
  await expect(page).toHaveURL(`/requirements/${requirement.id}`);
});

test('a comment with a mention is written by keyboard; the mentioned user sees it live, and is notified', async ({
  page,
  browser,
  baseURL,
  signIn,
  api,
}) => {
  const requirement = await newRequirement(await api('manager'));
  const owner = await api('owner');
  const { body: me } = await owner.send<{ data: { user: { id: number; name: string } } }>('GET', '/me');
  const { name } = me.data.user;
  const session = JSON.stringify(await openSession(baseURL!, 'owner'));
  const theirs = await browser.newPage({ baseURL, viewport: { width: 390, height: 844 } });
  await theirs.addInitScript((stored) => localStorage.setItem('assay.session', stored), session);
  await theirs.goto(`/requirements/${requirement.id}`);
  await expect(theirs.getByText('Nobody has commented yet.')).toBeVisible();

  await signIn('manager');
  await page.goto(`/requirements/${requirement.id}`);
  const colleague = page.getByRole('img', { name: `${name} is at this requirement` });
  await expect(colleague).toBeVisible();
  await page.getByRole('button', { name: 'Write a comment…' }).press('Enter');
  const box = page.getByRole('textbox', { name: 'New comment' });
  await expect(box).toBeFocused();
  await page.keyboard.type('Is this right,');
  // What is not sent yet survives a reload.
  await page.reload();
  await expect(box).toHaveText('Is this right,');
  await box.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(` @${name.slice(0, 3)}`);
  const people = page.getByRole('listbox', { name: 'People to mention' });
  await expect(people.getByRole('option', { name, selected: true })).toBeVisible();
  await expect(people.getByRole('option')).toHaveCount(1);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.keyboard.type('or too short?');
  await page.keyboard.press('Control+Enter');
  const words = `Is this right, @${name} or too short?`;
  const comments = page.getByRole('list', { name: 'Comments, newest first' });
  await expect(comments.getByRole('listitem')).toContainText([words]);
  await expect(box).toHaveText('');

  await expect(theirs.getByRole('list', { name: 'Comments, newest first' })).toContainText(words);
  expect(await theirs.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await theirs.goto('/notifications');
  const line = theirs.getByRole('list', { name: 'Notifications' }).getByRole('link', { name: /Talked about/ });
  await expect(line.first()).toBeVisible();
  await theirs.close();
  await expect(colleague).toHaveCount(0);

  // Taken back by keyboard: deleted, and there again.
  await comments.getByRole('button', { name: 'Delete comment' }).press('Enter');
  await expectToast(page, 'Comment deleted');
  await expect(page.getByText('Nobody has commented yet.')).toBeVisible();
  await page.getByText('Undo', { exact: true }).press('Enter');
  await expect(comments).toContainText(words);
  await expectAccessible(page);
});
