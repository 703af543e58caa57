import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { Client } from 'pg';
import { accounts, expect, openSession, test, type ApiCaller } from './support/test';

// A person has one timer.
test.describe.configure({ mode: 'default' });

test('a timer that a task starts runs in every window, and its time is recorded once', async ({
  page,
  context,
  signIn,
  api,
}) => {
  const caller = await api('owner');
  const { id, name } = await createTask(caller);
  const timer = { name: new RegExp(`^Timer, .*${name}`) };

  await signIn('owner');
  await page.goto(`/tasks?view=list&q=${encodeURIComponent(name)}`);
  await page.getByRole('button', { name: /^More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Start timer' }).click();
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
  await expect(form).toHaveCount(0);
  await expect(page.getByRole('button', timer)).toHaveCount(0);
  await expect(other.getByRole('button', timer)).toHaveCount(0);

  expect(await takeLogs(caller, id)).toMatchObject([{ comments: 'Looked into it' }]);
});

test('time past midnight is recorded as two days, in the zone of the person, and every window follows', async ({
  browser,
  baseURL,
  api,
}) => {
  const caller = await api('owner');
  const { id, name } = await createTask(caller);
  expect((await caller.send('POST', '/timer', { resource: 'time-logs', record: id })).status).toBeLessThan(300);
  const { timezoneId, today, yesterday, midnight } = zoneAtNight();
  await moveTimer('owner', new Date(midnight.getTime() - 10 * 60_000));

  const session = JSON.stringify(await openSession(baseURL!, 'owner'));
  const context = await browser.newContext({ baseURL, timezoneId, viewport: { width: 1440, height: 900 } });
  await context.addInitScript((text) => localStorage.setItem('assay.session', text), session);
  const [page, other] = [await context.newPage(), await context.newPage()];
  for (const window of [page, other]) await window.goto('/projects');
  const running = (window: Page) => window.getByRole('button', { name: new RegExp(`^Timer, .*${name}`) });
  await running(other).click();
  await expect(other.getByRole('dialog', { name: 'Timer' })).toContainText('since 23:50');
  await expect(other.getByRole('dialog', { name: 'Timer' })).toContainText('It ran past midnight.');

  await running(page).click();
  await page.getByRole('dialog', { name: 'Timer' }).getByRole('button', { name: 'Stop' }).click();
  const form = page.getByRole('dialog', { name: 'Add Timelog' });
  const time = (label: string) => form.getByRole('textbox', { name: label });
  await expect(time('Start Time')).toHaveValue('23:50');
  await expect(time('End Time')).toHaveValue('00:00');
  await time('Comments').fill('Before midnight');
  await form.getByRole('button', { name: 'Save' }).click();
  // What is left runs from midnight on, in both windows, until it is recorded too.
  await expect(time('Start Time')).toHaveValue('00:00');
  await expect(other.getByRole('dialog')).toHaveCount(0);
  await running(other).click();
  await expect(other.getByRole('dialog', { name: 'Timer' })).toContainText('since 00:00');
  await expect(time('End Time')).toHaveValue(/^0[12]:/);
  const end = await time('End Time').inputValue();
  await time('Comments').fill('After midnight');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toHaveCount(0);
  for (const window of [page, other]) await expect(running(window)).toHaveCount(0);

  const logs = await takeLogs(caller, id);
  // As the clock of the wall showed it.
  const clock = (value: unknown) => String(value).slice(11, 16);
  expect(logs.map((log) => [log.date, clock(log.start), clock(log.end), log.comments])).toEqual([
    [yesterday, '23:50', '00:00', 'Before midnight'],
    [today, '00:00', end, 'After midnight'],
  ]);
  await context.close();
});

/** A task of its own, as another is. */
async function createTask(caller: ApiCaller): Promise<{ id: number; name: string }> {
  const like = await caller.send<{ data: Record<string, unknown>[] }>('GET', '/tasks?range=[0,0]');
  const { project_id, project_module_id, assigned_to } = like.body.data[0]!;
  const name = `Timed ${randomUUID()}`;
  const made = await caller.send<{ data: { id: number } }>('POST', '/tasks', {
    ...{ name, project_id, project_module_id, assigned_to, status_id: 1, priority_id: 1 },
    ...{ description: 'Timer', start_date: '2031-03-04', end_date: '2031-03-05' },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { id: made.body.data.id, name };
}

/** What was recorded on a task, in its order; takes it away again. The task stays: another test may have chosen it. */
async function takeLogs(caller: ApiCaller, task: number): Promise<Record<string, unknown>[]> {
  const query = new URLSearchParams({ filter: JSON.stringify({ task_id: task }), sort: '["id","ASC"]' });
  const { body } = await caller.send<{ data: { id: number }[] }>('GET', `/time-logs?${query}`);
  for (const log of body.data) {
    const gone = await caller.send('DELETE', `/time-logs/${log.id}`);
    expect(gone.status, JSON.stringify(gone.body)).toBe(200);
  }
  return body.data;
}

/** A zone in which it is past one o'clock at night, whatever the time is here, with its days and its last midnight. */
function zoneAtNight() {
  const now = new Date();
  const offset = ((1 - now.getUTCHours() + 36) % 24) - 12;
  const local = new Date(now.getTime() + offset * 3_600_000);
  const day = (ago: number) => new Date(local.getTime() - ago * 86_400_000).toISOString().slice(0, 10);
  const midnight = new Date(Date.parse(`${day(0)}T00:00:00Z`) - offset * 3_600_000);
  // The signs of these zones are those of POSIX.
  const timezoneId = offset === 0 ? 'UTC' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
  return { timezoneId, today: day(0), yesterday: day(1), midnight };
}

/** Lets the timer of a person have begun earlier: the clock of the server is the real one. */
async function moveTimer(role: 'owner', start: Date): Promise<void> {
  const data = dirname(process.env.ASSAY_MAIL!);
  const port = Number(readFileSync(join(data, 'pg/postmaster.pid'), 'utf8').split('\n')[3]);
  const password = readFileSync(join(data, 'pg.password'), 'utf8').trim();
  const client = new Client({ host: '127.0.0.1', port, user: 'assay', password, database: 'assay' });
  await client.connect();
  const { rowCount } = await client.query(
    'update assay.timers set started_at = $1 where user_id = (select id from public.users where email = $2)',
    [start, accounts[role]],
  );
  await client.end();
  expect(rowCount).toBe(1);
}
