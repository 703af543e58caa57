import { gzipSync } from 'node:zlib';
import { expect, expectAccessible, test, type ApiCaller } from './support/test';

// A visitor has never been here, so that all scripts travel.
test.use({ ownContext: true });

interface TestCase {
  id: number;
  name: string;
  sharable_link: string | null;
}

/** Creates a test case with a share link. */
async function newCase(caller: ApiCaller, name: string): Promise<TestCase> {
  const { status, body } = await caller.send<{ data: Record<string, unknown>[] }>('GET', '/test-cases?range=[0,0]');
  expect(status, JSON.stringify(body)).toBe(200);
  const made = await caller.send<{ data: TestCase }>('POST', '/test-cases', {
    name,
    project_id: body.data[0]!.project_id,
    priority_id: 1,
    result_id: 2,
    description: '<p>Pay <strong>twice</strong></p><ol><li>Open</li><li>Press</li></ol>',
    steps_to_reproduce: 'Open the checkout\nPress Pay',
    video_url: 'https://video.example/42',
  });
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  return made.body.data;
}

test('a visitor reads a shared test case without signing in, and without the application’s libraries', async ({
  page,
  api,
}) => {
  const shared = await newCase(await api('owner'), 'Card is charged twice');
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.goto(`/testcase/${shared.sharable_link}`, { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Testcase: Card is charged twice');
  await expect(page).toHaveTitle(/^Testcase: Card is charged twice/);
  for (const label of [
    'Project Module',
    'Sub Module',
    'Type',
    'Task',
    'Action',
    'Device Type',
    'Result',
    'Priority',
    'Status',
    'Assignee',
    'Video URL',
    'Created by',
  ]) {
    await expect(page.getByText(label, { exact: true })).toBeVisible();
  }
  for (const label of [
    'Description',
    'Test Data',
    'Pre-conditions',
    'Steps to Reproduce',
    'Expected Result',
    'Actual Result',
    'Screenshot',
  ]) {
    await expect(page.getByRole('heading', { name: label, exact: true })).toBeVisible();
  }
  await expect(page.locator('strong', { hasText: 'twice' })).toBeVisible();
  await expect(page.getByRole('link', { name: /video\.example\/42/ })).toHaveAttribute(
    'href',
    'https://video.example/42',
  );
  await expect(page.getByRole('textbox')).toHaveCount(0);
  const travelled = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(travelled).toBeGreaterThan(10_000);
  expect(travelled).toBeLessThan(120_000);
  await expectAccessible(page);
});

test('an invalid link redirects to the root, and so does a revoked one', async ({ page, api }) => {
  await page.goto('/testcase/nothing-has-this-link-at-all');
  await expect(page).toHaveURL(/\/auth\/login$/);
  const owner = await api('owner');
  const shared = await newCase(owner, 'Shared no more');
  await owner.send('DELETE', `/test-cases/${shared.id}/share`);
  await page.goto(`/testcase/${shared.sharable_link}`);
  await expect(page).toHaveURL(/\/auth\/login$/);
});

test('a module made in the studio has a public page from its definition', async ({ page, api }) => {
  const admin = await api('admin');
  const definition = {
    name: 'shared-jars',
    labels: { one: 'Jar', many: 'Jars' },
    scope: 'company',
    fields: {
      name: { required: true },
      story: { type: 'richText' },
      filled: { type: 'date' },
      price: { type: 'number' },
      link: { type: 'shareLink', path: 'jar', sharedFields: ['story', 'filled'] },
    },
  };
  expect((await admin.send('POST', '/modules', { definition })).status).toBe(201);
  const values = { name: 'Cumin', site_id: 1, story: '<p>From <b>Fez</b></p>', filled: '2026-11-03', price: 9 };
  const { body } = await admin.send<{ link: string }>('POST', '/shared-jars', values);
  await page.goto(`/jar/${body.link}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cumin');
  await expect(page.getByText('Shared jar, read-only')).toBeVisible();
  await expect(page.locator('b', { hasText: 'Fez' })).toBeVisible();
  await expect(page.getByText('Filled', { exact: true })).toBeVisible();
  await expect(page.getByText('Price', { exact: true })).toHaveCount(0);
  await expectAccessible(page);
  await page.goto(`/jar/${'aB3-'.repeat(8)}`);
  await expect(page.getByRole('alert')).toContainText('This link is not valid');
  await page.getByRole('button', { name: 'Go to Assay' }).click();
  await expect(page).toHaveURL(/\/auth\/login$/);
});

test('the link is copied, renewed, revoked and created again in the form', async ({ page, signIn, api }) => {
  const shared = await newCase(await api('owner'), 'Shared from its form');
  await signIn('owner');
  await page.goto(`/test-cases/${shared.id}`);
  const address = page.getByRole('textbox', { name: 'Public link' });
  await expect(address).toHaveValue(new RegExp(`/testcase/${shared.sharable_link}$`));
  await page.getByRole('button', { name: 'Renew' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Renew' }).click();
  await expect(address).not.toHaveValue(new RegExp(`/testcase/${shared.sharable_link}$`));
  await expect(address).toHaveValue(/\/testcase\/[\w-]{20,}$/);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('No public link')).toBeVisible();
  await page.getByRole('button', { name: 'Create link' }).click();
  await expect(address).toHaveValue(/\/testcase\/[\w-]{20,}$/);
});
