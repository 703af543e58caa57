import { expect, expectAccessible, test, title } from './support/test';

test('the API page shows every call that the user may make', async ({ page, signIn, api }) => {
  const owner = await api('owner');
  const { paths } = (await owner.send<{ paths: Record<string, object> }>('GET', '/openapi.json')).body;
  const methods = Object.values(paths).flatMap((path) => Object.keys(path).filter((name) => name !== 'parameters'));
  await signIn('owner');
  await page.goto('/api/docs');
  await expect(title(page)).toHaveText('Assay API');
  await expect(page.locator('details')).toHaveCount(methods.length);
  await expect(page.getByText('POST').first()).toBeVisible();

  await page.getByRole('searchbox', { name: 'Find' }).fill('get clients-export');
  await expect(page.locator('details:visible')).toHaveCount(1);
  await page.getByText('/api/clients-export').click();
  await expect(page.getByRole('heading', { name: 'Answer 200' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Find' }).fill('put /clients');
  await page.locator('details:visible').getByText('/api/clients/{id}', { exact: true }).click();
  await expect(page.locator('details:visible').getByText('"post_code"').first()).toBeVisible();
  await expectAccessible(page);
});

test('the API page tells a visitor where to sign in', async ({ page }) => {
  await page.goto('/api/docs');
  await expect(page.getByText('Sign in to Assay in this browser first')).toBeVisible();
});
