import type { Page } from '@playwright/test';
import { test } from './support/own-program';
import { expect, expectAccessible, type ApiCaller } from './support/test';

interface Named {
  readonly id: number;
  readonly name: string;
}

const item = (page: Page, name: RegExp) => page.getByRole('treeitem', { name });
const branchOf = (page: Page) => new URL(page.url()).searchParams.get('tree');

async function make(caller: ApiCaller, path: string, values: object): Promise<number> {
  const { status, body } = await caller.send<Named | { data: Named }>('POST', path, values);
  expect(status, JSON.stringify(body)).toBe(201);
  return 'data' in body ? body.data.id : body.id;
}

/** A project with modules three deep, and one test case in each. */
async function makeProject(caller: ApiCaller) {
  const project = await make(caller, '/projects', { name: 'Deep', module_depth: 4 });
  const module = (name: string, parent_module: number | null) =>
    make(caller, '/project-modules', { name, project_id: project, parent_module });
  const shop = await module('Shop', null);
  const payment = await module('Payment', shop);
  const cards = await module('Cards', payment);
  const basket = await module('Basket', shop);
  for (const [name, project_sub_module] of [
    ['Opens', null],
    ['Pays', payment],
    ['Declines', cards],
    ['Keeps', basket],
  ] as const)
    await make(caller, '/test-cases', { name, project_id: project, project_module: shop, project_sub_module });
  return { project, shop, payment, cards, basket };
}

test('modules of a project in a tree are chosen, added, moved and taken back by keyboard, dragged, and used on a phone', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const { project, shop, payment, cards, basket } = await makeProject(owner);
  const parentOf = async (id: number) =>
    (await owner.send<{ data: { parent_module: number | null } }>('GET', `/project-modules/${id}`)).body.data
      .parent_module;
  await signIn('owner');
  await page.goto(`/test-cases?project_id=${project}`);
  const show = page.getByRole('button', { name: 'Show Project Modules' });
  await show.focus();
  await page.keyboard.press('Enter');
  await expect(item(page, /^Payment: 2$/)).toBeVisible();
  await expect(item(page, /^Cards: 1$/)).toHaveAttribute('aria-level', '3');
  await expectAccessible(page);

  // Show gave the focus to Hide; then come Add, and the tree as one stop.
  await expect(page.getByRole('button', { name: 'Hide Project Modules' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(item(page, /^All Test Cases: 4$/)).toBeFocused();
  await page.keyboard.press('p');
  await expect(item(page, /^Payment/)).toBeFocused();
  await page.keyboard.press('Enter');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('Keeps')).toHaveCount(0);
  await expect(row('Declines')).toBeVisible();
  expect(branchOf(page)).toBe(String(payment));
  await page.reload();
  await expect(item(page, /^Payment/)).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(row('Keeps')).toBeVisible();
  expect(branchOf(page)).toBeNull();

  await item(page, /^Cards/).focus();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Add inside' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Declined');
  await page.keyboard.press('Enter');
  await expect(item(page, /^Declined: 0$/)).toHaveAttribute('aria-level', '4');

  await item(page, /^Cards/).focus();
  await page.keyboard.press('Control+x');
  await expect(page.getByText('Where to put Cards?')).toBeVisible();
  await page.keyboard.press('b');
  await expect(item(page, /^Basket/)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(item(page, /^Basket: 2$/)).toBeVisible();
  await expect(item(page, /^Payment: 1$/)).toBeVisible();
  expect(await parentOf(cards)).toBe(basket);
  await page.keyboard.press('Control+z');
  await expect(item(page, /^Payment: 2$/)).toBeVisible();
  expect(await parentOf(cards)).toBe(payment);

  await item(page, /^Cards/).dragTo(item(page, /^Shop/));
  await expect(item(page, /^Cards: 1$/)).toHaveAttribute('aria-level', '2');
  expect(await parentOf(cards)).toBe(shop);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Project Modules', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Project Modules' });
  await expect(sheet.getByRole('treeitem', { name: /^Basket: 1$/ })).toBeVisible();
  expect((await sheet.boundingBox())!.width).toBe(390);
  await sheet.getByRole('treeitem', { name: /^Basket/ }).click();
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Project Modules: Basket' })).toBeVisible();
  expect(branchOf(page)).toBe(String(basket));
});
