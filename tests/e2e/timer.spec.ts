import { expect, test } from './support/test';

test('a timer that a task starts runs in every window, and its time is recorded once', async ({
  page,
  context,
  signIn,
  api,
}) => {
  const caller = await api('owner');
  const like = await caller.send<{ data: Record<string, unknown>[] }>('GET', '/tasks?range=[0,0]');
  const { project_id, project_module_id, assigned_to } = like.body.data[0]!;
  const name = `Timed ${Date.now()}`;
  const made = await caller.send<{ data: { id: number } }>('POST', '/tasks', {
    ...{ name, project_id, project_module_id, assigned_to, status_id: 1, priority_id: 1 },
    ...{ description: 'Timer', start_date: '2031-03-04', end_date: '2031-03-05' },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id } = made.body.data;
  const timer = { name: new RegExp(`^Timer, .*${name}`) };

  await signIn('owner');
  await page.goto(`/tasks?view=list&q=${encodeURIComponent(name)}`);
  await page.getByRole('button', { name: /^More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Start Timer' }).click();
  await expect(page.getByRole('button', timer)).toBeVisible();
  const other = await context.newPage();
  await other.goto('/clients');
  await expect(other.getByRole('button', timer)).toBeVisible();

  await page.getByRole('button', timer).click();
  await page.getByRole('dialog', { name: 'Timer' }).getByRole('button', { name: 'Stop' }).click();
  const form = page.getByRole('dialog', { name: 'Add Timelog' });
  await expect(form.getByRole('textbox', { name: 'Start Time' })).toHaveValue(/^\d\d:\d\d$/);
  // Nothing ends before it is recorded.
  await expect(other.getByRole('button', timer)).toBeVisible();
  await form.getByRole('textbox', { name: 'Comments' }).fill('Looked into it');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', timer)).toHaveCount(0);
  await expect(other.getByRole('button', timer)).toHaveCount(0);

  const filter = encodeURIComponent(JSON.stringify({ task_id: id }));
  const logs = await caller.send<{ data: { id: number }[] }>('GET', `/time-logs?filter=${filter}`);
  expect(logs.body.data).toMatchObject([{ comments: 'Looked into it' }]);
  for (const log of logs.body.data) await caller.send('DELETE', `/time-logs/${log.id}`);
  expect((await caller.send('DELETE', `/tasks/${id}`)).status).toBe(200);
});
