import type { Locator, Page } from '@playwright/test';
import type { Definition } from '../../src/engine/definitions/definition';
import { fieldTypes } from '../../src/engine/field-types';
import { shippedSources } from '../support/definitions';
import { openSetting } from './support/steps';
import { expectFits, manyWindows, windows } from './support/fits';
import { expect, expectAccessible, test, title } from './support/test';

/**
 * Every definition file is a module: new ones are tested without a change here. Resources that only the program writes have
 * no form, and their own tests.
 */
const sources = shippedSources().filter(({ fields }) =>
  Object.values(fields).some(
    ({ type, readOnly }) => type !== undefined && readOnly !== true && !fieldTypes[type].isDerived,
  ),
);

/** The definitions that are the first to use a field type: the screens of others consist of the same components. */
const firstOfTheirKind = new Set<string>();
const typesSeen = new Set<string>();
for (const { name, fields } of sources) {
  for (const { type = 'text' } of Object.values(fields)) {
    if (!typesSeen.has(type)) firstOfTheirKind.add(name);
    typesSeen.add(type);
  }
}

/** Fields that a record has only after it is stored. */
const madeLater = new Set(['inverse', 'shareLink', 'sequence']);

/** Screens of the product in place of a generated form; they have tests of their own. */
const ownForms = new Set(['test-runs']);

/** A phone and a zoom of 200 %: what does not fit a window fails there first. */
const narrow = windows.filter(({ width }) => width < 768);

/** Several definitions for each test, which then opens the application only once. */
const together = 4;
for (let from = 0; from < sources.length; from += together) {
  const names = sources.slice(from, from + together).map(({ name }) => name);
  test(`list and form load and are accessible: ${names.join(', ')}`, async ({ page, signIn, api }) => {
    const { data } = (await (await api('admin')).send<{ data: Definition[] }>('GET', '/definitions')).body;
    await signIn('admin');
    await page.goto('/dashboard');
    for (const name of names) {
      await test.step(name, () =>
        tour(
          page,
          data.find((one) => one.name === name)!,
        ),
      );
    }
  });
}

async function tour(page: Page, definition: Definition): Promise<void> {
  const { name } = definition;
  await openFromMenu(page, definition);
  // The tabs of a list show their totals.
  const said = definition.list.tabs.length > 0 ? definition.titles.list.split(' | ')[0]! : definition.titles.list;
  await expect(title(page)).toHaveText(new RegExp(`^${said.replace('|', '\\|').replace('{total}', '\\d+')}$`));
  await expect(page.getByRole('grid').or(page.getByText('No Data Found'))).toBeVisible();
  if (firstOfTheirKind.has(name)) await expectAccessible(page, { inForcedColours: true });
  await expectFits(page);

  if (ownForms.has(name)) return;

  // A form is a page, or a dialog over the list; what the definition itself makes a dialog is opened by a button.
  const { dialog } = definition.form;
  const opener = dialog && !dialog.bySize ? 'button' : 'link';
  await page.getByRole(opener, { name: definition.titles.add, exact: true }).first().click();
  await expect(page).toHaveURL(`/${name}/create`);
  await expect(title(page)).toHaveText(definition.titles.create);
  await expect(page.getByRole('dialog', { name: definition.titles.create })).toHaveCount(dialog ? 1 : 0);
  const asked = definition.form.sections
    .flatMap(({ fields, alternatives = [] }) => {
      // Of alternatives without a value, the first is shown.
      const otherFields = new Set(alternatives.slice(1).flatMap((alternative) => alternative.fields));
      return fields.filter((field) => !otherFields.has(field)).map((field) => definition.fields[field]!);
    })
    .filter(({ visible, type, system, readOnly }) => !visible && !system && !readOnly && !madeLater.has(type));
  await openAllFields(page);
  for (const { label } of asked) await expect(page.getByText(label, { exact: true }).first()).toBeVisible();
  if (firstOfTheirKind.has(name)) await expectAccessible(page, { inForcedColours: true });
  await expectFits(page, narrow);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(new RegExp(`/${name}(\\?|$)`));
}

/** Opens the parts of a form that are folded. Fields on demand have buttons with their labels. */
async function openAllFields(page: Page): Promise<void> {
  const form = page.locator('form');
  const folds = form.locator('h2 > button[aria-expanded=false]');
  while ((await folds.count()) > 0) await folds.first().click();
}

/** Opens a list by its entry in the side menu or the settings, or by its tab where several share an entry. */
async function openFromMenu(page: Page, { name, labels, menu }: Definition): Promise<void> {
  if (!menu) return void (await page.goto(`/${name}`));
  if (menu.settings) return openSetting(page, labels.many);
  const entry = page
    .getByRole('navigation', { name: 'Main' })
    // The number of records that wait follows the name.
    .getByRole('link', { name: new RegExp(`^${menu.tabOf ?? labels.many}(?: |$)`) });
  await entry.click();
  if (menu.tabOf) await page.getByRole('navigation', { name: menu.tabOf }).locator(`a[href="/${name}"]`).click();
}

/** Navigates to a screen within the application: reloading the page takes three times as long. */
async function visit(page: Page, path: string): Promise<void> {
  const left = (await title(page).textContent())!;
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  }, path);
  await expect(title(page)).not.toHaveText(left);
}

/** The address of a screen, and a locator that is visible once it is loaded. */
type Stop = readonly [path: string, stands: (page: Page) => Locator];
const grid = (page: Page) => page.getByRole('grid').locator('[data-rowindex="0"]');
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first();

test('boards, cards and lists in forms fit every window', async ({ page, signIn, api }) => {
  const { send } = await api('owner');
  const { data: definitions } = (await send<{ data: Definition[] }>('GET', '/definitions')).body;
  const { fields } = definitions.find(({ name }) => name === 'tasks')!;
  // As many columns as there are.
  const configuration = Object.keys(fields).map((field) => ({ field, visibility: true, filter: true }));
  await send('POST', '/grid-configurations', { name: 'tasks', configuration });
  const [log, user] = await Promise.all(
    ['/time-logs', '/users'].map(
      async (path) =>
        (await send<{ data: { id: number; task_id: number }[] }>('GET', `${path}?range=[0,0]`)).body.data[0]!,
    ),
  );
  const stops: Stop[] = [
    ['/tasks', grid],
    ['/clients?view=cards', button(/^More actions for/)],
    [`/tasks/${log!.task_id}`, (page) => page.getByRole('textbox', { name: 'Name', exact: true })],
    [
      '/tasks?view=kanban',
      (page) =>
        page
          .getByRole('region', { name: 'Not Started' })
          .getByRole('button', { name: /^More actions for/ })
          .first(),
    ],
    [`/tasks/${log!.task_id}?tab=time-logs`, grid],
    [`/users/${user!.id}?tab=projects`, button(/^Add/)],
    ['/roles/5', (page) => page.getByRole('treeitem', { name: /^Clients/ }).first()],
  ];
  await signIn('owner');
  await page.goto('/projects');
  for (const [path, stands] of stops) {
    await test.step(path, async () => {
      await visit(page, path);
      await expect(stands(page)).toBeVisible();
      await expectFits(page, manyWindows);
    });
  }
  await send('POST', '/grid-configurations', { name: 'tasks', configuration: [] });
});

/** How a part of a page looks, or what CSS puts after it: ground, text and lower edge. */
const look = (part: Locator, pseudo?: '::after') =>
  part.first().evaluate((node, name) => {
    const { backgroundColor, color, borderBottomStyle, borderBottomWidth, borderBottomColor } = getComputedStyle(
      node,
      name,
    );
    return [backgroundColor, color, borderBottomStyle, borderBottomWidth, borderBottomColor].join(' ');
  }, pseudo);

test('a contrast theme of the system shows chosen and switched-on elements, today and buttons', async ({
  page,
  signIn,
}) => {
  const expectToldApart = async (one: string, other: string, pseudo?: '::after') => {
    const looks = [await look(page.locator(one), pseudo), await look(page.locator(other), pseudo)];
    expect(looks[0], `${one} and ${other} at ${page.url()}`).not.toBe(looks[1]);
  };
  await page.emulateMedia({ forcedColors: 'active' });
  await signIn('owner');
  await page.goto('/test-cases');
  await expect(grid(page)).toBeVisible();
  await expectToldApart('.tabs > [aria-selected=true]', '.tabs > [aria-selected=false]', '::after');
  await expectToldApart('.page-number[aria-current]', '.page-number:not([aria-current])');
  await expectToldApart('.grid .chip', '.grid .cell-title');
  await expect(page.locator('.grid .chip').first()).toHaveCSS('border-bottom-style', 'solid');
  await expect(page.locator('.MuiButton-contained').first()).toHaveCSS('border-bottom', /^1px solid/);

  await visit(page, '/dashboard');
  await expect(page.locator('.dash .skeleton')).toHaveCount(0);
  await expectToldApart('.cal-today', '.cal-number:not(.cal-today)');
  await expect(page.locator('.cal-count').first()).toHaveCSS('border-bottom', /^1px solid/);
  // Bars keep the colours that their legend explains.
  const figure = page.getByRole('region', { name: 'Tasks', exact: true });
  const colours = () =>
    figure.evaluate((node) => {
      const inLegend = [...node.querySelectorAll('.legend i')].map((one) => getComputedStyle(one).backgroundColor);
      const canvas = node.querySelector('canvas');
      const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      const drawn = new Set<string>();
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 3] === 255) drawn.add(`rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`);
      return { inLegend, missing: inLegend.filter((colour) => !drawn.has(colour)) };
    });
  // The code that draws is loaded after the figures.
  await expect.poll(async () => (await colours()).inLegend.length).toBeGreaterThan(1);
  await expect.poll(async () => (await colours()).missing).toEqual([]);
  const { inLegend } = await colours();
  expect(new Set(inLegend).size).toBe(inLegend.length);

  await visit(page, '/timesheet?everybody=1');
  await expectToldApart('.timesheet-day.is-today em', '.timesheet-day:not(.is-today) em');
  await expectToldApart('.list-views [aria-pressed=true]', '.list-views [aria-pressed=false]');
  await expectToldApart('.timesheet-meter s', '.timesheet-meter');

  await visit(page, '/tasks/create');
  await page.getByRole('button', { name: 'Open the calendar of End Date' }).click();
  await expect(page.getByRole('dialog', { name: 'End Date' }).getByRole('gridcell').first()).toBeVisible();
  await expectToldApart('.MuiPickerDay-today', '.MuiPickerDay-root:not(.MuiPickerDay-today)');
  await page.keyboard.press('Escape');

  await visit(page, '/roles/create');
  const box = page.getByRole('switch', { name: 'Second factor required' });
  const track = page.locator('.switch-box .MuiSwitch-track');
  const thumb = page.locator('.switch-box .MuiSwitch-thumb');
  const off = [await look(track), await look(thumb)];
  await box.check();
  await expect.poll(() => look(track)).not.toBe(off[0]);
  expect(await look(thumb)).not.toBe(off[1]);
});

test('the home screen and its profile menu are accessible', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/dashboard');
  await expect(title(page)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: /profile menu$/ }).click();
  await expectAccessible(page);
});
