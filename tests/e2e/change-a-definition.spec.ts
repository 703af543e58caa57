import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectToast, test } from './support/test';

test('a field added to a file on disk becomes a column and an input while the program runs', async ({
  page,
  signIn,
  api,
}) => {
  const file = join(process.env.ASSAY_FOLDER!, 'resources/device-types.json');
  const before = readFileSync(file, 'utf8');
  await signIn('admin');
  await page.goto('/device-types');
  await expect(page.getByRole('grid')).toBeVisible();
  try {
    const changed = JSON.parse(before) as { fields: Record<string, unknown>; list: { columns: string[] } };
    changed.fields.screen_size = { type: 'number', label: 'Screen size', min: 1, max: 100 };
    changed.list.columns.push('screen_size');
    writeFileSync(file, JSON.stringify(changed, null, 2));
    await expect(page.getByRole('columnheader', { name: 'Screen size' })).toBeVisible();

    await page.goto('/device-types/create');
    await page.getByLabel(/^Option Name/).fill('Foldable');
    await page.getByLabel(/^Screen size/).fill('7.6');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectToast(page, 'Added Successfully');
    const admin = await api('admin');
    const found = await admin.send<{ screen_size: number }[]>('GET', '/device-types?q=Foldable');
    expect(found.body.map((record) => record.screen_size)).toEqual([7.6]);
    const refused = await admin.send<{ errors: Record<string, string> }>('POST', '/device-types', {
      option_name: 'Wall',
      screen_size: 101,
    });
    expect(refused.body.errors).toEqual({ screen_size: 'Screen size may be at most 100.' });

    writeFileSync(file, '{ "name": "device-types", ');
    await page.goto('/device-types');
    await expect(page.getByRole('columnheader', { name: 'Screen size' })).toBeVisible();
  } finally {
    writeFileSync(file, before);
  }
  await expect(page.getByRole('columnheader', { name: 'Screen size' })).toBeHidden();
});

test('a new file is a new module', async ({ page, signIn }) => {
  await signIn('admin');
  await page.goto('/device-types');
  await expect(page.getByRole('grid')).toBeVisible();
  const source = {
    name: 'browsers',
    labels: { one: 'Browser', many: 'Browsers' },
    scope: 'installation',
    fields: { name: { type: 'text', required: true }, released: { type: 'date' } },
  };
  writeFileSync(join(process.env.ASSAY_FOLDER!, 'resources/browsers.json'), JSON.stringify(source));
  await expect(async () => {
    await page.goto('/browsers/create');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Add New Browser', { timeout: 1000 });
  }).toPass({ timeout: 15_000 });
  await page.getByLabel(/^Name/).fill('Chromium');
  await page.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Added Successfully');
  await expect(page.getByRole('grid').getByText('Chromium')).toBeVisible();
});
