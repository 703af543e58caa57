import { expect, expectAccessible, test } from './support/test';

test('the documentation is searched and read in a dark theme without a sign-in', async ({ page }) => {
  const origins = new Set<string>();
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  const refusals: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refusals.push(message.text());
  });
  await page.goto('/docs');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("Assay's documentation");
  await expectAccessible(page, { isOurs: false });
  await page.keyboard.press('/');
  const search = page.getByRole('combobox', { name: 'Search the documentation' });
  await search.fill('behind a proxy');
  const first = page.getByRole('option').first();
  await expect(first).toContainText('Behind a proxy');
  await expect(first).toHaveAttribute('aria-selected', 'true');
  await search.press('Enter');
  await expect(page).toHaveURL(/\/docs\/operations#behind-a-proxy$/);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await expect.poll(background).not.toBe(light);
  await page.reload();
  expect(await background()).not.toBe(light);
  await expectAccessible(page, { isOurs: false });
  expect(refusals).toEqual([]);
  expect([...origins]).toEqual([new URL(page.url()).origin]);
});
