import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { test } from './support/fresh-program';
import { expect, expectAccessible, expectToast, type ApiCaller } from './support/test';

// One separate program, tests in sequence.
test.describe.configure({ mode: 'default' });

interface Written {
  fields: Record<string, Record<string, unknown>>;
}

interface Known {
  data: { version: number; customised: boolean; upgrade: unknown; definition: Written };
}

const known = async (admin: ApiCaller) => (await admin.send<Known>('GET', '/modules/tasks')).body.data;

/** Publishes a change. */
async function publish(admin: ApiCaller, change: (definition: Written) => void): Promise<void> {
  const { definition, version } = await known(admin);
  change(definition);
  const { status } = await admin.send('PUT', '/modules/tasks', { definition, version });
  expect(status).toBe(200);
}

const rows = (page: Page) => page.getByRole('table', { name: /^Version/ });
const inList = (page: Page, version: string) =>
  page.getByRole('navigation', { name: 'Versions' }).getByRole('button', { name: version });

test('any two versions are compared, and an earlier one is restored', async ({ page, signIn, api }) => {
  const admin = await api('admin');
  await publish(admin, ({ fields }) => (fields.milestone!.label = 'Release'));
  await publish(admin, ({ fields }) => (fields.build_url = { type: 'url', label: 'Build', maxLength: 500 }));
  await signIn('admin');
  await page.goto('/studio/tasks/versions');
  await expect(inList(page, 'Version 3')).toContainText('published');
  await expect(inList(page, 'Version 1, shipped')).toContainText('Assay, ');
  await expect(rows(page)).toHaveAccessibleName('Version 2 and Version 3');
  await expect(rows(page).locator('[data-kind=added]')).toContainText('+ ');
  await expect(rows(page).getByText('"build_url"')).toBeVisible();

  await inList(page, 'Version 1, shipped').click();
  await expect(rows(page)).toHaveAccessibleName('Version 1, shipped and Version 3');
  await expect(page.getByText('2 lines removed')).toBeVisible();
  await expect(page.getByText('3 lines added')).toBeVisible();
  const inShort = page.getByRole('list', { name: 'What differs, in short' });
  await expect(inShort.getByRole('listitem')).toHaveText(['Addedbuild_url', /^Changedmilestone: label/]);
  await expectAccessible(page);

  // Goes from one difference to the next, and unfolds equal lines.
  await page.keyboard.press('n');
  await expect(page.getByText('1 of 2')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('2 of 2')).toBeVisible();
  await page.keyboard.press('p');
  await expect(page.getByText('1 of 2')).toBeVisible();
  await expect(rows(page).getByText('"$schema"')).toHaveCount(0);
  await rows(page).getByRole('button').first().click();
  await expect(rows(page).getByText('"$schema"')).toHaveCount(2);

  await page.getByRole('button', { name: 'In words' }).click();
  await expect(page.getByRole('list', { name: 'What differs', exact: true }).getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Newer: Version 3' }).click();
  await page.getByRole('menuitem', { name: 'Version 2' }).click();
  await expect(inShort.getByRole('listitem')).toHaveCount(1);

  await page.getByRole('button', { name: 'Restore version 1' }).click();
  const asked = page.getByRole('alertdialog', { name: 'Restore version 1?' });
  await expect(asked.getByRole('list', { name: 'Steps' })).toContainText('build_url');
  await asked.getByRole('button', { name: 'Restore' }).click();
  await expectToast(page, 'Version 1 is published again, as version 4');
  await expect(inList(page, 'Version 4, restored')).toContainText('published');
  expect(Object.keys((await known(admin)).definition.fields)).not.toContain('build_url');
});

test('a draft is listed with the versions of its module, and can be discarded there', async ({ page, signIn }) => {
  await signIn('admin');
  await page.goto('/studio/tasks?at=/fields/milestone');
  await page.getByRole('textbox', { name: 'Label', exact: true }).fill('Release');
  await page.getByRole('link', { name: /^Compare with version/ }).click();
  await expect(inList(page, 'Draft')).toContainText('you, now, 1 change');
  await page.getByRole('button', { name: /^Restore version/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard draft' }).click();
  await expectToast(page, 'The draft was discarded');
  await expect(inList(page, 'Draft')).toHaveCount(0);
});

test('a newer shipped version with conflicts waits for a decision', async ({ page, signIn, api, program }) => {
  const admin = await api('admin');
  await publish(admin, ({ fields }) => (fields.milestone!.label = 'Release'));
  const file = join(program.folder, 'resources/tasks.json');
  const shipped = JSON.parse(readFileSync(file, 'utf8')) as Written;
  shipped.fields.milestone!.label = 'Shipment';
  shipped.fields.estimated_hours!.help = 'Without meetings.';
  writeFileSync(file, JSON.stringify(shipped, null, 2));
  await expect.poll(async () => (await known(admin)).upgrade !== null).toBe(true);

  await signIn('admin');
  await page.goto('/studio?of=waiting');
  await page.getByRole('button', { name: 'More actions for Tasks' }).click();
  await page.getByRole('menuitem', { name: 'Decide the upgrade' }).click();
  const place = page.getByRole('group', { name: 'milestone › label' });
  await expect(place).toContainText('"Shipment"');
  await expect(place).toContainText('"Release"');
  await expect(page.getByRole('list', { name: 'Merged automatically' })).toContainText('estimated_hours');
  const goOn = page.getByRole('button', { name: 'Create the draft' });
  await expect(goOn).toBeDisabled();
  await expectAccessible(page);
  await place.getByRole('radio', { name: 'Newly shipped' }).check();
  await expect(page.getByRole('list', { name: 'With your choices' })).toContainText('milestone');
  await place.getByRole('radio', { name: 'Changed here' }).check();
  await goOn.click();
  await expect(page.getByText(/Publishing it completes the upgrade/)).toBeVisible();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText(/Publishing it completes the upgrade/)).toBeHidden();
  const { upgrade, definition } = await known(admin);
  expect(upgrade).toBeNull();
  expect(definition.fields.milestone!.label).toBe('Release');
  expect(definition.fields.estimated_hours!.help).toBe('Without meetings.');
});
