import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { normalise } from '../../src/engine/definitions/normalise';
import type { Source } from '../../src/engine/definitions/source';
import { expect, expectAccessible, test } from './support/test';

const definitions = readdirSync(resolve('resources'))
  .filter((file) => file.endsWith('.json'))
  .map((file) => normalise(JSON.parse(readFileSync(resolve('resources', file), 'utf8')) as Source))
  .filter((definition) => definition.menu);

for (const definition of definitions) {
  test(`${definition.name}: list and form stand, and are accessible`, async ({ page, signIn }) => {
    await signIn('admin');
    await page.goto(`/${definition.name}`);
    const title = definition.titles.list.split('|')[0]!.trim();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title);
    await expect(page.getByText(/Total Records: \d+/)).toBeVisible();
    await expect(page.getByRole('grid').or(page.getByText('No Data Found'))).toBeVisible();
    await expectAccessible(page);

    const add = page
      .getByRole('link', { name: definition.titles.add })
      .or(page.getByRole('button', { name: definition.titles.add }));
    await add.first().click();
    await expect(page).toHaveURL(new RegExp(`/${definition.name}/create$`));
    await expect(page.getByRole('heading', { level: 1 })).toContainText(definition.titles.create);
    for (const section of definition.form.sections) {
      for (const name of section.fields) {
        const field = definition.fields[name]!;
        if (field.visible || field.readOnly) continue;
        await expect(page.getByText(field.label, { exact: true }).first()).toBeVisible();
      }
    }
    await expect(page.getByRole('button', { name: 'Save' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page).toHaveURL(new RegExp(`/${definition.name}(\\?|$)`));
  });
}
