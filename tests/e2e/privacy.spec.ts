import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { test } from './support/own-program';
import { expect, expectAccessible, expectToast, title } from './support/test';

/** Presses Tab until the focus is on what a locator finds. */
async function tabTo(page: Page, name: string | RegExp, role: 'button' | 'link' = 'button'): Promise<void> {
  const wanted = page.getByRole(role, { name }).first();
  await expect(wanted).toBeVisible();
  for (let times = 0; times < 80; times++) {
    if (await wanted.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The focus does not come to ${String(name)}.`);
}

test('jobs: a failed one is reached, tried again and cancelled by keyboard, and the focus stays', async ({
  page,
  signIn,
}) => {
  await page.route('**/api/jobs?**', async (route) => {
    const job = { id: 7, kind: 'import', label: 'Import', title: 'people.xlsx', user: { id: 2, name: 'Olivia Owner' }, site_id: 1, state: 'failed', done: 400, total: 1000, result: null, message: 'The server stopped.', attempts: 3, can_cancel: true, can_retry: true, next_at: '2026-01-01T00:00:00.000Z', created_at: '2026-01-01T00:00:00.000Z', started_at: null, finished_at: null }; // prettier-ignore
    await route.fulfill({ json: { data: [job] }, headers: { 'Content-Range': 'jobs 0-0/1' } });
  });
  const calls: string[] = [];
  await page.route('**/api/jobs/7**', async (route) => {
    calls.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
    await route.fulfill({ json: { data: {} } });
  });
  await signIn('owner');
  await page.goto('/dashboard');
  await tabTo(page, 'Jobs', 'link');
  await page.keyboard.press('Enter');
  await expect(title(page)).toContainText('Jobs');
  await expectAccessible(page);
  await tabTo(page, 'Retry: people.xlsx');
  await page.keyboard.press('Enter');
  await expect.poll(() => calls).toEqual(['POST /api/jobs/7/retry']);
  await expect(page.getByRole('button', { name: 'Retry: people.xlsx' })).toBeFocused();
  await tabTo(page, 'Cancel: people.xlsx');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toContainText('Cancel people.xlsx?');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Cancel: people.xlsx' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Back' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => calls).toEqual(['POST /api/jobs/7/retry', 'DELETE /api/jobs/7']);
  await expect(page.getByRole('button', { name: 'Cancel: people.xlsx' })).toBeFocused();
});

test('a deleted user is erased by keyboard, after their name was typed; own data is downloaded', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const person = { first_name: 'Zelda', last_name: 'Quixotic', email: 'zelda@quixotic.test', role_id: 5 };
  const { body } = await owner.send<{ data: { id: number } }>('POST', '/users', person);
  expect((await owner.send('DELETE', `/users/${body.data.id}`)).status).toBe(200);
  await signIn('owner');
  await page.goto('/deleted-users');
  await tabTo(page, 'Erase: Zelda Quixotic');
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Erase Zelda Quixotic for good?' });
  await expect(question).toContainText(`will be shown as Former user ${body.data.id}`);
  await expectAccessible(page);
  await page.keyboard.type('Zelda');
  await expect(question.getByRole('button', { name: 'Erase' })).toBeDisabled();
  await page.keyboard.type(' Quixotic');
  await page.keyboard.press('Enter');
  await expectToast(page, `Zelda Quixotic was erased. They are now shown as Former user ${body.data.id}.`);
  await expect(page.getByRole('button', { name: 'Erase: Zelda Quixotic' })).toBeHidden();

  await page.goto('/profile/security');
  await expect(page.getByText('Everything in one file')).toBeVisible();
  const download = page.waitForEvent('download');
  await tabTo(page, 'Download your data');
  await page.keyboard.press('Enter');
  const file = await download;
  expect(file.suggestedFilename()).toBe('my-data.json');
  const data = JSON.parse(await readFile(await file.path(), 'utf8')) as { profile: { email: string }[] };
  expect(data.profile[0]!.email).toBe('owner@demo.test');
});
