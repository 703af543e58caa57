import { expect, expectAccessible, test, title } from './support/test';

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
  // A page of the reference shows the picture of its theme alone.
  await page.goto('/docs/reference/board');
  const pictures = page.getByRole('img', { name: 'What appears for the smallest definition' });
  await expect(pictures).toHaveAttribute('src', /board-dark\.webp/);
  await page.getByRole('button', { name: 'Light theme' }).click();
  await expect(pictures).toHaveAttribute('src', /board-light\.webp/);
  const width = () => pictures.evaluate((picture: HTMLImageElement) => picture.naturalWidth);
  await expect.poll(width).toBeGreaterThan(100);
  expect(refusals).toEqual([]);
  expect([...origins]).toEqual([new URL(page.url()).origin]);
});

test('the documentation is opened from the studio and from the palette by users of the studio', async ({
  page,
  signIn,
}) => {
  await signIn('admin');
  await page.goto('/studio');
  const link = page.getByRole('toolbar', { name: 'Studio tools' }).getByRole('link', { name: 'Documentation' });
  await expect(link).toHaveAttribute('href', '/docs');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('documentation');
  await expect(page.getByRole('option', { name: 'Documentation' })).toHaveAttribute('aria-selected', 'true');
  const opening = page.context().waitForEvent('page');
  await page.keyboard.press('Enter');
  const opened = await opening;
  await expect(opened.getByRole('heading', { level: 1 })).toHaveText("Assay's documentation");
  await opened.close();
});

test('the palette has no documentation for users without access to the studio', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/projects');
  await expect(title(page)).toContainText('Projects');
  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog').getByRole('combobox');
  await search.fill('clients');
  const option = page.getByRole('option', { name: /^Clients/ });
  await expect(option.first()).toBeVisible();
  await search.fill('documentation');
  await expect(option).toHaveCount(0);
  await expect(page.getByRole('option', { name: 'Documentation', exact: true })).toHaveCount(0);
});
