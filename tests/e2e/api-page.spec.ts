import { expect, expectAccessible, test, title } from './support/test';

test('the API page shows every call that the user may make, and makes one', async ({ page, signIn, api }) => {
  const owner = await api('owner');
  const { paths } = (await owner.send<{ paths: Record<string, object> }>('GET', '/openapi.json')).body;
  const methods = Object.values(paths).flatMap((path) => Object.keys(path).filter((name) => name !== 'parameters'));
  const origins = new Set<string>();
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  await signIn('owner');
  await page.goto('/api/docs');
  await expect(title(page)).toHaveText('Assay API');
  const calls = page.locator('.opblock');
  // Those in sight are rendered.
  await expect(page.getByRole('status').filter({ hasText: /^\d/ })).toHaveText(`${methods.length} calls`);
  await expect(page.getByText('POST').first()).toBeVisible();

  await page.getByRole('searchbox', { name: 'Find' }).fill('get clients-export');
  await expect(calls).toHaveCount(1);
  await calls.locator('.opblock-summary-control').click();
  await expect(calls.getByRole('heading', { name: 'Responses' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Find' }).fill('put /clients/{id} change a');
  await calls.locator('.opblock-summary-control').click();
  await expect(calls).toContainText('"post_code"');
  await expectAccessible(page, { isOurs: false });

  // A call goes out with the sign-in of this browser, and what is shown of it leaves that out.
  await page.getByRole('searchbox', { name: 'Find' }).fill('get /clients/choices');
  await calls.getByRole('button', { name: 'GET /clients/choices Clients' }).click();
  await calls.getByRole('button', { name: 'Try it out' }).click();
  const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/clients/choices');
  await calls.getByRole('button', { name: 'Execute' }).click();
  expect((await (await sent).allHeaders()).authorization).toMatch(/^Bearer /);
  await expect(calls.locator('.live-responses-table')).toContainText('Northwind Freight');
  await expect(calls.locator('.curl-command')).toContainText('/api/clients/choices');
  await expect(calls.locator('.curl-command')).not.toContainText('Bearer');
  expect([...origins]).toEqual([new URL(page.url()).origin]);
});

test('the API page tells a visitor where to sign in', async ({ page }) => {
  await page.goto('/api/docs');
  await expect(page.getByText('Sign in to Assay in this browser first')).toBeVisible();
});
