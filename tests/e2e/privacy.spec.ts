import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { test } from './support/own-program';
import { expect, expectAccessible, expectToast, title } from './support/test';

/** Presses Tab until the locator has the focus. */
async function tabTo(page: Page, name: string | RegExp, role: 'button' | 'link' = 'button'): Promise<void> {
  const wanted = page.getByRole(role, { name }).first();
  await expect(wanted).toBeVisible();
  for (let times = 0; times < 80; times++) {
    if (await wanted.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The focus does not come to ${String(name)}.`);
}

test('a failed job is retried and cancelled by keyboard, and the focus stays in the list', async ({ page, signIn }) => {
  await page.route('**/api/jobs?**', async (route) => {
    const job = {
      id: 7,
      kind: 'import',
      label: 'Import',
      title: 'people.xlsx',
      user: { id: 2, name: 'Olivia Owner' },
      site_id: 1,
      state: 'failed',
      done: 400,
      total: 1000,
      result: null,
      message: 'The server stopped.',
      attempts: 3,
      can_cancel: true,
      can_retry: true,
      next_at: '2026-01-01T00:00:00.000Z',
      created_at: '2026-01-01T00:00:00.000Z',
      started_at: null,
      finished_at: null,
    };
    await route.fulfill({ json: { data: [job] }, headers: { 'Content-Range': 'jobs 0-0/1' } });
  });
  const calls: string[] = [];
  await page.route('**/api/jobs/7**', async (route) => {
    calls.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
    await route.fulfill({ json: { data: {} } });
  });
  await signIn('owner');
  await page.goto('/settings');
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

test('mails in the outbox are discarded by keyboard, and the focus stays in the list', async ({ page, signIn }) => {
  let mails = [1, 2, 3].map((id) => ({
    id,
    occasion: 'account_setup',
    label: 'Account setup',
    name: `Person ${id}`,
    address: 'p…@demo.test',
    state: 'failed',
    attempts: 3,
    reason: 'The server refused the recipient.',
    created_at: '2026-01-01T00:00:00.000Z',
    next_at: null,
  }));
  await page.route('**/api/outbox?**', (route) =>
    route.fulfill({
      json: { data: mails },
      headers: { 'Content-Range': `outbox 0-${mails.length - 1}/${mails.length}` },
    }),
  );
  await page.route('**/api/outbox/*', async (route) => {
    const id = Number(route.request().url().split('/').pop());
    mails = mails.filter((mail) => mail.id !== id);
    await route.fulfill({ json: { status: true } });
  });
  await signIn('owner');
  await page.goto('/settings');
  await tabTo(page, 'Outbox', 'link');
  await page.keyboard.press('Enter');
  await expect(title(page)).toContainText('Outbox');
  await expectAccessible(page);
  await page.setViewportSize({ width: 1200, height: 900 });
  await expect(page.getByRole('button', { name: /^Discard/ }).first()).toBeInViewport({ ratio: 1 });
  const discard = async (person: number) => {
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alertdialog')).toContainText(`Discard Account setup to Person ${person}?`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await expect(page.getByText(`Person ${person}`)).toBeHidden();
  };
  const button = (person: number) => page.getByRole('button', { name: `Discard: Account setup to Person ${person}` });
  await tabTo(page, 'Discard: Account setup to Person 2');
  await discard(2);
  await expect(button(3)).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Retry now: Account setup to Person 3' })).toBeFocused();
  await page.keyboard.press('Tab');
  await discard(3);
  // After the last one is removed, the one before it gets the focus.
  await expect(button(1)).toBeFocused();
  await page.setViewportSize({ width: 390, height: 844 });
  await tabTo(page, 'Discard: Account setup to Person 1');
  await discard(1);
  const list = page.getByRole('region', { name: 'Outbox' });
  await expect(list).toBeFocused();
  await expect(list).toContainText('All emails were sent.');
});

test('the security log is filtered, and an entry is opened and closed by keyboard', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/settings');
  await tabTo(page, 'Security Log', 'link');
  await page.keyboard.press('Enter');
  await expect(title(page)).toContainText('Security Log');
  const grid = page.getByRole('grid');
  await expect(grid.getByText('Signed in').first()).toBeVisible();
  await expectAccessible(page);

  await tabTo(page, 'Filters');
  await page.keyboard.press('Enter');
  const filters = page.getByRole('dialog', { name: 'Filters' });
  await filters.getByRole('combobox', { name: 'Event' }).focus();
  await page.keyboard.type('Signed in');
  await expect(page.getByRole('option', { name: 'Signed in' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Apply');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Filters Applied' })).toContainText('Event: Signed in');
  await expect(page.getByRole('button', { name: /^Filters/ })).toBeFocused();

  // The title of a sign-in is how it was done.
  const row = grid.getByRole('row').filter({ hasText: 'Signed in' }).first();
  const how = await row.getByRole('link', { name: /^By / }).textContent();
  const id = await row.getAttribute('data-id');
  expect(id).toMatch(/^\d+$/);
  await row.getByRole('gridcell', { name: 'Signed in' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText(`Security Event ${how}`);
  await expectAccessible(page);
  await page.goBack();
  await expect(page.getByRole('group', { name: 'Filters Applied' })).toContainText('Event: Signed in');
  const focused = page.getByRole('row').filter({ has: page.locator(':focus') });
  await expect(focused).toHaveAttribute('data-id', id!);

  await page.setViewportSize({ width: 768, height: 900 });
  for (const name of ['Display', 'More'])
    await expect(page.getByRole('button', { name }).first()).toBeInViewport({ ratio: 1 });
});

test('a deleted user is erased by keyboard after typing their name; users download their data', async ({
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
