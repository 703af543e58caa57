import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from './support/fresh-program';
import { fill, row, save } from './support/steps';
import { expect, expectToast, title } from './support/test';

// One separate program, tests in sequence.
test.describe.configure({ mode: 'default' });

interface Written {
  fields: Record<string, unknown>;
  list: { columns: unknown[] };
}

test('a field written into a file becomes a column and an input while the program runs', async ({
  page,
  signIn,
  api,
  program,
}) => {
  const file = join(program.folder, 'resources/device-types.json');
  const before = readFileSync(file, 'utf8');
  const changed = JSON.parse(before) as Written;
  changed.fields.screen_size = { type: 'number', label: 'Screen size', min: 1, max: 100 };
  changed.list.columns.push('screen_size');
  const column = page.getByRole('columnheader', { name: 'Screen size' });

  await signIn('admin');
  await page.goto('/device-types');
  await expect(page.getByRole('grid')).toBeVisible();
  await page.evaluate(() => Object.assign(window, { samePage: true }));
  await expect(column).toBeHidden();
  writeFileSync(file, JSON.stringify(changed, null, 2));
  await expect(column).toBeVisible();

  await page.getByRole('link', { name: 'Add Device Type' }).click();
  await fill(page, 'Option Name', 'Foldable');
  await fill(page, 'Screen size', '700');
  await save(page);
  await expect(page.getByText('Screen size must be at most 100.')).toBeVisible();
  await fill(page, 'Screen size', '7.6');
  await save(page);
  await expectToast(page, 'Added Successfully');
  await page.getByRole('searchbox', { name: /^Search/ }).fill('Foldable');
  // The search replaces the rows: a click before that can miss its button.
  await expect(page.getByRole('heading', { name: 'Device Types | Total Records: 1', exact: true })).toBeVisible();
  await expect(row(page, 'Foldable')).toContainText('7.6');
  await row(page, 'Foldable').getByRole('button', { name: 'Edit Foldable' }).click();
  await expect(page.getByRole('textbox', { name: 'Screen size' })).toHaveValue('7.6');
  expect(await page.evaluate(() => 'samePage' in window), 'the page was never reloaded').toBe(true);

  const admin = await api('admin');
  const found = await admin.send<{ screen_size: number }[]>('GET', '/device-types?q=Foldable');
  expect(found.body.map((record) => record.screen_size)).toEqual([7.6]);

  // A file with an error changes nothing; without the field in the file, the field disappears.
  writeFileSync(file, '{ "name": "device-types", ');
  await page.goto('/device-types');
  await expect(column).toBeVisible();
  writeFileSync(file, before);
  await expect(column).toBeHidden();
});

test('a new file is a new module with a list, a form and a menu entry', async ({ page, signIn, program }) => {
  await signIn('admin');
  await page.goto('/device-types');
  await expect(page.getByRole('grid')).toBeVisible();
  const source = {
    name: 'browsers',
    labels: { one: 'Browser', many: 'Browsers' },
    scope: 'installation',
    menu: { group: 'Projects', icon: 'globe', order: 90 },
    fields: { name: { type: 'text', required: true }, released: { type: 'date' }, engine: { type: 'text' } },
    list: { columns: ['id', 'name', 'released', 'engine'], chooseColumns: true },
  };
  writeFileSync(join(program.folder, 'resources/browsers.json'), JSON.stringify(source));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Browsers' }).click();
  await expect(title(page)).toHaveText('Browsers | Total Records: 0');
  await page.getByRole('link', { name: 'Add Browser' }).first().click();
  await fill(page, 'Name', 'Chromium');
  await save(page);
  await expectToast(page, 'Added Successfully');
  await expect(row(page, 'Chromium')).toBeVisible();

  await page.getByRole('button', { name: 'Columns' }).click();
  const chooser = page.getByRole('dialog', { name: 'Columns' });
  for (const name of ['Id', 'Released', 'Engine']) await chooser.getByRole('checkbox', { name, exact: true }).uncheck();
  // The last one stays.
  const last = chooser.getByRole('checkbox', { name: /^Name/ });
  await last.click();
  await expect(chooser.getByText('Please select at least one column.')).toBeVisible();
  await expect(last).toBeChecked();
});
