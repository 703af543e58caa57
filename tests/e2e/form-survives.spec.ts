import type { Locator, Page } from '@playwright/test';
import type { Source } from '../../src/engine/language/source';
import { test } from './support/fresh-program';
import { choose, fill, row, save } from './support/steps';
import { expect, expectToast, type ApiCaller } from './support/test';

// One separate program, tests in sequence.
test.describe.configure({ mode: 'default' });

interface Module {
  version: number;
  definition: Source;
}

/** Publishes a changed definition, as the studio does. */
async function publish(admin: ApiCaller, name: string, change: (source: Source) => Source | void): Promise<void> {
  const found = await admin.send<{ data: Module }>('GET', `/modules/${name}`);
  const { version, definition } = found.body.data;
  const changed = change(definition) ?? definition;
  const answer = await admin.send('PUT', `/modules/${name}`, { definition: changed, version, confirm: true });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

/** The focused input and the position of the cursor. */
const cursor = (page: Page) =>
  page.evaluate(() => {
    const input = document.activeElement as HTMLInputElement;
    return { id: input.id, at: input.selectionStart };
  });

const box = (scope: Page | Locator, label: string) => scope.getByRole('textbox', { name: label, exact: true });

// Other tests of this file need the shipped definitions.
test.afterEach(async ({ api }) => {
  const admin = await api('admin');
  for (const name of ['clients', 'projects', 'tasks']) await admin.send('DELETE', `/modules/${name}?confirm=1`);
});

test('a form on a page keeps typed values while fields are added, renamed, removed, and change their type', async ({
  page,
  signIn,
  api,
}) => {
  const admin = await api('admin');
  await signIn('owner');
  await page.goto('/clients');
  await row(page, 'Brightwater Health').getByRole('link').first().click();
  await fill(page, 'Website', 'https://brightwater.example');
  await fill(page, 'Address', 'Elm Street 5');
  for (let times = 0; times < 2; times++) await page.keyboard.press('ArrowLeft');
  const before = await cursor(page);
  expect(before.at).toBe('Elm Street'.length);

  await publish(admin, 'clients', ({ fields, form, list }) => {
    fields.nickname = { type: 'text', label: 'Short name' };
    fields.address!.label = 'Street';
    fields.address!.type = 'textarea';
    fields.post_code!.label = 'Postal code';
    delete fields.website;
    const [first, second] = form!.sections!;
    first!.fields = ['nickname', ...first!.fields.filter((name) => name !== 'website')];
    second!.label = 'Whereabouts';
    list!.columns = list!.columns!.filter((column) => column !== 'website');
  });
  await expect(box(page, 'Short name')).toBeVisible();
  await expect(box(page, 'Street')).toHaveValue('Elm Street 5');
  expect(await cursor(page)).toEqual(before);
  await page.keyboard.type(' No.');
  await expect(box(page, 'Street')).toHaveValue('Elm Street No. 5');
  await expect(box(page, 'Website')).toBeHidden();
  await fill(page, 'Short name', 'BWH');
  await save(page);
  await expectToast(page, 'Updated Successfully');
  const stored = await admin.send<{ address: string; nickname: string }[]>('GET', '/clients?q=Brightwater');
  expect(stored.body[0]).toMatchObject({ address: 'Elm Street No. 5', nickname: 'BWH' });
});

test('a form in a dialog validates a field that becomes required while it is open', async ({ page, signIn, api }) => {
  const admin = await api('admin');
  await publish(admin, 'clients', ({ form }) => {
    form!.dialog = { width: 640 };
  });
  await signIn('owner');
  await page.goto('/clients');
  await page.getByRole('button', { name: 'Add Client' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add New Client' });
  await box(dialog, 'Name').fill('Lantern Rail');
  await box(dialog, 'Code').fill('LNTN');
  await page.keyboard.press('Home');
  const before = await cursor(page);

  await publish(admin, 'clients', ({ fields, form }) => {
    fields.sector = { type: 'text', required: true, default: 'Transport' };
    fields.contract = { type: 'text', required: true, label: 'Contract number' };
    form!.sections![0]!.fields.push('sector', 'contract');
  });
  await expect(box(dialog, 'Contract number')).toBeVisible();
  await expect(box(dialog, 'Sector')).toHaveValue('Transport');
  expect(await cursor(page)).toEqual(before);
  await page.keyboard.type('X');
  await expect(box(dialog, 'Code')).toHaveValue('XLNTN');
  await expect(box(dialog, 'Name')).toHaveValue('Lantern Rail');
  await box(dialog, 'Email').fill('rail@example.com');
  await box(dialog, 'Address').fill('Quay 1');
  await box(dialog, 'Post Code').fill('20457');
  await choose(dialog, 'Country', 'Germany');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Contract number is required')).toBeVisible();
  await expect(box(dialog, 'Contract number')).toBeFocused();
  await box(dialog, 'Contract number').fill('C-17');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Added Successfully');
  const stored = await admin.send<Record<string, unknown>[]>('GET', '/clients?q=Lantern');
  expect(stored.body[0]).toMatchObject({ code: 'XLNTN', sector: 'Transport', contract: 'C-17' });
});

test('a form on a page keeps rich text and the cursor position when its definition changes', async ({
  page,
  signIn,
  api,
}) => {
  const admin = await api('admin');
  await signIn('manager');
  await page.goto('/tasks/60');
  const text = page.getByRole('textbox', { name: 'Description' });
  await text.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Before it was published');

  await publish(admin, 'tasks', ({ fields, form, labels }) => {
    fields.build_url = { type: 'url', label: 'Build' };
    form!.sections![0]!.fields.unshift('build_url');
    fields.description!.label = 'Details';
    labels.one = 'Ticket';
  });
  await expect(box(page, 'Build')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Details' })).toBeFocused();
  await page.keyboard.type(', and after.');
  await expect(page.getByRole('textbox', { name: 'Details' })).toContainText('Before it was published, and after.');
  await save(page);
  await expectToast(page, 'Updated Successfully');
  const stored = await admin.send<{ data: { description: string } }>('GET', '/tasks/60');
  expect(stored.body.data.description).toContain('Before it was published, and after.');
});

test('a form in a dialog over the board keeps the typed value of a renamed field', async ({ page, signIn, api }) => {
  const admin = await api('admin');
  await signIn('manager');
  await page.goto('/tasks?view=kanban');
  await page.getByRole('button', { name: /^Add .* to Not Started$/ }).click();
  const dialog = page.getByRole('dialog');
  await box(dialog, 'Milestone').fill('Sprint 30');
  await box(dialog, 'Name').fill('Typed before');

  const rename = (from: string, to: string) => (source: Source) => {
    const renamed = JSON.parse(JSON.stringify(source).replaceAll(`"${from}"`, `"${to}"`)) as Source;
    renamed.fields[to] = { type: 'text', formerName: from };
    return renamed;
  };
  await publish(admin, 'tasks', rename('milestone', 'stage'));
  await expect(box(dialog, 'Stage')).toHaveValue('Sprint 30');
  await expect(box(dialog, 'Name')).toBeFocused();
  await page.keyboard.type(' and after');
  await expect(box(dialog, 'Name')).toHaveValue('Typed before and after');
  // Renaming it back keeps its values too.
  await publish(admin, 'tasks', rename('stage', 'milestone'));
  await expect(box(dialog, 'Milestone')).toHaveValue('Sprint 30');
});

test('the dialog for several records keeps its values and the selection when the definition changes', async ({
  page,
  signIn,
  api,
}) => {
  const admin = await api('admin');
  await signIn('owner');
  await page.goto('/projects');
  const names = ['Claims Self Service', 'Summit Quest'];
  for (const name of names) await row(page, name).getByRole('checkbox').click();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit 2 projects' });
  await choose(dialog, 'New value', 'Completed');

  await publish(admin, 'projects', ({ fields }) => void (fields.code!.label = 'Short Code'));
  await expect(page.getByText('Short Code')).toBeAttached();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Updated Successfully');
  for (const name of names) await expect(row(page, name)).toContainText('Completed');
});
