import type { Page, Request } from '@playwright/test';
import { test } from './support/own-program';
import { discardDrafts } from './support/drafts';
import { expect } from './support/test';

test.describe.configure({ mode: 'default' });

const frame = (page: Page) => page.frameLocator('iframe[title="Preview of the list and the form"]');
const list = (page: Page) => frame(page).getByRole('region', { name: 'List', exact: true });
const isRead = (request: Request) => request.url().endsWith('/api/modules/tasks/read');

test.beforeEach(async ({ signIn, api }) => {
  await discardDrafts(await api('admin'));
  await signIn('admin');
});

test('the preview reads its rows again when a change affects them, and not for a label', async ({ page }) => {
  const reads: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/modules/tasks/read'))
      reads.push((request.postDataJSON() as { path: string }).path);
  });
  let pending = 0;
  page.on('request', (request) => (pending += isRead(request) ? 1 : 0));
  page.on('requestfinished', (request) => (pending -= isRead(request) ? 1 : 0));
  page.on('requestfailed', (request) => (pending -= isRead(request) ? 1 : 0));
  const answers = () => expect.poll(() => pending).toBe(0);
  await page.goto('/studio/tasks?at=/fields/milestone');
  await expect(list(page).getByRole('row').nth(2)).toBeVisible({ timeout: 30_000 });
  await expect(frame(page).getByRole('textbox', { name: 'Milestone', exact: true })).toBeVisible();
  await answers();
  expect(reads.length).toBeGreaterThan(0);
  reads.length = 0;
  const properties = page.getByRole('region', { name: 'Properties' });
  const planned = page.waitForResponse((answer) => answer.url().endsWith('/api/modules/tasks/plan'));
  await properties.getByRole('textbox', { name: 'Label', exact: true }).fill('Release');
  await planned;
  await expect(frame(page).getByRole('textbox', { name: 'Release', exact: true })).toBeVisible();
  await answers();
  expect(reads).toEqual([]);

  // Text typed into the search of the list is looked for where the draft says.
  const search = list(page).getByRole('searchbox');
  const answered = page.waitForResponse(
    (answer) =>
      isRead(answer.request()) &&
      decodeURIComponent((answer.request().postDataJSON() as { path: string }).path).includes('zzz'),
  );
  await search.fill('zzz');
  expect(await (await answered).json()).toEqual([]);
  await expect(list(page).getByRole('row')).toHaveCount(0);
  await search.fill('');
  await expect(list(page).getByRole('row').nth(2)).toBeVisible();
  await answers();

  reads.length = 0;
  const reread = page.waitForRequest(isRead);
  await properties.getByRole('switch', { name: 'Filter', exact: true }).check();
  await reread;
  expect(reads.length).toBeGreaterThan(0);
});
