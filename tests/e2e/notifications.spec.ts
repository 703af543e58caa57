import { choose, fill, save } from './support/steps';
import { expect, expectAccessible, expectToast, openSession, test, title } from './support/test';

test('an announcement is written, arrives live, and is read', async ({ page, signIn, api, browser, baseURL }) => {
  const qa = await api('qa');
  const heading = `Frozen from ${Date.now()}`;
  await signIn('owner');
  await page.goto('/notifications');
  await expect(page.getByRole('list', { name: 'Notifications' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Announcement' }).click();
  await expect(title(page)).toContainText('New announcement');
  await fill(page, 'Title', heading);
  await fill(page, 'Content', 'Nothing is released from Friday on.');
  await choose(page, 'Roles', 'QA');

  const reader = await browser.newPage({ baseURL });
  const text = JSON.stringify(await openSession(baseURL!, 'qa'));
  await reader.addInitScript((stored) => localStorage.setItem('assay.session', stored), text);
  await reader.goto('/notifications');
  await expect(reader.getByRole('list', { name: 'Notifications' })).toBeVisible();

  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expectToast(page, 'Announcement sent');
  const line = reader.getByRole('link', { name: new RegExp(heading) });
  await expect(line).toBeVisible();
  await line.click();
  await expect(reader.getByRole('heading', { level: 2, name: heading })).toBeVisible();
  await expect(reader.getByText('Nothing is released from Friday on.').last()).toBeVisible();
  await expect
    .poll(
      async () =>
        (await qa.send<{ data: { isRead: boolean }[] }>('GET', `/notifications?q=${heading}`)).body.data[0]?.isRead,
    )
    .toBe(true);
  await reader.getByRole('button', { name: 'Mark as unread' }).click();
  await expect(line).toHaveAttribute('data-unread', 'true');
  await reader.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(reader.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await reader.close();
});

test('a query is raised, answered by the administrator, and its answer read', async ({ page, signIn, api }) => {
  const words = `The board forgets its filter ${Date.now()}`;
  await signIn('manager');
  await page.goto('/support-tickets/create');
  await expect(title(page)).toContainText('Raise Query');
  await choose(page, 'Type', 'Issue');
  await choose(page, 'Priority', 'High');
  await fill(page, 'Description', words);
  await save(page);
  await expectToast(page, 'Support Ticket raised Successfully');
  await expect(page).toHaveURL(/\/support-tickets\/create$/);
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('');

  const admin = await api('admin');
  const { body } = await admin.send<{ id: number; description: string }[]>('GET', '/support-tickets');
  const ticket = body.find(({ description }) => description === words)!;
  await admin.send('PUT', `/support-tickets/${ticket.id}`, { status: 'answered', answer: 'It is fixed.' });
  await page.goto('/notifications');
  await page
    .getByRole('link', { name: /Your support ticket was answered/ })
    .first()
    .click();
  await page.getByRole('link', { name: 'Open Support Ticket' }).click();
  await expect(page).toHaveURL(new RegExp(`/support-tickets/${ticket.id}$`));
  // The notification shows the answer too, until the ticket is opened.
  await expect(title(page)).toContainText('Support Ticket');
  await expect(page.getByText('It is fixed.')).toBeVisible();
});

test('the first notification is shown beside the list, J and K go on, and E is done with one until it is taken back', async ({
  page,
  signIn,
  api,
}) => {
  const developer = await api('developer');
  const owner = await api('owner');
  // Messages of its own: other tests send and read those of the developer at the same time.
  const words = `Kept apart ${Date.now()}`;
  const { body: me } = await developer.send<{ data: { user: { id: number } } }>('GET', '/me');
  for (const position of ['second', 'first']) {
    const announcement = { title: `${words} ${position}`, content: 'For one reader.', user_ids: [me.data.user.id] };
    const { status } = await owner.send('POST', '/notifications', announcement);
    expect(status).toBe(201);
  }
  const list = `/notifications?q=${encodeURIComponent(words)}`;
  const unreadIds = async () => {
    const { body } = await developer.send<{ data: { id: number }[] }>('GET', `${list}&isRead=false`);
    return body.data.map(({ id }) => id);
  };
  const { body } = await developer.send<{ data: { id: number; title: string }[] }>('GET', list);
  const [first, second] = body.data as [{ id: number; title: string }, { id: number; title: string }];
  expect([first.title, second.title]).toEqual([`${words} first`, `${words} second`]);
  await signIn('developer');
  await page.goto(list);
  const shownTitle = page.getByRole('article').getByRole('heading', { level: 2 });
  await expect(shownTitle).toHaveText(first.title);
  await expect(page).toHaveURL(/\/notifications\?q=/);
  expect(await unreadIds()).toContain(first.id);

  await page.keyboard.press('e');
  await expect(page).toHaveURL(new RegExp(`/notifications/${second.id}\\?q=`));
  await expectToast(page, `${first.title}: done`);
  expect(await unreadIds()).not.toContain(first.id);
  await page.keyboard.press('Control+z');
  await expect.poll(unreadIds).toContain(first.id);
  await expect(shownTitle).toHaveText(second.title);
  await page.keyboard.press('k');
  await expect(shownTitle).toHaveText(first.title);
  await page.keyboard.press('j');
  await expect(shownTitle).toHaveText(second.title);

  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto(list);
  await expect(page.getByRole('list', { name: 'Notifications' })).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(0);
});
