import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test } from './support/test';

// What a browser loads that has never been here.
test.use({ ownContext: true });

/** With "save data" enabled, no code is loaded before it is needed. */
const savingData = () => Object.defineProperty(navigator, 'connection', { value: { saveData: true } });

/** The size of all scripts that were loaded so far, in bytes after gzip. */
function countScripts(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js'))
      sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

test('the sign-in page needs at most 150 kB of JavaScript', async ({ page }) => {
  const travelled = countScripts(page);
  await page.goto('/auth/login');
  await expect(page.getByRole('button', { name: /admin@demo\.test/ })).toBeVisible();
  const size = await travelled();
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThanOrEqual(150_000);
});

test('the first list needs at most 417.9 kB of JavaScript, and the first form 119.6 kB more', async ({
  page,
  signIn,
}) => {
  await page.addInitScript(savingData);
  await signIn('owner');
  const travelled = countScripts(page);
  await page.goto('/clients');
  await expect(page.getByRole('grid').getByRole('link', { name: 'Northwind Freight' })).toBeVisible();
  const size = await travelled();
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThanOrEqual(417_900);

  // A form in addition: its libraries contain no unused code.
  await page.getByRole('link', { name: 'Northwind Freight' }).first().click();
  await expect(page.getByRole('textbox', { name: 'Post Code' })).toBeVisible();
  const form = (await travelled()) - size;
  expect(form).toBeGreaterThan(1000);
  expect(form).toBeLessThanOrEqual(119_600);
});

test('before the first row of the largest list at most 28 requests are sent, and 450 kB of JavaScript travel', async ({
  page,
  signIn,
}) => {
  await signIn('owner');
  await page.addInitScript(() => {
    // On a slow machine the rows take longer than the list waits for them.
    const { setTimeout: wait } = window;
    window.setTimeout = ((run: TimerHandler, delay?: number) =>
      wait(run, delay === 4_000 ? 60_000 : delay)) as typeof setTimeout;
    const look = () =>
      document.querySelector('.MuiDataGrid-row') ? performance.mark('first-row') : requestAnimationFrame(look);
    look();
  });
  const bodies = new Map<string, Promise<Buffer>>();
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) bodies.set(response.url(), response.body());
  });
  await page.goto('/test-cases');
  // The parts around the rows follow by themselves.
  await expect(
    page.getByRole('button', { name: 'Views' }).or(page.getByRole('tab', { name: /^Ready to run/ })),
  ).toBeVisible();
  await expect(
    page
      .getByRole('complementary', { name: 'Project Modules' })
      .or(page.getByRole('button', { name: 'Show Project Modules' })),
  ).toBeVisible();
  const requested = await page.evaluate(() => {
    const [row] = performance.getEntriesByName('first-row');
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < row!.startTime)
      .map(({ name }) => name);
  });
  expect(requested.length).toBeGreaterThan(10);
  // The page itself is one, too.
  expect(requested.length + 1, requested.join('\n')).toBeLessThanOrEqual(28);
  // The code of the list comes beside that of the frame, also where its address was never opened before.
  const placeOf = (part: string) => requested.findIndex((name) => name.includes(part));
  expect(placeOf('/static/list-libraries-')).toBeGreaterThan(0);
  expect(placeOf('/static/list-libraries-')).toBeLessThan(placeOf('/api/definitions'));
  const scripts = await Promise.all(requested.flatMap((name) => bodies.get(name) ?? []));
  const size = scripts.reduce((sum, body) => sum + gzipSync(body).length, 0);
  expect(size).toBeGreaterThan(100_000);
  expect(size).toBeLessThanOrEqual(450_000);
});

test('when a page is idle the code of the next screens is loaded, and a form opens without loading more', async ({
  page,
  signIn,
}) => {
  await signIn('owner');
  const asked: string[] = [];
  page.on('requestfinished', (request) => asked.push(new URL(request.url()).pathname));
  const scripts = () => asked.filter((path) => path.endsWith('.js'));
  await page.goto('/clients');
  await expect.poll(() => scripts().some((path) => path.includes('/ResourceForm-'))).toBe(true);
  await expect.poll(() => scripts().some((path) => path.includes('/Dashboard-'))).toBe(true);
  const before = scripts().length;
  await page.getByRole('grid').getByRole('link', { name: 'Northwind Freight' }).click();
  await expect(page.getByRole('textbox', { name: 'Post Code' })).toBeVisible();
  // A part that the dashboard shares with forms may still be on its way: it is named after all that need it.
  expect(
    scripts()
      .slice(before)
      .filter((path) => /\/(form|ResourceForm)[^/]*$/.test(path)),
  ).toEqual([]);
});

test('opening an address again requests its scripts and rows at once, and each only once', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/clients?q=north');
  const link = page.getByRole('grid').getByRole('link', { name: 'Northwind Freight' });
  await expect(link).toBeVisible();
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('assay.ahead.')));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(decodeURIComponent(new URL(request.url()).pathname)));
  await page.reload();
  await expect(link).toBeVisible();
  for (const path of ['/api/me', '/api/definitions', '/api/events', '/api/clients']) {
    expect(
      asked.filter((one) => one === path),
      path,
    ).toEqual([path]);
  }
  const scripts = await page
    .locator('link[rel="modulepreload"]')
    .evaluateAll((links) => links.map((one) => new URL((one as HTMLLinkElement).href).pathname));
  expect(scripts.some((path) => path.includes('list-libraries'))).toBe(true);
  expect(asked.filter((path) => path.endsWith('.js')).length).toBe(
    new Set(asked.filter((path) => path.endsWith('.js'))).size,
  );
});
